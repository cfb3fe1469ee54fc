// Whose pods get the last capacity. Karpenter's queue knows no priority; kube-scheduler does, and would evict a lesser pod from
// the place that it was given. So where something has to stay out, it is the least important that could.
import type { Pod } from "../model/index.ts";
import type { Solution, Unplaced } from "./solution.ts";
import type { World } from "./world.ts";

/** More ranks than people have priority classes; the least important share the last. */
const maxTiers = 16;

/** The pods by priority, the highest first. */
export function tiersOf(pods: readonly Pod[]): readonly (readonly Pod[])[] {
  const priorities = [...new Set(pods.map(({ priority }) => priority))].sort((a, b) => b - a);
  const last = priorities[Math.min(maxTiers, priorities.length) - 1] ?? 0;
  const tiers = new Map<number, Pod[]>();
  for (const pod of pods) {
    const rank = Math.max(pod.priority, last);
    const known = tiers.get(rank);
    if (known === undefined) tiers.set(rank, [pod]);
    else known.push(pod);
  }
  return [...tiers].sort(([a], [b]) => b - a).map(([, tier]) => tier);
}

/** Some pod has no place that a less important one may have taken. */
export function isUnfair(world: World, pods: readonly Pod[], { unplaced }: Solution): boolean {
  if (unplaced.length === 0) return false;
  const out = new Set(unplaced.flatMap(({ pods: left }) => left));
  const least = pods.reduce((low, pod) => (out.has(pod) ? low : Math.min(low, pod.priority)), Number.POSITIVE_INFINITY);
  return unplaced.some((one) => one.solverClass.sample.priority > least && mayFit(world, one));
}

/** A new node might hold it, or a node that is there would if it stood empty as it is now. */
export function mayFit({ bins, free, axis }: World, { solverClass }: Unplaced): boolean {
  if (solverClass.options.length > 0) return true;
  const width = axis.size;
  const request = new Float64Array(width);
  axis.write(solverClass.sample.requests, request, 0);
  return bins.some(({ leaving }, row) => !leaving && request.every((amount, r) => amount <= free[row * width + r]!));
}

/** True if `one` leaves fewer pods without a place than `other` at the highest priority where they differ. */
export function isFairer(one: Solution, other: Solution): boolean {
  const difference = new Map<number, number>();
  const count = ({ unplaced }: Solution, sign: number): void => {
    for (const { pods } of unplaced)
      for (const { priority } of pods) difference.set(priority, (difference.get(priority) ?? 0) + sign);
  };
  count(one, 1);
  count(other, -1);
  const [highest] = [...difference].filter(([, more]) => more !== 0).sort(([a], [b]) => b - a);
  return highest !== undefined && highest[1] < 0;
}
