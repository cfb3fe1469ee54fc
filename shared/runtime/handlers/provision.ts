import { createProvision } from "../../controllers/provision.ts";
import { wakeHandler } from "../wake-handler.ts";

export const provision = wakeHandler("provision", createProvision);
