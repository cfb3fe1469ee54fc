// Kubernetes objects as they come over the wire, as far as writes look into them. What people wrote is read by shared/api;
// these are the parts that the API server itself guarantees.

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly { readonly uid: string }[];
}

export interface KubeDocument {
  readonly metadata: ObjectMeta;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** An answer's body as the object that the API server promises for that call. */
export function documentIn(body: unknown): KubeDocument {
  const metadata = (body as Partial<KubeDocument> | undefined)?.metadata;
  if (typeof metadata?.uid !== "string")
    throw new TypeError("the API server answered with something that is no object");
  return body as KubeDocument;
}

/** Where a kind's objects are served. */
export const paths = {
  pods: "/api/v1/pods",
  nodes: "/api/v1/nodes",
  namespaces: "/api/v1/namespaces",
  services: "/api/v1/services",
  replicationControllers: "/api/v1/replicationcontrollers",
  podTemplates: "/api/v1/podtemplates",
  deployments: "/apis/apps/v1/deployments",
  replicaSets: "/apis/apps/v1/replicasets",
  statefulSets: "/apis/apps/v1/statefulsets",
  daemonSets: "/apis/apps/v1/daemonsets",
  persistentVolumeClaims: "/api/v1/persistentvolumeclaims",
  persistentVolumes: "/api/v1/persistentvolumes",
  storageClasses: "/apis/storage.k8s.io/v1/storageclasses",
  csiNodes: "/apis/storage.k8s.io/v1/csinodes",
  resourceClaims: "/apis/resource.k8s.io/v1/resourceclaims",
  resourceClaimTemplates: "/apis/resource.k8s.io/v1/resourceclaimtemplates",
  deviceClasses: "/apis/resource.k8s.io/v1/deviceclasses",
  resourceSlices: "/apis/resource.k8s.io/v1/resourceslices",
  budgets: "/apis/policy/v1/poddisruptionbudgets",
  nodePools: "/apis/karpenter.sh/v1/nodepools",
  nodeOverlays: "/apis/karpenter.sh/v1alpha1/nodeoverlays",
  capacityBuffers: "/apis/autoscaling.x-k8s.io/v1beta1/capacitybuffers",
  nodeClaims: "/apis/karpenter.sh/v1/nodeclaims",
  nodeClasses: "/apis/karpenter.k8s.aws/v1/ec2nodeclasses",
} as const;

export function podPath({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`;
}

export function namedPath(collection: string, name: string): string {
  return `${collection}/${encodeURIComponent(name)}`;
}

/** An object of a collection that is given over all namespaces. */
export function namespacedPath(collection: string, namespace: string, name: string): string {
  const at = collection.lastIndexOf("/");
  const inNamespace = `${collection.slice(0, at)}/namespaces/${encodeURIComponent(namespace)}${collection.slice(at)}`;
  return namedPath(inNamespace, name);
}

/** Field paths that name who writes, so that server-side bookkeeping tells our fields from other people's. */
export const fieldManager = { fieldManager: "timmerman" } as const;

export const mergePatch = "application/merge-patch+json";
