import type { NodeOverlay, PriceChange } from "../../core/model/index.ts";
import { type NodeOverlaySpec, nodeOverlayKind } from "../kinds/node-overlay.ts";
import { amounts, converting, given } from "./fields.ts";
import { metadataOf } from "./metadata.ts";
import { accepted, requirementsOf } from "./node-pool.ts";

const defaultWeight = 1;
const millionthsPerPercent = 10_000;

/** `0.5`, `+0.01`, `-12.5%`: the schema's patterns let nothing else through. */
function priceOf({ price, priceAdjustment }: NodeOverlaySpec): PriceChange | undefined {
  if (price !== undefined) return { kind: "price", microUsd: Math.round(Number(price) * 1_000_000) };
  if (priceAdjustment === undefined) return undefined;
  if (priceAdjustment.endsWith("%")) {
    return { kind: "share", ppm: Math.round(Number(priceAdjustment.slice(0, -1)) * millionthsPerPercent) };
  }
  return { kind: "amount", microUsd: Math.round(Number(priceAdjustment) * 1_000_000) };
}

/** @throws UnreadableObjectError naming overlay, field and what is wrong */
export function toNodeOverlay(document: unknown): NodeOverlay {
  return converting("NodeOverlay", document, (written) => {
    const { uid, name, resourceVersion, generation } = metadataOf(written);
    const { spec } = accepted(nodeOverlayKind, written);
    return {
      uid,
      name,
      resourceVersion,
      generation,
      weight: spec.weight ?? defaultWeight,
      requirements: requirementsOf(spec.requirements),
      ...given("price", priceOf(spec)),
      capacity: amounts(spec.capacity, "down", "spec.capacity"),
    };
  });
}
