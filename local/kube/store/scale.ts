// The scale subresource: one small document over many kinds.
import { copy, ensureObject, isObject, numberAt, stringAt } from "../json.ts";
import type { ServedKind } from "../registry.ts";
import { selectorText } from "../selectors.ts";
import { badRequest, conflict, invalid, modifiedMeanwhile, notFound } from "../status.ts";
import type { Json, JsonObject, KubeObject, ObjectKey, UpdateOptions } from "../types.ts";
import type { StoreContext } from "./context.ts";
import { present } from "./versions.ts";
import { update } from "./writes.ts";

function steps(path: string): string[] {
  return path.replace(/^\./, "").split(".");
}

function selectorOf(kind: ServedKind, object: KubeObject): string {
  const path = kind.custom?.scale?.labelSelectorPath;
  if (kind.custom !== undefined) return path === undefined ? "" : (stringAt(object, ...steps(path)) ?? "");
  if (kind.storage !== "replicationcontrollers") return selectorText(object.spec?.selector as Json);
  return selectorText({ matchLabels: (object.spec?.selector ?? {}) as Json });
}

/** The autoscaling/v1 Scale of an object. @throws NotFound */
export function readScale(context: StoreContext, kind: ServedKind, key: ObjectKey): KubeObject {
  const found = context.objects.find(kind.storage, key);
  if (found === undefined) throw notFound(kind, key.name);
  const object = present(kind, found);
  const paths = kind.custom?.scale;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = selectorOf(kind, object);
  const replicas = numberAt(object, ...steps(paths?.specReplicasPath ?? ".spec.replicas")) ?? 0;
  const current = numberAt(object, ...steps(paths?.statusReplicasPath ?? ".status.replicas")) ?? 0;
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: JSON.parse(JSON.stringify({ name, namespace, uid, resourceVersion, creationTimestamp })),
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: current, ...(selector === "" ? {} : { selector }) },
  };
}

/** @throws NotFound, Conflict, Invalid for a negative number. */
export function writeScale(
  context: StoreContext,
  kind: ServedKind,
  key: ObjectKey,
  body: unknown,
  options: UpdateOptions,
): KubeObject {
  const found = context.objects.find(kind.storage, key);
  if (found === undefined) throw notFound(kind, key.name);
  if (!isObject(body)) throw badRequest("the object provided is unrecognized (must be of type Scale)");
  if (body.kind !== undefined && body.kind !== "Scale")
    throw badRequest(`the kind in the data is ${String(body.kind)}, not Scale`);
  const replicas = numberAt(body, "spec", "replicas") ?? 0;
  if (replicas < 0) {
    const cause = {
      reason: "FieldValueInvalid",
      message: `Invalid value: ${replicas}: must be greater than or equal to 0`,
      field: "spec.replicas",
    };
    throw invalid({ plural: "scales", group: "autoscaling", kind: "Scale" }, key.name, [cause]);
  }
  const sent = stringAt(body, "metadata", "resourceVersion");
  if (sent !== undefined && sent !== "" && sent !== found.metadata.resourceVersion)
    throw conflict(kind, key.name, modifiedMeanwhile);
  const draft = copy(present(kind, found));
  const path = steps(kind.custom?.scale?.specReplicasPath ?? ".spec.replicas");
  let here = draft as unknown as JsonObject;
  for (const step of path.slice(0, -1)) here = ensureObject(here, step);
  here[path.at(-1)!] = replicas;
  update(context, kind, key, draft, options);
  return readScale(context, kind, key);
}
