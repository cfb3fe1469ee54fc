import { createHash } from "node:crypto";
import type { KubeEvent } from "../../ports/index.ts";
import { type Call, refusalOf, statusOf } from "./call.ts";
import { fieldManager, mergePatch } from "./documents.ts";
import type { KubeRequest } from "./transport.ts";

const apiVersions: Readonly<Record<KubeEvent["kind"], string>> = {
  Pod: "v1",
  Node: "v1",
  NodeClaim: "karpenter.sh/v1",
  NodePool: "karpenter.sh/v1",
  EC2NodeClass: "karpenter.k8s.aws/v1",
};

/**
 * Publishes an Event. Its name is made from what it is about: Lambdas that say the same meet at the same name without
 * knowing of each other, and the later ones count. The API server forgets it an hour after it was last said.
 */
export async function publishEvent(call: Call, nowMs: number, event: KubeEvent): Promise<void> {
  // Events about objects without a namespace live in "default", as Kubernetes' own do.
  const namespace = event.namespace ?? "default";
  const collection = `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`;
  const name = eventName(event);
  const now = new Date(nowMs).toISOString().replace(/\.\d+Z$/, "Z");
  const body = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name, namespace },
    involvedObject: {
      apiVersion: apiVersions[event.kind],
      kind: event.kind,
      name: event.name,
      uid: event.uid,
      ...(event.namespace === undefined ? {} : { namespace: event.namespace }),
    },
    type: event.type,
    reason: event.reason,
    message: event.message,
    source: { component: "timmerman" },
    reportingComponent: "timmerman",
    reportingInstance: "timmerman",
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  };
  const request: KubeRequest = { method: "POST", path: collection, query: fieldManager, body };
  const created = await call(request, [403, 404, 409]);
  if (created.status === 409) return count(call, `${collection}/${name}`, body.message, now);
  // A namespace that is gone or going takes no events, and nobody is left to read them there.
  if (created.status === 403 && !isTerminating(created.body)) throw refusalOf(request, created);
}

function isTerminating(body: unknown): boolean {
  return statusOf(body).details?.causes?.some(({ reason }) => reason === "NamespaceTerminating") ?? false;
}

/** One more of the same. Two that count at once may lose one: a count is no evidence of anything. */
async function count(call: Call, path: string, message: string, now: string): Promise<void> {
  const found = await call({ method: "GET", path }, [404]);
  if (found.status === 404) return;
  const before = Number((found.body as { count?: number }).count ?? 1);
  const body = { count: before + 1, lastTimestamp: now, message };
  await call({ method: "PATCH", path, query: fieldManager, body, contentType: mergePatch }, [404, 409]);
}

function eventName({ kind, name, uid, key, reason }: KubeEvent): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([kind, uid, reason, key]))
    .digest("hex");
  // Names end at 253 characters; an object's own may be as long.
  return `${name.slice(0, 200).replace(/[-.]+$/, "")}.${hash.slice(0, 16)}`;
}
