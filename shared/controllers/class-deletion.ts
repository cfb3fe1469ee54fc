import { agendaFloorMs } from "../core/limits.ts";
import type { NodeClaim, NodeClass } from "../core/model/index.ts";
import { announce } from "./announce.ts";
import type { ClusterContext } from "./context.ts";
import type { RunLog } from "./report.ts";

const namedClaims = 5;

/**
 * An EC2NodeClass bears our finalizer, so that one that is deleted stays until the last claim that names it is gone: people
 * see what their nodes were made from for as long as there are any. Then it waits with an event, or is let go.
 */
export async function keepOrEnd(
  context: ClusterContext,
  log: RunLog,
  nodeClass: NodeClass,
  claims: readonly NodeClaim[],
  nowMs: number,
): Promise<void> {
  const { name, uid } = nodeClass;
  if (nodeClass.deletionAtMs === undefined) {
    await context.cluster.holdNodeClass(name, { uid });
    return;
  }
  const users = claims.filter((claim) => claim.nodeClass === name && claim.goneAtMs === undefined);
  if (users.length === 0) {
    await context.cluster.releaseNodeClass(name, { uid });
    log.count("classesReleased");
    return;
  }
  // Lifecycle sends a wake when claims go; this is the net.
  log.due(nowMs + agendaFloorMs);
  const reason = "WaitingOnNodeClaimTermination";
  const message = usedBy(users.map((claim) => claim.name).sort());
  await announce(context.cluster, log, [
    { key: `${reason}/${uid}`, kind: "EC2NodeClass", name, uid, type: "Normal", reason, message },
  ]);
}

function usedBy(names: readonly string[]): string {
  const more = names.length > namedClaims ? ` and ${names.length - namedClaims} more` : "";
  const subject = names.length === 1 ? "1 NodeClaim still uses it" : `${names.length} NodeClaims still use it`;
  return `${subject}: ${names.slice(0, namedClaims).join(", ")}${more}`;
}
