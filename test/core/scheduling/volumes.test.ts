import { describe, expect, it } from "vitest";
import { ebsAttachLimit } from "../../../shared/core/catalog/index.ts";
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Snapshot,
  StorageClass,
} from "../../../shared/core/model/index.ts";
import { planProvisioning, simulate } from "../../../shared/core/provisioning/index.ts";
import { asks, bound, catalog, claim, gi, joined, node, pod, pods, pool, req, snapshot, zone } from "./fixtures.ts";
import {
  boundPvc,
  csiNode,
  ebs,
  pv,
  pvc,
  storageClass,
  storing,
  terms,
  topologies,
  volumeOf,
  zonal,
} from "./storage-fixtures.ts";

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

describe("attachments", () => {
  const attached = (names: readonly string[], over: Partial<Pod> = {}) =>
    names.map((name) => storing(name, [`data-${name}`], { ...small, ...over }));
  const storageOf = (all: readonly Pod[]): Pick<Snapshot, "persistentVolumeClaims" | "persistentVolumes"> => {
    const names = [...new Set(all.flatMap(({ volumes }) => volumes.map(({ claimName }) => claimName)))];
    return {
      persistentVolumeClaims: names.map((name) => boundPvc(name)),
      persistentVolumes: names.map((name) => zonal(name, "z-a")),
    };
  };
  const running = (name: string, on: string, claimName = `data-${name}`): Pod =>
    bound(name, on, { ...small, volumes: [volumeOf(claimName)] });

  /** How many of the pods a plan puts on the node. */
  const onNode = (all: readonly Pod[], over: Partial<Snapshot>, target = "n1"): number =>
    plan({ nodes: [node("n1")], nodePools: [], pods: all, ...storageOf(all), ...over }).placements.find(
      (one) => one.target === target,
    )?.pods.length ?? 0;

  it.each<[string, Pod[], Partial<Snapshot>, number]>([
    ["as many as the node says", attached(["a", "b", "c"]), { csiNodes: [csiNode("n1", 2)] }, 2],
    [
      "less what pods there have",
      [running("x", "n1"), ...attached(["a", "b", "c"])],
      { csiNodes: [csiNode("n1", 2)] },
      1,
    ],
    ["without a bound where the driver sets none", attached(["a", "b", "c"]), { csiNodes: [csiNode("n1", null)] }, 3],
    ["without a bound where no driver says so", attached(["a", "b", "c"]), { csiNodes: [] }, 3],
    [
      "a volume of two pods there counts once",
      [running("x", "n1", "shared"), running("y", "n1", "shared"), ...attached(["a", "b"])],
      { csiNodes: [csiNode("n1", 2)] },
      1,
    ],
    [
      "other drivers' volumes do not count",
      [running("x", "n1"), ...attached(["a"])],
      {
        csiNodes: [csiNode("n1", 1)],
        persistentVolumeClaims: [boundPvc("data-x"), boundPvc("data-a")],
        persistentVolumes: [pv("data-x", { driver: "efs.csi.aws.com" }), zonal("data-a", "z-a")],
      },
      1,
    ],
    [
      "two claims on one volume are one",
      [running("x", "n1"), ...attached(["a"])],
      {
        csiNodes: [csiNode("n1", 1)],
        persistentVolumeClaims: [boundPvc("data-x"), boundPvc("data-a")],
        persistentVolumes: [pv("data-x", { handle: "vol-1" }), pv("data-a", { handle: "vol-1" })],
      },
      1,
    ],
    [
      "claims without a volume yet count by their class' driver",
      attached(["a", "b"]),
      {
        csiNodes: [csiNode("n1", 1)],
        persistentVolumeClaims: ["data-a", "data-b"].map((name) => pvc(name, { storageClassName: "gp3" })),
        persistentVolumes: [],
        storageClasses: [storageClass("gp3")],
      },
      1,
    ],
  ])("on a node: %s", (_, all, over, expected) => {
    expect(onNode(all, over)).toBe(expected);
  });

  it("pods that share a claim take one attachment together, there or not", () => {
    const sharing = Array.from({ length: 6 }, (_, n) => storing(`s${n}`, ["shared"], small));
    expect(onNode(sharing, { csiNodes: [csiNode("n1", 1)] })).toBe(6);
    const full = [running("x", "n1"), running("y", "n1", "shared")];
    expect(onNode([...full, ...sharing], { csiNodes: [csiNode("n1", 2)] })).toBe(6);
    expect(onNode([running("x", "n1"), ...sharing], { csiNodes: [csiNode("n1", 1)] })).toBe(0);
    expect(onNode([...sharing, ...attached(["a", "b"])], { csiNodes: [csiNode("n1", 2)] })).toBe(7);
  });

  it("many claims that few pods share are counted too often, never too rarely", () => {
    const pairs = Array.from({ length: 6 }, (_, n) => [0, 1].map((m) => storing(`s${n}-${m}`, [`shared-${n}`], small)));
    const found = plan({
      nodes: [node("n1")],
      nodePools: [],
      pods: pairs.flat(),
      ...storageOf(pairs.flat()),
      csiNodes: [csiNode("n1", 4)],
    });
    const [{ pods: placed }] = found.placements as [{ pods: readonly string[] }];
    expect(new Set(placed.map((name) => name.split("-")[0])).size).toBeLessThanOrEqual(4);
  });

  it("places that earlier plans gave count", () => {
    const [a, b] = attached(["a", "b"]) as [Pod, Pod];
    const given = { placements: [{ target: "n1", pods: ["default/a"] }] };
    expect(onNode([a, b], { csiNodes: [csiNode("n1", 1)], ...given })).toBe(0);
  });

  it("new nodes take what their type attaches, whatever room they have", () => {
    const limited = {
      ...catalog,
      instanceTypes: catalog.instanceTypes.map((type) => ({
        ...type,
        EbsInfo: { AttachmentLimitType: "dedicated", MaximumEbsAttachments: type.InstanceType === "a1.xlarge" ? 9 : 5 },
      })),
    };
    const asking = attached(Array.from({ length: 16 }, (_, n) => `p${String(n).padStart(2, "0")}`));
    const { claims, unschedulable } = plan({ catalog: limited, pods: asking, ...storageOf(asking) });
    expect(unschedulable).toEqual([]);
    for (const { pods: names, instanceTypes } of claims) {
      expect(names.length).toBeLessThanOrEqual(instanceTypes.every((type) => type === "a1.xlarge") ? 8 : 4);
    }
    expect(claims.flatMap(({ requests }) => Object.keys(requests).filter((name) => name.includes("volume")))).toEqual(
      [],
    );
  });

  it("what nodes of the type say counts more than what EC2 says", () => {
    const seen = [node("n1", { cordoned: true })];
    const asking = attached(["a", "b", "c", "d"]);
    const nodePools = [pool("default", { requirements: [req("node.kubernetes.io/instance-type", "In", "a1.medium")] })];
    const found = plan({ nodes: seen, csiNodes: [csiNode("n1", 2)], pods: asking, nodePools, ...storageOf(asking) });
    expect(found.claims.map(({ pods: names }) => names.length)).toEqual([2, 2]);
  });

  it("a claim in flight and a node that has just joined count as their type", () => {
    const asking = attached(["a", "b", "c"]);
    const inFlight = (over: Partial<Snapshot>) =>
      plan({
        nodes: [node("n0", { cordoned: true })],
        csiNodes: [csiNode("n0", 2)],
        nodePools: [],
        pods: asking,
        ...storageOf(asking),
        ...over,
      }).placements.map(({ target, pods: names }) => [target, names.length]);
    const zoned = claim("c1", { requirements: [...claim("c1").requirements, req(zone, "In", "z-a")] });
    expect(inFlight({ claims: [zoned] })).toEqual([["c1", 2]]);
    const young = node("n1");
    const { initializedAtMs: _, ...uninitialized } = joined(young);
    expect(inFlight({ nodes: [node("n0", { cordoned: true }), young], claims: [uninitialized] })).toEqual([
      ["claim-n1", 2],
    ]);
  });

  it("too many for any node is said so", () => {
    const claims = Array.from({ length: 30 }, (_, n) => `data-${n}`);
    const one = storing("p", claims);
    const found = plan({ pods: [one], ...storageOf([one]) });
    expect(found.claims).toEqual([]);
    expect(found.unschedulable[0]?.nodePools.default).toContain(`volume attachments (${ebs})`);
  });

  it("pods that move count where they go", () => {
    const moving = [running("x", "n1"), running("y", "n1")];
    const world = snapshot({
      nodes: [node("n1"), node("n2")],
      nodePools: [],
      csiNodes: [csiNode("n1", 5), csiNode("n2", 1)],
      pods: moving,
      ...storageOf(moving),
    });
    const found = simulate(world, { withoutNodes: ["n1"], pods: moving });
    expect(found.placements).toEqual([{ target: "n2", pods: ["default/x"] }]);
    expect(found.unschedulable.map(({ pod: name }) => name)).toEqual(["default/y"]);
  });
});

describe("what EC2 says of a type's attachments", () => {
  const type = (over: object) => ({ InstanceType: "t", ...over });
  it.each([
    ["m5.large", { Hypervisor: "nitro", EbsInfo: { AttachmentLimitType: "shared", MaximumEbsAttachments: 27 } }, 1, 25],
    [
      "i4i.xlarge",
      { Hypervisor: "nitro", EbsInfo: { AttachmentLimitType: "shared", MaximumEbsAttachments: 26 } },
      1,
      24,
    ],
    [
      "m7i.large",
      { Hypervisor: "nitro", EbsInfo: { AttachmentLimitType: "dedicated", MaximumEbsAttachments: 32 } },
      1,
      31,
    ],
    [
      "m7i.large with two volumes of its own",
      { EbsInfo: { AttachmentLimitType: "dedicated", MaximumEbsAttachments: 32 } },
      2,
      30,
    ],
    ["u-6tb1.metal", { EbsInfo: { AttachmentLimitType: "shared", MaximumEbsAttachments: 3 } }, 4, 1],
    ["a type of which EC2 says nothing", { Hypervisor: "nitro" }, 0, 25],
    ["one of before Nitro", { Hypervisor: "xen" }, 1, 37],
  ])("%s", (_, over, ownVolumes, expected) => {
    expect(ebsAttachLimit(type(over), ownVolumes)).toBe(expected);
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
