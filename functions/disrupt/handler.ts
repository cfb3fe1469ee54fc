// Wakes about nodes that may go → committed commands, driven until their nodes are given up.
import { disrupt } from "../../shared/runtime/handlers/disrupt.ts";

export const handler = disrupt;
