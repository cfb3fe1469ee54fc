// Workload controllers become the pending pods that they would make.
import { toWorkload } from "../../shared/api/index.ts";
import { InputError } from "../input-error.ts";
import { converted } from "./converted.ts";
import { fieldsOf, type Json, objectsOf, type SourceDocument } from "./documents.ts";
import type { Objects } from "./objects.ts";

type Workload = ReturnType<typeof toWorkload> & { readonly source: SourceDocument };

/** More pods than any cluster holds (Kubernetes supports 150,000): a slip of the pen in a count. */
const maxPods = 200_000;

/**
 * The pods of the input and those that its workloads would make: `<name>-0…`, where no pod of the input is theirs. Each
 * made pod is an object of its own. Where one of the names is taken, the workload's pods carry its kind too. Throws
 * InputError naming the first workload that cannot be read.
 */
export function expandWorkloads(objects: Objects): SourceDocument[] {
  const pods = [...objects.of("/Pod")];
  const taken = new Set(pods.map(({ document }) => keyOf(document)));
  const owned = ownersOf(pods, objects.of("apps/ReplicaSet"));
  for (const workload of workloadsOf(objects)) {
    if (owned.has(ownerKey(workload.kind, workload.namespace, workload.name))) continue;
    if (pods.length + workload.pods > maxPods) {
      throw new InputError(
        `${workload.source.where}: ${workload.kind} ${workload.namespace}/${workload.name}: its ${workload.pods} pods are more than a plan takes (${maxPods} altogether)`,
      );
    }
    const template = JSON.stringify(podOf(workload));
    for (const name of namesOf(workload, taken)) {
      const document = JSON.parse(template) as Json & { metadata: Json; spec: Json };
      document.metadata.name = name;
      mountClaims(document.spec, workload, name);
      taken.add(`${workload.namespace}/${name}`);
      pods.push({ group: "", kind: "Pod", document, where: workload.source.where });
    }
  }
  return pods;
}

/** Names of a workload's pods, none of which is taken. */
function namesOf({ kind, namespace, name, pods }: Workload, taken: ReadonlySet<string>): readonly string[] {
  for (let attempt = 0; ; attempt++) {
    const suffix = [[], [kind.toLowerCase()], [kind.toLowerCase(), attempt]][Math.min(attempt, 2)]!;
    const prefix = [name, ...suffix].join("-");
    const names = Array.from({ length: pods }, (_, ordinal) => `${prefix}-${ordinal}`);
    if (!names.some((one) => taken.has(`${namespace}/${one}`))) return names;
  }
}

/** What makes pods by itself: a ReplicaSet of a Deployment of the input is that Deployment's business. */
function workloadsOf(objects: Objects): Workload[] {
  const read = (source: SourceDocument): Workload => ({ ...converted(source, toWorkload), source });
  const deployments = objects.of("apps/Deployment").map(read);
  const deployed = new Set(deployments.map(({ kind, namespace, name }) => ownerKey(kind, namespace, name)));
  return [
    ...deployments,
    ...objects
      .of("apps/ReplicaSet")
      .map(read)
      .filter(({ source }) => !owningKeys(source.document).some((owner) => deployed.has(owner))),
    ...objects.of("apps/StatefulSet").map(read),
    ...objects.of("batch/Job").map(read),
  ];
}

function keyOf(document: Json): string {
  const { namespace, name } = fieldsOf(document.metadata);
  return `${namespace as string}/${name as string}`;
}

function ownerKey(kind: string, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}

const groups: Readonly<Record<string, string>> = {
  Deployment: "apps",
  ReplicaSet: "apps",
  StatefulSet: "apps",
  Job: "batch",
};

/** The workloads that an object names as its owners. An owner of a like kind in another group is another kind. */
function owningKeys(document: Json): string[] {
  const { namespace, ownerReferences } = fieldsOf(document.metadata);
  return objectsOf(ownerReferences).flatMap(({ apiVersion, kind, name }) => {
    if (typeof kind !== "string" || typeof name !== "string" || !Object.hasOwn(groups, kind)) return [];
    if (typeof apiVersion === "string" && apiVersion.split("/")[0] !== groups[kind]) return [];
    return [ownerKey(kind, namespace as string, name)];
  });
}

/**
 * Workloads that have pods in the input. A pod says its ReplicaSet, and that stands in the input and says its Deployment,
 * or its name is the Deployment's plus the pod-template-hash.
 */
function ownersOf(pods: readonly SourceDocument[], replicaSets: readonly SourceDocument[]): Set<string> {
  const above = new Map<string, string[]>(
    replicaSets.map(({ document }) => [`ReplicaSet/${keyOf(document)}`, owningKeys(document)]),
  );
  const owners = new Set<string>();
  for (const { document } of pods) {
    const { labels } = fieldsOf(document.metadata);
    const hash = fieldsOf(labels)["pod-template-hash"];
    for (const owner of owningKeys(document)) {
      owners.add(owner);
      for (const grand of above.get(owner) ?? []) owners.add(grand);
      if (owner.startsWith("ReplicaSet/") && typeof hash === "string" && hash !== "" && owner.endsWith(`-${hash}`)) {
        owners.add(`Deployment${owner.slice("ReplicaSet".length, -hash.length - 1)}`);
      }
    }
  }
  return owners;
}

function podOf({ source, kind, namespace, name, uid }: Workload): Json {
  const template = fieldsOf(fieldsOf(source.document.spec).template);
  const owner = { apiVersion: source.document.apiVersion, kind, name, uid, controller: true };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...fieldsOf(template.metadata), namespace, ownerReferences: [owner] },
    spec: template.spec,
  };
}

/** A StatefulSet's claim templates become volumes of its pods, `<template>-<pod>`, over volumes of that name. */
function mountClaims(spec: Json, { claimTemplates }: Workload, podName: string): void {
  if (claimTemplates.length === 0) return;
  const own = claimTemplates.map((name) => ({ name, persistentVolumeClaim: { claimName: `${name}-${podName}` } }));
  spec.volumes = [...objectsOf(spec.volumes).filter(({ name }) => !claimTemplates.includes(name as string)), ...own];
}
