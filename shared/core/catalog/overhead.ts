import { type NodeClass, own, type Resources, type Settings } from "../model/index.ts";
import { amiFamilyTraits } from "./ami-family.ts";
import { eniLimitedPods, maxPods, partsPerMillion, signalAmount } from "./capacity.ts";
import type { Ec2Description } from "./description.ts";

const mib = 1_048_576;
const gib = 1_073_741_824;

/** Shares of each band of cores that the kubelet keeps, in thousandths of a percent: up to core 1, 2, 4, and beyond. */
const cpuBands: readonly (readonly [from: number, to: number, ppm: number])[] = [
  [0, 1, 60_000],
  [1, 2, 10_000],
  [2, 4, 5_000],
  [4, Number.MAX_SAFE_INTEGER, 2_500],
];

/** Milli-CPU kept for the kubelet; each band is rounded down to a whole milli-CPU. */
export function kubeReservedMilliCpu(vcpus: number): number {
  let reserved = 0;
  for (const [from, to, ppm] of cpuBands) {
    reserved += Math.floor((Math.max(0, Math.min(vcpus, to) - from) * 1000 * ppm) / 1_000_000);
  }
  return reserved;
}

/** What pods can use: capacity − kube-reserved − system-reserved − hard eviction threshold. Soft thresholds only warn. */
export function allocatableOf(
  description: Ec2Description,
  nodeClass: NodeClass,
  settings: Settings,
  capacity: Resources,
): Resources {
  const family = amiFamilyTraits(nodeClass.amiFamily);
  const pods = family.eniLimitedReserve
    ? eniLimitedPods(description, 0)
    : maxPods(description, nodeClass, family, settings);
  const kubeReserved: Resources = {
    cpu: kubeReservedMilliCpu(description.VCpuInfo.DefaultVCpus),
    memory: (11 * pods + 255) * mib,
    "ephemeral-storage": gib,
    ...nodeClass.kubelet.kubeReserved,
  };
  const allocatable: Record<string, number> = { ...capacity };
  const overheads = [kubeReserved, nodeClass.kubelet.systemReserved ?? {}, evictionThreshold(nodeClass, capacity)];
  for (const overhead of overheads) {
    for (const resource of Object.keys(overhead)) {
      const amount = own(allocatable, resource);
      if (amount !== undefined) allocatable[resource] = Math.max(0, amount - overhead[resource]!);
    }
  }
  return allocatable;
}

/** Defaults: 100 MiB of memory, a tenth of the disk. */
function evictionThreshold(nodeClass: NodeClass, capacity: Resources): Resources {
  const hard = nodeClass.kubelet.evictionHard ?? {};
  const [memory, disk] = [hard["memory.available"], hard["nodefs.available"]];
  const diskBytes = capacity["ephemeral-storage"] ?? 0;
  return {
    memory: memory === undefined ? 100 * mib : signalAmount(memory, capacity.memory ?? 0, "memory"),
    "ephemeral-storage":
      disk === undefined ? partsPerMillion(diskBytes, 100_000) : signalAmount(disk, diskBytes, "ephemeral-storage"),
  };
}
