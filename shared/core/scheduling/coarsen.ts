import { labels } from "../model/index.ts";
import type { AskTable } from "./asks.ts";
import { familyShare, leastFamily, mostMergedShare, samePriceShare } from "./bounds.ts";
import type { CoarseProblem } from "./packing/pack-coarsely.ts";
import type { PackingProblem } from "./packing/problem.ts";
import { type Entry, type NodeTally, PackingRules } from "./topology/node-rules.ts";

/** What a problem's numbers stand for. */
interface Meaning {
  /** Rules per host, by class. */
  readonly entries: readonly (readonly Entry[])[];
  /** What every new node holds. */
  readonly beginning: NodeTally | undefined;
  readonly asks: AskTable;
}

/** Rules of one kind that many have, each for its own like: so many of them a node may have owners of. */
interface Family {
  readonly id: number;
  readonly most: number;
  readonly room: number;
}

/**
 * The problem with classes merged that differ only in what a node can settle late: its zone, and which of many like rules
 * a pod is under ("no two of one Deployment on a host", for each of its Deployments). Undefined where that merges little.
 */
export function coarsen(problem: PackingProblem, { entries, beginning, asks }: Meaning): CoarseProblem | undefined {
  const families = familiesOf(problem, entries);
  const zoneless = zonelessAsks(problem, asks);
  if (families.size === 0 && zoneless.size === 0) return undefined;
  const { resources, requests, counts } = problem;
  const numbers = new Map<string, number>();
  const kindOf = new Int32Array(problem.classes);
  const first: number[] = [];
  for (let c = 0; c < problem.classes; c++) {
    const row = requests.subarray(c * resources, (c + 1) * resources);
    const ask = zoneless.get(problem.asks[c]!) ?? problem.asks[c]!;
    const key = `${row.join()}/${ask}/${JSON.stringify(coarseEntries(entries[c]!, families))}`;
    let kind = numbers.get(key);
    if (kind === undefined) {
      kind = first.length;
      numbers.set(key, kind);
      first.push(c);
    }
    kindOf[c] = kind;
  }
  if (first.length * 10 > problem.classes * mostMergedShare) return undefined;
  const coarse = {
    classes: first.length,
    requests: new Float64Array(first.length * resources),
    counts: new Int32Array(first.length),
    asks: Int32Array.from(first, (c) => zoneless.get(problem.asks[c]!) ?? problem.asks[c]!),
  };
  first.forEach((c, kind) => {
    coarse.requests.set(requests.subarray(c * resources, (c + 1) * resources), kind * resources);
  });
  for (let c = 0; c < problem.classes; c++) coarse.counts[kindOf[c]!]! += counts[c]!;
  const rules = new PackingRules(
    first.map((c) => coarseEntries(entries[c]!, families)),
    beginning,
  );
  const { rules: _, ...rest } = problem;
  return { kindOf, problem: { ...rest, ...coarse, ...(rules.any ? { rules } : {}) } };
}

/** A rule that allows some of those it is about beside its owner, so that which of them they are matters little. */
function allowsSome({ most, needs }: Entry): boolean {
  return !needs && most >= 1 && most < Number.POSITIVE_INFINITY;
}

/** By group: the family that it belongs to, of at least three with about as many pods. */
function familiesOf({ counts }: PackingProblem, entries: readonly (readonly Entry[])[]): ReadonlyMap<number, Family> {
  const owned = new Map<number, { most: number; pods: number }>();
  const others = new Set<number>();
  entries.forEach((list, c) => {
    for (const entry of list) {
      if (entry.most === Number.POSITIVE_INFINITY && !entry.needs) continue;
      const known = owned.get(entry.group);
      if (!allowsSome(entry) || (known !== undefined && known.most !== entry.most)) others.add(entry.group);
      if (known === undefined) owned.set(entry.group, { most: entry.most, pods: counts[c]! });
      else known.pods += counts[c]!;
    }
  });
  const byLikeness = new Map<string, number[]>();
  for (const [group, { most, pods }] of owned) {
    if (others.has(group)) continue;
    const likeness = `${most}/${Math.clz32(pods)}`;
    const known = byLikeness.get(likeness);
    if (known === undefined) byLikeness.set(likeness, [group]);
    else known.push(group);
  }
  const families = new Map<number, Family>();
  let id = -1;
  for (const groups of byLikeness.values()) {
    if (groups.length < leastFamily) continue;
    const pods = groups.map((group) => owned.get(group)!.pods);
    const most = owned.get(groups[0]!)!.most;
    const together = pods.reduce((a, b) => a + b, 0) / Math.max(...pods);
    const family = { id, most, room: Math.max(1, Math.floor((together * familyShare) / 10)) * most };
    for (const group of groups) families.set(group, family);
    id--;
  }
  return families;
}

function coarseEntries(entries: readonly Entry[], families: ReadonlyMap<number, Family>): Entry[] {
  const coarse: Entry[] = [];
  const seen = new Set<number>();
  for (const entry of entries) {
    const family = families.get(entry.group);
    if (family === undefined) coarse.push(entry);
    else if (entry.most < Number.POSITIVE_INFINITY && !seen.has(family.id)) {
      seen.add(family.id);
      coarse.push({ group: family.id, selects: true, most: family.room, needs: false, binding: true });
    }
  }
  return coarse;
}

/** By ask: the same without its zone. Only where zones cost the same. */
function zonelessAsks(
  { asks: inUse, candidates, states }: PackingProblem,
  asks: AskTable,
): ReadonlyMap<number, number> {
  const zoneless = new Map<number, number>();
  let same = 0;
  let all = 0;
  for (const ask of new Set(inUse)) {
    const requirements = asks.get(ask);
    if (!requirements.has(labels.zone)) continue;
    const rest = asks.intern(requirements.without(labels.zone));
    zoneless.set(ask, rest);
    for (const { start, type } of candidates) {
      const [there, anywhere] = [states.next(start, ask), states.next(start, rest)];
      if (anywhere < 0) continue;
      all++;
      if (there >= 0 && states.price(there, type) === states.price(anywhere, type)) same++;
    }
  }
  return same * 10 >= all * samePriceShare ? zoneless : new Map();
}
