import type { InstanceTypeDescription } from "../model/index.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What the catalog's readers use of a description (Ec2Description); `true`: the field as it is. */
const keptFields: Readonly<Record<string, readonly string[] | true>> = {
  SupportedUsageClasses: true,
  SupportedVirtualizationTypes: true,
  BareMetal: true,
  Hypervisor: true,
  ProcessorInfo: ["Manufacturer", "SupportedArchitectures", "SustainedClockSpeedInGhz"],
  VCpuInfo: ["DefaultVCpus"],
  MemoryInfo: ["SizeInMiB"],
  InstanceStorageInfo: ["NvmeSupport", "TotalSizeInGB"],
  EbsInfo: ["EbsOptimizedSupport", "EbsOptimizedInfo", "MaximumEbsAttachments", "AttachmentLimitType"],
  NetworkInfo: [
    "DefaultNetworkCardIndex",
    "Ipv4AddressesPerInterface",
    "MaximumNetworkInterfaces",
    "EncryptionInTransitSupported",
    "EfaInfo",
    "NetworkCards",
  ],
  GpuInfo: ["Gpus"],
  InferenceAcceleratorInfo: ["Accelerators"],
  NeuronInfo: ["NeuronDevices"],
};
const keptOfEbs = ["MaximumBandwidthInMbps"];
const keptOfCard = ["NetworkCardIndex", "MaximumNetworkInterfaces", "BaselineBandwidthInGbps"];

/**
 * A description with only what is read of it: a sixth of what EC2 sends. Names and values stay EC2's; the order of
 * fields is ours, so that equal descriptions are equal as text too.
 */
export function trimDescription(described: InstanceTypeDescription): InstanceTypeDescription {
  const kept: Record<string, unknown> & { InstanceType: string } = { InstanceType: described.InstanceType };
  for (const [group, fields] of Object.entries(keptFields)) {
    const value = described[group];
    if (value === undefined || value === null) continue;
    kept[group] = fields === true ? value : pick(value as Fields, fields);
  }
  const { EbsInfo: ebs, NetworkInfo: network } = kept as { EbsInfo?: Fields; NetworkInfo?: Fields };
  if (ebs?.EbsOptimizedInfo !== undefined) {
    kept.EbsInfo = { ...ebs, EbsOptimizedInfo: pick(ebs.EbsOptimizedInfo as Fields, keptOfEbs) };
  }
  if (network?.NetworkCards !== undefined) {
    kept.NetworkInfo = {
      ...network,
      NetworkCards: (network.NetworkCards as Fields[]).map((card) => pick(card, keptOfCard)),
    };
  }
  return kept;
}

function pick(from: Fields, fields: readonly string[]): Fields {
  return Object.fromEntries(fields.flatMap((field) => (from[field] === undefined ? [] : [[field, from[field]]])));
}
