import type { Resources } from "../model/index.ts";
import type { Board } from "./board.ts";
import {
  flexibilityPricePerMille,
  limitDemandPerMille,
  limitRounds,
  nodeFeeMicroUsd,
  nodeFeePerMille,
  worthALookPerMille,
} from "./bounds.ts";
import { candidatesOf } from "./candidates.ts";
import { coarsen } from "./coarsen.ts";
import { limitsExceeded } from "./limits.ts";
import { hasFloors, launchableTypes, type OpenClaim } from "./open-claim.ts";
import { pack, sketchCost } from "./packing/pack.ts";
import { type CoarseProblem, packCoarsely } from "./packing/pack-coarsely.ts";
import type { Candidate, Packing, PackingProblem } from "./packing/problem.ts";
import type { Pool } from "./pool.ts";
import { PackingRules } from "./topology/node-rules.ts";

/** A class that wants nodes of the pool, with what it asks of them. */
export interface Member {
  readonly c: number;
  readonly ask: number;
}

/** With the number of its pods to plan now. */
interface Wanting extends Member {
  readonly count: number;
}

/**
 * Opens claims of one pool for its members. First for those that only few types can hold, filled to the brim; then for
 * all others with room for flexibility. Where limits end it, again with the types that still fit, until nothing does.
 */
export function packPool(board: Board, pool: Pool, poolIndex: number, members: readonly Member[]): void {
  const rounds = board.ledger.isLimited(pool) ? limitRounds : 1;
  for (const { start, own } of startsOf(board, pool, members))
    for (let round = 0; round < rounds && packOnce(board, pool, poolIndex, own, start); round++);
}

/** Where floors give way (BestEffort), the members that no node with floors can take begin without them. */
function startsOf(
  board: Board,
  pool: Pool,
  members: readonly Member[],
): readonly { readonly start: number; readonly own: readonly Member[] }[] {
  const { states, relaxed } = pool;
  if (relaxed === undefined) return [{ start: states.root, own: members }];
  const width = board.world.axis.size;
  const ceiling = board.ledger.isLimited(pool) ? board.ledger.remaining(pool) : undefined;
  const meets = ({ c, ask }: Member): boolean => {
    const state = states.next(states.root, ask);
    const usage = board.requests.slice(c * width, (c + 1) * width);
    return state >= 0 && launchableTypes(pool, state, usage, ceiling) !== undefined;
  };
  const [strict, lax] = [members.filter(meets), members.filter((member) => !meets(member))];
  return [
    { start: states.root, own: strict },
    { start: relaxed, own: lax },
  ];
}

/** True if a claim was opened. */
function packOnce(board: Board, pool: Pool, poolIndex: number, members: readonly Member[], plain: number): boolean {
  const remaining = board.ledger.remaining(pool);
  const waiting = members.filter(({ c }) => board.left[c]! > 0);
  if (waiting.length === 0) return false;
  const columns = columnsOf(board, waiting);
  const allowed = (type: number): boolean => limitsExceeded(remaining, pool.states.types[type]!.capacity).length === 0;
  const asks = [...new Set(waiting.map(({ ask }) => ask))];
  const width = board.world.axis.size;
  const sets = candidatesOf(pool.states, plain, asks, columns, width, allowed);
  const reserved = pool.reservations.flatMap(({ id, start, count }) => {
    const limit = count - board.claims.filter((claim) => claim.reservation === id).length;
    const { full } = candidatesOf(pool.states, start, asks, columns, width, allowed);
    return limit > 0 ? full.map((candidate) => ({ ...candidate, limit })) : [];
  });
  const usual = [...sets.full, ...reserved];
  // Nodes that are held to what an overlay asks for are for pods that no other node takes.
  const variants =
    pool.variants.length === 0 || waiting.every((member) => fitsAny(board, pool, member, usual, columns))
      ? []
      : pool.variants.flatMap((one) => candidatesOf(pool.states, one, asks, columns, width, allowed).full);
  const all = [...usual, ...variants];
  const fitting = waiting.filter((member) => fitsAny(board, pool, member, all, columns));
  const wanting = withinReach(board, remaining, fitting);
  const rigid: Wanting[] = [];
  const others: Wanting[] = [];
  const flexible = [...sets.flexible, ...reserved, ...variants];
  for (const member of wanting) (fitsAny(board, pool, member, flexible, columns) ? others : rigid).push(member);
  const flexibly = [state(board, pool, rigid, sets.full, columns), state(board, pool, others, flexible, columns)];
  const choice = flexibly.map((stated) => draft(board, stated));
  const drafts = tooDear(choice) ? cheaper(choice, flexibly, state(board, pool, wanting, all, columns), board) : choice;
  const before = board.claims.length;
  for (const one of drafts) {
    commit(board, pool, withinReservations(board, pool, claimsOf(board, pool, poolIndex, one)));
  }
  return board.claims.length > before;
}

/**
 * The pods to plan for what the limits leave: so many, in the order of their classes, that their requests come to a
 * multiple of it. To plan all of a thousand pods for three nodes would be work for nothing.
 */
function withinReach({ left, requests, world }: Board, remaining: Resources, members: readonly Member[]): Wanting[] {
  const width = world.axis.size;
  const reach = Object.entries(remaining).flatMap(([name, amount]) => {
    const column = world.axis.column(name);
    return column === undefined ? [] : [{ column, amount: (amount * limitDemandPerMille) / 1_000 }];
  });
  const wanting: Wanting[] = [];
  for (const member of members) {
    let count = left[member.c]!;
    for (const { column, amount } of reach) {
      const request = requests[member.c * width + column]!;
      if (request > 0) count = Math.min(count, Math.floor(amount / request));
    }
    if (count <= 0) continue;
    for (const one of reach) one.amount -= count * requests[member.c * width + one.column]!;
    wanting.push({ ...member, count });
  }
  return wanting;
}

/** Members that are the same to a packing, as one of its classes. */
type Lot = readonly Wanting[];

/** What is to be packed. */
interface Stated {
  readonly lots: readonly Lot[];
  readonly problem: PackingProblem;
  readonly coarse: CoarseProblem | undefined;
}

/** A packing of some members that is not opened yet. */
interface Draft extends Stated {
  readonly packing: Packing;
}

const costOf = (drafts: readonly Draft[]): number => drafts.reduce((sum, { packing }) => sum + packing.costMicroUsd, 0);
const leftOf = (drafts: readonly Draft[]): number =>
  drafts.reduce((sum, { packing }) => sum + packing.left.reduce((a, b) => a + b, 0), 0);

/** Far enough above the bound that keeping many launchable types might be to blame. */
function tooDear(drafts: readonly Draft[]): boolean {
  const bound = drafts.reduce((sum, { packing }) => sum + packing.boundMicroUsd, 0);
  return costOf(drafts) * 1_000 > bound * flexibilityPricePerMille;
}

/**
 * The flexible plan, unless the full one is cheaper by more than flexibility may cost, or places more. The full one is drawn
 * up only where a quick look says that this may be.
 */
function cheaper(
  flexible: readonly Draft[],
  flexibly: readonly Stated[],
  fully: Stated,
  board: Board,
): readonly Draft[] {
  const left = leftOf(flexible);
  const sketch = flexibly.reduce((sum, { problem, coarse }) => sum + sketchCost(coarse?.problem ?? problem), 0);
  if (left === 0 && sketch * 1_000 <= sketchCost(fully.coarse?.problem ?? fully.problem) * worthALookPerMille)
    return flexible;
  const full = [draft(board, fully)];
  const leftFull = leftOf(full);
  if (left !== leftFull) return left < leftFull ? flexible : full;
  return costOf(flexible) * 1_000 > costOf(full) * flexibilityPricePerMille ? full : flexible;
}

/** Resources that the members ask for, as columns of the axis. */
function columnsOf({ requests, world }: Board, members: readonly Member[]): number[] {
  const width = world.axis.size;
  return [...Array(width).keys()].filter((r) => members.some(({ c }) => requests[c * width + r]! > 0));
}

function fitsAny(
  { requests, world }: Board,
  { states }: Pool,
  { c, ask }: Member,
  candidates: readonly Candidate[],
  columns: readonly number[],
): boolean {
  return candidates.some(({ start, type, room }) => {
    const state = states.next(start, ask);
    if (state < 0 || !states.offers(state, type)) return false;
    return columns.every((column, r) => requests[c * world.axis.size + column]! <= room[r]!);
  });
}

function state(
  board: Board,
  pool: Pool,
  members: readonly Wanting[],
  candidates: readonly Candidate[],
  columns: readonly number[],
): Stated {
  const lots = lotsOf(board, members);
  const firsts = lots.map((lot) => lot[0]!);
  const width = board.world.axis.size;
  const requests = new Float64Array(lots.length * columns.length);
  firsts.forEach(({ c }, i) => {
    columns.forEach((column, r) => {
      requests[i * columns.length + r] = board.requests[c * width + column]!;
    });
  });
  const beginning = board.topology?.beginning(board.world.pools.pools.indexOf(pool));
  const entries = firsts.map(({ c }) => board.topology?.rules.entriesOf(c) ?? []);
  const rules = board.topology && new PackingRules(entries, beginning);
  const cheapest = Math.min(...candidates.map(({ start, type }) => pool.states.price(start, type)));
  const problem: PackingProblem = {
    resources: columns.length,
    classes: lots.length,
    requests,
    counts: Int32Array.from(lots, (lot) => lot.reduce((sum, { count }) => sum + count, 0)),
    asks: Int32Array.from(firsts, ({ ask }) => ask),
    candidates,
    states: pool.states,
    feeMicroUsd: Math.min(nodeFeeMicroUsd, Math.floor((cheapest * nodeFeePerMille) / 1_000)),
    ...(rules?.any ? { rules } : {}),
  };
  const coarse = coarsen(problem, { entries, beginning, asks: board.world.asks });
  return { lots, problem, coarse };
}

/** Members by what a packing sees of them: requests, ask and rules about others on the node. */
function lotsOf({ requests, topology, world }: Board, members: readonly Wanting[]): Lot[] {
  const width = world.axis.size;
  const lots = new Map<string, Wanting[]>();
  for (const member of members) {
    const { c, ask } = member;
    let key = `${ask}/${topology?.rules.likeness(c) ?? 0}`;
    for (let r = 0; r < width; r++) key += `/${requests[c * width + r]!}`;
    const known = lots.get(key);
    if (known === undefined) lots.set(key, [member]);
    else known.push(member);
  }
  return [...lots.values()];
}

function draft({ work }: Board, stated: Stated): Draft {
  const { problem, coarse } = stated;
  return { ...stated, packing: coarse === undefined ? pack(problem, work) : packCoarsely(problem, coarse, work) };
}

function claimsOf(board: Board, pool: Pool, poolIndex: number, { lots, problem, packing }: Draft): OpenClaim[] {
  const width = board.world.axis.size;
  const rest = lots.map((lot) => lot.map(({ count }) => count));
  const turn = lots.map(() => 0);
  const claims: OpenClaim[] = [];
  for (const { pattern, nodes } of packing.bought) {
    const usage = new Float64Array(width);
    pattern.classes.forEach((m, i) => {
      const { c } = lots[m]![0]!;
      for (let r = 0; r < width; r++) usage[r]! += pattern.counts[i]! * board.requests[c * width + r]!;
    });
    const start = problem.candidates[pattern.candidate]!.start;
    const reservation = pool.reservations.find((candidate) => candidate.start === start)?.id;
    for (let n = 0; n < nodes; n++) {
      const taken = new Map<number, number>();
      pattern.classes.forEach((m, i) => {
        for (let wanted = pattern.counts[i]!; wanted > 0; ) {
          const at = turn[m]!;
          const count = Math.min(wanted, rest[m]![at]!);
          if (count > 0) taken.set(lots[m]![at]!.c, count);
          rest[m]![at]! -= count;
          wanted -= count;
          if (wanted > 0) turn[m]!++;
        }
      });
      claims.push({
        pool,
        poolIndex,
        state: pattern.state,
        usage: usage.slice(),
        taken,
        ...(reservation === undefined ? {} : { reservation }),
      });
    }
  }
  return claims;
}

/** Without the claims that a reservation has no slot for: two drafts may each have counted on its last one. */
function withinReservations(board: Board, { reservations }: Pool, claims: readonly OpenClaim[]): readonly OpenClaim[] {
  if (reservations.length === 0) return claims;
  const left = new Map(reservations.map(({ id, count }) => [id, count]));
  for (const { reservation } of board.claims) if (reservation !== undefined) take(left, reservation);
  return claims.filter(({ reservation }) => reservation === undefined || take(left, reservation));
}

function take(left: Map<string, number>, id: string): boolean {
  const count = left.get(id) ?? 0;
  left.set(id, count - 1);
  return count > 0;
}

/** Opens the claims that floors and limits allow; the pods of the others stay left. */
function commit(board: Board, pool: Pool, claims: readonly OpenClaim[]): void {
  const open = (claim: OpenClaim): void => {
    board.claims.push(claim);
    for (const [c, count] of claim.taken) board.left[c]! -= count;
  };
  const limited = board.ledger.isLimited(pool);
  if (!limited || board.ledger.chargeAll(pool, claims)) {
    for (const claim of claims) {
      if (limited || !hasFloors(pool) || launchableTypes(pool, claim.state, claim.usage, undefined) !== undefined) {
        open(claim);
      }
    }
    return;
  }
  for (const claim of claims) {
    const tight = board.ledger.chargeTight(claim);
    if (tight !== undefined) open(tight);
  }
}
