// Wakes about pending pods → committed claims. One standard queue, small batches, partial failures.
import { provision } from "../../shared/runtime/handlers/provision.ts";

export const handler = provision;
