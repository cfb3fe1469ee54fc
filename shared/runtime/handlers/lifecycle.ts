import { createLifecycle } from "../../controllers/lifecycle.ts";
import { wakeHandler } from "../wake-handler.ts";

export const lifecycle = wakeHandler("lifecycle", createLifecycle);
