import type { Window } from "./coalesce.ts";
import type { RelayTarget } from "./rules.ts";

/** One change of a node is worth a look at once: joining nodes should not wait for each other. */
const promptly: Window = { idleMs: 200, longestMs: 1_000 };

/** Karpenter's defaults. */
const usualBatch: Window = { idleMs: 1_000, longestMs: 10_000 };

/**
 * Each look of disrupt reads the whole cluster, and pods come and go all day: it looks no more often than Karpenter does,
 * which polls this often.
 */
const disruptGapMs = 10_000;

/** How long changes are gathered for each controller. `batch`: of provision and disrupt. */
export function windowsFor(batch: Window = usualBatch): Readonly<Record<RelayTarget, Window>> {
  return {
    provision: batch,
    disrupt: { ...batch, gapMs: disruptGapMs },
    lifecycle: promptly,
    "resolve-node-classes": promptly,
  };
}
