import { describe, expect, it } from "vitest";
import { buildInstanceTypes, withRefusals, zonesHere } from "../../../shared/core/catalog/index.ts";
import type { Catalog, InstanceType, NodeClass, Settings } from "../../../shared/core/model/index.ts";
import { catalog, catalogOf, m5Large, nodeClass, settings } from "./fixtures.ts";

const mib = 1_048_576;
const gib = 1_073_741_824;

function m5(nodeClassChange: Partial<NodeClass> = {}, settingsChange: Partial<Settings> = {}): InstanceType {
  return buildInstanceTypes(catalog, { ...nodeClass, ...nodeClassChange }, { ...settings, ...settingsChange })[0]!;
}

function only(description: Catalog["instanceTypes"][number], change: Partial<NodeClass> = {}): InstanceType {
  return buildInstanceTypes(catalogOf(description), { ...nodeClass, ...change }, settings)[0]!;
}

describe("m5.large on AL2023", () => {
  it("has Karpenter's capacity and allocatable amounts", () => {
    expect(m5().capacity).toEqual({
      cpu: 2000,
      memory: 7577 * mib,
      "ephemeral-storage": 20 * gib,
      pods: 29,
      "vpc.amazonaws.com/pod-eni": 9,
    });
    expect(m5().allocatable).toEqual({
      cpu: 1930,
      memory: 6903 * mib,
      "ephemeral-storage": 17 * gib,
      pods: 29,
      "vpc.amazonaws.com/pod-eni": 9,
    });
  });

  it("has every label that EC2's description and its offerings settle", () => {
    expect(m5().labels).toEqual({
      "node.kubernetes.io/instance-type": ["m5.large"],
      "kubernetes.io/arch": ["amd64"],
      "kubernetes.io/os": ["linux"],
      "topology.kubernetes.io/region": ["us-east-1"],
      "topology.kubernetes.io/zone": ["us-east-1a", "us-east-1b"],
      "topology.k8s.aws/zone-id": ["use1-az1", "use1-az2"],
      "karpenter.sh/capacity-type": ["on-demand", "spot"],
      "karpenter.k8s.aws/instance-category": ["m"],
      "karpenter.k8s.aws/instance-family": ["m5"],
      "karpenter.k8s.aws/instance-generation": ["5"],
      "karpenter.k8s.aws/instance-size": ["large"],
      "karpenter.k8s.aws/instance-cpu": ["2"],
      "karpenter.k8s.aws/instance-cpu-manufacturer": ["intel"],
      "karpenter.k8s.aws/instance-cpu-sustained-clock-speed-mhz": ["3100"],
      "karpenter.k8s.aws/instance-memory": ["8192"],
      "karpenter.k8s.aws/instance-ebs-bandwidth": ["4750"],
      "karpenter.k8s.aws/instance-network-bandwidth": ["750"],
      "karpenter.k8s.aws/instance-hypervisor": ["nitro"],
      "karpenter.k8s.aws/instance-encryption-in-transit-supported": ["false"],
      "karpenter.k8s.aws/instance-capability-flex": ["false"],
      "karpenter.k8s.aws/instance-tenancy": ["default", "dedicated"],
    });
  });

  it("is offered where the class has subnets: on demand everywhere, spot where it has a price", () => {
    expect(m5().offerings).toEqual([
      { zone: "us-east-1a", zoneId: "use1-az1", capacityType: "on-demand", priceMicroUsd: 96_000, available: true },
      { zone: "us-east-1a", zoneId: "use1-az1", capacityType: "spot", priceMicroUsd: 35_000, available: true },
      { zone: "us-east-1b", zoneId: "use1-az2", capacityType: "on-demand", priceMicroUsd: 96_000, available: true },
    ]);
  });
});

describe("the node class's settings", () => {
  it.each<[string, Partial<NodeClass>, Partial<Settings>, Record<string, number>]>([
    // Reserved memory follows the interfaces' limit on AL2023 and the configured pods on Bottlerocket (case 31).
    ["maxPods", { kubelet: { maxPods: 10 } }, {}, { pods: 10, memory: 6903 * mib }],
    [
      "maxPods on Bottlerocket",
      { amiFamily: "Bottlerocket", kubelet: { maxPods: 10 } },
      {},
      { pods: 10, memory: (7577 - 365 - 100) * mib },
    ],
    ["maxPods above the limit", { kubelet: { maxPods: 110 } }, {}, { pods: 110, memory: 6903 * mib }],
    ["podsPerCore", { kubelet: { podsPerCore: 4 } }, {}, { pods: 8 }],
    ["podsPerCore above the limit", { kubelet: { podsPerCore: 100 } }, {}, { pods: 29 }],
    ["podsPerCore on Bottlerocket", { amiFamily: "Bottlerocket", kubelet: { podsPerCore: 4 } }, {}, { pods: 29 }],
    ["podsPerCore and maxPods", { kubelet: { podsPerCore: 4, maxPods: 5 } }, {}, { pods: 5 }],
    ["reserved ENIs", {}, { reservedEnis: 1 }, { pods: 20, memory: 6903 * mib }],
    ["every ENI reserved", {}, { reservedEnis: 3 }, { pods: 0 }],
    [
      "kubeReserved",
      { kubelet: { kubeReserved: { cpu: 200, memory: 100 * mib } } },
      {},
      { cpu: 1800, memory: (7577 - 200) * mib, "ephemeral-storage": 17 * gib },
    ],
    [
      "systemReserved",
      { kubelet: { systemReserved: { cpu: 100, memory: 100 * mib, "ephemeral-storage": gib } } },
      {},
      { cpu: 1830, memory: 6803 * mib, "ephemeral-storage": 16 * gib },
    ],
    [
      "evictionHard in bytes",
      { kubelet: { evictionHard: { "memory.available": "200Mi", "nodefs.available": "1Gi" } } },
      {},
      { memory: 6803 * mib, "ephemeral-storage": 18 * gib },
    ],
    [
      "evictionHard in percent",
      { kubelet: { evictionHard: { "memory.available": "5%" } } },
      {},
      { memory: 6_945_924_710 },
    ],
    [
      "evictionHard of 100% is off",
      { kubelet: { evictionHard: { "memory.available": "100%", "nodefs.available": "100%" } } },
      {},
      { memory: 7003 * mib, "ephemeral-storage": 19 * gib },
    ],
    [
      "evictionSoft only warns",
      { kubelet: { evictionSoft: { "memory.available": "2Gi" } } },
      {},
      { memory: 6903 * mib },
    ],
    ["no memory overhead", {}, { vmMemoryOverheadPpm: 0 }, { memory: (8192 - 674) * mib }],
    ["reserves beyond the capacity", { kubelet: { systemReserved: { cpu: 5000 } } }, {}, { cpu: 0 }],
  ])("%s", (_, classChange, settingsChange, expected) => {
    expect(m5(classChange, settingsChange).allocatable).toMatchObject(expected);
  });

  it.each<[string, Partial<NodeClass>, number]>([
    ["the root mapping", { blockDevices: [{ rootVolume: true, deviceName: "/dev/x", volumeSizeGiB: 250 }] }, 250],
    ["the family's device", { blockDevices: [{ rootVolume: false, deviceName: "/dev/xvda", volumeSizeGiB: 19 }] }, 19],
    [
      "root before the family's device",
      {
        blockDevices: [
          { rootVolume: false, deviceName: "/dev/xvda", volumeSizeGiB: 19 },
          { rootVolume: true, deviceName: "/dev/sdz", volumeSizeGiB: 30 },
        ],
      },
      30,
    ],
    ["another device only", { blockDevices: [{ rootVolume: false, deviceName: "/dev/sdb", volumeSizeGiB: 99 }] }, 20],
    [
      "Bottlerocket's second volume",
      {
        amiFamily: "Bottlerocket",
        blockDevices: [
          { rootVolume: false, deviceName: "/dev/xvda", volumeSizeGiB: 4 },
          { rootVolume: false, deviceName: "/dev/xvdb", volumeSizeGiB: 40 },
        ],
      },
      40,
    ],
    [
      "the last mapping of a custom AMI",
      {
        amiFamily: "Custom",
        blockDevices: [
          { rootVolume: false, deviceName: "/dev/a", volumeSizeGiB: 4 },
          { rootVolume: false, deviceName: "/dev/b", volumeSizeGiB: 44 },
        ],
      },
      44,
    ],
    ["a snapshot of unknown size", { blockDevices: [{ rootVolume: true, deviceName: "/dev/xvda" }] }, 20],
    ["Windows", { amiFamily: "Windows2022" }, 50],
    ["RAID0 on a type without disks", { instanceStorePolicy: "RAID0" }, 20],
  ])("ephemeral storage from %s", (_, change, sizeGiB) => {
    expect(m5(change).capacity["ephemeral-storage"]).toBe(sizeGiB * gib);
  });

  it("ephemeral storage from RAID0 over local disks", () => {
    const m5d = {
      ...m5Large,
      InstanceType: "m5d.large",
      InstanceStorageInfo: { NvmeSupport: "required", TotalSizeInGB: 75 },
    };
    expect(only(m5d, { instanceStorePolicy: "RAID0" }).capacity["ephemeral-storage"]).toBe(75_000_000_000);
    expect(only(m5d).capacity["ephemeral-storage"]).toBe(20 * gib);
    expect(only(m5d).labels["karpenter.k8s.aws/instance-local-nvme"]).toEqual(["75"]);
  });

  it("Windows: its own os, build, pods and addresses, and no Arm", () => {
    const type = m5({ amiFamily: "Windows2022" });
    expect(type.labels["kubernetes.io/os"]).toEqual(["windows"]);
    expect(type.labels["node.kubernetes.io/windows-build"]).toEqual(["10.0.20348"]);
    expect(type.capacity.pods).toBe(110);
    expect(type.capacity["vpc.amazonaws.com/PrivateIPv4Address"]).toBe(9);
    expect(type.allocatable.memory).toBe((7577 - 1465 - 100) * mib);
    const arm = { ...m5Large, ProcessorInfo: { ...m5Large.ProcessorInfo, SupportedArchitectures: ["arm64"] } };
    expect(buildInstanceTypes(catalogOf(arm), { ...nodeClass, amiFamily: "Windows2022" }, settings)).toEqual([]);
  });
});

describe("devices", () => {
  it("GPUs, Neuron devices and EFA interfaces are resources and labels", () => {
    const trn = {
      ...m5Large,
      InstanceType: "trn9.large",
      NetworkInfo: { ...m5Large.NetworkInfo, EfaInfo: { MaximumEfaInterfaces: 8 } },
      NeuronInfo: { NeuronDevices: [{ Name: "Trainium", Count: 16, CoreInfo: { Count: 2 } }] },
    };
    expect(only(trn).capacity).toMatchObject({
      "aws.amazon.com/neuron": 16,
      "aws.amazon.com/neuroncore": 32,
      "vpc.amazonaws.com/efa": 8,
    });
    expect(only(trn).labels).toMatchObject({
      "karpenter.k8s.aws/instance-accelerator-name": ["trainium"],
      "karpenter.k8s.aws/instance-accelerator-manufacturer": ["aws"],
      "karpenter.k8s.aws/instance-accelerator-count": ["16"],
    });
    const gpu = {
      ...m5Large,
      InstanceType: "g9.large",
      GpuInfo: {
        Gpus: [{ Name: "Radeon Pro V520", Manufacturer: "AMD", Count: 4, MemoryInfo: { SizeInMiB: 8192 } }],
      },
    };
    expect(only(gpu).capacity).toMatchObject({ "amd.com/gpu": 4 });
    expect(only(gpu).labels["karpenter.k8s.aws/instance-gpu-name"]).toEqual(["radeon-pro-v520"]);
  });

  it("only the default card's interfaces count for pods (case 34)", () => {
    const card = (index: number, interfaces: number) => ({
      NetworkCardIndex: index,
      MaximumNetworkInterfaces: interfaces,
    });
    const wide = {
      ...m5Large,
      InstanceType: "p9.large",
      NetworkInfo: { ...m5Large.NetworkInfo, MaximumNetworkInterfaces: 30, NetworkCards: [card(0, 15), card(1, 15)] },
    };
    expect(only(wide).capacity.pods).toBe(15 * 9 + 2);
  });
});

describe("names", () => {
  it.each([
    ["c5.large", "c", "5", "c5", "large", "false"],
    ["m7i-flex.large", "m", "7", "m7i-flex", "large", "true"],
    ["u-6tb1.112xlarge", "u", "1", "u-6tb1", "112xlarge", "false"],
    ["trn1n.32xlarge", "trn", "1", "trn1n", "32xlarge", "false"],
    ["x2gd.metal", "x", "2", "x2gd", "metal", "false"],
  ])("%s", (name, category, generation, family, size, flex) => {
    expect(only({ ...m5Large, InstanceType: name }).labels).toMatchObject({
      "karpenter.k8s.aws/instance-category": [category],
      "karpenter.k8s.aws/instance-generation": [generation],
      "karpenter.k8s.aws/instance-family": [family],
      "karpenter.k8s.aws/instance-size": [size],
      "karpenter.k8s.aws/instance-capability-flex": [flex],
    });
  });
});

describe("offerings", () => {
  const named = (change: Partial<Catalog>, settingsChange: Partial<Settings> = {}): string[] =>
    buildInstanceTypes({ ...catalog, ...change }, nodeClass, { ...settings, ...settingsChange }).flatMap((type) =>
      type.offerings.map((o) =>
        `${o.zone} ${o.capacityType} ${o.priceMicroUsd}${o.available ? "" : " refused"} ${o.reservationId ?? ""}`.trim(),
      ),
    );

  it.each<[string, Partial<Catalog>, string[]]>([
    ["only where EC2 offers it", { offerings: { "m5.large": ["us-east-1b"] } }, ["us-east-1b on-demand 96000"]],
    ["nowhere", { offerings: { "m5.large": [] } }, []],
    ["no on-demand price", { onDemand: {} }, ["us-east-1a spot 35000"]],
    ["no price at all", { onDemand: {}, spot: {} }, []],
    [
      "refused",
      { unavailable: [{ instanceType: "m5.large", zone: "us-east-1a", capacityType: "spot" }] },
      ["us-east-1a on-demand 96000", "us-east-1a spot 35000 refused", "us-east-1b on-demand 96000"],
    ],
    [
      "a usage class that EC2 does not sell",
      { instanceTypes: [{ ...m5Large, SupportedUsageClasses: ["on-demand"] }] },
      ["us-east-1a on-demand 96000", "us-east-1b on-demand 96000"],
    ],
    [
      "reserved, paid for already",
      { spot: {}, reserved: [{ id: "cr-1", instanceType: "m5.large", zone: "us-east-1b", count: 2 }] },
      ["us-east-1a on-demand 96000", "us-east-1b on-demand 96000", "us-east-1b reserved 0 cr-1"],
    ],
    [
      "a used-up reservation",
      { spot: {}, reserved: [{ id: "cr-1", instanceType: "m5.large", zone: "us-east-1b", count: 0 }] },
      ["us-east-1a on-demand 96000", "us-east-1b on-demand 96000", "us-east-1b reserved 0 refused cr-1"],
    ],
  ])("%s", (_, change, expected) => {
    expect(named(change)).toEqual(expected);
  });

  it("are found by the zone's id where another account calls it otherwise", () => {
    const subnets = [
      { id: "subnet-1", zone: "us-east-1b", zoneId: "use1-az1" },
      { id: "subnet-2", zone: "us-east-1a", zoneId: "use1-az2" },
    ];
    const swapped = { ...nodeClass, resolved: { ...nodeClass.resolved, subnets } };
    const only = { ...catalog, offerings: { "m5.large": ["us-east-1a"] } };
    expect(buildInstanceTypes(only, swapped, settings)[0]!.offerings).toEqual([
      { zone: "us-east-1b", zoneId: "use1-az1", capacityType: "on-demand", priceMicroUsd: 96_000, available: true },
      { zone: "us-east-1b", zoneId: "use1-az1", capacityType: "spot", priceMicroUsd: 35_000, available: true },
    ]);
    expect(zonesHere(only, [swapped])).toEqual([
      { name: "us-east-1b", id: "use1-az1" },
      { name: "us-east-1a", id: "use1-az2" },
      { name: "us-east-1c", id: "use1-az3" },
    ]);
    expect(zonesHere(only, [])).toEqual(only.zones);
  });

  it("reservations need their feature gate", () => {
    const reserved = [{ id: "cr-1", instanceType: "m5.large", zone: "us-east-1b", count: 2 }];
    const featureGates = { ...settings.featureGates, reservedCapacity: false };
    expect(named({ spot: {}, reserved }, { featureGates })).toEqual([
      "us-east-1a on-demand 96000",
      "us-east-1b on-demand 96000",
    ]);
  });

  it("what EC2 refused lately is unavailable until its time, and other types are left as they are", () => {
    const types = buildInstanceTypes(catalog, nodeClass, settings);
    const refusal = { instanceType: "m5.large", zone: "us-east-1a", capacityType: "spot", untilMs: 1000 } as const;
    const spotOf = (list: readonly InstanceType[]) => list[0]!.offerings.find((o) => o.capacityType === "spot")!;
    expect(spotOf(withRefusals(types, [refusal], 999)).available).toBe(false);
    expect(spotOf(withRefusals(types, [refusal], 1000)).available).toBe(true);
    expect(withRefusals(types, [{ ...refusal, instanceType: "other" }], 0)[0]).toBe(types[0]);
    expect(withRefusals(types, [refusal], 1000)).toBe(types);
  });
});

describe("what is left out and what is kept", () => {
  it.each([
    ["a Mac", { ...m5Large, ProcessorInfo: { ...m5Large.ProcessorInfo, SupportedArchitectures: ["x86_64_mac"] } }],
    ["paravirtual only", { ...m5Large, SupportedVirtualizationTypes: ["paravirtual"] }],
    ["no memory given", { ...m5Large, MemoryInfo: {} }],
    ["no network given", { ...m5Large, NetworkInfo: undefined }],
  ])("%s", (_, description) => {
    expect(buildInstanceTypes(catalogOf(description), nodeClass, settings)).toEqual([]);
  });

  it("the same catalog, class and settings give the same array; a change gives another", () => {
    const first = buildInstanceTypes(catalog, nodeClass, settings);
    expect(buildInstanceTypes(catalog, { ...nodeClass, name: "other" }, { ...settings })).toBe(first);
    expect(buildInstanceTypes({ ...catalog }, nodeClass, settings)).not.toBe(first);
    expect(buildInstanceTypes(catalog, { ...nodeClass, kubelet: { maxPods: 4 } }, settings)).not.toBe(first);
    expect(buildInstanceTypes(catalog, nodeClass, { ...settings, reservedEnis: 2 })).not.toBe(first);
  });
});
