// Reports of people about what a node has for pods, from Karpenter's and AWS's public issues: what is right in each, as tests.
// Numbers are those of docs/compatibility.md.
import { describe, expect, it } from "vitest";
import { toNodeClass } from "../../shared/api/index.ts";
import { buildInstanceTypes } from "../../shared/core/catalog/index.ts";
import type { Catalog, NodeClass, Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { asks, catalog, gi, nodeClass, pod, pods, snapshot } from "../core/scheduling/fixtures.ts";

const mi = 1024 * 1024;

/** A type as EC2 describes it, with what the kubelet keeps by default. */
function described(
  over: Record<string, unknown>,
  of: Partial<NodeClass> = {},
  settings: Partial<Snapshot["settings"]> = {},
) {
  const type = { ...catalog.instanceTypes.find(({ InstanceType }) => InstanceType === "a1.small")!, ...over };
  const only: Catalog = { ...catalog, instanceTypes: [type] };
  const plain = nodeClass({ kubelet: {}, ...of });
  return buildInstanceTypes(only, plain, { ...snapshot().settings, ...settings })[0]!;
}
const reserved = (over: Record<string, unknown>, of: Partial<NodeClass>): number => {
  const type = described(over, of);
  return (type.capacity.memory! - type.allocatable.memory!) / mi - 100;
};

describe("31 (aws#8205): memory that the kubelet keeps", () => {
  // 35 pods as on a type with 3 interfaces of 12 addresses.
  const eni35 = { NetworkInfo: { Ipv4AddressesPerInterface: 12, MaximumNetworkInterfaces: 3 } };
  it.each<[NodeClass["amiFamily"], number | undefined, number]>([
    ["AL2023", 10, 640],
    ["AL2023", 24, 640],
    ["AL2023", undefined, 640],
    ["AL2", 10, 640],
    ["Custom", 24, 640],
    ["Bottlerocket", 10, 365],
    ["Bottlerocket", 24, 519],
    ["Bottlerocket", undefined, 640],
    ["Windows2022", undefined, 1465],
    ["Windows2022", 24, 519],
  ])("31: of %s with maxPods %s is %i MiB", (amiFamily, maxPods, memory) => {
    const kubelet = maxPods === undefined ? {} : { maxPods };
    expect(reserved(eni35, { amiFamily, kubelet })).toBe(memory);
  });

  it("31: is what the class says where it says so", () => {
    expect(reserved(eni35, { kubelet: { kubeReserved: { memory: 123 * mi } } })).toBe(123);
  });
});

describe("32 (aws#8565): eviction thresholds", () => {
  const kept = (kubelet: NodeClass["kubelet"]): number => {
    const type = described({}, { kubelet: { kubeReserved: { memory: 0 }, ...kubelet } });
    return (type.capacity.memory! - type.allocatable.memory!) / mi;
  };
  it.each<[string, NodeClass["kubelet"], number]>([
    ["100Mi without any", {}, 100],
    ["the hard one", { evictionHard: { "memory.available": "500Mi" } }, 500],
    [
      "the hard one, not a larger soft one",
      { evictionHard: { "memory.available": "200Mi" }, evictionSoft: { "memory.available": "900Mi" } },
      200,
    ],
    ["the default, not a soft one alone", { evictionSoft: { "memory.available": "900Mi" } }, 100],
    ["a share of the memory", { evictionHard: { "memory.available": "10%" } }, 409.6],
    ["nothing at 100%, which turns it off", { evictionHard: { "memory.available": "100%" } }, 0],
    ["the default where only the disk has one", { evictionHard: { "nodefs.available": "5%" } }, 100],
  ])("32: keep %s", (_, kubelet, memory) => {
    expect(kept(kubelet)).toBeCloseTo(memory, 3);
  });
});

describe("34 (aws#3720): several network cards", () => {
  const cards = (index: number, ...interfaces: number[]) => ({
    NetworkInfo: {
      Ipv4AddressesPerInterface: 50,
      MaximumNetworkInterfaces: interfaces.reduce((a, b) => a + b),
      DefaultNetworkCardIndex: index,
      NetworkCards: interfaces.map((MaximumNetworkInterfaces, NetworkCardIndex) => ({
        NetworkCardIndex,
        MaximumNetworkInterfaces,
      })),
    },
  });
  it.each<[string, Record<string, unknown>, number]>([
    ["only the default one's interfaces count", cards(0, 15, 15, 15, 15), 15 * 49 + 2],
    ["whichever that is", cards(1, 15, 7), 7 * 49 + 2],
    ["one alone counts whole", cards(0, 4), 4 * 49 + 2],
  ])("34: %s", (_, over, slots) => {
    expect(described(over).capacity.pods).toBe(slots);
  });
});

describe("35 (aws#3330, aws#5715): sizes of root volumes", () => {
  const disk = (volumeSize: string) => {
    const spec = { blockDeviceMappings: [{ deviceName: "/dev/xvda", ebs: { volumeSize } }] };
    return { spec };
  };
  it.each<[string, number]>([
    ["20G", 19],
    ["20Gi", 20],
    ["250G", 233],
    ["1G", 1],
  ])("35: %s is launched and planned as %i GiB", (volumeSize, gib) => {
    const metadata = { name: "default" };
    const terms = { amiSelectorTerms: [{ alias: "al2023@latest" }], subnetSelectorTerms: [{ id: "subnet-1" }] };
    const more = { securityGroupSelectorTerms: [{ id: "sg-1" }], role: "r" };
    const { blockDevices } = toNodeClass({
      apiVersion: "karpenter.k8s.aws/v1",
      kind: "EC2NodeClass",
      metadata,
      spec: { ...terms, ...more, ...disk(volumeSize).spec },
    });
    expect(blockDevices[0]?.volumeSizeGiB).toBe(gib);
    expect(described({}, { blockDevices }).capacity["ephemeral-storage"]).toBe(gib * gi);
  });

  it("35: a pod that asks for 180G fits on a pool of such nodes that has none yet", () => {
    const blockDevices = [{ deviceName: "/dev/xvda", rootVolume: false, volumeSizeGiB: 233 }];
    const requests = asks(1, 1, { "ephemeral-storage": 180_000_000_000 });
    const given = { nodeClasses: [nodeClass({ kubelet: {}, blockDevices })], pods: [pod("p", { requests })] };
    expect(planProvisioning(snapshot(given)).claims).toHaveLength(1);
    const plain = { ...given, nodeClasses: [nodeClass({ kubelet: {} })] };
    expect(planProvisioning(snapshot(plain)).unschedulable[0]?.nodePools.default).toContain(
      "the most ephemeral-storage that a node of it can give is",
    );
  });
});

describe("37 (aws#7543): disks of the instance itself", () => {
  const local = { InstanceStorageInfo: { TotalSizeInGB: 900 } };
  const device = (deviceName: string, volumeSizeGiB: number, rootVolume = false) => ({
    deviceName,
    volumeSizeGiB,
    rootVolume,
  });
  it.each<[string, Record<string, unknown>, Partial<NodeClass>, number]>([
    ["count all together with RAID0", local, { instanceStorePolicy: "RAID0" }, 900_000_000_000],
    ["count for nothing without it", local, {}, 20 * gi],
    [
      "are the root volume on types that have none",
      {},
      { instanceStorePolicy: "RAID0", blockDevices: [device("/dev/xvda", 50)] },
      50 * gi,
    ],
    ["of AL2023 are /dev/xvda", {}, { blockDevices: [device("/dev/xvdb", 9), device("/dev/xvda", 50)] }, 50 * gi],
    ["of AL2 are /dev/xvda", {}, { amiFamily: "AL2", blockDevices: [device("/dev/xvda", 50)] }, 50 * gi],
    [
      "of Bottlerocket are /dev/xvdb, where pods live",
      {},
      { amiFamily: "Bottlerocket", blockDevices: [device("/dev/xvda", 4), device("/dev/xvdb", 60)] },
      60 * gi,
    ],
    [
      "are what is marked as root, whatever its name",
      {},
      { blockDevices: [device("/dev/xvda", 50), device("/dev/sdf", 70, true)] },
      70 * gi,
    ],
  ])("37: %s", (_, over, of, bytes) => {
    expect(described(over, of).capacity["ephemeral-storage"]).toBe(bytes);
  });
});

describe("38 (aws#6611): memory that the hypervisor keeps", () => {
  // 1024 GiB, of which 1,007,423 MiB were measured to be allocatable; four pods of 240,954 MiB.
  const large = {
    ...catalog.instanceTypes.find(({ InstanceType }) => InstanceType === "a1.small")!,
    InstanceType: "i4i.32xlarge",
    VCpuInfo: { DefaultVCpus: 128 },
    MemoryInfo: { SizeInMiB: 1024 * 1024 },
    NetworkInfo: { Ipv4AddressesPerInterface: 50, MaximumNetworkInterfaces: 15 },
  };
  const nodes = (vmMemoryOverheadPpm: number): number => {
    const only = { ...catalog, instanceTypes: [large], onDemand: { "i4i.32xlarge": 10 }, offerings: {} };
    const settings = { ...snapshot().settings, vmMemoryOverheadPpm };
    const pending = pods(4, { requests: { cpu: 1000, memory: 240_954 * mi, pods: 1 } });
    return planProvisioning(
      snapshot({ catalog: only, settings, nodeClasses: [nodeClass({ kubelet: {} })], pods: pending }),
    ).claims.length;
  };
  it("38: is guessed at 7.5 % unless people say otherwise, which makes two nodes of what fits on one", () => {
    expect([nodes(75_000), nodes(30_000)]).toEqual([2, 1]);
  });
});
