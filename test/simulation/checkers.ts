// What must hold of a world, each a question with the offenders as its answer.
import type { CloudInstance } from "../../shared/core/model/index.ts";
import { clusterName } from "./fixtures.ts";
import type { World } from "./world.ts";

const disruptedKey = "karpenter.sh/disrupted";

function alive(world: World): readonly CloudInstance[] {
  return world.cloud.everyInstance().filter(({ state }) => state === "pending" || state === "running");
}

/** Claims that hold more than one live instance: by their records, and by the names that instances bear. */
export async function claimsWithSeveralInstances(world: World): Promise<readonly string[]> {
  const holders = new Map<string, Set<string>>();
  for (const { id, tags } of alive(world)) {
    const owner = (await world.store.findInstance(id))?.claim;
    for (const name of [owner, tags["karpenter.sh/nodeclaim"]]) {
      if (name !== undefined) holders.set(name, (holders.get(name) ?? new Set()).add(id));
    }
  }
  return [...holders].filter(([, ids]) => ids.size > 1).map(([name, ids]) => `${name}: ${[...ids].join(", ")}`);
}

/** Live instances that no claim in the records holds. Young ones may wait for theirs: ask after the horizon. */
export async function instancesWithoutClaim(world: World): Promise<readonly string[]> {
  const state = await world.store.readState(clusterName, world.clock.now());
  const held = new Set(state?.claims.map((claim) => claim.instance?.id));
  return alive(world)
    .filter(({ id }) => !held.has(id))
    .map(({ id }) => id);
}

/** Claims whose instance is not alive although they are not on their way out. */
export async function claimsWithoutInstance(world: World): Promise<readonly string[]> {
  const state = await world.store.readState(clusterName, world.clock.now());
  const live = new Set(alive(world).map(({ id }) => id));
  return (state?.claims ?? [])
    .filter((claim) => claim.deletion === undefined && !(claim.instance !== undefined && live.has(claim.instance.id)))
    .map((claim) => claim.name);
}

/** Pods that wait although a ready node would take them. */
export function fittingPodsLeftPending(world: World): readonly string[] {
  return world.cluster.pods
    .list()
    .filter((pod) => pod.nodeName === undefined && world.life.fitsSomewhere(pod))
    .map((pod) => pod.name);
}

/** Nodes that bear the taint of those that are to go although nothing wants their claims to. */
export async function taintedForNothing(world: World): Promise<readonly string[]> {
  const state = await world.store.readState(clusterName, world.clock.now());
  const staying = (state?.claims ?? []).filter(
    (claim) => claim.deletion === undefined && claim.commandId === undefined,
  );
  const providers = new Set(staying.map(({ instance }) => instance?.providerId));
  return world.cluster.nodes
    .list()
    .filter((node) => providers.has(node.providerId ?? "") && node.taints.some(({ key }) => key === disruptedKey))
    .map(({ name }) => name);
}

/** Nodes and custom resources that outlived their claims. */
export async function leftovers(world: World): Promise<readonly string[]> {
  const state = await world.store.readState(clusterName, world.clock.now());
  const claims = new Set(state?.claims.map(({ name }) => name));
  const providers = new Set(state?.claims.map(({ instance }) => instance?.providerId));
  return [
    ...world.cluster.nodes
      .list()
      .filter((node) => !providers.has(node.providerId ?? ""))
      .map(({ name }) => `Node ${name}`),
    ...world.cluster.mirrors
      .list()
      .filter(({ name }) => !claims.has(name))
      .map(({ name }) => `NodeClaim ${name}`),
  ];
}
