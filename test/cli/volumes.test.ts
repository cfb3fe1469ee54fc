import { afterAll, describe, expect, it } from "vitest";
import { type Doc, planning, pod, pool, workload } from "./planning.ts";

const { json, of, end } = planning();
afterAll(end);

const storage = (kind: string, name: string, more: Doc, metadata: Doc = {}): Doc => ({
  apiVersion: kind === "StorageClass" || kind === "CSINode" ? "storage.k8s.io/v1" : "v1",
  kind,
  metadata: { name, ...metadata },
  ...more,
});
const inZone = (zone: string): Doc => ({
  nodeAffinity: {
    required: {
      nodeSelectorTerms: [
        { matchExpressions: [{ key: "topology.ebs.csi.aws.com/zone", operator: "In", values: [zone] }] },
      ],
    },
  },
});
const volume = (name: string, zone: string): Doc =>
  storage("PersistentVolume", name, {
    spec: {
      csi: { driver: "ebs.csi.aws.com", volumeHandle: `vol-${name}` },
      capacity: { storage: "1Gi" },
      ...inZone(zone),
    },
  });
const claim = (name: string, spec: Doc, metadata: Doc = {}): Doc =>
  storage("PersistentVolumeClaim", name, { spec }, metadata);
const gp3 = storage(
  "StorageClass",
  "gp3",
  {
    provisioner: "ebs.csi.aws.com",
    volumeBindingMode: "WaitForFirstConsumer",
    allowedTopologies: [{ matchLabelExpressions: [{ key: "topology.kubernetes.io/zone", values: ["z-b"] }] }],
  },
  { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
);
const using = (name: string, claimName: string, metadata: Doc = {}): Doc =>
  pod(name, "100m", { volumes: [{ name: "data", persistentVolumeClaim: { claimName } }] }, metadata);
const zonesOf = (plan: { nodeClaims: { labels: Record<string, string>; pods: string[] }[] }) =>
  Object.fromEntries(
    plan.nodeClaims.flatMap(({ pods, labels }) => pods.map((name) => [name, labels["topology.kubernetes.io/zone"]])),
  );

describe("plan, with volumes", () => {
  it("puts pods where their claims' volumes are", async () => {
    const found = await json(
      pool,
      using("a", "data-a"),
      using("b", "data-b"),
      claim("data-a", { volumeName: "pv-a" }),
      claim("data-b", { volumeName: "pv-b" }),
      volume("pv-a", "z-a"),
      volume("pv-b", "z-b"),
    );
    expect(zonesOf(found)).toEqual({ "default/a": "z-a", "default/b": "z-b" });
  });

  it("makes the claims that a StatefulSet would make, but not over those that are there", async () => {
    const set = workload("StatefulSet", "db", {
      replicas: 2,
      volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"] } }],
    });
    const found = await json(pool, set, gp3, claim("data-db-0", { volumeName: "pv" }), volume("pv", "z-a"));
    expect(zonesOf(found)).toEqual({ "default/db-0": "z-a", "default/db-1": "z-b" });
  });

  it("follows generic ephemeral volumes to the default class", async () => {
    const scratch = { name: "tmp", ephemeral: { volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"] } } } };
    expect(zonesOf(await json(pool, gp3, pod("p", "100m", { volumes: [scratch] })))).toEqual({ "default/p": "z-b" });
  });

  it("counts what nodes attach", async () => {
    const amounts = { cpu: "4", memory: "8Gi", pods: "20" };
    const node = {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "n1", labels: { "topology.kubernetes.io/zone": "z-a" } },
      status: { allocatable: amounts, capacity: amounts },
    };
    const csiNode = storage("CSINode", "n1", {
      spec: { drivers: [{ name: "ebs.csi.aws.com", nodeID: "i-1", allocatable: { count: 1 } }] },
    });
    const all = ["a", "b"].flatMap((name) => [
      using(name, `data-${name}`),
      claim(`data-${name}`, { volumeName: `pv-${name}` }),
      volume(`pv-${name}`, "z-a"),
    ]);
    const found = await json(node, csiNode, ...all);
    expect(found.existingNodes.map(({ pods }: { pods: string[] }) => pods)).toEqual([["default/a"]]);
    expect(found.unschedulable.map(({ pod: name }: { pod: string }) => name)).toEqual(["default/b"]);
  });

  it("says which claim is in the way, and exits with 2", async () => {
    const told = await of([pool, using("p", "data")], "-o", "json");
    expect(told.code).toBe(2);
    expect(JSON.parse(told.out).unschedulable).toMatchObject([
      { pod: "default/p", reason: 'the pod\'s claim "data" does not exist' },
    ]);
  });

  it.each<[string, Doc, string]>([
    [
      "a claim",
      claim("c", { accessModes: "ReadWriteOnce" }),
      "PersistentVolumeClaim c: spec.accessModes: expected a list",
    ],
    [
      "a volume",
      storage("PersistentVolume", "v", { spec: { csi: { driver: 5 } } }),
      "PersistentVolume v: spec.csi.driver: expected a text, got 5",
    ],
    [
      "a class",
      storage("StorageClass", "s", { provisioner: "x", volumeBindingMode: "Later" }),
      "StorageClass s: volumeBindingMode: expected one of Immediate, WaitForFirstConsumer",
    ],
    [
      "a CSINode",
      storage("CSINode", "n", { spec: { drivers: [{ name: "x", allocatable: { count: "many" } }] } }),
      "CSINode n: spec.drivers[0].allocatable.count: expected a number",
    ],
  ])("names what is wrong with %s", async (_, document, problem) => {
    const told = await of([document]);
    expect(told).toMatchObject({ code: 1, out: "" });
    expect(told.err).toContain(problem.replace(" c:", " default/c:"));
  });
});
