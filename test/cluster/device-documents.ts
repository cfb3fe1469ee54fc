// Device classes, claims and slices of the model as documents of resource.k8s.io/v1 that the API server takes.
import type {
  Device,
  DeviceAllocation,
  DeviceAsk,
  DeviceClass,
  DeviceDemand,
  Taint,
} from "../../shared/core/model/index.ts";

const apiVersion = "resource.k8s.io/v1";
const selector = (expression: string) => ({ cel: { expression } });

export function deviceClassDocument({ name, selectors }: DeviceClass): object {
  return { apiVersion, kind: "DeviceClass", metadata: { name }, spec: { selectors: selectors.map(selector) } };
}

function askFields({ deviceClass, selectors, count, tolerations }: DeviceAsk): object {
  return {
    deviceClassName: deviceClass,
    selectors: selectors.map(selector),
    tolerations,
    ...(count === "all" ? { allocationMode: "All" } : { allocationMode: "ExactCount", count }),
  };
}

export function resourceClaimDocument(name: string, { requests, constraints }: DeviceDemand): object {
  const devices = {
    requests: requests.map(({ name: request, alternatives }) =>
      alternatives.length === 1
        ? { name: request, exactly: askFields(alternatives[0]!) }
        : {
            name: request,
            firstAvailable: alternatives.map((one) => ({ name: one.name, ...askFields(one) })),
          },
    ),
    constraints,
  };
  return { apiVersion, kind: "ResourceClaim", metadata: { name }, spec: { devices } };
}

/** The status of a claim that has devices, as kube-scheduler writes it; `request`: the claim's only one. */
export function allocatedStatus({ devices }: DeviceAllocation, request: string): object {
  return { status: { allocation: { devices: { results: devices.map((one) => ({ request, ...one })) } } } };
}

/** Attributes and capacities without a domain are the driver's. */
export function sliceDocument(nodeName: string, driver: string, devices: readonly Device[]): object {
  return {
    apiVersion,
    kind: "ResourceSlice",
    metadata: { name: `${nodeName}-${driver}` },
    spec: {
      driver,
      nodeName,
      pool: { name: nodeName, generation: 1, resourceSliceCount: 1 },
      devices: devices.map(({ name, attributes, capacity, taints }) => ({
        name,
        attributes,
        capacity: Object.fromEntries(Object.entries(capacity).map(([key, value]) => [key, { value: String(value) }])),
        ...(taints.length === 0 ? {} : { taints: taints.map((taint: Taint) => ({ ...taint })) }),
      })),
    },
  };
}
