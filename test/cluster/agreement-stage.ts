// The cluster as it stands once a plan's nodes have joined: what runs there already, daemons included, and where the plan
// wants every pod.
import type { DaemonSet, Node, Pod, ProvisioningPlan, Snapshot } from "../../shared/core/model/index.ts";
import { keyOf, mayRun, outcomes, type Seen, within } from "../properties/feasibility.ts";

export interface Stage {
  readonly nodes: readonly Seen[];
  /** Pods that run before any planned one is bound, with their nodes. */
  readonly residents: readonly { readonly pod: Pod; readonly node: string }[];
  /** Planned pods, with the nodes that the plan names. */
  readonly planned: readonly { readonly pod: Pod; readonly node: string }[];
}

/** Which of the nodes that a claim may become it became. */
export type Pick = "cheapest" | "last";

/**
 * Plays a plan out: its claims are launched, registered and initialized; nodes on their way out are gone. Earlier claims
 * that it puts nothing on are still on their way: in which zone they will be, no plan knows.
 */
export function stageOf(world: Snapshot, plan: ProvisioningPlan, pick: Pick): Stage {
  const claimOf = new Map(world.claims.map((claim) => [claim.instance?.providerId ?? "", claim]));
  const leaves = (node: Node) => claimOf.get(node.providerId ?? "-")?.deletion !== undefined;
  const there = world.nodes.filter((node) => !leaves(node));
  const nodeOfTarget = new Map<string, string>();
  const nodes: Seen[] = there.map((node) => {
    const claim = claimOf.get(node.providerId ?? "-");
    nodeOfTarget.set(claim?.name ?? node.name, node.name);
    const taints = node.taints.filter(({ key }) => !claim?.startupTaints.some((startup) => startup.key === key));
    return { name: node.name, labels: node.labels, taints, allocatable: node.allocatable };
  });
  const joining = [
    ...world.claims.filter(({ instance, name }) => {
      return instance === undefined && plan.placements.some(({ target }) => target === name);
    }),
    ...plan.claims.filter(({ pods }) => pods.length > 0),
  ];
  for (const claim of joining) {
    const all = outcomes(world, claim);
    const price = Math.min(...all.map(({ offering }) => offering.priceMicroUsd));
    const outcome = pick === "last" ? all.at(-1) : all.find(({ offering }) => offering.priceMicroUsd === price);
    if (outcome === undefined) continue;
    nodeOfTarget.set(claim.name, claim.name);
    nodes.push({ ...outcome.seen, name: claim.name });
  }
  const byKey = new Map(world.pods.map((pod) => [keyOf(pod), pod]));
  const targets = [...plan.placements, ...plan.claims.map(({ name, pods }) => ({ target: name, pods }))];
  const planned = targets.flatMap(({ target, pods }) =>
    pods.map((key) => ({ pod: byKey.get(key)!, node: nodeOfTarget.get(target) ?? target })),
  );
  const stay = new Set(there.map(({ name }) => name));
  const residents = world.pods.flatMap((pod) =>
    pod.nodeName !== undefined && stay.has(pod.nodeName) ? [{ pod, node: pod.nodeName }] : [],
  );
  return { nodes, planned, residents: [...residents, ...daemons(world.daemonSets, nodes)] };
}

/** A pod of every DaemonSet on every node that takes one, as their controller binds them. */
function daemons(sets: readonly DaemonSet[], nodes: readonly Seen[]): Stage["residents"] {
  return nodes.flatMap((node) =>
    sets
      .filter(({ template }) => mayRun(template, node, false) && within(template.requests, node.allocatable))
      .map(({ template, namespace, name }) => ({
        pod: {
          ...template,
          namespace,
          name: `${name}-${node.name}`,
          uid: `${name}-${node.name}`,
          resourceVersion: "1",
          createdAtMs: 0,
          phase: "Running" as const,
          unschedulable: false,
          ready: true,
          mirror: false,
        },
        node: node.name,
      })),
  );
}
