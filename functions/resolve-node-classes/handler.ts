// Wakes about EC2NodeClasses → what their selectors find, as status and conditions.
import { resolveNodeClasses } from "../../shared/runtime/handlers/resolve-node-classes.ts";

export const handler = resolveNodeClasses;
