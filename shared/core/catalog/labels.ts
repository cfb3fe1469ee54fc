import { labels } from "../model/index.ts";
import type { AmiFamilyTraits } from "./ami-family.ts";
import { architectureOf, type Ec2Description } from "./description.ts";
import bandwidth from "./network-bandwidth.generated.json" with { type: "json" };

/** Baseline Mbit/s by type as Karpenter has it; 0: AWS gives no figure. */
const bandwidthOf: ReadonlyMap<string, number> = new Map(Object.entries(bandwidth));

const aws = (name: string): string => `karpenter.k8s.aws/${name}`;

/** `m7i-flex`, `u-6tb1`, `c5`: letters are the category, the first number after them the generation. */
const familyScheme = /^([a-z]+)(?:-\d+tb)?(\d+)/;

const kebab = (text: string): string => text.toLowerCase().replaceAll(" ", "-");

/** Labels that the description alone settles, each with its one value (tenancy: both). Labels of offerings come later. */
export function describedLabels(
  description: Ec2Description,
  region: string,
  family: AmiFamilyTraits,
): Record<string, readonly string[]> {
  const { InstanceType: name, NetworkInfo: network, ProcessorInfo: processor } = description;
  const found: Record<string, readonly string[]> = {
    [labels.instanceType]: [name],
    [labels.arch]: [architectureOf(description)!],
    [labels.os]: [family.os],
    [labels.region]: [region],
    [aws("instance-cpu")]: [String(description.VCpuInfo.DefaultVCpus)],
    [aws("instance-memory")]: [String(description.MemoryInfo.SizeInMiB)],
    [aws("instance-hypervisor")]: [description.Hypervisor ?? ""],
    [aws("instance-encryption-in-transit-supported")]: [String(network.EncryptionInTransitSupported ?? false)],
    [aws("instance-tenancy")]: ["default", "dedicated"],
  };
  if (family.windowsBuild !== undefined) found["node.kubernetes.io/windows-build"] = [family.windowsBuild];
  addNameLabels(found, name);
  if (processor.Manufacturer !== undefined) found[aws("instance-cpu-manufacturer")] = [kebab(processor.Manufacturer)];
  found[aws("instance-cpu-sustained-clock-speed-mhz")] = [
    String(Math.round((processor.SustainedClockSpeedInGhz ?? 0) * 1000)),
  ];
  addStorageAndNetworkLabels(found, description);
  addDeviceLabels(found, description);
  return found;
}

function addNameLabels(found: Record<string, readonly string[]>, name: string): void {
  const [familyName, size] = name.split(".");
  const scheme = familyScheme.exec(name);
  if (scheme !== null) {
    found[aws("instance-category")] = [scheme[1]!];
    found[aws("instance-generation")] = [scheme[2]!];
  }
  if (size !== undefined) {
    found[aws("instance-family")] = [familyName!];
    found[aws("instance-size")] = [size];
  }
  found[aws("instance-capability-flex")] = [String(familyName!.includes("-flex"))];
}

function addStorageAndNetworkLabels(found: Record<string, readonly string[]>, description: Ec2Description): void {
  const store = description.InstanceStorageInfo;
  if (store?.TotalSizeInGB !== undefined && store.NvmeSupport !== "unsupported") {
    found[aws("instance-local-nvme")] = [String(store.TotalSizeInGB)];
  }
  const ebs = description.EbsInfo;
  const ebsMbps = ebs?.EbsOptimizedInfo?.MaximumBandwidthInMbps;
  if (ebsMbps !== undefined && ebs?.EbsOptimizedSupport === "default") {
    found[aws("instance-ebs-bandwidth")] = [String(ebsMbps)];
  }
  const networkMbps = bandwidthOf.get(description.InstanceType) ?? baselineMbps(description);
  if (networkMbps > 0) found[aws("instance-network-bandwidth")] = [String(networkMbps)];
}

/** For types newer than the table. */
function baselineMbps(description: Ec2Description): number {
  let gbps = 0;
  for (const card of description.NetworkInfo.NetworkCards ?? []) gbps += card.BaselineBandwidthInGbps ?? 0;
  return Math.round(gbps * 1000);
}

/** Only where there is one kind of device: with several, no single label would be true. */
function addDeviceLabels(found: Record<string, readonly string[]>, description: Ec2Description): void {
  const gpus = description.GpuInfo?.Gpus ?? [];
  if (gpus.length === 1) {
    const [gpu] = gpus;
    found[aws("instance-gpu-name")] = [kebab(gpu!.Name)];
    found[aws("instance-gpu-manufacturer")] = [kebab(gpu!.Manufacturer)];
    found[aws("instance-gpu-count")] = [String(gpu!.Count)];
    found[aws("instance-gpu-memory")] = [String(gpu!.MemoryInfo.SizeInMiB)];
  }
  const neuron = description.NeuronInfo?.NeuronDevices;
  const accelerators = neuron?.map((device) => ({ ...device, Manufacturer: "AWS" }));
  const shown = accelerators ?? description.InferenceAcceleratorInfo?.Accelerators ?? [];
  if (shown.length === 1) {
    const [accelerator] = shown;
    found[aws("instance-accelerator-name")] = [kebab(accelerator!.Name)];
    found[aws("instance-accelerator-manufacturer")] = [kebab(accelerator!.Manufacturer)];
    found[aws("instance-accelerator-count")] = [String(accelerator!.Count)];
  }
}
