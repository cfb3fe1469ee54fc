// Workload controllers become the pending pods that they would make.
import type { Json, SourceDocument } from "./documents.ts";
import type { Objects } from "./objects.ts";

interface Workload {
  readonly source: SourceDocument;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly spec: Json;
  readonly replicas: number;
}

const asObject = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});
const countOf = (value: unknown): number => (typeof value === "number" ? value : 1);

/**
 * The pods of the input and those that its workloads would make: `<name>-0…`, where no pod of the input is theirs. Each
 * made pod is an object of its own. Two workloads of one name in a namespace: the later one's pods carry its kind too.
 */
export function expandWorkloads(objects: Objects): SourceDocument[] {
  const pods = [...objects.of("/Pod")];
  const taken = new Set(pods.map(({ document }) => keyOf(document)));
  const owned = ownersOf(pods, objects.of("apps/ReplicaSet"));
  for (const workload of workloadsOf(objects)) {
    if (owned.has(`${workload.kind}/${workload.namespace}/${workload.name}`)) continue;
    const clash = workload.replicas > 0 && taken.has(`${workload.namespace}/${workload.name}-0`);
    const prefix = clash ? `${workload.name}-${workload.kind.toLowerCase()}` : workload.name;
    const template = JSON.stringify(templateOf(workload));
    for (let ordinal = 0; ordinal < workload.replicas; ordinal++) {
      const name = `${prefix}-${ordinal}`;
      const document = JSON.parse(template) as Json & { metadata: Json; spec: Json };
      document.metadata.name = name;
      if (workload.kind === "StatefulSet") mountClaims(document.spec, workload.spec, name);
      taken.add(`${workload.namespace}/${name}`);
      pods.push({ group: "", kind: "Pod", document, where: workload.source.where });
    }
  }
  return pods;
}

function workloadsOf(objects: Objects): Workload[] {
  const read = (source: SourceDocument, replicasOf: (spec: Json) => number): Workload => {
    const { namespace, name } = asObject(source.document.metadata) as { namespace: string; name: string };
    const spec = asObject(source.document.spec);
    return { source, kind: source.kind, namespace, name, spec, replicas: replicasOf(spec) };
  };
  const replicas = (spec: Json): number => countOf(spec.replicas);
  return [
    ...objects.of("apps/Deployment").map((source) => read(source, replicas)),
    ...objects.of("apps/ReplicaSet").map((source) => read(source, replicas)),
    ...objects.of("apps/StatefulSet").map((source) => read(source, replicas)),
    ...objects.of("batch/Job").map((source) => read(source, (spec) => jobPods(spec, asObject(source.document.status)))),
  ];
}

/** Pods that a job runs at once, never more than are still to be completed. */
function jobPods(spec: Json, status: Json): number {
  if (spec.suspend === true) return 0;
  const parallelism = countOf(spec.parallelism);
  if (typeof spec.completions !== "number") return parallelism;
  return Math.min(parallelism, spec.completions - (typeof status.succeeded === "number" ? status.succeeded : 0));
}

function keyOf(document: Json): string {
  const { namespace, name } = asObject(document.metadata);
  return `${namespace as string}/${name as string}`;
}

/**
 * Workloads that have pods (or, for Deployments, a ReplicaSet) in the input. A pod says its ReplicaSet, whose name is the
 * Deployment's plus the pod-template-hash.
 */
function ownersOf(pods: readonly SourceDocument[], replicaSets: readonly SourceDocument[]): Set<string> {
  const owners = new Set<string>();
  for (const { document } of [...pods, ...replicaSets]) {
    const { namespace, ownerReferences, labels } = asObject(document.metadata);
    for (const reference of (ownerReferences as unknown[] | undefined) ?? []) {
      const { kind, name } = asObject(reference) as { kind?: string; name?: string };
      if (kind === undefined || name === undefined) continue;
      owners.add(`${kind}/${namespace as string}/${name}`);
      const hash = asObject(labels)["pod-template-hash"];
      if (kind === "ReplicaSet" && typeof hash === "string" && name.endsWith(`-${hash}`)) {
        owners.add(`Deployment/${namespace as string}/${name.slice(0, -hash.length - 1)}`);
      }
    }
  }
  return owners;
}

function templateOf(workload: Workload): Json {
  const template = asObject(workload.spec.template);
  const { apiVersion, metadata } = workload.source.document as { apiVersion: string; metadata: Json };
  const owner = {
    apiVersion,
    kind: workload.kind,
    name: workload.name,
    uid: metadata.uid ?? `${workload.kind}/${workload.namespace}/${workload.name}`,
    controller: true,
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...asObject(template.metadata), namespace: workload.namespace, ownerReferences: [owner] },
    spec: template.spec,
  };
}

/** A StatefulSet's claim templates become volumes of its pods: `<template>-<pod>`. */
function mountClaims(podSpec: Json, spec: Json, podName: string): void {
  const templates = (spec.volumeClaimTemplates as unknown[] | undefined) ?? [];
  const own = templates.map((template) => {
    const name = asObject(asObject(template).metadata).name as string;
    return { name, persistentVolumeClaim: { claimName: `${name}-${podName}` } };
  });
  if (own.length > 0) podSpec.volumes = [...((podSpec.volumes as unknown[] | undefined) ?? []), ...own];
}
