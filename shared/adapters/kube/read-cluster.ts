import {
  readAll,
  toCsiNode,
  toDaemonSet,
  toNamespace,
  toNode,
  toNodeClass,
  toNodeOverlay,
  toNodePool,
  toPersistentVolume,
  toPersistentVolumeClaim,
  toPod,
  toPodDisruptionBudget,
  toStorageClass,
  UnreadableObjectError,
} from "../../api/index.ts";
import {
  type ClusterView,
  type DefaultSpread,
  type Node,
  type Pod,
  taints,
  type UnreadableObject,
} from "../../core/model/index.ts";
import { withDefaultSpread } from "../../core/provisioning/default-spread.ts";
import { OperationError } from "../../ports/index.ts";
import type { Call } from "./call.ts";
import { namedPath, paths } from "./documents.ts";
import { isAtLeast, type Listed, listObjects } from "./list-objects.ts";
import { readBuffers } from "./read-buffers.ts";
import { noDevices, readDevices } from "./read-devices.ts";
import { readSelectors } from "./read-selectors.ts";

/** Pods that have ended hold nothing any more, and finished jobs can leave thousands of them. */
const livePods = "status.phase!=Succeeded,status.phase!=Failed";

/** What of a pod's spec says when and how it leaves a node. */
const fieldsOfLeaving = new Set([
  "nodeName",
  "priority",
  "priorityClassName",
  "terminationGracePeriodSeconds",
  "tolerations",
]);

export interface ReadOptions {
  readonly atLeast?: string;
  readonly pods?: boolean;
  readonly leavingNodes?: ReadonlySet<string>;
  /** NodeOverlays too. */
  readonly overlays?: boolean;
  /** CapacityBuffers too. */
  readonly buffers?: boolean;
  /** Resource claims and devices too, where a pod that may be planned has claims. */
  readonly devices?: boolean;
  /** Pods without a spread of their own are shown with these, counted by what selects them, which is listed for that. */
  readonly defaultSpread?: readonly DefaultSpread[];
}

export type List = <T>(
  path: string,
  kind: string,
  convert: (object: unknown) => T,
  fieldSelector?: string,
) => Promise<Listed<T>>;

/**
 * Reads every kind in its newest state, pods last. A pod that was bound while the others were read then shows as bound to
 * a node that isn't known, which makes a plan ask for too little; the other order would ask for too much. Storage comes
 * after the pods, and only where it matters: a claim is there before the pod that waits for a node because of it.
 */
export async function readCluster(call: Call, options: ReadOptions): Promise<ClusterView> {
  const unreadable: UnreadableObject[] = [];
  const list: List = (path, kind, convert, fieldSelector) =>
    listNouns(call, path, kind, convert, unreadable, {
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      ...(options.atLeast === undefined ? {} : { atLeast: options.atLeast }),
    });
  const [nodePools, nodeClasses, daemonSets, budgets, namespaces, nodes, overlays] = await Promise.all([
    list(paths.nodePools, "NodePool", toNodePool),
    list(paths.nodeClasses, "EC2NodeClass", toNodeClass),
    list(paths.daemonSets, "DaemonSet", toDaemonSet),
    list(paths.budgets, "PodDisruptionBudget", toPodDisruptionBudget),
    list(paths.namespaces, "Namespace", toNamespace),
    list(paths.nodes, "Node", toNode),
    options.overlays === true ? list(paths.nodeOverlays, "NodeOverlay", toNodeOverlay) : undefined,
  ]);
  const withPods = options.pods ?? true;
  const pods = withPods ? await list(paths.pods, "Pod", toPod, livePods) : undefined;
  const movable = movablePods(pods?.items ?? [], nodes.items, options.leavingNodes);
  const storage = movable.some(({ volumes }) => volumes.length > 0) ? await readStorage(list) : noStorage;
  const needsDevices = options.devices === true && movable.some(({ resourceClaims }) => resourceClaims.length > 0);
  const devices = needsDevices ? await readDevices(call, list) : noDevices;
  const { defaultSpread = [] } = options;
  const selectors = defaultSpread.length === 0 || pods === undefined ? [] : await readSelectors(list);
  const versions = [nodePools, nodeClasses, daemonSets, budgets, namespaces, nodes, overlays, pods].flatMap((l) =>
    l === undefined ? [] : [l.resourceVersion],
  );
  return {
    nodePools: nodePools.items,
    nodeClasses: nodeClasses.items,
    daemonSets: daemonSets.items,
    podDisruptionBudgets: budgets.items,
    namespaces: namespaces.items,
    nodes: nodes.items,
    pods: withDefaultSpread(pods?.items ?? [], defaultSpread, selectors),
    ...storage,
    ...devices,
    nodeOverlays: overlays?.items ?? [],
    capacityBuffers: options.buffers === true ? await readBuffers(call, unreadable) : [],
    unreadable,
    resourceVersion: versions.reduce((a, b) => (isAtLeast(a, b) ? a : b)),
  };
}

type StorageView = Pick<ClusterView, "persistentVolumeClaims" | "persistentVolumes" | "storageClasses" | "csiNodes">;

const noStorage: StorageView = {
  persistentVolumeClaims: [],
  persistentVolumes: [],
  storageClasses: [],
  csiNodes: [],
};

/**
 * The pods that may be planned: those without a node, and those on a node that is on its way out. Where none of them has
 * volumes four lists are saved, two of them as long as the cluster has volumes; likewise with devices.
 */
function movablePods(pods: readonly Pod[], nodes: readonly Node[], leavingNodes?: ReadonlySet<string>): readonly Pod[] {
  const leaving = new Set(leavingNodes);
  for (const node of nodes) {
    const isTainted = node.taints.some(({ key }) => key === taints.disrupted.key);
    if (isTainted || node.deletionAtMs !== undefined) leaving.add(node.name);
  }
  return pods.filter(({ nodeName }) => nodeName === undefined || leaving.has(nodeName));
}

async function readStorage(list: List): Promise<StorageView> {
  const [claims, volumes, classes, csiNodes] = await Promise.all([
    list(paths.persistentVolumeClaims, "PersistentVolumeClaim", toPersistentVolumeClaim),
    list(paths.persistentVolumes, "PersistentVolume", toPersistentVolume),
    list(paths.storageClasses, "StorageClass", toStorageClass),
    list(paths.csiNodes, "CSINode", toCsiNode),
  ]);
  return {
    persistentVolumeClaims: claims.items,
    persistentVolumes: volumes.items,
    storageClasses: classes.items,
    csiNodes: csiNodes.items,
  };
}

/**
 * One node, by name with a single look, by provider id (which no selector knows) out of all, unless the name that comes
 * with it leads to that node.
 */
export async function findNode(
  call: Call,
  by: { readonly providerId: string; readonly name?: string | undefined } | { readonly name: string },
): Promise<Node | undefined> {
  if (by.name !== undefined) {
    const answer = await call({ method: "GET", path: namedPath(paths.nodes, by.name) }, [404]);
    const named = answer.status === 404 ? undefined : readable("Node", toNode, answer.body);
    if (!("providerId" in by) || named?.providerId === by.providerId) return named;
  }
  if (!("providerId" in by)) return undefined;
  const { items } = await listNouns(call, paths.nodes, "Node", toNode, [], {});
  // Two nodes of one instance are a node that was registered anew; the newer one is alive.
  return items.filter((n) => n.providerId === by.providerId).sort((a, b) => b.createdAtMs - a.createdAtMs)[0];
}

/**
 * A node's pods in every phase. Nobody may drain past one that can't be read: it counts as present, by what tells who it
 * is and how it goes, without what it asks for. One that even that can't be read of is an OperationError.
 */
export async function podsOn(call: Call, nodeName: string): Promise<readonly Pod[]> {
  const fieldSelector = `spec.nodeName=${nodeName}`;
  return (await listObjects(call, paths.pods, presentPod, { fieldSelector })).items;
}

function presentPod(object: unknown): Pod {
  try {
    return toPod(withKind("Pod", object));
  } catch (error) {
    if (!(error instanceof UnreadableObjectError)) throw error;
    const document = object as { readonly spec?: Readonly<Record<string, unknown>> };
    const kept = Object.entries(document.spec ?? {}).filter(([field]) => fieldsOfLeaving.has(field));
    return readable("Pod", toPod, { ...document, spec: Object.fromEntries(kept) });
  }
}

/** One object that somebody waits for: what can't be read is an operation that failed until a person mends it. */
function readable<T>(kind: string, convert: (object: unknown) => T, object: unknown): T {
  try {
    return convert(withKind(kind, object));
  } catch (cause) {
    if (!(cause instanceof UnreadableObjectError)) throw cause;
    throw new OperationError(cause.message, { retry: "later", code: "unreadable", cause });
  }
}

async function listNouns<T>(
  call: Call,
  path: string,
  kind: string,
  convert: (object: unknown) => T,
  unreadable: UnreadableObject[],
  { atLeast, fieldSelector }: { readonly atLeast?: string; readonly fieldSelector?: string },
): Promise<Listed<T>> {
  // One by one, so that no page of raw objects outlives its conversion.
  const read = (more: { readonly notOlderThan?: string }) =>
    listObjects(call, path, (object) => readAll([withKind(kind, object)], convert), {
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      ...more,
    });
  let listed = await read({});
  if (atLeast !== undefined && !isAtLeast(listed.resourceVersion, atLeast)) {
    listed = await read({ notOlderThan: atLeast });
  }
  if (atLeast !== undefined && !isAtLeast(listed.resourceVersion, atLeast)) {
    throw new OperationError(`GET ${path}: the API server is at ${listed.resourceVersion}, ${atLeast} is asked for`, {
      retry: "later",
      code: "stale",
    });
  }
  for (const item of listed.items) unreadable.push(...item.unreadable);
  return { items: listed.items.flatMap(({ objects }) => objects), resourceVersion: listed.resourceVersion };
}

/** Objects in a list come without the kind that the list has. */
function withKind(kind: string, object: unknown): object {
  return { ...(object as object), kind };
}
