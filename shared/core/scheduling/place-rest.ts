import { type Board, canHold } from "./board.ts";
import type { BinFilling } from "./fill-bins.ts";
import { limitsExceeded } from "./limits.ts";
import { launchableTypes, type OpenClaim } from "./open-claim.ts";
import type { Pool } from "./pool.ts";
import { settledState } from "./settle-labels.ts";
import { isShunned } from "./taints.ts";

/**
 * The pods that planning in bulk left over, one by one: on a bin, on a claim that was just opened, on a claim of their
 * own. All pods of a class are alike and room only shrinks, so the first that fits nowhere ends its class; only those that
 * want to be near others on one node look everywhere again, for each that is placed lets more in. After this, no pod that
 * is left fits anywhere in the plan.
 */
export function placeRest(board: Board, bins: BinFilling, { shunned }: { readonly shunned: boolean }): void {
  const reach = new Reach();
  const needsOf = (c: number): readonly number[] => board.topology?.rules.needsOf(c) ?? [];
  // Who wants to be near others comes when those have their places.
  const order = [...board.classes.keys()].sort((a, b) => Math.sign(needsOf(a).length) - Math.sign(needsOf(b).length));
  for (const c of order) {
    const one = board.classes[c]!;
    // What refused a class goes on refusing it: each search goes on where the last one found something.
    let bin = 0;
    let claim = 0;
    const pools = new Set(one.options.map(({ pool }) => pool));
    const needs = needsOf(c);
    while (board.left[c]! > 0) {
      if (needs.length > 0) bin = claim = 0;
      const first = needs.length > 0 && needs.every((group) => mayBeFirst(board, c, group));
      bin = bins.placeOne(c, shunned, bin, first);
      if (bin < board.world.bins.length) continue;
      claim = joinClaim(board, c, shunned, pools, claim, reach, first);
      if (claim >= board.claims.length && !openOwn(board, c, shunned, first)) break;
      board.left[c]!--;
    }
  }
}

/** A pod that wants to be near its like goes anywhere when there is none yet (Kubernetes' rule for the first of them). */
function mayBeFirst({ classes, left, topology }: Board, c: number, group: number): boolean {
  const { rules } = topology!;
  if (!rules.selects(c, group) || topology!.onHosts(group) > 0 || !topology!.mayStart(group)) return false;
  return classes.every(({ pods }, other) => left[other]! === pods.length || !rules.selects(other, group));
}

/** Rules about other pods let one of class `c` onto a node of the pool that holds these. */
function isWelcome(
  { topology }: Board,
  pool: number,
  taken: ReadonlyMap<number, number>,
  c: number,
  first: boolean,
): boolean {
  if (!topology?.rules.concerns(c)) return true;
  return topology.rules.room(topology.rules.tallyOf(taken, topology.beginning(pool)), c, first) >= 1;
}

/**
 * The most that a claim could come to hold of each resource, whatever its type and its daemons turn out to be. Most pods
 * ask for more than most claims have left, and this says so without a look at every type.
 */
class Reach {
  readonly #left = new Map<OpenClaim, Float64Array>();

  /** False: the claim can surely not take a pod of this class. */
  allows({ requests }: Board, claim: OpenClaim, c: number): boolean {
    let left = this.#left.get(claim);
    if (left === undefined) {
      left = leftOver(claim);
      this.#left.set(claim, left);
    }
    const width = left.length;
    for (let r = 0; r < width; r++) if (requests[c * width + r]! > left[r]!) return false;
    return true;
  }

  forget(claim: OpenClaim): void {
    this.#left.delete(claim);
  }
}

function leftOver({ pool: { states }, state, usage, ceiling }: OpenClaim): Float64Array {
  const allocatable = states.allocatable(state);
  const left = new Float64Array(usage.length).fill(-1);
  for (const t of states.cheapest(state)) {
    if (ceiling !== undefined && limitsExceeded(ceiling, states.typeIn(state, t).capacity).length > 0) continue;
    for (let r = 0; r < usage.length; r++) {
      left[r] = Math.max(left[r]!, allocatable[t * usage.length + r]! - usage[r]!);
    }
  }
  return left;
}

function withPod(board: Board, usage: Float64Array, c: number): Float64Array {
  const width = usage.length;
  return usage.map((amount, r) => amount + board.requests[c * width + r]!);
}

/** Puts one pod on the first claim from `from` on that takes it, and returns its index; past the last: none does. */
function joinClaim(
  board: Board,
  c: number,
  shunned: boolean,
  pools: ReadonlySet<number>,
  from: number,
  reach: Reach,
  first: boolean,
): number {
  const { sample, selection } = board.classes[c]!;
  for (let index = from; index < board.claims.length; index++) {
    const claim = board.claims[index]!;
    if (!pools.has(claim.poolIndex) || !reach.allows(board, claim, c)) continue;
    if (!shunned && isShunned(sample.tolerations, claim.pool.nodePool.taints)) continue;
    if (!isWelcome(board, claim.poolIndex, claim.taken, c, first)) continue;
    const usage = withPod(board, claim.usage, c);
    for (const ask of selection.alternatives) {
      const open = claim.pool.states.next(claim.state, ask);
      const state = [open, open < 0 ? -1 : settledState(claim.pool.states, open)].find(
        (candidate) => candidate >= 0 && canHold(claim, candidate, usage),
      );
      if (state === undefined) continue;
      claim.state = state;
      claim.usage.set(usage);
      reach.forget(claim);
      claim.taken.set(c, (claim.taken.get(c) ?? 0) + 1);
      return index;
    }
  }
  return board.claims.length;
}

function openOwn(board: Board, c: number, shunned: boolean, first: boolean): boolean {
  const usage = withPod(board, new Float64Array(board.world.axis.size), c);
  for (const option of board.classes[c]!.options) {
    if (option.shunned !== shunned || !isWelcome(board, option.pool, new Map(), c, first)) continue;
    const pool = board.world.pools.pools[option.pool]!;
    const taken = new Map([[c, 1]]);
    for (const { state, reservation } of freeStarts(board, pool, option.ask)) {
      const claim: OpenClaim = {
        pool,
        poolIndex: option.pool,
        state,
        usage,
        taken,
        ...(reservation === undefined ? {} : { reservation }),
      };
      const opened = admit(board, claim);
      if (opened === undefined) continue;
      board.claims.push(opened);
      return true;
    }
  }
  return false;
}

function freeStarts(
  board: Board,
  pool: Pool,
  ask: number,
): { readonly state: number; readonly reservation?: string }[] {
  const starts: { state: number; reservation?: string }[] = [];
  for (const { id, start, count } of pool.reservations) {
    const state = pool.states.next(start, ask);
    const held = board.claims.filter((claim) => claim.reservation === id).length;
    if (state >= 0 && held < count) starts.push({ state, reservation: id });
  }
  for (const root of [pool.states.root, ...pool.variants, ...(pool.relaxed === undefined ? [] : [pool.relaxed])]) {
    const plain = pool.states.next(root, ask);
    if (plain >= 0) starts.push({ state: plain });
  }
  const settled = starts.map((start) => ({ ...start, state: settledState(pool.states, start.state) }));
  return [...starts, ...settled.filter(({ state }) => state >= 0)];
}

/** The claim as the limits allow it, charged; undefined if they or a floor don't. */
function admit(board: Board, claim: OpenClaim): OpenClaim | undefined {
  const { ledger } = board;
  if (ledger.isLimited(claim.pool)) {
    return ledger.chargeAll(claim.pool, [claim]) ? claim : ledger.chargeTight(claim);
  }
  return launchableTypes(claim.pool, claim.state, claim.usage, claim.ceiling) === undefined ? undefined : claim;
}
