import { createInterrupt } from "../../controllers/interrupt.ts";
import { interruptHandler } from "../interrupt-handler.ts";

export const interrupt = interruptHandler(createInterrupt);
