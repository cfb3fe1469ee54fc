import { createDisrupt } from "../../controllers/disrupt.ts";
import { wakeHandler } from "../wake-handler.ts";

export const disrupt = wakeHandler("disrupt", createDisrupt);
