// Which kinds `plan` reads, and the input sorted by kind.
import { InputError } from "../input-error.ts";
import { isObject, type Json, type SourceDocument } from "./documents.ts";

/** By group and name. */
const kinds = [
  "/Pod",
  "/Node",
  "/Namespace",
  "/PodTemplate",
  "/Service",
  "/ReplicationController",
  "/LimitRange",
  "/PersistentVolumeClaim",
  "/PersistentVolume",
  "apps/Deployment",
  "apps/ReplicaSet",
  "apps/StatefulSet",
  "apps/DaemonSet",
  "batch/Job",
  "node.k8s.io/RuntimeClass",
  "policy/PodDisruptionBudget",
  "scheduling.k8s.io/PriorityClass",
  "storage.k8s.io/StorageClass",
  "storage.k8s.io/CSINode",
  "resource.k8s.io/ResourceClaim",
  "resource.k8s.io/ResourceClaimTemplate",
  "resource.k8s.io/DeviceClass",
  "resource.k8s.io/ResourceSlice",
  "karpenter.sh/NodePool",
  "karpenter.sh/NodeClaim",
  "karpenter.sh/NodeOverlay",
  "karpenter.k8s.aws/EC2NodeClass",
  "autoscaling.x-k8s.io/CapacityBuffer",
] as const;

const readKinds: ReadonlySet<string> = new Set(kinds);

export type KindName = (typeof kinds)[number];

/** Kinds that have a say only with a default topology spread. */
const forDefaultSpread: ReadonlySet<string> = new Set<KindName>(["/Service", "/ReplicationController"]);

const clusterScoped: ReadonlySet<string> = new Set([
  "/Node",
  "/Namespace",
  "/PersistentVolume",
  "node.k8s.io/RuntimeClass",
  "scheduling.k8s.io/PriorityClass",
  "storage.k8s.io/StorageClass",
  "storage.k8s.io/CSINode",
  "resource.k8s.io/DeviceClass",
  "resource.k8s.io/ResourceSlice",
  "karpenter.sh/NodePool",
  "karpenter.sh/NodeClaim",
  "karpenter.sh/NodeOverlay",
  "karpenter.k8s.aws/EC2NodeClass",
]);

/** Input by kind, each object once, with what people should know of it. */
export interface Objects {
  of(kind: KindName): readonly SourceDocument[];
  /** Lines for stderr. */
  readonly notes: readonly string[];
}

/** Sorts documents by kind. `spreadsByDefault`: pods get a default topology spread. As with `kubectl apply`, a later document of the same name replaces an earlier one. */
export function sortByKind(documents: readonly SourceDocument[], spreadsByDefault = false): Objects {
  const byKind = new Map<string, Map<string, SourceDocument>>();
  const skipped = new Map<string, number>();
  const replaced = new Map<string, string[]>();
  const known = documents.filter((source) => {
    const kind = kindOf(source);
    if (readKinds.has(kind) && (spreadsByDefault || !forDefaultSpread.has(kind))) return true;
    skipped.set(source.kind, (skipped.get(source.kind) ?? 0) + 1);
    return false;
  });
  nameGenerated(known);
  for (const source of known) {
    const kind = kindOf(source);
    const name = nameOf(source);
    const all = byKind.get(kind) ?? new Map<string, SourceDocument>();
    byKind.set(kind, all);
    const earlier = all.get(name);
    if (earlier !== undefined) {
      const list = replaced.get(source.kind) ?? [];
      replaced.set(source.kind, list);
      list.push(`${source.kind} ${name}: ${source.where} replaces ${earlier.where}`);
    }
    all.set(name, source);
  }
  const notes = [...replaced.values()].map(([first, ...rest]) =>
    rest.length === 0 ? first! : `${first} (and ${rest.length.toLocaleString("en-US")} more of that kind)`,
  );
  notes.push(...kindNotes(skipped));
  return { of: (kind) => [...(byKind.get(kind)?.values() ?? [])], notes };
}

function kindOf(source: SourceDocument): string {
  return `${source.group}/${source.kind}`;
}

/** `namespace/name` or `name`; a namespace that is left out is filled in. */
function nameOf(source: SourceDocument): string {
  const metadata = metadataOf(source);
  if (!clusterScoped.has(kindOf(source))) metadata.namespace ??= "default";
  for (const field of ["name", "namespace"]) {
    const value = metadata[field] ?? "";
    if (typeof value === "string" && (value !== "" || field === "namespace")) continue;
    const problem = value === "" ? "is missing" : `expected a text, got ${JSON.stringify(value)}`;
    throw new InputError(`${source.where}: ${source.kind}: metadata.${field}: ${problem}`);
  }
  const { namespace, name } = metadata as { namespace?: string; name: string };
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Gives names to what has only `generateName`, other ones than those that stand in the input. */
function nameGenerated(documents: readonly SourceDocument[]): void {
  const taken = new Set(documents.map((source) => metadataOf(source).name));
  let generated = 0;
  for (const source of documents) {
    const metadata = metadataOf(source);
    if (metadata.name !== undefined || typeof metadata.generateName !== "string") continue;
    do metadata.name = `${metadata.generateName}${generated++}`;
    while (taken.has(metadata.name));
  }
}

function metadataOf(source: SourceDocument): Json {
  const { metadata } = source.document;
  if (!isObject(metadata)) throw new InputError(`${source.where}: ${source.kind}: metadata: is missing`);
  return metadata;
}

function kindNotes(skipped: ReadonlyMap<string, number>): string[] {
  const counted = (entries: Iterable<readonly [string, number]>): string =>
    [...entries]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, count]) => `${kind} (${count})`)
      .join(", ");
  const notes: string[] = [];
  if (skipped.size > 0) notes.push(`skipped kinds that have no say in a plan: ${counted(skipped)}`);
  return notes;
}
