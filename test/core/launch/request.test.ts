import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  instanceLabels,
  nextLaunchStep,
  pairedLabels,
  pairInstances,
  planLaunch,
  refusedOfferings,
  sha256Hex,
  summarizeRefusals,
} from "../../../shared/core/launch/index.ts";
import type { FleetRequest, Launch, LaunchRefusal } from "../../../shared/core/model/index.ts";
import { claim, minute, nodeClass, second, t0 } from "../lifecycle/literals.ts";
import { request, sold, subnets } from "./literals.ts";

const bootstrap = { clusterName: "demo", endpoint: "https://demo", caBundle: "Y2E=", serviceCidr: "172.20.0.0/16" };
const spotClaim = claim({
  name: "default-a",
  requirements: [{ key: "karpenter.sh/capacity-type", operator: "In", values: ["spot"] }],
  startupTaints: [{ key: "cni", value: "", effect: "NoExecute" }],
});
const input = {
  launchId: "l1",
  claims: [spotClaim, { ...spotClaim, name: "default-b" }],
  nodeClass,
  types: [sold("m5.large", 96, 35)],
  subnets,
  deployment: "prod",
  epoch: "e1",
  bootstrap,
};

describe("a launch request", () => {
  const outcome = planLaunch(input);
  const sealed = outcome.kind === "request" ? outcome.request : undefined;

  it("asks for as many instances as there are claims, by price and depth for spot", () => {
    expect(sealed).toMatchObject({
      clientToken: "l1",
      count: 2,
      capacityType: "spot",
      allocationStrategy: "price-capacity-optimized",
    });
  });

  it.each([
    ["spot", "capacity-optimized-prioritized"],
    ["on-demand", "prioritized"],
  ] as const)("goes by priority on %s where overlays changed prices, the cheapest first", (capacityType, strategy) => {
    const requirements = [{ key: "karpenter.sh/capacity-type", operator: "In" as const, values: [capacityType] }];
    const annotations = { "karpenter.sh/price-overlay-applied": "true" };
    const instanceTypes = ["c5.large", "m5.large"];
    const types = [sold("m5.large", 96, 35), sold("c5.large", 90, 30)];
    const repriced = planLaunch({
      ...input,
      types,
      claims: [{ ...spotClaim, requirements, annotations, instanceTypes }],
    });
    const { request } = repriced as { request: FleetRequest };
    expect(request.allocationStrategy).toBe(strategy);
    expect(request.overrides.map(({ priority }) => priority)).toEqual([0, 1, 2, 3]);
    const prices = request.overrides.map(({ priceMicroUsd }) => priceMicroUsd);
    expect(prices).toEqual(prices.toSorted((a, b) => a - b));
  });

  it("bears the tags that tie the instances to deployment, epoch and launch, and Karpenter's", () => {
    expect(sealed?.tags).toEqual({
      owner: "platform",
      "timmerman/deployment": "prod",
      "timmerman/epoch": "e1",
      "timmerman/launch": "l1",
      "karpenter.sh/nodepool": "default",
      "karpenter.k8s.aws/ec2nodeclass": "default",
      "eks:eks-cluster-name": "demo",
      "kubernetes.io/cluster/demo": "owned",
    });
  });

  it("names its templates by their content, without the launch in it", () => {
    expect(sealed?.templates).toHaveLength(1);
    const [template] = sealed!.templates;
    expect(template).toMatchObject({
      imageId: "ami-x86",
      securityGroupIds: ["sg-1", "sg-2"],
      instanceProfile: "node-profile",
      detailedMonitoring: false,
      blockDevices: [
        { deviceName: "/dev/xvda", rootVolume: true, volumeSizeGiB: 20, volumeType: "gp3", encrypted: true },
      ],
    });
    expect(template!.name).toMatch(/^timmerman\/[0-9a-f]{40}$/);
    expect(template!.tags["timmerman/launch"]).toBeUndefined();
    expect(new Set(sealed!.overrides.map((o) => o.template))).toEqual(new Set([template!.name]));
    const again = planLaunch({ ...input, launchId: "l2" });
    expect(again).toMatchObject({ request: { templates: [{ name: template!.name }] } });
    const other = planLaunch({ ...input, nodeClass: { ...nodeClass, detailedMonitoring: true } });
    expect(other.kind === "request" && other.request.templates[0]!.name).not.toBe(template!.name);
  });

  it("is the same bytes for the same input", () => {
    expect(JSON.stringify(planLaunch(input))).toBe(JSON.stringify(outcome));
  });

  it("tells kubelets their labels and taints, the unregistered one last", () => {
    const [template] = sealed!.templates;
    expect(template!.userData).toContain("karpenter.sh/capacity-type=spot");
    expect(template!.userData).toContain("karpenter.sh/nodepool=default");
    expect(template!.userData).toContain("team=platform");
    expect(template!.userData.indexOf('"cni"')).toBeLessThan(template!.userData.indexOf("karpenter.sh/unregistered"));
  });

  it("has volumes by family where the class names none, and none for Custom images", () => {
    const devices = (amiFamily: typeof nodeClass.amiFamily) => {
      const planned = planLaunch({ ...input, nodeClass: { ...nodeClass, amiFamily } });
      return planned.kind === "request"
        ? planned.request.templates[0]!.blockDevices.map((d) => [d.deviceName, d.volumeSizeGiB])
        : planned.reason;
    };
    expect(devices("Bottlerocket")).toEqual([
      ["/dev/xvda", 4],
      ["/dev/xvdb", 20],
    ]);
    expect(devices("Windows2022")).toEqual([["/dev/sda1", 50]]);
    expect(devices("Custom")).toEqual([]);
  });

  it("is refused with the field that cannot be used", () => {
    expect(planLaunch({ ...input, nodeClass: { ...nodeClass, userData: "x".repeat(17_000) } })).toMatchObject({
      kind: "refused",
      reason: "UserDataInvalid",
      message: expect.stringContaining("spec.userData: "),
    });
    expect(planLaunch({ ...input, subnets: [] })).toMatchObject({ kind: "refused", reason: "SubnetsNotFound" });
  });
});

describe("pairing", () => {
  const types = [sold("m5.large", 96, 35, { "karpenter.k8s.aws/instance-cpu": ["2"], "two-valued": ["a", "b"] })];
  const asked = request([
    ["m5.large", "us-east-1a", "subnet-a", 35],
    ["m5.large", "us-east-1b", "subnet-b", 36],
  ]);
  const got = (id: string, zone = "us-east-1a") => ({
    id,
    zone,
    instanceType: "m5.large",
    capacityType: "spot" as const,
  });

  it("gives sorted ids to ordered claims, whatever the order of the answer", () => {
    const pairs = pairInstances(
      ["c1", "c2", "c3"],
      [got("i-9"), got("i-1", "us-east-1b"), got("i-5")],
      asked,
      types,
      t0,
    );
    expect(
      pairs.map(({ claim: name, instance }) => [name, instance.id, instance.priceMicroUsd, instance.zoneId]),
    ).toEqual([
      ["c1", "i-1", 36, "use1-az2"],
      ["c2", "i-5", 35, "use1-az1"],
      ["c3", "i-9", 35, "use1-az1"],
    ]);
    expect(pairs[0]!.instance).toMatchObject({
      providerId: "aws:///us-east-1b/i-1",
      launchedAtMs: t0,
      capacity: { cpu: 2_000 },
    });
  });

  it("leaves the last claims without when there are fewer, and extra instances to nobody", () => {
    expect(pairInstances(["c1", "c2"], [got("i-1")], asked, types, t0).map((p) => p.claim)).toEqual(["c1"]);
    expect(pairInstances(["c1"], [got("i-2"), got("i-1")], asked, types, t0).map((p) => p.instance.id)).toEqual([
      "i-1",
    ]);
  });

  it("adds the labels that the instance settles; the claim's own stay", () => {
    expect(instanceLabels(got("i-1"), "use1-az1", types[0])).toEqual({
      "kubernetes.io/arch": "amd64",
      "kubernetes.io/os": "linux",
      "karpenter.k8s.aws/instance-cpu": "2",
      "node.kubernetes.io/instance-type": "m5.large",
      "topology.kubernetes.io/zone": "us-east-1a",
      "topology.k8s.aws/zone-id": "use1-az1",
      "karpenter.sh/capacity-type": "spot",
    });
    const [pair] = pairInstances(["c1"], [got("i-1")], asked, types, t0);
    expect(pairedLabels(claim({ labels: { "kubernetes.io/arch": "mine" } }), pair!)).toMatchObject({
      "kubernetes.io/arch": "mine",
      "karpenter.sh/nodepool": "default",
      "karpenter.k8s.aws/ec2nodeclass": "default",
    });
  });
});

describe("refusals", () => {
  const asked = request([
    ["m5.large", "us-east-1a", "subnet-a", 35],
    ["m5.large", "us-east-1a", "subnet-a2", 35],
    ["c5.large", "us-east-1a", "subnet-a", 31],
    ["c5.large", "us-east-1b", "subnet-b", 31],
  ]);
  const refusal = (kind: LaunchRefusal["kind"], change: Partial<LaunchRefusal> = {}): LaunchRefusal => ({
    kind,
    code: `Code-${kind}`,
    message: "m",
    ...change,
  });
  const pools = (refusals: readonly LaunchRefusal[]) =>
    refusedOfferings(refusals, asked, t0).map((p) => `${p.instanceType} ${p.zone} ${p.capacityType}`);

  it("of capacity take the pool out for three minutes", () => {
    expect(
      refusedOfferings([refusal("no-capacity", { instanceType: "m5.large", zone: "us-east-1a" })], asked, t0),
    ).toEqual([{ instanceType: "m5.large", zone: "us-east-1a", capacityType: "spot", untilMs: t0 + 3 * minute }]);
  });

  it.each<LaunchRefusal["kind"]>(["quota", "unauthorized", "bad-request", "other"])(
    "of kind %s say nothing about a pool",
    (kind) => {
      expect(pools([refusal(kind, { instanceType: "m5.large", zone: "us-east-1a" })])).toEqual([]);
    },
  );

  it("of addresses take a zone out only when all its subnets are full (aws#9054)", () => {
    expect(pools([refusal("no-addresses", { subnetId: "subnet-a" })])).toEqual(["c5.large us-east-1a spot"]);
    expect(
      pools([refusal("no-addresses", { subnetId: "subnet-a" }), refusal("no-addresses", { subnetId: "subnet-a2" })]),
    ).toEqual(["c5.large us-east-1a spot", "m5.large us-east-1a spot"]);
  });

  const template = (name: string, capacityReservationId: string) =>
    ({ name, imageId: "ami-x86", capacityReservationId }) as FleetRequest["templates"][number];
  const intoReservations: FleetRequest = {
    ...request([], { capacityType: "reserved" }),
    templates: [template("t1", "cr-1"), template("t2", "cr-2")],
    overrides: [
      { ...asked.overrides[0]!, template: "t1" },
      { ...asked.overrides[3]!, template: "t2" },
    ],
  };
  const reserved = (refusals: readonly LaunchRefusal[], of = intoReservations) =>
    refusedOfferings(refusals, of, t0).map(({ instanceType, zone, reservationId }) => [
      instanceType,
      zone,
      reservationId,
    ]);
  const used = { instanceType: "m5.large", zone: "us-east-1a" };

  it("94. of a launch into a reservation take that reservation out, not its type and zone", () => {
    expect(reserved([refusal("no-capacity", used)])).toEqual([["m5.large", "us-east-1a", "cr-1"]]);
    expect(reserved([refusal("no-capacity", { ...used, reservationId: "cr-9" })])).toEqual([
      ["m5.large", "us-east-1a", "cr-9"],
    ]);
    const both = { ...intoReservations, overrides: intoReservations.overrides.map((o) => ({ ...o, ...used })) };
    expect(reserved([refusal("no-capacity", used)], both).map(([, , id]) => id)).toEqual(["cr-1", "cr-2"]);
  });

  it("94. of a launch into a reservation for any other reason take nothing out", () => {
    for (const kind of ["quota", "unauthorized", "bad-request", "other"] as const) {
      expect(reserved([refusal(kind, used)])).toEqual([]);
    }
  });

  it.each<[string, readonly LaunchRefusal[], string, boolean]>([
    ["only capacity: plan anew", [refusal("no-capacity"), refusal("no-capacity")], "InsufficientCapacity", true],
    ["only addresses: plan anew", [refusal("no-addresses")], "InsufficientFreeAddressesInSubnet", true],
    ["permissions outweigh capacity", [refusal("no-capacity"), refusal("unauthorized")], "Unauthorized", false],
    ["quota: try again", [refusal("quota")], "VCPULimitExceeded", false],
    ["throttled pools: try again", [refusal("other"), refusal("no-capacity")], "LaunchFailed", false],
    ["nothing at all", [], "LaunchFailed", false],
  ])("come to one reason: %s", (_title, refusals, reason, planAnew) => {
    expect(summarizeRefusals(refusals)).toMatchObject({ reason, planAnew });
  });
});

describe("the next step of a launch item", () => {
  const launch = {
    id: "l1",
    version: 1,
    request: request([]),
    claims: ["a"],
    sealedAtMs: t0,
    sendBeforeMs: t0 + 10 * minute,
  } satisfies Launch;
  const lookedUp = { ...launch, emptyLookupAtMs: t0 + 11 * minute };
  it.each<[string, Launch, number, object]>([
    ["is to send", launch, t0, { kind: "send" }],
    ["is to send until the window's last moment", launch, t0 + 10 * minute - 1, { kind: "send" }],
    ["is never to send at its end", launch, t0 + 10 * minute, { kind: "look-up", ifNone: "note" }],
    [
      "is to wait between the two look-ups",
      lookedUp,
      t0 + 13 * minute - second,
      { kind: "wait", untilMs: t0 + 13 * minute },
    ],
    ["is to give up after a second empty one", lookedUp, t0 + 13 * minute, { kind: "look-up", ifNone: "give-up" }],
    [
      "is to look twice though it looked before the last sending",
      { ...launch, emptyLookupAtMs: t0 + minute },
      t0 + 10 * minute,
      { kind: "look-up", ifNone: "note" },
    ],
    ["is none once settled", { ...launch, settledAtMs: t0 }, t0, { kind: "settled" }],
  ])("%s", (_title, item, nowMs, step) => {
    expect(nextLaunchStep(item, nowMs)).toEqual(step);
  });
});

it.each(["", "abc", "Timmerman ✓", "x".repeat(55), "x".repeat(56), "x".repeat(64), "x".repeat(1_000)])(
  "SHA-256 agrees with Node's on %j",
  (text) => {
    expect(sha256Hex(text)).toBe(createHash("sha256").update(text).digest("hex"));
  },
);
