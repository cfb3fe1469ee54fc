import { type NodeClass, own, type Resources, type Settings } from "../model/index.ts";
import { parseQuantity } from "../resources/index.ts";
import { type AmiFamilyTraits, amiFamilyTraits } from "./ami-family.ts";
import branchInterfaces from "./branch-interfaces.generated.json" with { type: "json" };
import { architectureOf, type Ec2Description } from "./description.ts";
import { figuresByType } from "./type-figures.ts";

const mib = 1_048_576;
const gib = 1_073_741_824;
const gb = 1_000_000_000;

/** Graviton keeps this much for contiguous memory allocation. */
const armReservedMiB = 64;

const branchInterfacesOf: ReadonlyMap<string, number> = /* @__PURE__ */ figuresByType(branchInterfaces);

/** ⌈amount × ppm / 10^6⌉, exactly, though the product may pass 2^53. */
export function partsPerMillion(amount: number, ppm: number): number {
  const millions = Math.floor(amount / 1_000_000);
  return millions * ppm + Math.ceil(((amount - millions * 1_000_000) * ppm) / 1_000_000);
}

/**
 * Pods that the VPC CNI can address: interfaces × (IPv4 addresses each − 1) + 2, counting the default network card's
 * interfaces only (case 34) without those that are reserved for something else.
 */
export function eniLimitedPods(description: Ec2Description, reservedEnis: number): number {
  const network = description.NetworkInfo;
  const card = network.NetworkCards?.[network.DefaultNetworkCardIndex ?? 0];
  const interfaces = (card?.MaximumNetworkInterfaces ?? network.MaximumNetworkInterfaces) - reservedEnis;
  return interfaces <= 0 ? 0 : interfaces * (network.Ipv4AddressesPerInterface - 1) + 2;
}

/** What the node will tell Kubernetes that it has, before anything is reserved. */
export function capacityOf(description: Ec2Description, nodeClass: NodeClass, settings: Settings): Resources {
  const family = amiFamilyTraits(nodeClass.amiFamily);
  const capacity: Record<string, number> = {
    cpu: description.VCpuInfo.DefaultVCpus * 1000,
    memory: memoryBytes(description, settings),
    "ephemeral-storage": ephemeralBytes(description, nodeClass, family),
    pods: maxPods(description, nodeClass, family, settings),
  };
  for (const [resource, count] of devicesOf(description)) {
    if (count > 0) capacity[resource] = (capacity[resource] ?? 0) + count;
  }
  if (family.os === "windows") {
    capacity["vpc.amazonaws.com/PrivateIPv4Address"] = description.NetworkInfo.Ipv4AddressesPerInterface - 1;
  }
  return capacity;
}

/** The hypervisor keeps a share that EC2 does not publish: an estimate, in whole MiB, rounded up. */
function memoryBytes(description: Ec2Description, settings: Settings): number {
  const isArm = architectureOf(description) === "arm64";
  const sizeMiB = description.MemoryInfo.SizeInMiB - (isArm ? armReservedMiB : 0);
  return (sizeMiB - partsPerMillion(sizeMiB, settings.vmMemoryOverheadPpm)) * mib;
}

/** maxPods if set, else the network's limit (Windows: the kubelet's 110); never more than podsPerCore × cores. */
export function maxPods(
  description: Ec2Description,
  nodeClass: NodeClass,
  family: AmiFamilyTraits,
  settings: Settings,
): number {
  const { maxPods: configured, podsPerCore = 0 } = nodeClass.kubelet;
  const limit = configured ?? (family.eniLimitedPods ? eniLimitedPods(description, settings.reservedEnis) : 110);
  if (podsPerCore === 0 || !family.podsPerCore) return limit;
  return Math.min(limit, podsPerCore * description.VCpuInfo.DefaultVCpus);
}

/**
 * Local disks under RAID0 where the type has them; else the mapping marked as root; else the family's own device (Custom:
 * the last mapping); else the family's default (cases 35, 37).
 */
function ephemeralBytes(description: Ec2Description, nodeClass: NodeClass, family: AmiFamilyTraits): number {
  const localGB = description.InstanceStorageInfo?.TotalSizeInGB ?? 0;
  if (nodeClass.instanceStorePolicy === "RAID0" && localGB > 0) return localGB * gb;
  const devices = nodeClass.blockDevices;
  const root = devices.find((device) => device.rootVolume && device.volumeSizeGiB !== undefined);
  const own =
    family.ephemeralDevice === undefined
      ? devices.at(-1)
      : devices.find((device) => device.deviceName === family.ephemeralDevice);
  const sizeGiB = root?.volumeSizeGiB ?? own?.volumeSizeGiB;
  return sizeGiB === undefined ? family.defaultVolumeBytes : sizeGiB * gib;
}

const gpuResources: Readonly<Record<string, string>> = {
  NVIDIA: "nvidia.com/gpu",
  AMD: "amd.com/gpu",
  Habana: "habana.ai/gaudi",
};

function devicesOf(description: Ec2Description): [string, number][] {
  const devices: [string, number][] = [
    ["vpc.amazonaws.com/efa", description.NetworkInfo.EfaInfo?.MaximumEfaInterfaces ?? 0],
    ["vpc.amazonaws.com/pod-eni", branchInterfacesOf.get(description.InstanceType) ?? 0],
  ];
  for (const gpu of description.GpuInfo?.Gpus ?? []) {
    const resource = own(gpuResources, gpu.Manufacturer);
    if (resource !== undefined) devices.push([resource, gpu.Count]);
  }
  for (const device of description.NeuronInfo?.NeuronDevices ?? []) {
    devices.push(["aws.amazon.com/neuron", device.Count]);
    devices.push(["aws.amazon.com/neuroncore", device.Count * device.CoreInfo.Count]);
  }
  return devices;
}

/** An eviction signal as an amount: bytes, or a percentage of what there is, rounded up. "100%" turns the signal off (case 32). */
export function signalAmount(signal: string, capacityAmount: number, resource: string): number {
  if (!signal.endsWith("%")) return parseQuantity(signal, resource, "up");
  const ppm = Math.round(Number(signal.slice(0, -1)) * 10_000);
  return ppm === 1_000_000 ? 0 : partsPerMillion(capacityAmount, ppm);
}
