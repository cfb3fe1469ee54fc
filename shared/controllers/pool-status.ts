import type { NodeClaim, NodePool, Resources } from "../core/model/index.ts";
import { addResources, formatResources } from "../core/resources/index.ts";
import type { ClusterContext } from "./context.ts";
import { isolate, type RunLog } from "./report.ts";

/** Always listed, so that people see that a pool has none left (Karpenter's list). */
const alwaysListed: Resources = { cpu: 0, "ephemeral-storage": 0, memory: 0, pods: 0 };

/** `status.nodes` and `status.resources` of a NodePool: what its registered claims have. */
export function poolUsage(
  pool: Pick<NodePool, "name">,
  claims: readonly NodeClaim[],
): { readonly nodes: number; readonly resources: Readonly<Record<string, string>> } {
  const held = claims.filter((claim) => claim.nodePool === pool.name && claim.registeredAtMs !== undefined);
  const capacity = held.reduce((sum, claim) => addResources(sum, claim.instance?.capacity ?? {}), alwaysListed);
  return { nodes: held.length, resources: { ...formatResources(capacity), nodes: String(held.length) } };
}

/** Writes how much each NodePool holds, each pool for itself. */
export async function writePoolStatus(
  context: ClusterContext,
  pools: readonly NodePool[],
  claims: readonly NodeClaim[],
  log: RunLog,
  retryAtMs: number,
): Promise<void> {
  for (const pool of pools) {
    const { name, uid } = pool;
    await isolate(log, `NodePool ${name}`, retryAtMs, async () => {
      await context.cluster.setConditions({ kind: "NodePool", name, uid }, [], poolUsage(pool, claims));
    });
  }
}
