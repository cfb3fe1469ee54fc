// Devices in literals: classes as NVIDIA's driver installs them, claims, templates, and what a node's driver publishes.
import "../../../shared/core/scheduling/devices/language.ts";
import type {
  Catalog,
  Device,
  DeviceAsk,
  DeviceClass,
  DeviceDemand,
  DeviceRequest,
  Pod,
  PodResourceClaim,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
  Snapshot,
} from "../../../shared/core/model/index.ts";
import { asks, catalog, nodeClass, pod, snapshot } from "./fixtures.ts";

export const driver = "gpu.nvidia.com";

export const gpuClass: DeviceClass = {
  name: driver,
  selectors: ["device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'"],
};
export const neuronClass: DeviceClass = { name: "neuron.aws.com", selectors: ["device.driver == 'neuron.aws.com'"] };

/** `count` GPUs; more selectors, another count or class by `over`. */
export function ask(count: number | "all" = 1, over: Partial<DeviceAsk> = {}): DeviceAsk {
  return { deviceClass: driver, selectors: [], count, tolerations: [], ...over };
}

export function exactly(name: string, of: DeviceAsk = ask()): DeviceRequest {
  return { name, alternatives: [{ name, ...of }] };
}

export function demand(...requests: DeviceRequest[]): DeviceDemand {
  return { requests, constraints: [] };
}

export function template(name: string, of: DeviceDemand): ResourceClaimTemplate {
  return { namespace: "default", name, demand: of };
}

export function resourceClaim(name: string, of: DeviceDemand, over: Partial<ResourceClaim> = {}): ResourceClaim {
  return { namespace: "default", name, uid: `uid-${name}`, demand: of, reservedFor: [], ...over };
}

/** A pod that asks for little beside its claims. */
export function claiming(name: string, claims: readonly PodResourceClaim[], over: Partial<Pod> = {}): Pod {
  return pod(name, { requests: asks(0.1, 0.1), resourceClaims: claims, ...over });
}

export const fromTemplate = (templateName: string, more: Partial<PodResourceClaim> = {}): PodResourceClaim => ({
  name: "gpu",
  templateName,
  ...more,
});
export const named = (claimName: string): PodResourceClaim => ({ name: "gpu", claimName });

export function gpuDevice(name: string, over: Partial<Device> = {}): Device {
  return {
    name,
    attributes: {
      [`${driver}/type`]: { string: "gpu" },
      [`${driver}/productName`]: { string: "Tesla T4" },
      [`${driver}/uuid`]: { string: `GPU-${name}` },
      ...over.attributes,
    },
    capacity: { [`${driver}/memory`]: 15 * 2 ** 30, ...over.capacity },
    taints: over.taints ?? [],
  };
}

export function slice(nodeName: string, devices: readonly Device[], over: Partial<ResourceSlice> = {}): ResourceSlice {
  return {
    name: `${nodeName}-gpus`,
    driver,
    pool: nodeName,
    generation: 1,
    slicesOfPool: 1,
    nodeName,
    devices,
    ...over,
  };
}

/** The catalog of the other fixtures with Trainium: 16 chips, and one. */
export const withChips: Catalog = {
  ...catalog,
  instanceTypes: [
    ...catalog.instanceTypes,
    ...[
      ["trn1.large", 1],
      ["trn1.xlarge", 16],
    ].map(([name, count]) => ({
      ...catalog.instanceTypes[0]!,
      InstanceType: name as string,
      VCpuInfo: { DefaultVCpus: 64 },
      MemoryInfo: { SizeInMiB: 65_536 },
      NeuronInfo: { NeuronDevices: [{ Name: "Trainium", Count: count, CoreInfo: { Count: 2 } }] },
    })),
  ],
  onDemand: { ...catalog.onDemand, "trn1.large": 2, "trn1.xlarge": 20 },
};

/** A snapshot in which devices are planned with. */
export function deviceWorld(over: Partial<Snapshot> = {}): Snapshot {
  const base = snapshot(over);
  return {
    ...base,
    deviceClasses: [gpuClass, neuronClass],
    nodeClasses: [nodeClass()],
    ...over,
    settings: { ...base.settings, ignoreDraRequests: false, ...over.settings },
  };
}
