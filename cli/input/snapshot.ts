// From documents to the snapshot that the planning functions take: the same nouns that a cluster read gives the Lambdas.
import "../../shared/core/scheduling/devices/language.ts";
import {
  toCsiNode,
  toDaemonSet,
  toDeviceClass,
  toNamespace,
  toNode,
  toNodeClaim,
  toNodeOverlay,
  toNodePool,
  toPersistentVolume,
  toPersistentVolumeClaim,
  toPod,
  toResourceClaim,
  toResourceClaimTemplate,
  toResourceSlice,
  toStorageClass,
  toWorkloadSelector,
} from "../../shared/api/index.ts";
import type { Catalog, Settings, Snapshot } from "../../shared/core/model/index.ts";
import { withDefaultSpread } from "../../shared/core/provisioning/index.ts";
import { InputError } from "../input-error.ts";
import { admit } from "./admission.ts";
import { budgetsOf } from "./budgets.ts";
import { capacityBuffersOf } from "./capacity-buffers.ts";
import { converted } from "./converted.ts";
import { fieldsOf, type SourceDocument } from "./documents.ts";
import { expandWorkloads } from "./expand.ts";
import { guarded, withAmounts, withReadiness } from "./left-out.ts";
import { fleetOf } from "./node-claims.ts";
import { nodeClassesOf } from "./node-classes.ts";
import type { Objects } from "./objects.ts";
import { claimsOf } from "./template-claims.ts";

/** Kinds that select pods: by them pods without a topology spread of their own are counted for the default one. */
const selecting = [
  "/Service",
  "/ReplicationController",
  "apps/Deployment",
  "apps/ReplicaSet",
  "apps/StatefulSet",
] as const;

export interface PlanInput {
  readonly snapshot: Snapshot;
  /** Lines for stderr. */
  readonly notes: readonly string[];
}

/** Pods as the API server would hold them: workloads expanded, priorities and limit ranges applied. */
export function admittedPods(objects: Objects): readonly SourceDocument[] {
  const pods = expandWorkloads(objects);
  admit(pods, objects.of("apps/DaemonSet"), objects);
  return pods;
}

/** Converts everything. Throws InputError naming file, document and field of the first object that cannot be read. */
export function readSnapshot(
  objects: Objects,
  pods: readonly SourceDocument[],
  context: { readonly catalog: Catalog; readonly settings: Settings; readonly nowMs: number },
): PlanInput {
  const { catalog, settings, nowMs } = context;
  const all = <T>(sources: readonly SourceDocument[], convert: (document: unknown) => T): T[] =>
    sources.map((source) => converted(source, convert));
  const nodePools = all(objects.of("karpenter.sh/NodePool"), toNodePool);
  const { nodeClasses, notes } = nodeClassesOf(objects.of("karpenter.k8s.aws/EC2NodeClass"), nodePools, catalog);
  const nodes = all(objects.of("/Node"), toNode)
    .map((node) => withAmounts(node, nodeClasses, catalog, settings))
    .map((node) => guarded(withReadiness(node)));
  const claims = all(objects.of("karpenter.sh/NodeClaim"), toNodeClaim).map(guarded);
  for (const pod of objects.of("/Pod")) demand(pod, "spec");
  for (const daemonSet of objects.of("apps/DaemonSet")) demand(daemonSet, "spec", "template", "spec");
  const { defaultSpread = [] } = settings;
  const selectors = defaultSpread.length === 0 ? [] : all(selecting.flatMap(objects.of), toWorkloadSelector);
  const corePods = withDefaultSpread(all(pods, toPod).map(guarded), defaultSpread, selectors);
  const fleet = fleetOf(nodes, claims, nodePools, nodeClasses, catalog);
  const snapshot: Snapshot = {
    nodes: fleet.nodes,
    claims: fleet.claims,
    pods: corePods,
    daemonSets: all(objects.of("apps/DaemonSet"), toDaemonSet),
    nodePools,
    nodeClasses,
    podDisruptionBudgets: budgetsOf(objects.of("policy/PodDisruptionBudget"), corePods),
    namespaces: all(objects.of("/Namespace"), toNamespace),
    persistentVolumeClaims: all(claimsOf(objects, pods), toPersistentVolumeClaim),
    persistentVolumes: all(objects.of("/PersistentVolume"), toPersistentVolume),
    storageClasses: all(objects.of("storage.k8s.io/StorageClass"), toStorageClass),
    csiNodes: all(objects.of("storage.k8s.io/CSINode"), toCsiNode),
    resourceClaims: all(objects.of("resource.k8s.io/ResourceClaim"), toResourceClaim),
    resourceClaimTemplates: all(objects.of("resource.k8s.io/ResourceClaimTemplate"), toResourceClaimTemplate),
    deviceClasses: all(objects.of("resource.k8s.io/DeviceClass"), toDeviceClass),
    resourceSlices: all(objects.of("resource.k8s.io/ResourceSlice"), toResourceSlice),
    unreadable: [],
    resourceVersion: "",
    nowMs,
    head: { seq: 0, epoch: "plan", clusterUid: "plan" },
    settings,
    catalog,
    placements: [],
    commands: [],
    refusals: [],
    reservations: [],
    capacityBuffers: capacityBuffersOf(objects),
    nodeOverlays: all(objects.of("karpenter.sh/NodeOverlay"), toNodeOverlay),
  };
  return { snapshot, notes: [...notes, ...fleet.notes, ...gateNotes(objects, settings)] };
}

/** What lies in the input for nothing, because its feature gate is off. */
function gateNotes(objects: Objects, { featureGates }: Settings): string[] {
  const gated = [
    ["NodeOverlay", "karpenter.sh/NodeOverlay", featureGates.nodeOverlay],
    ["CapacityBuffer", "autoscaling.x-k8s.io/CapacityBuffer", featureGates.capacityBuffer],
  ] as const;
  return gated.flatMap(([gate, kind, isOn]) => {
    const count = objects.of(kind).length;
    return isOn || count === 0 ? [] : [`${gate} (${count}): without a say, for the feature gate ${gate} is off`];
  });
}

/** Refuses a document without a field that the API server demands too; otherwise it would quietly ask for nothing. */
function demand(source: SourceDocument, ...path: readonly string[]): void {
  let value: unknown = source.document;
  for (const [index, field] of path.entries()) {
    value = fieldsOf(value)[field];
    if (value !== undefined && value !== null) continue;
    const { namespace, name } = fieldsOf(source.document.metadata) as { namespace: string; name: string };
    const missing = path.slice(0, index + 1).join(".");
    throw new InputError(`${source.where}: ${source.kind} ${namespace}/${name}: ${missing}: is missing`);
  }
}
