// A greedy plan leaves out whom it comes to last, though in another order there may be room for all: one node that takes
// everything under a limit of nodes, pods that others keep out of their zone. Who was left out comes first in a new plan.
import type { Pod } from "../model/index.ts";
import { maxRetriedPods, maxRetries } from "./bounds.ts";
import { isFairer, mayFit } from "./by-priority.ts";
import type { Solution } from "./solution.ts";
import type { World } from "./world.ts";

type Tiers = readonly (readonly Pod[])[];

/**
 * A solution that leaves fewer pods out at the highest priority where it differs from `first`, if one is found by planning
 * those that are left out before the others of their tier; else `first`. Pods that no node could hold anyway are no reason.
 */
export function retried(world: World, tiers: Tiers, first: Solution, solve: (tiers: Tiers) => Solution): Solution {
  const pods = tiers.reduce((sum, tier) => sum + tier.length, 0);
  let best = first;
  let last = first;
  const ahead = new Set<Pod>();
  for (let n = 0; n < maxRetries && best.unplaced.length > 0 && pods <= maxRetriedPods; n++) {
    const before = ahead.size;
    for (const one of last.unplaced) {
      // Who needs company comes when others have their places.
      if (one.solverClass.sample.requiredPodAffinity.length > 0 || !mayFit(world, one)) continue;
      for (const pod of one.pods) ahead.add(pod);
    }
    if (ahead.size === before || ahead.size === pods) break;
    last = solve(tiers.flatMap((tier) => parted(tier, ahead)));
    if (isFairer(last, best)) best = last;
  }
  return best;
}

function parted(tier: readonly Pod[], ahead: ReadonlySet<Pod>): Tiers {
  const parts = [tier.filter((pod) => ahead.has(pod)), tier.filter((pod) => !ahead.has(pod))];
  return parts.filter((part) => part.length > 0);
}
