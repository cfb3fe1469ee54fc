import type { NodeClaim, NodePool } from "../core/model/index.ts";
import { addResources, formatResources } from "../core/resources/index.ts";
import type { ClusterContext } from "./context.ts";

/** `status.nodes` and `status.resources` of each NodePool: what its claims with an instance have. */
export async function writePoolStatus(
  context: ClusterContext,
  pools: readonly NodePool[],
  claims: readonly NodeClaim[],
): Promise<void> {
  for (const pool of pools) {
    const held = claims.filter((claim) => claim.nodePool === pool.name && claim.registeredAtMs !== undefined);
    const capacity = held.reduce((sum, claim) => addResources(sum, claim.instance?.capacity ?? {}), {});
    const resources = { ...formatResources(capacity), nodes: String(held.length) };
    const { name, uid } = pool;
    await context.cluster.setConditions({ kind: "NodePool", name, uid }, [], { nodes: held.length, resources });
  }
}
