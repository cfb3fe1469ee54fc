import { describe, expect, it } from "vitest";
import { ebsAttachLimit } from "../../../shared/core/catalog/index.ts";
import type { Pod, Snapshot } from "../../../shared/core/model/index.ts";
import { planProvisioning, simulate } from "../../../shared/core/provisioning/index.ts";
import { asks, bound, catalog, claim, joined, node, pool, req, snapshot, zone } from "./fixtures.ts";
import { boundPvc, csiNode, ebs, pv, pvc, storageClass, storing, volumeOf, zonal } from "./storage-fixtures.ts";

const plan = (over: Partial<Snapshot>) => planProvisioning(snapshot(over));
const small = { requests: asks(0.1, 0.1) };

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
      "a volume of a pod there counts though its claims are being deleted or gone",
      [bound("x", "n1", { ...small, volumes: [volumeOf("going"), volumeOf("gone")] }), ...attached(["a", "b"])],
      {
        csiNodes: [csiNode("n1", 2)],
        persistentVolumeClaims: [boundPvc("going", { deletionAtMs: 1 }), boundPvc("data-a"), boundPvc("data-b")],
      },
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
    const placed = found.placements.flatMap(({ pods: names }) => names);
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
