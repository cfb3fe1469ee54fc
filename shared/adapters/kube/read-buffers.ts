import { readAll, toCapacityBuffer } from "../../api/index.ts";
import type { CapacityBuffer, UnreadableObject } from "../../core/model/index.ts";
import type { Call } from "./call.ts";
import { namespacedPath, paths } from "./documents.ts";
import { listObjects } from "./list-objects.ts";

/** Where the kinds are served that a buffer may refer to. */
const collections: Readonly<Record<string, string>> = {
  PodTemplate: paths.podTemplates,
  Deployment: paths.deployments,
  ReplicaSet: paths.replicaSets,
  StatefulSet: paths.statefulSets,
};

interface Referring {
  readonly metadata?: { readonly namespace?: string };
  readonly spec?: {
    readonly podTemplateRef?: { readonly name?: string };
    readonly scalableRef?: { readonly kind?: string; readonly name?: string };
  };
}

/** All CapacityBuffers, each with what it refers to: one more request for each thing referred to. */
export async function readBuffers(call: Call, unreadable: UnreadableObject[]): Promise<readonly CapacityBuffer[]> {
  const { items } = await listObjects(call, paths.capacityBuffers, (object) => object as Referring);
  const found = new Map<string, unknown>();
  for (const { metadata, spec } of items) {
    const [kind, name] = spec?.podTemplateRef
      ? ["PodTemplate", spec.podTemplateRef.name]
      : [spec?.scalableRef?.kind, spec?.scalableRef?.name];
    const collection = kind !== undefined && Object.hasOwn(collections, kind) ? collections[kind] : undefined;
    const namespace = metadata?.namespace;
    if (collection === undefined || name === undefined || namespace === undefined) continue;
    const key = `${kind} ${namespace}/${name}`;
    if (found.has(key)) continue;
    const answer = await call({ method: "GET", path: namespacedPath(collection, namespace, name) }, [404]);
    found.set(key, answer.status === 404 ? undefined : answer.body);
  }
  const typed = items.map((item) => ({ apiVersion: "autoscaling.x-k8s.io/v1beta1", kind: "CapacityBuffer", ...item }));
  const read = readAll(typed, (document) =>
    toCapacityBuffer(document, (kind, namespace, name) => found.get(`${kind} ${namespace}/${name}`)),
  );
  unreadable.push(...read.unreadable);
  return read.objects;
}
