import { describe, expect, it } from "vitest";
import {
  toDeviceClass,
  toPod,
  toResourceClaim,
  toResourceClaimTemplate,
  toResourceSlice,
} from "../../shared/api/index.ts";

const metadata = { name: "x", namespace: "ml", uid: "uid-x" };
const exactly = { deviceClassName: "gpu.nvidia.com" };
const claim = (devices: object, more: object = {}) => ({
  kind: "ResourceClaim",
  metadata,
  spec: { devices },
  ...more,
});
const plain = { deviceClass: "gpu.nvidia.com", selectors: [], count: 1, tolerations: [] };

describe("a ResourceClaim", () => {
  it("reads as what it asks for, and what it has", () => {
    const expression = "device.driver == 'x'";
    const allocation = {
      devices: { results: [{ request: "a", driver: "gpu.nvidia.com", pool: "n1", device: "gpu-0" }] },
      nodeSelector: {
        nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["n1"] }] }],
      },
    };
    const read = toResourceClaim(
      claim(
        {
          requests: [
            { name: "a", exactly },
            {
              name: "b",
              firstAvailable: [
                { name: "big", ...exactly, count: 2, selectors: [{ cel: { expression } }] },
                { name: "any", ...exactly, allocationMode: "All", tolerations: [{ key: "k", operator: "Exists" }] },
              ],
            },
          ],
          constraints: [{ requests: ["a", "b/big"], matchAttribute: "gpu.nvidia.com/productName" }],
        },
        { status: { allocation, reservedFor: [{ resource: "pods", name: "p", uid: "uid-p" }] } },
      ),
    );
    expect(read).toEqual({
      namespace: "ml",
      name: "x",
      uid: "uid-x",
      demand: {
        requests: [
          { name: "a", alternatives: [{ name: "a", ...plain }] },
          {
            name: "b",
            alternatives: [
              { name: "big", ...plain, count: 2, selectors: [expression] },
              { name: "any", ...plain, count: "all", tolerations: [{ key: "k", operator: "Exists" }] },
            ],
          },
        ],
        constraints: [{ requests: ["a", "b/big"], matchAttribute: "gpu.nvidia.com/productName" }],
      },
      allocation: {
        devices: [{ driver: "gpu.nvidia.com", pool: "n1", device: "gpu-0" }],
        nodeSelector: [{ expressions: [], fields: [{ key: "metadata.name", operator: "In", values: ["n1"] }] }],
      },
      reservedFor: ["uid-p"],
    });
  });

  it.each<[string, object, string]>([
    ["adminAccess", { requests: [{ name: "a", exactly: { ...exactly, adminAccess: true } }] }, "adminAccess"],
    [
      "a share",
      { requests: [{ name: "a", exactly: { ...exactly, capacity: { requests: { memory: "1Gi" } } } }] },
      "share",
    ],
    [
      "a distinct attribute",
      { requests: [{ name: "a", exactly }], constraints: [{ distinctAttribute: "x/y" }] },
      "distinctAttribute",
    ],
  ])("says that %s is not planned with", (_, devices, words) => {
    const { demand } = toResourceClaim(claim(devices));
    expect(demand.unplanned ?? demand.requests[0]!.alternatives[0]!.unplanned).toContain(words);
  });

  it.each<[object, string]>([
    [{ requests: [{ name: "a" }] }, "spec.devices.requests[0].exactly: is missing, and so is firstAvailable"],
    [
      { requests: [{ name: "a", exactly: { ...exactly, count: 0 } }] },
      "spec.devices.requests[0].exactly.count: expected",
    ],
    [{ requests: [{ name: "a", exactly: {} }] }, "spec.devices.requests[0].exactly.deviceClassName: expected a text"],
    [
      { requests: [{ name: "a", exactly: { ...exactly, allocationMode: "Some" } }] },
      "spec.devices.requests[0].exactly.allocationMode: expected one of ExactCount, All",
    ],
  ])("that cannot be read is told with its field", (devices, words) => {
    expect(() => toResourceClaim(claim(devices))).toThrow(`ResourceClaim ml/x: ${words}`);
  });
});

it("a template and a class read as what they ask for", () => {
  const template = { metadata, spec: { spec: { devices: { requests: [{ name: "a", exactly }] } } } };
  expect(toResourceClaimTemplate(template)).toEqual({
    namespace: "ml",
    name: "x",
    demand: { requests: [{ name: "a", alternatives: [{ name: "a", ...plain }] }], constraints: [] },
  });
  const selectors = [{ cel: { expression: "true" } }];
  expect(toDeviceClass({ metadata, spec: { selectors } })).toEqual({ name: "x", selectors: ["true"] });
});

it("a ResourceSlice reads as devices that can be handed out, by whole names", () => {
  const device = {
    name: "gpu-0",
    attributes: {
      type: { string: "gpu" },
      cuda: { version: "8.6.0" },
      index: { int: 3 },
      ecc: { bool: true },
      "resource.kubernetes.io/pcieRoot": { string: "pci0" },
    },
    capacity: { memory: { value: "23028Mi" } },
    taints: [
      { key: "sick", effect: "NoExecute", value: "yes" },
      { key: "told", effect: "None" },
    ],
  };
  const others = [
    { name: "part", consumesCounters: [{ counterSet: "gpu-0" }] },
    { name: "common", allowMultipleAllocations: true },
    { name: "fabric", bindingConditions: ["attached"] },
  ];
  const pool = { name: "n1", generation: 4, resourceSliceCount: 2 };
  const read = toResourceSlice({
    metadata,
    spec: { driver: "gpu.nvidia.com", nodeName: "n1", pool, devices: [device, ...others] },
  });
  expect(read).toEqual({
    name: "x",
    driver: "gpu.nvidia.com",
    pool: "n1",
    generation: 4,
    slicesOfPool: 2,
    nodeName: "n1",
    devices: [
      {
        name: "gpu-0",
        attributes: {
          "gpu.nvidia.com/type": { string: "gpu" },
          "gpu.nvidia.com/cuda": { version: "8.6.0" },
          "gpu.nvidia.com/index": { int: 3 },
          "gpu.nvidia.com/ecc": { bool: true },
          "resource.kubernetes.io/pcieRoot": { string: "pci0" },
        },
        capacity: { "gpu.nvidia.com/memory": 23_028 * 2 ** 20 },
        taints: [{ key: "sick", value: "yes", effect: "NoExecute" }],
      },
    ],
  });
  const odd = { metadata, spec: { driver: "d", pool, devices: [{ name: "a", attributes: { x: { float: 1 } } }] } };
  expect(() => toResourceSlice(odd)).toThrow("ResourceSlice ml/x: spec.devices[0].attributes.x: expected a string");
});

it("a pod's claims are read with those that were made for it", () => {
  const spec = {
    containers: [{ name: "main" }],
    resourceClaims: [
      { name: "a", resourceClaimName: "shared" },
      { name: "b", resourceClaimTemplateName: "t" },
      { name: "c", resourceClaimTemplateName: "t" },
      { name: "d", resourceClaimTemplateName: "t" },
    ],
  };
  const status = { resourceClaimStatuses: [{ name: "b", resourceClaimName: "p-b-1" }, { name: "c" }] };
  expect(toPod({ kind: "Pod", metadata, spec, status }).resourceClaims).toEqual([
    { name: "a", claimName: "shared" },
    { name: "b", claimName: "p-b-1", templateName: "t" },
    { name: "c", templateName: "t", isUnneeded: true },
    { name: "d", templateName: "t" },
  ]);
});
