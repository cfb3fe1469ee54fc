// Wakes about pods that have no place → committed claims and nominations.
import { provision } from "../../shared/runtime/handlers/provision.ts";

export const handler = provision;
