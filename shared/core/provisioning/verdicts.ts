import type { Pod, Verdict } from "../model/index.ts";
import { Explainer, podKey, type Solution, type SolverClass, type Unplaced, type World } from "../scheduling/index.ts";

/** A pool, what it says, and how far it is from giving a node. */
export interface PoolWords {
  readonly pool: string;
  readonly text: string;
  readonly distance: number;
}

/**
 * Looks at types and nodes for all sentences of a plan together, some 5 µs each: hundreds of kinds of pods without a place
 * are told why one by one, thousands would take longer than the plan itself.
 */
const maxLooks = 300_000;

/** The sentences for pods that no place was found for. One explanation a class: its pods are alike. */
export function verdictsFor(world: World, solution: Solution): Verdict[] {
  const explainer = new Explainer(world, solution);
  const each = world.pools.pools.reduce((sum, { states }) => sum + states.types.length, world.bins.length);
  let looks = 0;
  return solution.unplaced.flatMap((unplaced) => {
    const { reason, nodePools } = looks > maxLooks ? untold(unplaced) : explain(world, explainer, unplaced);
    looks += each;
    return unplaced.pods.map((pod) => ({ pod: podKey(pod), reason, nodePools }));
  });
}

function untold({ reason }: Unplaced): Pick<Verdict, "reason" | "nodePools"> {
  const more = "so many different pods have none that it was not worked out why: plan --explain tells it of one";
  return { reason: reason ?? `no node has room and no NodePool gives one; ${more}`, nodePools: {} };
}

function explain(
  world: World,
  explainer: Explainer,
  { solverClass, reason: rules }: Unplaced,
): { readonly reason: string; readonly nodePools: Readonly<Record<string, string>> } {
  const said = poolsOn(world, explainer, solverClass);
  const reason = rules ?? summary(said, explainer.nodes(solverClass));
  const byName = [...said].sort((a, b) => (a.pool < b.pool ? -1 : 1));
  return { reason, nodePools: Object.fromEntries(byName.map(({ pool, text }) => [pool, text])) };
}

/** What every pool says to a class, the nearest to giving a node first. */
export function poolsOn({ pools: { pools, skipped } }: World, explainer: Explainer, one: SolverClass): PoolWords[] {
  return [
    ...pools.map((pool) => ({ pool: pool.nodePool.name, ...explainer.pool(pool, one) })),
    ...skipped.map(({ nodePool, reason }) => ({
      pool: nodePool.name,
      text: reason,
      distance: Number.MAX_SAFE_INTEGER,
    })),
  ].sort((a, b) => a.distance - b.distance || (a.pool < b.pool ? -1 : 1));
}

function summary(said: readonly PoolWords[], nodes: string | undefined): string {
  const none = nodes === undefined ? "" : `no room on ${nodes}; and `;
  const [first] = said;
  if (first === undefined) return `${none}there is no NodePool to make one from`;
  if (said.length === 1) return `${none}NodePool ${first.pool} gives none: ${first.text}`;
  const isOne = new Set(said.map(({ text }) => text)).size === 1;
  const words = isOne ? first.text : said.map(({ pool, text }) => `${pool}: ${text}`).join("; ");
  return `${none}none of the ${said.length} NodePools gives one: ${words}`;
}

/** Verdicts on pods that are not planned at all, for a reason that no pool can change. */
export function refused(pod: Pod, reason: string): Verdict {
  return { pod: podKey(pod), reason, nodePools: {} };
}
