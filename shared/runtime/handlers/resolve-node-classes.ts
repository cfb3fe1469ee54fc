import { createResolveNodeClasses } from "../../controllers/resolve-node-classes.ts";
import { wakeHandler } from "../wake-handler.ts";

export const resolveNodeClasses = wakeHandler("resolve-node-classes", createResolveNodeClasses);
