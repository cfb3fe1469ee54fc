import type { RequirementSpec } from "./requirement.ts";
import type { Resources } from "./resources.ts";

/** What a price becomes: just so much, so much more or less, or so many millionths of it more or less. */
export type PriceChange =
  | { readonly kind: "price"; readonly microUsd: number }
  | { readonly kind: "amount"; readonly microUsd: number }
  | { readonly kind: "share"; readonly ppm: number };

/** Instance types as people want them seen: at another price, or with extended resources. */
export interface NodeOverlay {
  readonly uid: string;
  readonly name: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly weight: number;
  readonly requirements: readonly RequirementSpec[];
  readonly price?: PriceChange;
  readonly capacity: Resources;
}
