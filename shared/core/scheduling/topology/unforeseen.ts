import { Requirements } from "../../requirements/index.ts";
import type { Board } from "../board.ts";
import { type OpenClaim, someTypeHolds } from "../open-claim.ts";
import type { Group } from "./groups.ts";
import type { Lessons } from "./lessons.ts";
import type { Topology } from "./topology.ts";

/** More than a pool has states. */
const maxStates = 2 ** 32;

/** A domain with the claims that may come to it, those of one pool in one state once. */
interface Made {
  readonly ask: number;
  readonly by: Map<number, OpenClaim>;
}

/**
 * Notes domains that a spread did not reckon with, but that nodes for other pods of the plan may be in: kube-scheduler counts
 * such nodes though they are nothing for the pods that are spread, and then their domain is the emptiest. Only spreads that
 * placed pods insist on are looked at. True if there were any.
 */
export function noteUnforeseen(board: Board, { domains }: Lessons): boolean {
  const { topology, claims } = board;
  if (topology === undefined || claims.length === 0) return false;
  const byKey = new Map<string, ReadonlyMap<string, Made>>();
  const surprising = topology.spreads.flatMap((group) => {
    let made = byKey.get(group.key);
    if (made === undefined) {
      made = domainsMade(board, topology, group.key);
      byKey.set(group.key, made);
    }
    const known = topology.eligible(group);
    const fresh = [...made].flatMap(([domain, { by }]) =>
      !known.has(domain) && [...by.values()].some((claim) => topology.countsNodesOf(group, claim)) ? [domain] : [],
    );
    return fresh.length === 0 ? [] : [{ group, fresh }];
  });
  if (surprising.length === 0) return false;
  const insisted = insistedOn(board, topology);
  const relevant = surprising.filter(({ group }) => insisted.has(group));
  for (const { group, fresh } of relevant) {
    domains.set(group.index, new Set([...(domains.get(group.index) ?? []), ...fresh]));
  }
  return relevant.length > 0;
}

/** Every value that the label may come to have on a node of a claim, with the unlike claims that may have it. */
function domainsMade({ claims, world }: Board, topology: Topology, key: string): Map<string, Made> {
  const made = new Map<string, Made>();
  for (const claim of claims) {
    const { pool, poolIndex, state, usage, ceiling } = claim;
    for (const value of topology.poolDomains.of(poolIndex, state, key)) {
      let one = made.get(value);
      if (one === undefined) {
        one = { ask: world.asks.intern(Requirements.fromLabels({ [key]: value })), by: new Map() };
        made.set(value, one);
      }
      const like = poolIndex * maxStates + state;
      if (one.by.has(like)) continue;
      const there = pool.states.next(state, one.ask);
      if (there >= 0 && someTypeHolds(pool, there, usage, ceiling)) one.by.set(like, claim);
    }
  }
  return made;
}

/** Spreads that pods with a place require. */
function insistedOn({ classes, left }: Board, topology: Topology): Set<Group> {
  const groups = new Set<Group>();
  classes.forEach(({ sample, pods }, c) => {
    if (pods.length === left[c]!) return;
    for (const index of topology.insisted(sample)) groups.add(topology.group(index));
  });
  return groups;
}
