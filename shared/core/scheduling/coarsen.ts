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
  // Classes that the rules treat alike share their list of entries.
  const texts = new Map<readonly Entry[], string>();
  const numbers = new Map<string, number>();
  const kindOf = new Int32Array(problem.classes);
  const first: number[] = [];
  for (let c = 0; c < problem.classes; c++) {
    const row = requests.subarray(c * resources, (c + 1) * resources);
    const ask = zoneless.get(problem.asks[c]!) ?? problem.asks[c]!;
    const own = entries[c]!;
    const rules = texts.get(own) ?? JSON.stringify(coarseEntries(own, families));
    texts.set(own, rules);
    const key = `${row.join()}/${ask}/${rules}`;
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
  const like = [...owned]
    .filter(([group]) => !others.has(group))
    .map(([group, { most, pods }]) => ({ group, most, pods }))
    .sort((a, b) => a.most - b.most || b.pods - a.pods || a.group - b.group);
  const families = new Map<number, Family>();
  let id = -1;
  for (let from = 0, to = 0; from < like.length; from = to) {
    const { most, pods } = like[from]!;
    // As long as none has less than half of the pods of the first: then any of them will do on most nodes.
    while (to < like.length && like[to]!.most === most && like[to]!.pods * 2 >= pods) to++;
    if (to - from < leastFamily) continue;
    const members = like.slice(from, to);
    const together = members.reduce((sum, member) => sum + member.pods, 0) / pods;
    const family = { id, most, room: Math.max(1, Math.floor((together * familyShare) / 10)) * most };
    for (const { group } of members) families.set(group, family);
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
