// The built-in kinds that are served. Names, scopes and short names are Kubernetes' own; what is not listed here answers 404.

/** One version of one kind under one plural. */
export interface Kind {
  group: string;
  version: string;
  kind: string;
  plural: string;
  singular: string;
  namespaced: boolean;
  shortNames: readonly string[];
  categories: readonly string[];
  /** Of "status", "scale", "eviction", "binding". */
  subresources: readonly string[];
  /** The schema's name in generated/schemas.json; custom resources have theirs in `custom`. */
  definition: string;
  listKind: string;
}

type Row = [kind: string, plural: string, scope: "ns" | "cluster", more?: Partial<Kind>];

const all = ["all"];
const status = ["status"];
const scalable = ["status", "scale"];

const groups: readonly [group: string, version: string, definitionPrefix: string, rows: Row[]][] = [
  [
    "",
    "v1",
    "core.v1",
    [
      ["ConfigMap", "configmaps", "ns", { shortNames: ["cm"] }],
      ["Endpoints", "endpoints", "ns", { shortNames: ["ep"], singular: "endpoints" }],
      ["Event", "events", "ns", { shortNames: ["ev"] }],
      ["LimitRange", "limitranges", "ns", { shortNames: ["limits"] }],
      ["Namespace", "namespaces", "cluster", { shortNames: ["ns"], subresources: ["status", "finalize"] }],
      ["Node", "nodes", "cluster", { shortNames: ["no"], subresources: status }],
      ["PersistentVolumeClaim", "persistentvolumeclaims", "ns", { shortNames: ["pvc"], subresources: status }],
      ["PersistentVolume", "persistentvolumes", "cluster", { shortNames: ["pv"], subresources: status }],
      ["Pod", "pods", "ns", { shortNames: ["po"], categories: all, subresources: ["status", "binding", "eviction"] }],
      ["PodTemplate", "podtemplates", "ns"],
      [
        "ReplicationController",
        "replicationcontrollers",
        "ns",
        { shortNames: ["rc"], categories: all, subresources: scalable },
      ],
      ["ResourceQuota", "resourcequotas", "ns", { shortNames: ["quota"], subresources: status }],
      ["Secret", "secrets", "ns"],
      ["ServiceAccount", "serviceaccounts", "ns", { shortNames: ["sa"] }],
      ["Service", "services", "ns", { shortNames: ["svc"], categories: all, subresources: status }],
    ],
  ],
  [
    "apps",
    "v1",
    "apps.v1",
    [
      ["ControllerRevision", "controllerrevisions", "ns"],
      ["DaemonSet", "daemonsets", "ns", { shortNames: ["ds"], categories: all, subresources: status }],
      ["Deployment", "deployments", "ns", { shortNames: ["deploy"], categories: all, subresources: scalable }],
      ["ReplicaSet", "replicasets", "ns", { shortNames: ["rs"], categories: all, subresources: scalable }],
      ["StatefulSet", "statefulsets", "ns", { shortNames: ["sts"], categories: all, subresources: scalable }],
    ],
  ],
  ["events.k8s.io", "v1", "events.v1", [["Event", "events", "ns", { shortNames: ["ev"] }]]],
  [
    "batch",
    "v1",
    "batch.v1",
    [
      ["CronJob", "cronjobs", "ns", { shortNames: ["cj"], categories: all, subresources: status }],
      ["Job", "jobs", "ns", { categories: all, subresources: status }],
    ],
  ],
  [
    "policy",
    "v1",
    "policy.v1",
    [["PodDisruptionBudget", "poddisruptionbudgets", "ns", { shortNames: ["pdb"], subresources: status }]],
  ],
  [
    "rbac.authorization.k8s.io",
    "v1",
    "rbac.v1",
    [
      ["ClusterRoleBinding", "clusterrolebindings", "cluster"],
      ["ClusterRole", "clusterroles", "cluster"],
      ["RoleBinding", "rolebindings", "ns"],
      ["Role", "roles", "ns"],
    ],
  ],
  [
    "scheduling.k8s.io",
    "v1",
    "scheduling.v1",
    [["PriorityClass", "priorityclasses", "cluster", { shortNames: ["pc"] }]],
  ],
  ["coordination.k8s.io", "v1", "coordination.v1", [["Lease", "leases", "ns"]]],
  [
    "storage.k8s.io",
    "v1",
    "storage.v1",
    [
      ["CSIDriver", "csidrivers", "cluster"],
      ["CSINode", "csinodes", "cluster"],
      ["StorageClass", "storageclasses", "cluster", { shortNames: ["sc"] }],
      ["VolumeAttachment", "volumeattachments", "cluster", { subresources: status }],
    ],
  ],
  [
    "autoscaling",
    "v2",
    "autoscaling.v2",
    [
      [
        "HorizontalPodAutoscaler",
        "horizontalpodautoscalers",
        "ns",
        { shortNames: ["hpa"], categories: all, subresources: status },
      ],
    ],
  ],
  [
    "networking.k8s.io",
    "v1",
    "networking.v1",
    [
      ["Ingress", "ingresses", "ns", { shortNames: ["ing"], subresources: status }],
      ["NetworkPolicy", "networkpolicies", "ns", { shortNames: ["netpol"] }],
    ],
  ],
  ["node.k8s.io", "v1", "node.v1", [["RuntimeClass", "runtimeclasses", "cluster"]]],
  ["discovery.k8s.io", "v1", "discovery.v1", [["EndpointSlice", "endpointslices", "ns"]]],
  [
    "apiextensions.k8s.io",
    "v1",
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
    [
      [
        "CustomResourceDefinition",
        "customresourcedefinitions",
        "cluster",
        { shortNames: ["crd", "crds"], categories: ["api-extensions"], subresources: status },
      ],
    ],
  ],
];

/** Every built-in kind, in the order in which the API server lists its groups. */
export const builtInKinds: readonly Kind[] = groups.flatMap(([group, version, prefix, rows]) =>
  rows.map(([kind, plural, scope, more]) => ({
    group,
    version,
    kind,
    plural,
    singular: kind.toLowerCase(),
    namespaced: scope === "ns",
    shortNames: [],
    categories: [],
    subresources: [],
    definition: `${prefix}.${kind}`,
    listKind: `${kind}List`,
    ...more,
  })),
);

/** "pods", "deployments.apps": how a kind's storage is named. */
export function resourceName(kind: { plural: string; group: string }): string {
  return kind.group === "" ? kind.plural : `${kind.plural}.${kind.group}`;
}

/** "v1", "apps/v1". */
export function apiVersionOf(kind: { group: string; version: string }): string {
  return kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
}
