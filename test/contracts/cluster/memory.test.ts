// The memory adapter, with manifests read by the same conversion as a cluster's.
import { createMemoryCluster, type MemoryCluster } from "../../../shared/adapters/memory/cluster.ts";
import {
  toCapacityBuffer,
  toCsiNode,
  toNode,
  toNodeClass,
  toNodeOverlay,
  toNodePool,
  toPersistentVolume,
  toPersistentVolumeClaim,
  toPod,
  toPodDisruptionBudget,
  toStorageClass,
  toWorkloadSelector,
} from "../../../shared/api/index.ts";
import type { ClusterSubject, Identity, Manifest } from "./subject.ts";
import { runClusterSuite } from "./suite.ts";

runClusterSuite("memory", async (clock) => {
  const cluster = createMemoryCluster(clock);
  /** What buffers refer to. */
  const referable = new Map<string, Manifest>();
  const subject: ClusterSubject = {
    cluster,
    async create(manifest) {
      const { kind, metadata } = manifest;
      if (selectingKinds.has(kind)) cluster.selectors.set(`${kind} ${metadata.name}`, toWorkloadSelector(manifest));
      if (!referableKinds.has(kind)) return put(cluster, manifest, referable);
      referable.set(`${kind} ${metadata.namespace}/${metadata.name}`, manifest);
      return { uid: "", resourceVersion: "" };
    },
    async label({ name }, key, value) {
      const node = cluster.nodes.get(name)!;
      cluster.nodes.put({ ...node, labels: { ...node.labels, [key]: value } });
    },
    async remove({ kind, name }) {
      cluster.requestDeletion(kind as "NodeClaim", name);
    },
    async conditions({ kind, namespace, name }) {
      if (kind === "NodeClaim") return claimConditions(cluster, name);
      return cluster.conditionsOf(kind as "NodePool", keyOf(namespace, name)).map((condition) => ({
        ...condition,
        lastTransitionTime: new Date(condition.changedAtMs).toISOString(),
      }));
    },
    async statusField({ kind, namespace, name }, field) {
      return cluster.statusOf(kind as "NodePool", keyOf(namespace, name))[field];
    },
    async shown(name) {
      return cluster.mirrors.get(name)!.claim;
    },
    async events(namespace) {
      return cluster.events
        .filter((event) => (event.namespace ?? "default") === namespace)
        .map(({ reason, message, count, uid }) => ({ reason, message, count, objectUid: uid }));
    },
    stop: async () => {},
  };
  return subject;
});

const selectingKinds: ReadonlySet<string> = new Set(["Service", "ReplicaSet", "StatefulSet"]);
/** What buffers or nobody refer to. */
const referableKinds: ReadonlySet<string> = new Set([...selectingKinds, "PodTemplate", "Deployment"]);

const keyOf = (namespace: string | undefined, name: string): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

function put(cluster: MemoryCluster, manifest: Manifest, referable: ReadonlyMap<string, Manifest>): Identity {
  if (store(cluster.storage, manifest)) return { uid: "", resourceVersion: "" };
  const { uid: _, resourceVersion: __, ...object } = read(manifest, referable);
  switch (manifest.kind) {
    case "NodeOverlay":
      return cluster.nodeOverlays.put(object as ReturnType<typeof toNodeOverlay>);
    case "CapacityBuffer":
      return cluster.capacityBuffers.put(object as ReturnType<typeof toCapacityBuffer>);
    case "Node":
      return cluster.nodes.put(object as ReturnType<typeof toNode>);
    case "Pod":
      return cluster.pods.put(object as ReturnType<typeof toPod>);
    case "NodePool":
      return cluster.nodePools.put(object as ReturnType<typeof toNodePool>);
    case "EC2NodeClass":
      return cluster.nodeClasses.put(object as ReturnType<typeof toNodeClass>);
    default:
      return cluster.budgets.put(object as ReturnType<typeof toPodDisruptionBudget>);
  }
}

/** False: it is no storage object. */
function store(storage: MemoryCluster["storage"], manifest: Manifest): boolean {
  const { persistentVolumeClaims, persistentVolumes, storageClasses, csiNodes } = storage;
  switch (manifest.kind) {
    case "PersistentVolumeClaim":
      storage.persistentVolumeClaims = [...persistentVolumeClaims, toPersistentVolumeClaim(manifest)];
      return true;
    case "PersistentVolume":
      storage.persistentVolumes = [...persistentVolumes, toPersistentVolume(manifest)];
      return true;
    case "StorageClass":
      storage.storageClasses = [...storageClasses, toStorageClass(manifest)];
      return true;
    case "CSINode":
      storage.csiNodes = [...csiNodes, toCsiNode(manifest)];
      return true;
    default:
      return false;
  }
}

function read(
  manifest: Manifest,
  referable: ReadonlyMap<string, Manifest>,
): { readonly uid?: string; readonly resourceVersion?: string } {
  switch (manifest.kind) {
    case "NodeOverlay":
      return toNodeOverlay(manifest);
    case "CapacityBuffer":
      return toCapacityBuffer(manifest, (kind, namespace, name) => referable.get(`${kind} ${namespace}/${name}`));
    case "Node":
      return toNode(manifest);
    case "Pod":
      return toPod(manifest);
    case "NodePool":
      return toNodePool(manifest);
    case "EC2NodeClass":
      return toNodeClass(manifest);
    default:
      return toPodDisruptionBudget(manifest) as object;
  }
}

/** The mirror in memory keeps the record itself; what its conditions would say is read off it. */
function claimConditions(cluster: MemoryCluster, name: string): Awaited<ReturnType<ClusterSubject["conditions"]>> {
  const { claim } = cluster.mirrors.get(name)!;
  const met = { Launched: claim.instance, Registered: claim.registeredAtMs, Ready: claim.initializedAtMs };
  return Object.entries(met).map(([type, evidence]) => ({
    type,
    status: evidence === undefined ? "Unknown" : "True",
    reason: type,
    lastTransitionTime: "",
  }));
}
