// Packing sees the pods of one pool and one round at a time. Those of other rounds (who gave in on a wish) and of other pools
// get nodes beside it, of which some would do without: their pods fit on another new node, or on a somewhat bigger one.
import type { Board } from "./board.ts";
import { canHold } from "./board.ts";
import { flexibilityPricePerMille, maxGathered, maxMergeLooks, maxMergeTrials, minLaunchableTypes } from "./bounds.ts";
import { floorsOf } from "./choose-types.ts";
import { largestCapacity } from "./limits.ts";
import { launchableTypes, type OpenClaim, typesHolding } from "./open-claim.ts";
import { settledState } from "./settle-labels.ts";
import { isShunned } from "./taints.ts";

/**
 * Dissolves new nodes whose pods are cheaper on another one, which may grow for that: the cheapest first, then several at once
 * where only all of them together pay for a bigger one. Nodes that are alike are tried once, and all that is tried is bounded.
 */
export function mergeClaims(board: Board): void {
  if (board.claims.length < 2) return;
  const search = new Search(board);
  const order = [...board.claims].sort((a, b) => search.facts(a).priceMicroUsd - search.facts(b).priceMicroUsd);
  for (const claim of order) {
    const host = search.hostFor(claim);
    if (host !== undefined) dissolve(board, [claim], host);
  }
  if (board.claims.length > maxGathered) return;
  for (const seed of order.toReversed()) {
    const gathering = board.claims.includes(seed) ? search.gatheringAt(seed) : undefined;
    if (gathering !== undefined) dissolve(board, gathering.members, gathering.host);
  }
}

function dissolve(board: Board, members: readonly OpenClaim[], { into, state, usage }: Host): void {
  for (const claim of members) {
    if (board.ledger.isLimited(claim.pool)) {
      const types = launchableTypes(claim.pool, claim.state, claim.usage, claim.ceiling);
      board.ledger.charge(claim.pool, largestCapacity(types ?? []), -1);
    }
    board.claims.splice(board.claims.indexOf(claim), 1);
    for (const [c, count] of claim.taken) into.taken.set(c, (into.taken.get(c) ?? 0) + count);
  }
  into.state = state;
  into.usage.set(usage);
}

interface Facts {
  readonly text: string;
  readonly priceMicroUsd: number;
  /** How many types it may be launched as; no more than matter. */
  readonly types: number;
  /** The most of each resource that any of its types has. */
  readonly most: Float64Array;
}

interface Host {
  readonly into: OpenClaim;
  readonly state: number;
  readonly usage: Float64Array;
}

class Search {
  readonly #board: Board;
  readonly #facts = new Map<OpenClaim, Facts & { readonly of: string }>();
  readonly #most = new Map<string, Float64Array>();
  /** Pairs of texts that do not go together. */
  readonly #apart = new Set<string>();
  #looksLeft = maxMergeLooks;
  #trialsLeft = maxMergeTrials;

  constructor(board: Board) {
    this.#board = board;
  }

  facts(claim: OpenClaim): Facts {
    const { pool, poolIndex, state, usage, ceiling, taken } = claim;
    const of = `${state}/${usage.join()}`;
    let known = this.#facts.get(claim);
    if (known?.of !== of) {
      const types = typesHolding(pool, state, usage, ceiling, minLaunchableTypes);
      known = {
        of,
        text: `${poolIndex}/${state}/${ceiling === undefined ? "" : JSON.stringify(ceiling)}/${[...taken].join(";")}`,
        priceMicroUsd: pool.states.price(state, types[0]!),
        types: types.length,
        most: this.#mostIn(claim),
      };
      this.#facts.set(claim, known);
    }
    return known;
  }

  #mostIn({ pool: { states }, poolIndex, state, usage }: OpenClaim): Float64Array {
    const text = `${poolIndex}/${state}`;
    let most = this.#most.get(text);
    if (most === undefined) {
      most = new Float64Array(usage.length);
      const allocatable = states.allocatable(state);
      for (const t of states.cheapest(state)) {
        for (let r = 0; r < usage.length; r++) most[r] = Math.max(most[r]!, allocatable[t * usage.length + r]!);
      }
      this.#most.set(text, most);
    }
    return most;
  }

  /** The new node that becomes least dearer by this one's pods, if that is less than what this one costs. */
  hostFor(claim: OpenClaim): Host | undefined {
    const own = this.facts(claim);
    let best: Host | undefined;
    let least = own.priceMicroUsd;
    for (const into of this.#board.claims) {
      if (this.#looksLeft-- <= 0) break;
      if (into === claim || !this.#mayHold(claim, into)) continue;
      const { text, priceMicroUsd, types } = this.facts(into);
      const pair = `${own.text}|${text}`;
      if (this.#apart.has(pair)) continue;
      if (this.#trialsLeft-- <= 0) break;
      const found = this.#together(claim, into);
      const grown = found && this.#grown(found);
      const more = grown === undefined ? Number.POSITIVE_INFINITY : grown.priceMicroUsd - priceMicroUsd;
      if (more >= own.priceMicroUsd) this.#apart.add(pair);
      if (more >= least) continue;
      const asMany = grown!.types >= Math.min(own.types, types);
      const separate = own.priceMicroUsd + priceMicroUsd;
      if (!asMany && separate * 1_000 <= grown!.priceMicroUsd * flexibilityPricePerMille) continue;
      least = more;
      best = found;
    }
    return best;
  }

  /** Nodes whose pods all fit on this one, which grows for them, where that is cheaper: those that save most. */
  gatheringAt(seed: OpenClaim): { readonly members: readonly OpenClaim[]; readonly host: Host } | undefined {
    const others = this.#board.claims
      .filter((other) => other !== seed)
      .sort((a, b) => this.facts(b).priceMicroUsd - this.facts(a).priceMicroUsd);
    let separate = this.facts(seed).priceMicroUsd;
    let types = this.facts(seed).types;
    let grown: OpenClaim = { ...seed, taken: new Map(seed.taken) };
    const members: OpenClaim[] = [];
    let best: { readonly members: readonly OpenClaim[]; readonly host: Host } | undefined;
    let most = 0;
    for (const other of others) {
      if (!this.#mayHold(other, grown)) continue;
      if (this.#trialsLeft-- <= 0) break;
      const found = this.#together(other, grown);
      if (found === undefined) continue;
      const taken = new Map(grown.taken);
      for (const [c, count] of other.taken) taken.set(c, (taken.get(c) ?? 0) + count);
      grown = { ...grown, state: found.state, usage: found.usage, taken };
      members.push(other);
      separate += this.facts(other).priceMicroUsd;
      types = Math.min(types, this.facts(other).types);
      const all = this.#grown(found);
      const saved = separate - all.priceMicroUsd;
      if (saved <= most || (all.types < types && separate * 1_000 <= all.priceMicroUsd * flexibilityPricePerMille))
        continue;
      most = saved;
      best = { members: [...members], host: { into: seed, state: found.state, usage: found.usage } };
    }
    return best;
  }

  #mayHold({ usage }: OpenClaim, into: OpenClaim): boolean {
    const { most } = this.facts(into);
    for (let r = 0; r < usage.length; r++) if (usage[r]! + into.usage[r]! > most[r]!) return false;
    return true;
  }

  #grown({ into, state, usage }: Host): { readonly priceMicroUsd: number; readonly types: number } {
    const types = typesHolding(into.pool, state, usage, into.ceiling, minLaunchableTypes);
    return { priceMicroUsd: into.pool.states.price(state, types[0]!), types: types.length };
  }

  /** The other node with this one's pods on it; undefined: it cannot take them all. */
  #together(claim: OpenClaim, into: OpenClaim): Host | undefined {
    if (givesUpFloors(claim, into)) return undefined;
    const { taken, usage: own, pool: from } = claim;
    const { classes } = this.#board;
    const { states, nodePool } = into.pool;
    const usage = own.map((amount, r) => amount + into.usage[r]!);
    let state = into.state;
    for (const c of taken.keys()) {
      const { options, sample, selection } = classes[c]!;
      if (!options.some(({ pool }) => pool === into.poolIndex)) return undefined;
      const asksNot = isShunned(sample.tolerations, nodePool.taints);
      if (asksNot && !isShunned(sample.tolerations, from.nodePool.taints)) return undefined;
      const narrowed = selection.alternatives
        .map((ask) => states.next(state, ask))
        .flatMap((next) => (next < 0 ? [] : [next, settledState(states, next)]))
        .find((next) => next >= 0 && canHold(into, next, usage));
      if (narrowed === undefined) return undefined;
      state = narrowed;
    }
    return this.#keepsRules(taken, into) ? { into, state, usage } : undefined;
  }

  /** Rules per host let them all onto one node. Who wants company brings it along. */
  #keepsRules(taken: ReadonlyMap<number, number>, into: OpenClaim): boolean {
    const { topology } = this.#board;
    if (topology === undefined) return true;
    const { rules } = topology;
    const tally = rules.tallyOf(into.taken, topology.beginning(into.poolIndex));
    for (const [c, count] of taken) {
      if (!rules.concerns(c)) continue;
      if (rules.room(tally, c, true) < count) return false;
      rules.add(tally, c, count);
    }
    return true;
  }
}

/** Where floors give way (BestEffort), they do so only for pods that no node with floors takes. */
function givesUpFloors(claim: OpenClaim, into: OpenClaim): boolean {
  const { relaxed, states } = into.pool;
  if (relaxed === undefined || into.reservation !== undefined) return false;
  const kept = floorsOf(claim.pool.states.requirements(claim.state)).length;
  return floorsOf(states.requirements(into.state)).length < kept;
}
