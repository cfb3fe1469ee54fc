import type { Device, DeviceAttribute, InstanceTypeDescription } from "../model/index.ts";
import type { Ec2Description } from "./description.ts";

/** What one driver will publish on a node. */
export interface DeclaredDevices {
  readonly driver: string;
  readonly devices: readonly Device[];
}

interface GpuModel {
  readonly productName: string;
  readonly architecture: string;
  readonly cudaComputeCapability: string;
  /** As the driver counts it: less than EC2's figure where error correction takes some. */
  readonly memoryMib: number;
}

const nvidiaDriver = "gpu.nvidia.com";
const neuronDriver = "neuron.aws.com";

/**
 * By EC2's name, and its memory where two models bear that name: what the driver reads from a card (NVML's product name and
 * memory, NVIDIA's table of compute capabilities), which EC2 does not say.
 */
const gpuModels: Readonly<Record<string, GpuModel>> = {
  "V100 16384": model("Tesla V100-SXM2-16GB", "Volta", "7.0.0", 16_384),
  "V100 32768": model("Tesla V100-SXM2-32GB", "Volta", "7.0.0", 32_768),
  T4: model("Tesla T4", "Turing", "7.5.0", 15_360),
  T4g: model("NVIDIA T4G", "Turing", "7.5.0", 15_360),
  A10G: model("NVIDIA A10G", "Ampere", "8.6.0", 23_028),
  "A100 40960": model("NVIDIA A100-SXM4-40GB", "Ampere", "8.0.0", 40_960),
  "A100 81920": model("NVIDIA A100-SXM4-80GB", "Ampere", "8.0.0", 81_920),
  L4: model("NVIDIA L4", "Ada Lovelace", "8.9.0", 23_034),
  L40S: model("NVIDIA L40S", "Ada Lovelace", "8.9.0", 46_068),
  H100: model("NVIDIA H100 80GB HBM3", "Hopper", "9.0.0", 81_559),
  H200: model("NVIDIA H200", "Hopper", "9.0.0", 143_771),
  B200: model("NVIDIA B200", "Blackwell", "10.0.0", 183_359),
};

/** Sizes of the groups of connected chips that a type with 16 Trainium chips is divided into. */
const groupSizes = [1, 4, 8, 16];

/**
 * The devices that drivers for Dynamic Resource Allocation will publish on a new node of this type, as far as that is sure:
 * whole NVIDIA GPUs (driver gpu.nvidia.com) and Neuron chips (neuron.aws.com). Attributes that only a running node has
 * (uuids, bus addresses, driver versions) are not among them, and neither is anything of a GPU that this file does not
 * know but that it is one. A share of a GPU is none.
 */
export function declaredDevices(described: InstanceTypeDescription): readonly DeclaredDevices[] {
  const { GpuInfo, NeuronInfo, InstanceType } = described as Ec2Description;
  const gpus = (GpuInfo?.Gpus ?? [])
    .filter(({ Manufacturer }) => Manufacturer === "NVIDIA")
    .flatMap(({ Name, Count, MemoryInfo }) => repeat(Count, () => gpu(Name, MemoryInfo?.SizeInMiB ?? 0)));
  const chips = (NeuronInfo?.NeuronDevices ?? []).flatMap(({ Count }) =>
    repeat(Count, (index) => chip(InstanceType, index, Count)),
  );
  return [
    { driver: nvidiaDriver, devices: gpus.map((one, index) => ({ ...one, name: `gpu-${index}` })) },
    { driver: neuronDriver, devices: chips.map((one, index) => ({ ...one, name: `neuron-${index}` })) },
  ].filter(({ devices }) => devices.length > 0);
}

function model(productName: string, architecture: string, cudaComputeCapability: string, memoryMib: number): GpuModel {
  return { productName, architecture, cudaComputeCapability, memoryMib };
}

function repeat<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: Math.max(0, Math.floor(count)) }, (_, index) => make(index));
}

function gpu(name: string, memoryMib: number): Omit<Device, "name"> {
  const at = (attribute: string): string => `${nvidiaDriver}/${attribute}`;
  const attributes: Record<string, DeviceAttribute> = { [at("type")]: { string: "gpu" } };
  const known = gpuModels[name] ?? gpuModels[`${name} ${memoryMib}`];
  if (known === undefined) return { attributes, capacity: {}, taints: [] };
  attributes[at("brand")] = { string: "Nvidia" };
  attributes[at("productName")] = { string: known.productName };
  attributes[at("architecture")] = { string: known.architecture };
  attributes[at("cudaComputeCapability")] = { version: known.cudaComputeCapability };
  return { attributes, capacity: { [at("memory")]: known.memoryMib * 2 ** 20 }, taints: [] };
}

function chip(typeName: string, index: number, count: number): Omit<Device, "name"> {
  const attributes: Record<string, DeviceAttribute> = {
    [`${neuronDriver}/instanceType`]: { string: typeName },
    [`${neuronDriver}/deviceId`]: { int: index },
  };
  if (typeName.startsWith("trn") && count === 16) {
    for (const size of groupSizes) {
      attributes[`resource.aws.com/devicegroup${size}_id`] = { string: `group ${Math.floor(index / size)}` };
    }
  }
  return { attributes, capacity: {}, taints: [] };
}
