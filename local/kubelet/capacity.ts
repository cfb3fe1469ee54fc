// What a kubelet on an EC2 instance reports: all of its vCPUs, the memory that its kernel sees, pods by network interfaces,
// and allocatable after the reservations that EKS' node images make. Written apart from the catalog of the planning core.

export interface InstanceDescription {
  readonly VCpuInfo: { readonly DefaultVCpus: number };
  readonly MemoryInfo: { readonly SizeInMiB: number };
  readonly NetworkInfo: {
    readonly DefaultNetworkCardIndex?: number;
    readonly Ipv4AddressesPerInterface: number;
    readonly MaximumNetworkInterfaces: number;
    readonly NetworkCards?: readonly { readonly NetworkCardIndex: number; readonly MaximumNetworkInterfaces: number }[];
  };
  readonly GpuInfo?: { readonly Gpus?: readonly { readonly Count: number; readonly Manufacturer: string }[] };
}

/** Share of the memory that firmware and kernel keep; less than the 7.5 % that planners allow for, as on real instances. */
const kernelShare = 0.035;
const mib = 1024 * 1024;

/** Milli-CPU reserved by EKS' images: 6 % of the first core, 1 % of the second, ½ % of two more, ¼ % of the rest. */
function reservedMilliCpu(cores: number): number {
  let reserved = 0;
  for (let core = 0; core < cores; core++) reserved += core === 0 ? 60 : core === 1 ? 10 : core < 4 ? 5 : 2.5;
  return Math.ceil(reserved);
}

function podsOf(description: InstanceDescription): number {
  const network = description.NetworkInfo;
  const card = network.NetworkCards?.find((c) => c.NetworkCardIndex === (network.DefaultNetworkCardIndex ?? 0));
  const interfaces = card?.MaximumNetworkInterfaces ?? network.MaximumNetworkInterfaces;
  return interfaces * (network.Ipv4AddressesPerInterface - 1) + 2;
}

/** `capacity` and `allocatable` of a node on such an instance, as quantities. `volumeGiB` is the root volume. */
export function reportCapacity(
  description: InstanceDescription,
  options: { maxPods?: number; volumeGiB: number },
): { capacity: Record<string, string>; allocatable: Record<string, string> } {
  const cores = description.VCpuInfo.DefaultVCpus;
  const networkPods = podsOf(description);
  const pods = options.maxPods ?? networkPods;
  const memoryMiB = Math.floor(description.MemoryInfo.SizeInMiB * (1 - kernelShare));
  const reservedMiB = 255 + 11 * networkPods + 100;
  const gpus = Object.fromEntries(
    (description.GpuInfo?.Gpus ?? []).map((gpu) => [
      gpu.Manufacturer === "AMD" ? "amd.com/gpu" : "nvidia.com/gpu",
      String(gpu.Count),
    ]),
  );
  const diskBytes = options.volumeGiB * 1024 * mib;
  return {
    capacity: {
      cpu: String(cores),
      memory: `${memoryMiB}Mi`,
      pods: String(pods),
      "ephemeral-storage": String(diskBytes),
      ...gpus,
    },
    allocatable: {
      cpu: `${cores * 1000 - reservedMilliCpu(cores)}m`,
      memory: `${memoryMiB - reservedMiB}Mi`,
      pods: String(pods),
      "ephemeral-storage": String(Math.floor(diskBytes * 0.9) - 1024 * mib),
      ...gpus,
    },
  };
}
