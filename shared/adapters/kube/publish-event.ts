import { createHash } from "node:crypto";
import type { Clock, Cluster, KubeEvent } from "../../ports/index.ts";
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

/** What was last said under a name, and how long that will do. */
interface Said {
  readonly message: string;
  readonly untilMs: number;
}

/**
 * Publishes Events. Of those that stand for long it asks first whether somebody has said them of late, and remembers that:
 * at rest a warning costs a call or two an hour, not three a run.
 */
export function eventPublisher(call: Call, clock: Pick<Clock, "now">): Cluster["publish"] {
  const said = new Map<string, Said>();
  return async (event) => {
    const nowMs = clock.now();
    const { repeatAfterMs, message } = event;
    if (repeatAfterMs === undefined) return await publishEvent(call, nowMs, event);
    for (const [path, { untilMs }] of said) if (untilMs <= nowMs) said.delete(path);
    const path = pathOf(event);
    if (said.get(path)?.message === message) return;
    const found = await call({ method: "GET", path }, [404]);
    const lastMs = found.status === 404 ? undefined : lastSaidMs(found.body, message);
    const stillHolds = lastMs !== undefined && Math.abs(nowMs - lastMs) < repeatAfterMs;
    if (found.status === 404) await publishEvent(call, nowMs, event);
    else if (!stillHolds) await addOne(call, path, found.body, message, timestamp(nowMs));
    said.set(path, { message, untilMs: (stillHolds ? lastMs : nowMs) + repeatAfterMs });
  };
}

/** When an Event of these words was last said; undefined: its words are others, or it does not say. */
function lastSaidMs(body: unknown, message: string): number | undefined {
  const { message: words, lastTimestamp } = body as { readonly message?: string; readonly lastTimestamp?: string };
  const atMs = Date.parse(lastTimestamp ?? "");
  return words !== message || Number.isNaN(atMs) ? undefined : atMs;
}

/**
 * Publishes an Event. Its name is made from what it is about: Lambdas that say the same meet at the same name without
 * knowing of each other, and the later ones count. The API server forgets it an hour after it was last said.
 */
async function publishEvent(call: Call, nowMs: number, event: KubeEvent): Promise<void> {
  const namespace = namespaceOf(event);
  const now = timestamp(nowMs);
  const body = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: eventName(event), namespace },
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
  const request: KubeRequest = { method: "POST", path: collectionOf(event), query: fieldManager, body };
  const created = await call(request, [403, 404, 409]);
  if (created.status === 409) return await countAgain(call, pathOf(event), body.message, now);
  // A namespace that is gone or going takes no events, and nobody is left to read them there.
  if (created.status === 403 && !isTerminating(created.body)) throw refusalOf(request, created);
}

function isTerminating(body: unknown): boolean {
  return statusOf(body).details?.causes?.some(({ reason }) => reason === "NamespaceTerminating") ?? false;
}

async function countAgain(call: Call, path: string, message: string, now: string): Promise<void> {
  const found = await call({ method: "GET", path }, [404]);
  if (found.status !== 404) await addOne(call, path, found.body, message, now);
}

/** One more of the same. Two that count at once may lose one: a count is no evidence of anything. */
async function addOne(call: Call, path: string, found: unknown, message: string, now: string): Promise<void> {
  const before = Number((found as { count?: number }).count ?? 1);
  const body = { count: before + 1, lastTimestamp: now, message };
  await call({ method: "PATCH", path, query: fieldManager, body, contentType: mergePatch }, [404, 409]);
}

/** Events about objects without a namespace live in "default", as Kubernetes' own do. */
function namespaceOf({ namespace }: KubeEvent): string {
  return namespace ?? "default";
}

function collectionOf(event: KubeEvent): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespaceOf(event))}/events`;
}

function pathOf(event: KubeEvent): string {
  return `${collectionOf(event)}/${eventName(event)}`;
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}

function eventName({ kind, name, uid, key, reason }: KubeEvent): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([kind, uid, reason, key]))
    .digest("hex");
  // Names end at 253 characters; an object's own may be as long.
  return `${name.slice(0, 200).replace(/[-.]+$/, "")}.${hash.slice(0, 16)}`;
}
