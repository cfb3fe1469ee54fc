// Claims, volumes, classes and CSINodes of the model as documents that the API server takes.
import type {
  CsiNode,
  PersistentVolume,
  PersistentVolumeClaim,
  RequirementSpec,
  StorageClass,
} from "../../shared/core/model/index.ts";

export const claimSpec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
const bindCompleted = { "pv.kubernetes.io/bind-completed": "yes" };

export function given(field: string, value: string | undefined): object {
  return value === undefined ? {} : { [field]: value };
}

/** A claim; with a volume it is bound, as the volume controller leaves it. */
export function claimDocument({
  namespace,
  name,
  singlePod,
  storageClassName,
  volumeName,
}: PersistentVolumeClaim): object {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { namespace, name, annotations: volumeName === undefined ? {} : bindCompleted },
    spec: {
      ...claimSpec,
      ...(singlePod ? { accessModes: ["ReadWriteOncePod"] } : {}),
      ...given("storageClassName", storageClassName),
      ...given("volumeName", volumeName),
    },
  };
}

export function volumeDocument(volume: PersistentVolume): object {
  const [namespace, name] = (volume.claim ?? "/").split("/");
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: volume.name, labels: volume.labels },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      csi: { driver: volume.driver, volumeHandle: volume.handle },
      claimRef: { namespace, name },
      ...(volume.nodeAffinity === undefined
        ? {}
        : {
            nodeAffinity: {
              required: {
                nodeSelectorTerms: volume.nodeAffinity.map((term) => ({
                  matchExpressions: term.expressions.map(plain),
                })),
              },
            },
          }),
    },
  };
}

const plain = ({ key, operator, values }: RequirementSpec) => ({ key, operator, values });

export function classDocument({ name, driver, bindingMode, allowedTopologies, isDefault }: StorageClass): object {
  const topologies = allowedTopologies.map((term) => ({
    matchLabelExpressions: term.map(({ key, values }) => ({ key, values })),
  }));
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name, annotations: { "storageclass.kubernetes.io/is-default-class": String(isDefault) } },
    provisioner: driver,
    volumeBindingMode: bindingMode,
    ...(topologies.length === 0 ? {} : { allowedTopologies: topologies }),
  };
}

export function csiNodeDocument({ name, attachLimits }: CsiNode): object {
  const drivers = Object.entries(attachLimits).map(([driver, count]) => ({
    name: driver,
    nodeID: name,
    topologyKeys: [],
    ...(count === null ? {} : { allocatable: { count } }),
  }));
  return { apiVersion: "storage.k8s.io/v1", kind: "CSINode", metadata: { name }, spec: { drivers } };
}

const inZone = (zone: string) => ({
  expressions: [{ key: "topology.kubernetes.io/zone", operator: "In" as const, values: [zone] }],
  fields: [],
});

/** What a provisioner does once kube-scheduler has chosen a node for a claim: a volume, of EBS in the node's zone, and both bound. */
export function provisioned(claim: { namespace: string; name: string }, driver: string, zone: string) {
  const name = `made-${claim.name}`;
  return {
    volume: volumeDocument({
      name,
      storageClassName: "",
      labels: {},
      driver,
      handle: name,
      claim: `${claim.namespace}/${claim.name}`,
      available: false,
      accessModes: [],
      capacityBytes: 0,
      ...(driver === "ebs.csi.aws.com" ? { nodeAffinity: [inZone(zone)] } : {}),
    }),
    patch: { metadata: { annotations: bindCompleted }, spec: { volumeName: name } },
  };
}
