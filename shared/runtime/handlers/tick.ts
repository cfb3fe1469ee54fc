import { createTick } from "../../controllers/tick.ts";
import { tickHandler } from "../tick-handler.ts";

export const tick = tickHandler(createTick);
