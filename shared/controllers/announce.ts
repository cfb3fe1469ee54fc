import { claimConcurrency, maxEventMessageLength, warningRepeatMs } from "../core/limits.ts";
import type { Node, NodeClaim, PlanWarning, Snapshot } from "../core/model/index.ts";
import { type ClaimMirror, type Cluster, type KubeEvent, OperationError } from "../ports/index.ts";
import { forEachBounded, type RunLog } from "./report.ts";

/** Publishes events. They are for people: one that cannot be published is noted and keeps nothing else from happening. */
export async function announce(cluster: Cluster, log: RunLog, events: readonly KubeEvent[]): Promise<void> {
  await forEachBounded(events, claimConcurrency, async (event) => {
    try {
      await cluster.publish({ ...event, message: cutToFit(event.message) });
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      log.fail(`event ${event.reason} on ${event.kind} ${event.name}`, error);
    }
  });
}

/** A message that is too long for an Event ends after a word, and shows that it does. */
function cutToFit(message: string): string {
  if (message.length <= maxEventMessageLength) return message;
  const end = message.lastIndexOf(" ", maxEventMessageLength - 2);
  return `${message.slice(0, end < 0 ? maxEventMessageLength - 2 : end).replace(/[\s,;:]+$/, "")} …`;
}

type Text = Pick<KubeEvent, "type" | "reason" | "message">;

/** The same text on the claim's custom resource and on its node, as far as they are there. */
export function claimEvents(
  claim: Pick<NodeClaim, "name">,
  mirror: Pick<ClaimMirror, "uid"> | undefined,
  node: Pick<Node, "name" | "uid"> | undefined,
  text: Text,
): readonly KubeEvent[] {
  const events: KubeEvent[] = [];
  if (mirror !== undefined) {
    const key = `${text.reason}/${mirror.uid}`;
    events.push({ key, kind: "NodeClaim", name: claim.name, uid: mirror.uid, ...text });
  }
  if (node !== undefined) {
    events.push({ key: `${text.reason}/${node.uid}`, kind: "Node", name: node.name, uid: node.uid, ...text });
  }
  return events;
}

/**
 * What a plan warns of, on the object it is about (`NodePool/default`). Every run finds it anew, so the event itself says
 * how seldom that is worth a call.
 */
export function warningEvents(snapshot: Snapshot, warnings: readonly PlanWarning[]): readonly KubeEvent[] {
  return warnings.flatMap(({ object, field, message }) => {
    const [kind, name] = object.split("/");
    const about = kind === "NodePool" ? snapshot.nodePools : kind === "EC2NodeClass" ? snapshot.nodeClasses : [];
    const found = about.find((one) => one.name === name);
    if (found === undefined || (kind !== "NodePool" && kind !== "EC2NodeClass")) return [];
    const text = field === undefined ? message : `${field}: ${message}`;
    const key = `PlanWarning/${found.uid}/${field ?? ""}`;
    const words = { type: "Warning", reason: "PlanWarning", message: text } as const;
    return [{ key, kind, name: found.name, uid: found.uid, ...words, repeatAfterMs: warningRepeatMs }];
  });
}
