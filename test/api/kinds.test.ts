import { describe, expect, it } from "vitest";
import {
  ec2NodeClassHash,
  nodePoolHash,
  nodePoolKind,
  parseResource,
  toNodeClaim,
  toNodeClass,
  toNodePool,
} from "../../shared/api/index.ts";
import type { EC2NodeClassSpec } from "../../shared/api/kinds/ec2-node-class.ts";
import type { NodePoolSpec } from "../../shared/api/kinds/node-pool.ts";
import { printFieldError } from "../../shared/api/schema/index.ts";

const templateSpec = {
  nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
  requirements: [{ key: "karpenter.sh/capacity-type", operator: "In", values: ["spot"] }],
};
const pool = (spec: object = {}, template: object = {}, metadata: object = {}) => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "default", ...metadata },
  spec: { template: { spec: { ...templateSpec, ...template } }, ...spec },
});

describe("parseResource", () => {
  it("gives the document with defaults, without what is unknown, and leaves the given one alone", () => {
    const given = pool({ colour: "blue" });
    const parsed = parseResource(nodePoolKind, given);
    expect(parsed).toMatchObject({ ok: true, unknownFields: ["spec.colour"] });
    expect(parsed.ok && parsed.resource.spec.template.spec.expireAfter).toBe("720h");
    expect(given.spec).toHaveProperty("colour");
  });

  it("names every field that is wrong", () => {
    const parsed = parseResource(nodePoolKind, pool({ weight: 101, limits: { cpu: "lots" } }));
    expect(parsed.ok ? "" : parsed.errors.map(printFieldError).join("; ")).toMatch(
      /^spec\.weight: Invalid value: 101: .*; spec\.limits\.cpu: .*"lots"/,
    );
  });

  it("says in our own words how to mend what a rule refuses", () => {
    const parsed = parseResource(nodePoolKind, pool({ replicas: 1, weight: 5 }));
    expect(parsed.ok ? "" : parsed.errors.map(printFieldError).join("; ")).toBe(
      "spec: Invalid value: spec.weight has no meaning for a pool with spec.replicas; remove it",
    );
  });
});

describe("toNodePool", () => {
  it("reads everything", () => {
    const read = toNodePool(
      pool(
        {
          weight: 10,
          limits: { cpu: "1000", memory: "1000Gi", nodes: 5 },
          disruption: {
            consolidationPolicy: "WhenEmpty",
            consolidateAfter: "Never",
            budgets: [{ nodes: "5", reasons: ["Empty"], schedule: "@daily", duration: "1h30m" }, { nodes: "0" }],
          },
        },
        {
          taints: [{ key: "a", effect: "NoSchedule" }],
          startupTaints: [{ key: "b", value: "c", effect: "NoExecute" }],
          expireAfter: "Never",
          terminationGracePeriod: "1h1m1s",
          requirements: [
            { key: "a", operator: "In", values: ["x", "y"], minValues: 2 },
            { key: "b", operator: "Exists" },
          ],
        },
        { uid: "u1", resourceVersion: "5", generation: 3, creationTimestamp: "2026-01-31T12:00:00Z" },
      ),
    );
    expect(read).toEqual({
      uid: "u1",
      name: "default",
      resourceVersion: "5",
      generation: 3,
      createdAtMs: 1769860800000,
      hash: read.hash,
      weight: 10,
      nodeClassRef: templateSpec.nodeClassRef,
      requirements: [
        { key: "a", operator: "In", values: ["x", "y"], minValues: 2 },
        { key: "b", operator: "Exists", values: [] },
      ],
      labels: {},
      annotations: {},
      taints: [{ key: "a", value: "", effect: "NoSchedule" }],
      startupTaints: [{ key: "b", value: "c", effect: "NoExecute" }],
      expireAfterMs: null,
      terminationGracePeriodMs: 3661000,
      consolidationPolicy: "WhenEmpty",
      consolidateAfterMs: null,
      budgets: [{ nodes: "5", reasons: ["Empty"], schedule: "@daily", durationMs: 5400000 }, { nodes: "0" }],
      limits: { cpu: 1000000, memory: 1073741824000, nodes: 5 },
    });
  });

  it("knows the defaults", () => {
    expect(toNodePool(pool())).toMatchObject({
      weight: 0,
      expireAfterMs: 2592000000,
      terminationGracePeriodMs: null,
      consolidationPolicy: "WhenEmptyOrUnderutilized",
      consolidateAfterMs: 0,
      budgets: [{ nodes: "10%" }],
      limits: {},
    });
  });

  it.each<[object, string]>([
    [pool({ weight: 0 }), "NodePool default: spec.weight: Invalid value: 0"],
    [
      pool({ limits: { cpu: "-4" } }),
      'NodePool default: spec.limits.cpu: "-4" is not a quantity: it must not be negative',
    ],
    [
      pool({}, { requirements: [{ key: "a", operator: "Near" }] }),
      'NodePool default: spec.template.spec.requirements[0].operator: Unsupported value: "Near"',
    ],
    [{ ...pool(), spec: undefined }, "NodePool default: spec"],
  ])("names the field: %#", (document, message) => {
    expect(() => toNodePool(document)).toThrow(message);
  });
});

const classSpec = {
  role: "NodeRole",
  amiSelectorTerms: [{ alias: "al2023@latest" }],
  subnetSelectorTerms: [{ tags: { a: "b" } }],
  securityGroupSelectorTerms: [{ id: "sg-1" }],
};
const nodeClass = (spec: object = {}, status?: object) => ({
  apiVersion: "karpenter.k8s.aws/v1",
  kind: "EC2NodeClass",
  metadata: { name: "default" },
  spec: { ...classSpec, ...spec },
  ...(status && { status }),
});

describe("toNodeClass", () => {
  it.each<[object, string]>([
    [{}, "AL2023"],
    [{ amiFamily: "Custom" }, "Custom"],
    [{ amiSelectorTerms: [{ alias: "windows2022@latest" }] }, "Windows2022"],
    [{ amiSelectorTerms: [{ id: "ami-1" }], amiFamily: "Bottlerocket" }, "Bottlerocket"],
  ])("of %j is of the family %s", (spec, family) => {
    expect(toNodeClass(nodeClass(spec)).amiFamily).toBe(family);
  });

  // aws#3330: EC2 takes whole GiB, and less than was asked for will not do.
  it.each([
    ["20G", 19],
    ["20Gi", 20],
    ["1T", 932],
    ["1Ti", 1024],
    ["250G", 233],
  ])("a volume of %s is launched with GiB: %i", (volumeSize, expected) => {
    const read = toNodeClass(nodeClass({ blockDeviceMappings: [{ ebs: { volumeSize } }] }));
    expect(read.blockDevices).toEqual([{ rootVolume: false, volumeSizeGiB: expected }]);
  });

  it("reads settings and what was found", () => {
    const read = toNodeClass(
      nodeClass(
        {
          kubelet: { maxPods: 20, kubeReserved: { cpu: "100m" }, evictionHard: { "memory.available": "5%" } },
          metadataOptions: { httpTokens: "optional" },
          associatePublicIPAddress: true,
          instanceStorePolicy: "RAID0",
          tags: { team: "a" },
        },
        {
          amis: [
            {
              id: "ami-1",
              name: "n",
              requirements: [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }],
            },
          ],
          subnets: [{ id: "subnet-1", zone: "us-east-1a", zoneID: "use1-az1" }],
          securityGroups: [{ id: "sg-1", name: "nodes" }],
          instanceProfile: "p",
          conditions: [
            {
              type: "Ready",
              status: "False",
              reason: "R",
              message: "no subnets",
              lastTransitionTime: "2026-01-31T12:00:00Z",
            },
          ],
        },
      ),
    );
    expect(read).toMatchObject({
      kubelet: { maxPods: 20, kubeReserved: { cpu: 100 }, evictionHard: { "memory.available": "5%" } },
      metadataOptions: {
        httpEndpoint: "enabled",
        httpProtocolIPv6: "disabled",
        httpPutResponseHopLimit: 1,
        httpTokens: "optional",
      },
      associatePublicIpAddress: true,
      instanceStorePolicy: "RAID0",
      tags: { team: "a" },
      resolved: {
        amis: [
          { id: "ami-1", name: "n", requirements: [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }] },
        ],
        subnets: [{ id: "subnet-1", zone: "us-east-1a", zoneId: "use1-az1" }],
        securityGroupIds: ["sg-1"],
        capacityReservations: [],
        instanceProfile: "p",
      },
      ready: false,
      readyMessage: "no subnets",
    });
  });

  it("without a spec is refused, though an API server takes it", () => {
    const { spec, ...rest } = nodeClass();
    expect(() => toNodeClass(rest)).toThrow("EC2NodeClass default: spec: is missing");
  });

  it("with a size that has no amount is refused, though the schema's pattern takes it", () => {
    expect(() => toNodeClass(nodeClass({ blockDeviceMappings: [{ ebs: { volumeSize: "Ti" } }] }))).toThrow(
      "spec.blockDeviceMappings[0].ebs.volumeSize",
    );
  });
});

describe("toNodeClaim", () => {
  const at = "2026-01-31T12:00:00Z";
  const claim = (more: object = {}, status: object = {}) => ({
    apiVersion: "karpenter.sh/v1",
    kind: "NodeClaim",
    metadata: {
      name: "default-x",
      creationTimestamp: at,
      labels: {
        "karpenter.sh/nodepool": "default",
        "karpenter.sh/capacity-type": "spot",
        "node.kubernetes.io/instance-type": "m5.large",
      },
      annotations: { "karpenter.sh/nodepool-hash": "abc" },
      ownerReferences: [{ apiVersion: "karpenter.sh/v1", kind: "NodePool", name: "default", uid: "p1" }],
      ...more,
    },
    spec: {
      nodeClassRef: templateSpec.nodeClassRef,
      requirements: [{ key: "node.kubernetes.io/instance-type", operator: "In", values: ["m5.large", "m5.xlarge"] }],
      resources: { requests: { cpu: "1500m" } },
    },
    status,
  });

  it("reads one that runs", () => {
    const status = {
      providerID: "aws:///us-east-1a/i-0a1",
      nodeName: "n1",
      capacity: { cpu: "2" },
      allocatable: { cpu: "1930m" },
      conditions: ["Launched", "Registered", "Initialized"].map((type) => ({
        type,
        status: "True",
        lastTransitionTime: at,
      })),
      lastPodEventTime: at,
    };
    expect(toNodeClaim(claim({}, status))).toMatchObject({
      name: "default-x",
      nodePool: "default",
      nodePoolUid: "p1",
      nodePoolHash: "abc",
      nodeClass: "default",
      instanceTypes: ["m5.large", "m5.xlarge"],
      requests: { cpu: 1500 },
      expireAfterMs: 2592000000,
      terminationGracePeriodMs: null,
      instance: {
        id: "i-0a1",
        providerId: "aws:///us-east-1a/i-0a1",
        instanceType: "m5.large",
        zone: "us-east-1a",
        capacityType: "spot",
        capacity: { cpu: 2000 },
        allocatable: { cpu: 1930 },
        launchedAtMs: 1769860800000,
      },
      nodeName: "n1",
      registeredAtMs: 1769860800000,
      initializedAtMs: 1769860800000,
      lastPodEventAtMs: 1769860800000,
    });
  });

  it.each([
    ["kwok://n1", "n1", ""],
    ["n1", "n1", ""],
    ["aws:///us-east-1b/fargate-10", "fargate-10", ""],
    ["aws:///us-east-1b/i-0a1", "i-0a1", "us-east-1b"],
  ])("reads the provider id %s as %s in zone %j", (providerID, id, zone) => {
    expect(toNodeClaim(claim({}, { providerID })).instance).toMatchObject({ id, zone, providerId: providerID });
  });

  it("reads one that has nothing yet, and one that is to go", () => {
    const fresh = toNodeClaim(claim());
    expect([fresh.instance, fresh.nodeName, fresh.registeredAtMs, fresh.deletion]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    const deletion = { requestedAtMs: 1769860800000, reason: "deleted" };
    expect(toNodeClaim(claim({ deletionTimestamp: at })).deletion).toEqual(deletion);
  });
});

describe("hashes", () => {
  const parsedPool = (document: object): NodePoolSpec => {
    const parsed = parseResource(nodePoolKind, document);
    if (!parsed.ok) throw new Error(parsed.errors.map(printFieldError).join("; "));
    return parsed.resource.spec;
  };
  const hash = (spec: object = {}, template: object = {}) => nodePoolHash(parsedPool(pool(spec, template)));
  const taints = [
    { key: "a", effect: "NoSchedule" },
    { key: "b", effect: "NoSchedule" },
  ];

  // By sha256sum of {"spec":{"expireAfter":"720h","nodeClassRef":{…}}} and {"amiFamily":"AL2023","role":"NodeRole"}.
  it("are what they were: a change means a new hash version", () => {
    expect(hash()).toBe("6baa56d48948293e");
    expect(ec2NodeClassHash(classSpec as unknown as EC2NodeClassSpec, "AL2023")).toBe("d7d4294e8bcef935");
  });

  it.each<[string, string, string]>([
    ["requirements", hash(), hash({}, { requirements: [] })],
    [
      "limits, weight and disruption",
      hash(),
      hash({ limits: { cpu: 1 }, weight: 3, disruption: { consolidateAfter: "1h" } }),
    ],
    ["the order of taints", hash({}, { taints }), hash({}, { taints: [...taints].reverse() })],
    ["an empty list", hash(), hash({}, { taints: [], startupTaints: [] })],
    ["writing a default down", hash(), hash({}, { expireAfter: "720h" })],
  ])("of pools don't change with %s", (_, before, after) => {
    expect(after).toBe(before);
  });

  it.each<[string, object]>([
    ["taints", { taints }],
    ["startup taints", { startupTaints: taints }],
    ["expiry", { expireAfter: "1h" }],
    ["grace period", { terminationGracePeriod: "1h" }],
    ["node class", { nodeClassRef: { ...templateSpec.nodeClassRef, name: "other" } }],
  ])("of pools change with %s", (_, template) => {
    expect(hash({}, template)).not.toBe(hash());
  });

  it("of pools change with labels and annotations", () => {
    const labelled = (metadata: object) =>
      nodePoolHash(parsedPool({ ...pool(), spec: { template: { metadata, spec: templateSpec } } }));
    const hashes = [{}, { labels: { a: "b" } }, { annotations: { a: "b" } }, { labels: { a: "c" } }].map(labelled);
    expect(new Set(hashes).size).toBe(4);
  });

  it("of classes change with what they say and not with what they select", () => {
    const of = (spec: object, family = "AL2023", ca = "") =>
      ec2NodeClassHash({ ...classSpec, ...spec } as unknown as EC2NodeClassSpec, family, ca);
    expect(of({ subnetSelectorTerms: [{ id: "subnet-9" }], amiSelectorTerms: [{ id: "ami-9" }] })).toBe(of({}));
    expect(of({ tags: {}, blockDeviceMappings: [] })).toBe(of({}));
    const changed = [
      of({}),
      of({ userData: "x" }),
      of({ tags: { a: "b" } }),
      of({}, "AL2"),
      of({}, "AL2023", "ca"),
      of({ associatePublicIPAddress: false }),
      of({ tags: { a: "" } }),
      of({ kubelet: { maxPods: 5 } }),
    ];
    expect(new Set(changed).size).toBe(8);
  });
});
