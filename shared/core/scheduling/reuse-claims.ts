import { own, type Pod } from "../model/index.ts";
import type { Board } from "./board.ts";
import { binAdmits } from "./node-bins.ts";
import { type OpenClaim, typesHolding } from "./open-claim.ts";
import type { Solution, SolveOnce } from "./solution.ts";
import { isShunned, untoleratedTaint } from "./taints.ts";
import { copyTally } from "./topology/node-rules.ts";
import { type World, withoutBins } from "./world.ts";

/**
 * Claims in flight whose nominations have run out: their pods are planned anew, and filled in another order they might no
 * longer all fit. Planning without those claims makes the nodes that they were made for once more; each is then put on
 * a claim in flight that can take it. Undefined where that is no better than `first`.
 */
export function reuseClaims(
  world: World,
  pods: readonly Pod[],
  first: Solution,
  solveOnce: SolveOnce,
): Solution | undefined {
  const nominatedTo = new Set(world.nominated.values());
  const idle = new Set<number>();
  world.bins.forEach(({ settled, leaving, claim, target }, row) => {
    if (!settled && !leaving && claim !== undefined && !nominatedTo.has(target)) idle.add(row);
  });
  if (idle.size === 0) return undefined;
  const names = new Set([...idle].map((row) => world.bins[row]!.target));
  const { solution, board } = solveOnce(setAside(world, names), pods);
  if (podsLeft(solution) > podsLeft(first)) return undefined;

  const claims: Solution["claims"][number][] = [];
  const placements = [...solution.placements];
  for (const planned of solution.claims) {
    const row = mostSimilarBin(world, board, planned.claim, idle);
    if (row < 0) claims.push(planned);
    else {
      idle.delete(row);
      placements.push({ bin: row, pods: planned.pods });
    }
  }
  // The limits were worked out without the claims that were set aside, so nothing more may be bought against them.
  if (claims.some(({ claim }) => board.ledger.isLimited(claim.pool))) return undefined;
  if (priceOf(claims) >= priceOf(first.claims)) return undefined;
  return { ...solution, claims, placements: placements.sort((a, b) => a.bin - b.bin) };
}

/** Without these claims, but for the zones that they are coming to: pods are spread over those too. */
function setAside(world: World, names: ReadonlySet<string>): World {
  const without = withoutBins(world, names);
  return { ...without, bins: without.bins.map((bin) => (names.has(bin.target) ? { ...bin, gone: false } : bin)) };
}

function podsLeft({ unplaced }: Solution): number {
  return unplaced.reduce((sum, { pods }) => sum + pods.length, 0);
}

function priceOf(claims: Solution["claims"]): number {
  return claims.reduce((sum, { claim }) => {
    const { states } = claim.pool;
    const prices = typesHolding(claim.pool, claim.state, claim.usage, claim.ceiling).map((t) =>
      states.price(claim.state, t),
    );
    return sum + prices.reduce((a, b) => Math.min(a, b));
  }, 0);
}

/**
 * Of the bins of the same pool that take all pods of the claim, the one that was planned for the most similar amounts: the
 * claim that was made for these very pods, if it is there. −1: none.
 */
function mostSimilarBin(world: World, board: Board, claim: OpenClaim, rows: ReadonlySet<number>): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    if (world.bins[row]!.claim!.nodePool !== claim.pool.nodePool.name) continue;
    const difference = differenceTo(world, claim, row);
    if (difference >= least || !admitsAll(world, board, claim, row)) continue;
    least = difference;
    best = row;
  }
  return best;
}

/** How far the bin's planned requests are from the claim's, summed over resources in shares; Infinity: it does not fit. */
function differenceTo(world: World, { usage }: OpenClaim, row: number): number {
  const { axis, free, bins } = world;
  const { requests } = bins[row]!.claim!;
  let difference = 0;
  for (let r = 0; r < axis.size; r++) {
    const used = usage[r]!;
    if (used > 0 && used > free[row * axis.size + r]!) return Number.POSITIVE_INFINITY;
    const planned = own(requests, axis.names[r]!) ?? 0;
    difference += Math.abs(planned - used) / Math.max(planned, used, 1);
  }
  return difference;
}

function admitsAll(world: World, board: Board, claim: OpenClaim, row: number): boolean {
  const bin = world.bins[row]!;
  if (!keepsRules(board, claim, row)) return false;
  return [...claim.taken.keys()].every((c) => {
    const { sample, selection } = board.classes[c]!;
    if (untoleratedTaint(sample.tolerations, bin.taints) !== undefined) return false;
    if (isShunned(sample.tolerations, bin.taints)) return false;
    return selection.alternatives.some((ask) => binAdmits(bin, ask, world.asks));
  });
}

/** The claim's pods may be on one node beside what stands on the bin. */
function keepsRules({ topology }: Board, claim: OpenClaim, row: number): boolean {
  const there = topology?.tally(row);
  if (topology === undefined || there === undefined) return true;
  const tally = copyTally(there);
  return [...claim.taken].every(([c, count]) => {
    if (topology.rules.room(tally, c, true) < count) return false;
    topology.rules.add(tally, c, count);
    return true;
  });
}
