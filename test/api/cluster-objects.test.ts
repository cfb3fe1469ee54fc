import { describe, expect, it } from "vitest";
import {
  toCsiNode,
  toLimitRange,
  toNamespace,
  toNode,
  toPodDisruptionBudget,
  toPriorityClass,
  toStorageClass,
  toVolume,
  toVolumeClaim,
  toWorkload,
} from "../../shared/api/index.ts";

describe("toNode", () => {
  it("reads what a kubelet reports", () => {
    const node = {
      kind: "Node",
      metadata: { name: "n1", uid: "u1", labels: { a: "b" }, finalizers: ["karpenter.sh/termination"] },
      spec: { providerID: "aws:///us-east-1a/i-1", unschedulable: true, taints: [{ key: "t", effect: "NoSchedule" }] },
      status: {
        capacity: { cpu: "2", memory: "8145208Ki", pods: "29", "ephemeral-storage": "20959212Ki" },
        allocatable: { cpu: "1930m", memory: "7455032Ki", pods: "29", "ephemeral-storage": "18242267924" },
        conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-31T12:00:00Z" }],
      },
    };
    expect(toNode(node)).toEqual({
      uid: "u1",
      name: "n1",
      resourceVersion: "",
      providerId: "aws:///us-east-1a/i-1",
      labels: { a: "b" },
      annotations: {},
      taints: [{ key: "t", value: "", effect: "NoSchedule" }],
      capacity: { cpu: 2000, memory: 8340692992, pods: 29, "ephemeral-storage": 21462233088 },
      allocatable: { cpu: 1930, memory: 7633952768, pods: 29, "ephemeral-storage": 18242267924 },
      conditions: [{ type: "Ready", status: "True", changedAtMs: 1769860800000 }],
      cordoned: true,
      createdAtMs: 0,
      finalizers: ["karpenter.sh/termination"],
    });
  });

  it("takes its capacity as allocatable when it says nothing else, rounded down", () => {
    const node = toNode({ kind: "Node", metadata: { name: "n" }, status: { capacity: { memory: "1500m" } } });
    expect([node.capacity, node.allocatable]).toEqual([{ memory: 1 }, { memory: 1 }]);
  });

  it("names the field that is wrong", () => {
    expect(() => toNode({ metadata: { name: "n" }, spec: { taints: [{ key: "a", effect: "Never" }] } })).toThrow(
      'Node n: spec.taints[0].effect: expected one of NoSchedule, PreferNoSchedule, NoExecute, got "Never"',
    );
    expect(() => toNode({ metadata: { name: "n", creationTimestamp: "yesterday" } })).toThrow(
      "metadata.creationTimestamp",
    );
  });
});

describe("toPodDisruptionBudget", () => {
  it("reads counts and percentages", () => {
    const budget = {
      metadata: { name: "b" },
      spec: { selector: { matchLabels: { app: "web" } }, minAvailable: 1, maxUnavailable: "50%" },
      status: { disruptionsAllowed: 2 },
    };
    expect(toPodDisruptionBudget(budget)).toEqual({
      namespace: "default",
      name: "b",
      selector: { matchLabels: { app: "web" }, matchExpressions: [] },
      disruptionsAllowed: 2,
      minAvailable: "1",
      maxUnavailable: "50%",
      unhealthyPodEvictionPolicy: "IfHealthyBudget",
    });
  });

  it("tells an absent selector from an empty one", () => {
    expect(toPodDisruptionBudget({ metadata: { name: "b" } }).selector).toBeUndefined();
    expect(toPodDisruptionBudget({ metadata: { name: "b" }, spec: { selector: {} } }).selector).toEqual({
      matchLabels: {},
      matchExpressions: [],
    });
  });

  it("refuses what is no count", () => {
    expect(() => toPodDisruptionBudget({ metadata: { name: "b" }, spec: { minAvailable: "half" } })).toThrow(
      "spec.minAvailable",
    );
  });
});

it("toNamespace reads labels", () => {
  expect(toNamespace({ metadata: { name: "shop", labels: { team: "a" } } })).toEqual({
    name: "shop",
    labels: { team: "a" },
  });
});

describe("storage", () => {
  it("claims say whether they are bound", () => {
    const claim = (spec: object, more: object = {}) => toVolumeClaim({ metadata: { name: "c" }, spec, ...more });
    expect(claim({ storageClassName: "", resources: { requests: { storage: "10Gi" } } })).toEqual({
      namespace: "default",
      name: "c",
      storageClassName: "",
      bound: false,
      requestedBytes: 10737418240,
    });
    expect(claim({ volumeName: "v" })).toMatchObject({ volumeName: "v", bound: false });
    expect(claim({ volumeName: "v" }, { status: { phase: "Bound" } }).bound).toBe(true);
  });

  it("volumes say where they are", () => {
    const term = { matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "In", values: ["a"] }] };
    const volume = {
      metadata: { name: "v" },
      spec: {
        storageClassName: "gp3",
        csi: { driver: "ebs.csi.aws.com" },
        nodeAffinity: { required: { nodeSelectorTerms: [term] } },
      },
    };
    expect(toVolume(volume)).toEqual({
      name: "v",
      storageClassName: "gp3",
      csiDriver: "ebs.csi.aws.com",
      nodeAffinity: [{ expressions: term.matchExpressions, fields: [] }],
    });
    expect(toVolume({ metadata: { name: "v" } })).toEqual({ name: "v", storageClassName: "" });
  });

  it("classes say when and where volumes are made", () => {
    const storageClass = {
      metadata: { name: "gp3", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
      provisioner: "ebs.csi.aws.com",
      volumeBindingMode: "WaitForFirstConsumer",
      allowedTopologies: [{ matchLabelExpressions: [{ key: "zone", values: ["a", "b"] }] }],
    };
    expect(toStorageClass(storageClass)).toEqual({
      name: "gp3",
      provisioner: "ebs.csi.aws.com",
      isDefault: true,
      waitsForPod: true,
      allowedTopologies: [[{ key: "zone", operator: "In", values: ["a", "b"] }]],
    });
    expect(() => toStorageClass({ metadata: { name: "x" } })).toThrow("StorageClass x: provisioner: expected a text");
  });

  it("nodes say how many volumes they take", () => {
    const spec = { drivers: [{ name: "ebs.csi.aws.com", allocatable: { count: 25 } }, { name: "efs.csi.aws.com" }] };
    expect(toCsiNode({ metadata: { name: "n" }, spec })).toEqual({
      name: "n",
      drivers: [{ name: "ebs.csi.aws.com", maxVolumes: 25 }, { name: "efs.csi.aws.com" }],
    });
  });
});

describe("what admission consults", () => {
  it("priority classes", () => {
    expect(
      toPriorityClass({ metadata: { name: "high" }, value: 1000, globalDefault: true, preemptionPolicy: "Never" }),
    ).toEqual({
      name: "high",
      value: 1000,
      globalDefault: true,
      preempts: false,
    });
    expect(() => toPriorityClass({ metadata: { name: "high" } })).toThrow("PriorityClass high: value: is missing");
  });

  it("limit ranges", () => {
    const limits = [
      { type: "Pod", max: { cpu: "4" } },
      { type: "Container", default: { cpu: "1", memory: "1Gi" }, defaultRequest: { cpu: "100m" } },
    ];
    expect(toLimitRange({ metadata: { name: "l", namespace: "shop" }, spec: { limits } })).toEqual({
      namespace: "shop",
      name: "l",
      containerDefaults: [{ requests: { cpu: 100, memory: 1073741824 }, limits: { cpu: 1000, memory: 1073741824 } }],
    });
  });
});

describe("toWorkload", () => {
  const workload = (kind: string, spec: object, status: object = {}) =>
    toWorkload({ kind, metadata: { name: "w" }, spec: { template: { spec: { containers: [] } }, ...spec }, status });

  it.each<[string, object, object, number]>([
    ["Deployment", {}, {}, 1],
    ["ReplicaSet", { replicas: 0 }, {}, 0],
    ["StatefulSet", { replicas: 3 }, {}, 3],
    ["Job", { parallelism: 4 }, {}, 4],
    ["Job", { parallelism: 4, completions: 6 }, { succeeded: 3 }, 3],
    ["Job", { parallelism: 4, suspend: true }, {}, 0],
  ])("a %s of %j with %j makes pods: %i", (kind, spec, status, pods) => {
    expect(workload(kind, spec, status).pods).toBe(pods);
  });

  it("of another kind is refused", () => {
    expect(() => workload("CronJob", {})).toThrow("kind: expected one of Deployment, ReplicaSet, StatefulSet, Job");
  });
});
