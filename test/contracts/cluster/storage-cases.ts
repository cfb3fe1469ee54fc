import { expect, it } from "vitest";
import { podManifest } from "./manifests.ts";
import type { ClusterSubject, Manifest } from "./subject.ts";

const zone = "topology.kubernetes.io/zone";

const claim: Manifest = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "stored-data", namespace: "default" },
  spec: {
    accessModes: ["ReadWriteOncePod"],
    resources: { requests: { storage: "1Gi" } },
    storageClassName: "stored-class",
    volumeName: "stored-volume",
  },
};
const volume: Manifest = {
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name: "stored-volume", labels: { [zone]: "us-east-1a", team: "blue" } },
  spec: {
    capacity: { storage: "2Gi" },
    accessModes: ["ReadWriteOncePod"],
    storageClassName: "stored-class",
    claimRef: { namespace: "default", name: "stored-data" },
    csi: { driver: "ebs.csi.aws.com", volumeHandle: "vol-1" },
    nodeAffinity: {
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: "In", values: ["us-east-1a"] }] }] },
    },
  },
};
const storageClass: Manifest & { readonly [field: string]: unknown } = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "stored-class", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  provisioner: "kubernetes.io/aws-ebs",
  volumeBindingMode: "WaitForFirstConsumer",
  allowedTopologies: [{ matchLabelExpressions: [{ key: zone, values: ["us-east-1a", "us-east-1b"] }] }],
};
const csiNode: Manifest = {
  apiVersion: "storage.k8s.io/v1",
  kind: "CSINode",
  metadata: { name: "stored-node" },
  spec: { drivers: [{ name: "ebs.csi.aws.com", nodeID: "i-1", topologyKeys: [], allocatable: { count: 25 } }] },
};

export function storageTests(get: () => ClusterSubject): void {
  it("is shown where a pod without a node has volumes", async () => {
    const { cluster, create } = get();
    for (const manifest of [storageClass, volume, claim, csiNode]) await create(manifest);
    const pod = podManifest("stored-pod");
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "stored-data" } }];
    await create({ ...pod, spec: { ...(pod.spec as object), volumes } });

    const view = await cluster.read();

    expect(view.persistentVolumeClaims.find(({ name }) => name === "stored-data")).toMatchObject({
      namespace: "default",
      storageClassName: "stored-class",
      volumeName: "stored-volume",
      singlePod: true,
      lost: false,
      requestedBytes: 2 ** 30,
    });
    expect(view.persistentVolumes.find(({ name }) => name === "stored-volume")).toMatchObject({
      driver: "ebs.csi.aws.com",
      handle: "vol-1",
      claim: "default/stored-data",
      labels: { [zone]: "us-east-1a" },
      nodeAffinity: [{ expressions: [{ key: zone, operator: "In", values: ["us-east-1a"] }], fields: [] }],
      available: false,
      capacityBytes: 2 ** 31,
    });
    expect(view.storageClasses.find(({ name }) => name === "stored-class")).toMatchObject({
      driver: "ebs.csi.aws.com",
      bindingMode: "WaitForFirstConsumer",
      allowedTopologies: [[{ key: zone, operator: "In", values: ["us-east-1a", "us-east-1b"] }]],
      isDefault: true,
    });
    expect(view.csiNodes.find(({ name }) => name === "stored-node")).toEqual({
      name: "stored-node",
      attachLimits: { "ebs.csi.aws.com": 25 },
    });
  });
}
