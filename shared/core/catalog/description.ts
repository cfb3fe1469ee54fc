import type { InstanceTypeDescription } from "../model/index.ts";

/** The fields of an EC2 `DescribeInstanceTypes` object that are read here. Names and units are EC2's. */
export interface Ec2Description extends InstanceTypeDescription {
  readonly SupportedUsageClasses?: readonly string[];
  readonly SupportedVirtualizationTypes?: readonly string[];
  readonly BareMetal?: boolean;
  /** Absent on metal. */
  readonly Hypervisor?: string;
  readonly ProcessorInfo: {
    readonly Manufacturer?: string;
    readonly SupportedArchitectures: readonly string[];
    readonly SustainedClockSpeedInGhz?: number;
  };
  readonly VCpuInfo: { readonly DefaultVCpus: number };
  readonly MemoryInfo: { readonly SizeInMiB: number };
  readonly InstanceStorageInfo?: { readonly NvmeSupport?: string; readonly TotalSizeInGB?: number };
  readonly EbsInfo?: {
    readonly EbsOptimizedSupport?: string;
    readonly EbsOptimizedInfo?: { readonly MaximumBandwidthInMbps?: number };
    /** Of the root volume too. */
    readonly MaximumEbsAttachments?: number;
    /** Whether volumes share their attachments with network interfaces and instance stores: `shared` or `dedicated`. */
    readonly AttachmentLimitType?: string;
  };
  readonly NetworkInfo: {
    readonly DefaultNetworkCardIndex?: number;
    readonly Ipv4AddressesPerInterface: number;
    readonly MaximumNetworkInterfaces: number;
    readonly EncryptionInTransitSupported?: boolean;
    readonly EfaInfo?: { readonly MaximumEfaInterfaces?: number };
    readonly NetworkCards?: readonly {
      readonly NetworkCardIndex?: number;
      readonly MaximumNetworkInterfaces?: number;
      readonly BaselineBandwidthInGbps?: number;
    }[];
  };
  readonly GpuInfo?: {
    readonly Gpus: readonly {
      readonly Name: string;
      readonly Manufacturer: string;
      readonly Count: number;
      readonly MemoryInfo: { readonly SizeInMiB: number };
    }[];
  };
  readonly InferenceAcceleratorInfo?: {
    readonly Accelerators: readonly { readonly Name: string; readonly Manufacturer: string; readonly Count: number }[];
  };
  readonly NeuronInfo?: {
    readonly NeuronDevices: readonly {
      readonly Name: string;
      readonly Count: number;
      readonly CoreInfo: { readonly Count: number };
    }[];
  };
}

const neededNumbers: readonly (readonly [string, string])[] = [
  ["VCpuInfo", "DefaultVCpus"],
  ["MemoryInfo", "SizeInMiB"],
  ["NetworkInfo", "Ipv4AddressesPerInterface"],
  ["NetworkInfo", "MaximumNetworkInterfaces"],
];

/** The first field without which nothing can be said about a type, or undefined if all are there. */
export function descriptionFault(description: InstanceTypeDescription): string | undefined {
  if (typeof description.InstanceType !== "string") return "InstanceType";
  for (const [group, field] of neededNumbers) {
    const value = (description[group] as Record<string, unknown> | undefined)?.[field];
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) return `${group}.${field}`;
  }
  const processor = description.ProcessorInfo as { SupportedArchitectures?: unknown } | undefined;
  if (!Array.isArray(processor?.SupportedArchitectures)) return "ProcessorInfo.SupportedArchitectures";
  return undefined;
}

/** Kubernetes' name of the architecture; undefined for those that no AMI family has (i386, Mac). */
export function architectureOf(description: Ec2Description): "amd64" | "arm64" | undefined {
  for (const architecture of description.ProcessorInfo.SupportedArchitectures) {
    if (architecture === "x86_64") return "amd64";
    if (architecture === "arm64") return "arm64";
  }
  return undefined;
}

/** Karpenter considers only these: an architecture it knows, and hardware virtualisation. */
export function isUsable(description: Ec2Description): boolean {
  if (architectureOf(description) === undefined) return false;
  return description.SupportedVirtualizationTypes?.includes("hvm") ?? true;
}
