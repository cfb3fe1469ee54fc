import { describe, expect, it } from "vitest";
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Snapshot,
  StorageClass,
} from "../../../shared/core/model/index.ts";
import { planProvisioning, simulate } from "../../../shared/core/provisioning/index.ts";
import { asks, bound, gi, node, pod, pods, req, snapshot, zone } from "./fixtures.ts";
import { boundPvc, pv, pvc, storageClass, storing, terms, topologies, volumeOf, zonal } from "./storage-fixtures.ts";

const plan = (over: Partial<Snapshot>) => planProvisioning(snapshot(over));
const small = { requests: asks(0.1, 0.1) };

/** Zones that a plan's only claim leaves open; or the reason why there is none. */
function placeOf(over: Partial<Snapshot>): readonly string[] | string {
  const { claims, placements, unschedulable } = plan({ pods: [storing("p", ["data"])], ...over });
  if (unschedulable.length > 0) return unschedulable[0]!.reason;
  expect(placements).toEqual([]);
  expect(claims).toHaveLength(1);
  const found = claims[0]!.requirements.find(({ key }) => key === zone);
  return found === undefined ? "anywhere" : found.values;
}

describe("where a pod's claim lets it go", () => {
  const onVolume = (over: Partial<PersistentVolume>) => ({
    persistentVolumeClaims: [boundPvc("data")],
    persistentVolumes: [pv("data", over)],
  });
  const ofClass = (over: Partial<StorageClass>, more: Partial<PersistentVolumeClaim> = {}) => ({
    persistentVolumeClaims: [pvc("data", { storageClassName: "gp3", ...more })],
    storageClasses: [storageClass("gp3", over)],
  });

  it.each<[string, Partial<Snapshot>, readonly string[] | string]>([
    ["its volume's zone", onVolume({ nodeAffinity: terms([zone, "z-b"]) }), ["z-b"]],
    ["EBS' own label", onVolume({ nodeAffinity: terms(["topology.ebs.csi.aws.com/zone", "z-b"]) }), ["z-b"]],
    ["the old label", onVolume({ nodeAffinity: terms(["failure-domain.beta.kubernetes.io/zone", "z-b"]) }), ["z-b"]],
    ["several zones in a term", onVolume({ nodeAffinity: terms([zone, "z-a", "z-b"]) }), ["z-a", "z-b"]],
    ["several terms", onVolume({ nodeAffinity: terms([zone, "z-c"], [zone, "z-a"]) }), ["z-a", "z-c"]],
    ["a volume without affinity", onVolume({}), "anywhere"],
    ["a label of before CSI", onVolume({ labels: { "failure-domain.beta.kubernetes.io/zone": "z-c" } }), ["z-c"]],
    ["a label with two zones", onVolume({ labels: { [zone]: "z-a__z-c" } }), ["z-a", "z-c"]],
    [
      "label and affinity together",
      onVolume({ labels: { [zone]: "z-a__z-c" }, nodeAffinity: terms([zone, "z-b", "z-c"]) }),
      ["z-c"],
    ],
    ["a class for the first pod", ofClass({}), "anywhere"],
    ["a class with topologies", ofClass({ allowedTopologies: topologies("z-b", "z-c") }), ["z-b", "z-c"]],
    [
      "the default class",
      ofClass({ isDefault: true, allowedTopologies: topologies("z-b") }, { storageClassName: undefined as never }),
      ["z-b"],
    ],
    [
      "an unbound claim of a class that waits for nobody",
      ofClass({ bindingMode: "Immediate" }),
      'the pod\'s claim "data" waits for its volume: StorageClass "gp3" has volumeBindingMode Immediate, so the volume must be there first',
    ],
    ["no claim", {}, 'the pod\'s claim "data" does not exist'],
    [
      "a claim that goes",
      { persistentVolumeClaims: [boundPvc("data", { deletionAtMs: 1 })], persistentVolumes: [zonal("data", "z-a")] },
      'the pod\'s claim "data" is being deleted',
    ],
    [
      "a claim that lost its volume",
      { persistentVolumeClaims: [boundPvc("data", { lost: true })] },
      'the pod\'s claim "data" has lost its volume "pv-data"',
    ],
    [
      "a volume that is not there",
      { persistentVolumeClaims: [boundPvc("data")] },
      'the pod\'s claim "data" names the volume "pv-data", which does not exist',
    ],
    [
      "an affinity that selects nothing",
      onVolume({ nodeAffinity: [{ expressions: [], fields: [] }] }),
      'no node reaches all volumes of the pod: claim "data" from no node',
    ],
    [
      "a volume that goes though its claim stays",
      onVolume({ deletionAtMs: 1, nodeAffinity: terms([zone, "z-b"]) }),
      ["z-b"],
    ],
  ])("%s", (_, over, expected) => {
    expect(placeOf(over)).toEqual(expected);
  });

  it("zone ids are as good as names", () => {
    const [made] = plan({
      pods: [storing("p", ["data"])],
      ...onVolume({ nodeAffinity: terms(["topology.k8s.aws/zone-id", "id-2"]) }),
    }).claims;
    expect(made!.cheapest.zone).toBe("z-b");
  });

  it("pods that share a claim without a volume go to one zone, whatever else they ask for", () => {
    const storage = ofClass({});
    const alone = plan({
      pods: [
        storing("a", ["data"], { nodeSelector: { [zone]: "z-b" } }),
        storing("b", ["data"], { requests: asks(15, 1) }),
      ],
      ...storage,
    });
    expect(alone.claims.map(({ labels }) => labels[zone])).toEqual(alone.claims.map(() => "z-b"));
    const nodes = [node("n1", { labels: { ...node("n1").labels, [zone]: "z-a" } })];
    const beside = plan({
      nodes,
      pods: [storing("a", ["data"], { requests: asks(3, 1) }), storing("b", ["data"], { requests: asks(3, 1) })],
      ...storage,
    });
    expect(beside.placements.map(({ target }) => target)).toEqual(["n1"]);
    expect(beside.claims.map(({ labels }) => labels[zone])).toEqual(["z-a"]);
  });

  it("another pod's use of the claim (ReadWriteOnce) holds it to no node", () => {
    const there = bound("old", "n1", { requests: asks(4, 1), volumes: [volumeOf("data")] });
    const found = plan({
      nodes: [node("n1"), node("n2")],
      pods: [there, storing("p", ["data"])],
      ...onVolume({ nodeAffinity: terms([zone, "z-a"]) }),
    });
    expect(found.placements).toEqual([{ target: "n2", pods: ["default/p"] }]);
  });

  it("all volumes of a pod count, also those that no node reaches together", () => {
    const persistentVolumeClaims = [boundPvc("data"), boundPvc("logs")];
    const asking = [storing("p", ["data", "logs"])];
    const two = (logs: PersistentVolume) => ({
      pods: asking,
      persistentVolumeClaims,
      persistentVolumes: [zonal("data", "z-a", "z-b"), logs],
    });
    expect(placeOf(two(zonal("logs", "z-b", "z-c")))).toEqual(["z-b"]);
    expect(placeOf(two(zonal("logs", "z-c")))).toBe(
      'no node reaches all volumes of the pod: claim "data" from topology.kubernetes.io/zone In ["z-a", "z-b"]; claim "logs" from topology.kubernetes.io/zone In ["z-c"]',
    );
  });

  it("alternatives over different labels stay alternatives", () => {
    const both = [
      { expressions: [req(zone, "In", "z-a"), req("karpenter.k8s.aws/instance-cpu", "In", "16")], fields: [] },
      { expressions: [req(zone, "In", "z-c"), req("karpenter.k8s.aws/instance-cpu", "In", "4")], fields: [] },
    ];
    const { claims } = plan({ pods: [storing("p", ["data"])], ...onVolume({ nodeAffinity: both }) });
    const [{ labels, instanceTypes }] = claims as [(typeof claims)[number]];
    expect(labels[zone] === "z-a" ? instanceTypes : []).toEqual(labels[zone] === "z-a" ? ["a1.xlarge"] : []);
    expect(["z-a", "z-c"]).toContain(labels[zone]);
  });

  it("a local volume holds the pod to its host, there or gone", () => {
    const local = {
      ...pv("data", { nodeAffinity: terms(["kubernetes.io/hostname", "n2"]) }),
      driver: undefined as never,
    };
    const storage = { persistentVolumeClaims: [boundPvc("data")], persistentVolumes: [local] };
    const asking = [storing("p", ["data"])];
    expect(plan({ nodes: [node("n1"), node("n2")], pods: asking, ...storage }).placements).toEqual([
      { target: "n2", pods: ["default/p"] },
    ]);
    const gone = plan({ nodes: [node("n1")], pods: asking, ...storage });
    expect([gone.claims, gone.placements, gone.unschedulable.length]).toEqual([[], [], 1]);
  });

  it("a volume in the making holds the pod to the node that kube-scheduler chose, as long as that stays", () => {
    const storage = ofClass({}, { selectedNode: "n1" });
    const asking = [storing("p", ["data"])];
    const full = bound("full", "n1", { requests: asks(4, 1) });
    expect(plan({ nodes: [node("n1"), node("n2")], pods: asking, ...storage }).placements).toEqual([
      { target: "n1", pods: ["default/p"] },
    ]);
    expect(plan({ nodes: [node("n1"), node("n2")], pods: [full, ...asking], ...storage }).unschedulable).toHaveLength(
      1,
    );
    expect(plan({ nodes: [node("n2")], pods: asking, ...storage }).placements).toEqual([
      { target: "n2", pods: ["default/p"] },
    ]);
    const leaving = node("n1", { deletionAtMs: 5 });
    expect(plan({ nodes: [leaving, node("n2")], pods: asking, ...storage }).placements).toEqual([
      { target: "n2", pods: ["default/p"] },
    ]);
  });

  it("claims that only volumes made by hand can serve go where one is that suits them", () => {
    const byHand = storageClass("local", { driver: "kubernetes.io/no-provisioner" });
    const asking = { persistentVolumeClaims: [pvc("data", { storageClassName: "local", requestedBytes: 2 * gi })] };
    const made = (name: string, host: string, over: Partial<PersistentVolume> = {}): PersistentVolume => {
      const { claim: _, ...rest } = pv(name, {
        storageClassName: "local",
        available: true,
        capacityBytes: 2 * gi,
        nodeAffinity: terms(["kubernetes.io/hostname", host]),
        ...over,
      });
      return rest;
    };
    const nodes = [node("n1"), node("n2"), node("n3"), node("n4")];
    const persistentVolumes = [
      made("a", "n1", { capacityBytes: gi }),
      made("b", "n2", { accessModes: ["ReadOnlyMany"] }),
      made("c", "n3", { storageClassName: "other" }),
      made("d", "n4"),
    ];
    const found = plan({
      nodes,
      pods: [storing("p", ["data"])],
      storageClasses: [byHand],
      ...asking,
      persistentVolumes,
    });
    expect(found.placements).toEqual([{ target: "n4", pods: ["default/p"] }]);
  });
});

describe("pods that differ in their claims only", () => {
  it("are planned as one: a thousand of them come to as many nodes as without volumes", () => {
    const many = pods(1000, small).map((one) => ({ ...one, volumes: [volumeOf(`data-${one.name}`)] }));
    const storage = {
      persistentVolumeClaims: many.map(({ name }) => boundPvc(`data-${name}`)),
      persistentVolumes: many.map(({ name }, n) => zonal(`data-${name}`, ["z-a", "z-b", "z-c"][n % 3]!)),
    };
    const found = plan({ pods: many, ...storage });
    expect(found.unschedulable).toEqual([]);
    const zoneOf = new Map(many.map(({ name }, n) => [`default/${name}`, ["z-a", "z-b", "z-c"][n % 3]]));
    for (const { pods: names, labels } of found.claims) {
      expect([...new Set(names.map((name) => zoneOf.get(name)))]).toEqual([labels[zone]]);
    }
    const plain = plan({ pods: pods(1000, small) });
    expect(found.claims.length).toBeLessThanOrEqual(plain.claims.length + 3);
  });

  it("give the same plan in any order", () => {
    const asking = pods(9, small).map((one) => ({ ...one, volumes: [volumeOf(`data-${one.name}`)] }));
    const storage = {
      persistentVolumeClaims: asking.map(({ name }) => boundPvc(`data-${name}`)),
      persistentVolumes: asking.map(({ name }, n) => zonal(`data-${name}`, n % 2 === 0 ? "z-a" : "z-b")),
    };
    const reversed = {
      persistentVolumeClaims: [...storage.persistentVolumeClaims].reverse(),
      persistentVolumes: [...storage.persistentVolumes].reverse(),
    };
    expect(plan({ pods: [...asking].reverse(), ...reversed })).toEqual(plan({ pods: asking, ...storage }));
  });
});

describe("a claim for one pod at a time", () => {
  const storage = {
    persistentVolumeClaims: [boundPvc("data", { singlePod: true })],
    persistentVolumes: [zonal("data", "z-a")],
  };
  const reason = (holder: string) =>
    `the pod's claim "data" is for one pod at a time (ReadWriteOncePod), and default/${holder} has it`;
  const verdicts = (all: readonly Pod[], over: Partial<Snapshot> = {}) => {
    const { claims, unschedulable } = plan({ pods: all, ...storage, ...over });
    return { placed: claims.flatMap(({ pods: names }) => names), refused: unschedulable };
  };

  it("is waited for while a pod that runs has it", () => {
    const there = bound("old", "n1", { volumes: [volumeOf("data")] });
    expect(verdicts([there, storing("p", ["data"])], { nodes: [node("n1")] })).toEqual({
      placed: [],
      refused: [{ pod: "default/p", reason: reason("old"), nodePools: {} }],
    });
  });

  it("is the more important pod's, then the older one's", () => {
    const found = verdicts([
      storing("a", ["data"]),
      storing("b", ["data"], { priority: 5, createdAtMs: 9 }),
      storing("c", ["data"], { priority: 5, createdAtMs: 3 }),
    ]);
    expect(found.placed).toEqual(["default/c"]);
    expect(found.refused.map(({ pod: name }) => name)).toEqual(["default/a", "default/b"]);
    expect(found.refused[0]!.reason).toBe(reason("c"));
  });

  it("goes with the pod that has it when its node leaves", () => {
    const there = bound("old", "n1", { volumes: [volumeOf("data")] });
    const world = snapshot({ nodes: [node("n1")], pods: [there], ...storage });
    expect(simulate(world, { withoutNodes: ["n1"], pods: [there] }).unschedulable).toEqual([]);
  });

  it("does not hold up pods that have ended", () => {
    const over = pod("old", { volumes: [volumeOf("data")], nodeName: "n1", phase: "Succeeded" });
    expect(verdicts([over, storing("p", ["data"])]).placed).toEqual(["default/p"]);
  });
});
