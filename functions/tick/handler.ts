// Every minute → wakes for what is due, and the nets for what was forgotten.
import { tick } from "../../shared/runtime/handlers/tick.ts";

export const handler = tick;
