// Wakes to look for instances without a claim and claims without an instance.
import { collectGarbage } from "../../shared/runtime/handlers/collect-garbage.ts";

export const handler = collectGarbage;
