import { describe, expect, it } from "vitest";
import { toCsiNode, toPersistentVolume, toPersistentVolumeClaim, toStorageClass } from "../../shared/api/index.ts";

describe("claims", () => {
  it("as the API server has them", () => {
    const claim = toPersistentVolumeClaim({
      kind: "PersistentVolumeClaim",
      metadata: {
        uid: "u1",
        namespace: "db",
        name: "data-db-0",
        deletionTimestamp: "2026-01-01T00:00:00Z",
        annotations: { "volume.kubernetes.io/selected-node": "n1" },
        ownerReferences: [{ kind: "Pod", name: "p", uid: "pod-1", controller: true }],
      },
      spec: {
        accessModes: ["ReadWriteOncePod"],
        resources: { requests: { storage: "2Gi" } },
        storageClassName: "gp3",
        volumeName: "pv-1",
      },
      status: { phase: "Lost" },
    });
    expect(claim).toEqual({
      uid: "u1",
      namespace: "db",
      name: "data-db-0",
      storageClassName: "gp3",
      volumeName: "pv-1",
      lost: true,
      deletionAtMs: Date.UTC(2026, 0, 1),
      singlePod: true,
      accessModes: ["ReadWriteOncePod"],
      requestedBytes: 2 ** 31,
      selectedNode: "n1",
      ownerUid: "pod-1",
    });
  });

  it("tell no class from the class of no name, and let the old annotation win", () => {
    const of = (spec: object, annotations: object = {}) =>
      toPersistentVolumeClaim({ kind: "PersistentVolumeClaim", metadata: { name: "c", annotations }, spec });
    expect("storageClassName" in of({})).toBe(false);
    expect(of({ storageClassName: "" }).storageClassName).toBe("");
    const old = { "volume.beta.kubernetes.io/storage-class": "old" };
    expect(of({ storageClassName: "new" }, old).storageClassName).toBe("old");
  });

  it("owned by anything but a pod are no ephemeral volume's", () => {
    const ownerReferences = [{ kind: "StatefulSet", name: "s", uid: "s-1", controller: true }];
    const claim = toPersistentVolumeClaim({ kind: "PersistentVolumeClaim", metadata: { name: "c", ownerReferences } });
    expect("ownerUid" in claim).toBe(false);
  });
});

describe("volumes", () => {
  const of = (spec: object, more: object = {}, status: object = {}) =>
    toPersistentVolume({ kind: "PersistentVolume", metadata: { name: "v", ...more }, spec, status });

  it.each([
    ["of a CSI driver", { csi: { driver: "fsx.csi.aws.com", volumeHandle: "h" } }, "fsx.csi.aws.com", "h"],
    ["of EBS in-tree", { awsElasticBlockStore: { volumeID: "vol-1" } }, "ebs.csi.aws.com", "vol-1"],
    ["with their zone", { awsElasticBlockStore: { volumeID: "aws://us-east-1a/vol-1" } }, "ebs.csi.aws.com", "vol-1"],
    ["of a host", { local: { path: "/disk" } }, undefined, undefined],
  ])("%s", (_, spec, driver, handle) => {
    expect(of(spec)).toMatchObject({ ...(driver === undefined ? {} : { driver, handle }) });
    expect(of(spec).driver).toBe(driver);
  });

  it("are nobody's, somebody's, or used up", () => {
    expect(of({})).toMatchObject({ available: true });
    expect(of({}, {}, { phase: "Released" })).toMatchObject({ available: false });
    expect(of({ claimRef: { namespace: "a", name: "c" } })).toMatchObject({ claim: "a/c", available: false });
  });

  it("keep of their labels those that say a place", () => {
    const labels = { "topology.kubernetes.io/zone": "z", "failure-domain.beta.kubernetes.io/region": "r", team: "a" };
    const { team: _, ...placed } = labels;
    expect(of({}, { labels }).labels).toEqual(placed);
  });

  it("with an affinity that cannot be read are named with the field", () => {
    const nodeAffinity = { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "k", operator: "Is" }] }] } };
    expect(() => of({ nodeAffinity })).toThrow(
      "PersistentVolume v: spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].operator: expected one of",
    );
  });
});

describe("storage classes", () => {
  const of = (more: object, metadata: object = {}) =>
    toStorageClass({ kind: "StorageClass", metadata: { name: "s", ...metadata }, provisioner: "x", ...more });

  it("bind at once unless they say otherwise", () => {
    expect(of({})).toMatchObject({ bindingMode: "Immediate", allowedTopologies: [], isDefault: false, driver: "x" });
    expect(of({ volumeBindingMode: "WaitForFirstConsumer" }).bindingMode).toBe("WaitForFirstConsumer");
  });

  it("of the in-tree EBS driver are its successor's", () => {
    expect(of({ provisioner: "kubernetes.io/aws-ebs" }).driver).toBe("ebs.csi.aws.com");
  });

  it.each(["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"])(
    "are the default by %s",
    (key) => {
      expect(of({}, { annotations: { [key]: "true" } }).isDefault).toBe(true);
      expect(of({}, { annotations: { [key]: "false" } }).isDefault).toBe(false);
    },
  );

  it("with a topology of no values are refused", () => {
    const allowedTopologies = [{ matchLabelExpressions: [{ key: "k", values: [] }] }];
    expect(() => of({ allowedTopologies })).toThrow("allowedTopologies[0].matchLabelExpressions[0].values: needs");
  });
});

describe("CSINodes", () => {
  it("tell a bound from none, and no drivers from some", () => {
    const spec = { drivers: [{ name: "a", allocatable: { count: 5 } }, { name: "b" }] };
    expect(toCsiNode({ metadata: { name: "n" }, spec })).toEqual({ name: "n", attachLimits: { a: 5, b: null } });
    expect(toCsiNode({ metadata: { name: "n" }, spec: { drivers: null } }).attachLimits).toEqual({});
  });
});
