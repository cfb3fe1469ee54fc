import type { AmiFamilyTraits } from "./ami-family.ts";
import { architectureOf, type Ec2Description } from "./description.ts";
import bandwidth from "./network-bandwidth.generated.json" with { type: "json" };
import { figuresByType } from "./type-figures.ts";

/** Baseline Mbit/s by type as Karpenter has it; 0: AWS gives no figure. */
const bandwidthOf: ReadonlyMap<string, number> = /* @__PURE__ */ figuresByType(bandwidth);

/** `m7i-flex`, `u-6tb1`, `c5`: letters are the category, the first number after them the generation. */
const familyScheme = /^([a-z]+)(?:-\d+tb)?(\d+)/;

const kebab = (text: string): string => text.toLowerCase().replaceAll(" ", "-");

type Labels = Record<string, readonly string[]>;

/**
 * Labels that the description alone settles, each with its one value (tenancy: both). Labels of offerings come later.
 * Keys are written out: objects of one shape are made many times faster, and a catalog has over a thousand.
 */
export function describedLabels(description: Ec2Description, region: string, family: AmiFamilyTraits): Labels {
  const { InstanceType: name, NetworkInfo: network, ProcessorInfo: processor } = description;
  const dot = name.indexOf(".");
  const familyName = dot < 0 ? name : name.slice(0, dot);
  const scheme = familyScheme.exec(name);
  const found: Labels = {
    "node.kubernetes.io/instance-type": [name],
    "kubernetes.io/arch": [architectureOf(description)!],
    "kubernetes.io/os": [family.os],
    "topology.kubernetes.io/region": [region],
    "karpenter.k8s.aws/instance-cpu": [String(description.VCpuInfo.DefaultVCpus)],
    "karpenter.k8s.aws/instance-memory": [String(description.MemoryInfo.SizeInMiB)],
    "karpenter.k8s.aws/instance-hypervisor": [description.Hypervisor ?? ""],
    "karpenter.k8s.aws/instance-encryption-in-transit-supported": [
      network.EncryptionInTransitSupported === true ? "true" : "false",
    ],
    "karpenter.k8s.aws/instance-tenancy": ["default", "dedicated"],
    "karpenter.k8s.aws/instance-capability-flex": [familyName.includes("-flex") ? "true" : "false"],
    "karpenter.k8s.aws/instance-cpu-sustained-clock-speed-mhz": [
      String(Math.round((processor.SustainedClockSpeedInGhz ?? 0) * 1000)),
    ],
  };
  if (scheme !== null) {
    found["karpenter.k8s.aws/instance-category"] = [scheme[1]!];
    found["karpenter.k8s.aws/instance-generation"] = [scheme[2]!];
  }
  if (dot >= 0) {
    found["karpenter.k8s.aws/instance-family"] = [familyName];
    found["karpenter.k8s.aws/instance-size"] = [name.slice(dot + 1)];
  }
  if (processor.Manufacturer !== undefined) {
    found["karpenter.k8s.aws/instance-cpu-manufacturer"] = [kebab(processor.Manufacturer)];
  }
  if (family.windowsBuild !== undefined) found["node.kubernetes.io/windows-build"] = [family.windowsBuild];
  addStorageAndNetworkLabels(found, description);
  addDeviceLabels(found, description);
  return found;
}

function addStorageAndNetworkLabels(found: Labels, description: Ec2Description): void {
  const store = description.InstanceStorageInfo;
  if (store?.TotalSizeInGB !== undefined && store.NvmeSupport !== "unsupported") {
    found["karpenter.k8s.aws/instance-local-nvme"] = [String(store.TotalSizeInGB)];
  }
  const ebs = description.EbsInfo;
  const ebsMbps = ebs?.EbsOptimizedInfo?.MaximumBandwidthInMbps;
  if (ebsMbps !== undefined && ebs?.EbsOptimizedSupport === "default") {
    found["karpenter.k8s.aws/instance-ebs-bandwidth"] = [String(ebsMbps)];
  }
  const networkMbps = bandwidthOf.get(description.InstanceType) ?? baselineMbps(description);
  if (networkMbps > 0) found["karpenter.k8s.aws/instance-network-bandwidth"] = [String(networkMbps)];
}

/** For types newer than the table. */
function baselineMbps(description: Ec2Description): number {
  let gbps = 0;
  for (const card of description.NetworkInfo.NetworkCards ?? []) gbps += card.BaselineBandwidthInGbps ?? 0;
  return Math.round(gbps * 1000);
}

/** Only where there is one kind of device: with several, no single label would be true. */
function addDeviceLabels(found: Labels, description: Ec2Description): void {
  const gpus = description.GpuInfo?.Gpus ?? [];
  if (gpus.length === 1) {
    const [gpu] = gpus;
    found["karpenter.k8s.aws/instance-gpu-name"] = [kebab(gpu!.Name)];
    found["karpenter.k8s.aws/instance-gpu-manufacturer"] = [kebab(gpu!.Manufacturer)];
    found["karpenter.k8s.aws/instance-gpu-count"] = [String(gpu!.Count)];
    found["karpenter.k8s.aws/instance-gpu-memory"] = [String(gpu!.MemoryInfo.SizeInMiB)];
  }
  const neuron = description.NeuronInfo?.NeuronDevices;
  const accelerators = neuron?.map((device) => ({ ...device, Manufacturer: "AWS" }));
  const shown = accelerators ?? description.InferenceAcceleratorInfo?.Accelerators ?? [];
  if (shown.length === 1) {
    const [accelerator] = shown;
    found["karpenter.k8s.aws/instance-accelerator-name"] = [kebab(accelerator!.Name)];
    found["karpenter.k8s.aws/instance-accelerator-manufacturer"] = [kebab(accelerator!.Manufacturer)];
    found["karpenter.k8s.aws/instance-accelerator-count"] = [String(accelerator!.Count)];
  }
}
