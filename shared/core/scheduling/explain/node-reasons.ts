import type { Pod } from "../../model/index.ts";
import { binAdmits, type NodeBin } from "../node-bins.ts";
import type { SolverClass } from "../solver-classes.ts";
import { formatTaint, untoleratedTaint } from "../taints.ts";
import { portsClash } from "../topology/groups.ts";
import type { World } from "../world.ts";

/** What nodes hold once a plan is carried out. */
export interface Occupation {
  /** One row a bin, as `World.free`. */
  readonly free: Float64Array;
  /** By the bin's index: pods that the plan puts there. */
  readonly newcomers: ReadonlyMap<number, readonly Pod[]>;
}

/**
 * Why no node that is there takes the pods of a class, each node counted once, at the first filter that it fails, in
 * kube-scheduler's order: `3 nodes: 2 insufficient cpu, 1 untolerated taint team=a:NoSchedule`. Undefined: there is none.
 */
export function nodeReasons(world: World, occupation: Occupation, one: SolverClass): string | undefined {
  const counts = new Map<string, number>();
  const asked = new Float64Array(world.axis.size);
  world.axis.write(one.sample.requests, asked, 0);
  let nodes = 0;
  world.bins.forEach((bin, row) => {
    if (bin.gone === true) return;
    nodes++;
    const reason = reasonOf(world, occupation, one, asked, bin, row);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  });
  if (nodes === 0) return undefined;
  const reasons = [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
  return `${nodes} ${nodes === 1 ? "node" : "nodes"}: ${reasons.map(([reason, count]) => `${count} ${reason}`).join(", ")}`;
}

function reasonOf(
  world: World,
  { free, newcomers }: Occupation,
  { sample, selection }: SolverClass,
  asked: Float64Array,
  bin: NodeBin,
  row: number,
): string {
  if (bin.leaving) return "on its way out";
  const taint = untoleratedTaint(sample.tolerations, bin.taints);
  if (taint?.key === "node.kubernetes.io/unschedulable") return "cordoned";
  if (taint !== undefined) return `untolerated taint ${formatTaint(taint)}`;
  if (!selection.alternatives.some((ask) => binAdmits(bin, ask, world.asks)))
    return labelReason(world, selection.alternatives, bin);
  const lacking = lackingOn(world, free, asked, bin, row);
  if (lacking.length > 0) return `insufficient ${lacking.join(" and ")}`;
  const here = [...(world.bound.get(bin.nodeName ?? "") ?? []), ...(newcomers.get(row) ?? [])];
  const taken = sample.hostPorts.find((port) =>
    here.some(({ hostPorts }) => hostPorts.some((other) => portsClash(port, other))),
  );
  if (taken !== undefined) return `host port ${taken.protocol} ${taken.port} taken`;
  return "kept off by rules about other pods";
}

/** The labels that are missed, by the alternative that misses the fewest. */
function labelReason({ asks }: World, alternatives: readonly number[], bin: NodeBin): string {
  const missed = alternatives
    .map((ask) =>
      [...asks.get(ask)].filter((requirement) => bin.shapes.some(({ labels }) => !labels.surely(requirement))),
    )
    .sort((a, b) => a.length - b.length);
  const [fewest] = missed;
  return fewest === undefined ? "not selected by the pod's node affinity" : `not ${fewest.map(String).join(" and ")}`;
}

function lackingOn({ axis }: World, free: Float64Array, asked: Float64Array, bin: NodeBin, row: number): string[] {
  const lacking: string[] = [];
  for (let r = 0; r < axis.size; r++) {
    // As when pods are placed: a claim must still become a type that holds all of what it was planned for.
    if ((asked[r]! > 0 || !bin.settled) && asked[r]! > free[row * axis.size + r]!) lacking.push(axis.names[r]!);
  }
  return lacking;
}
