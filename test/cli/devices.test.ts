import { afterAll, describe, expect, it } from "vitest";
import { type Doc, planning, pod, pool } from "./planning.ts";

const { json, of, end } = planning();
afterAll(end);

const device = (kind: string, name: string, spec: Doc): Doc => ({
  apiVersion: "resource.k8s.io/v1",
  kind,
  metadata: { name },
  spec,
});
const gpus = device("DeviceClass", "gpu.nvidia.com", {
  selectors: [
    {
      cel: { expression: "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'" },
    },
  ],
});
const template = device("ResourceClaimTemplate", "one", {
  spec: { devices: { requests: [{ name: "gpu", exactly: { deviceClassName: "gpu.nvidia.com" } }] } },
});
const claiming = (name: string): Doc =>
  pod(name, "100m", { resourceClaims: [{ name: "gpu", resourceClaimTemplateName: "one" }] });
const node: Doc = {
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "n1" },
  status: { allocatable: { cpu: "4", memory: "8Gi", pods: "20" }, capacity: { cpu: "4", memory: "8Gi", pods: "20" } },
};
const slice = device("ResourceSlice", "n1-gpus", {
  driver: "gpu.nvidia.com",
  nodeName: "n1",
  pool: { name: "n1", generation: 1, resourceSliceCount: 1 },
  devices: ["gpu-0", "gpu-1"].map((name) => ({ name, attributes: { type: { string: "gpu" } } })),
});
const taken: Doc = {
  ...device("ResourceClaim", "taken", {
    devices: { requests: [{ name: "gpu", exactly: { deviceClassName: "gpu.nvidia.com" } }] },
  }),
  status: { allocation: { devices: { results: [{ driver: "gpu.nvidia.com", pool: "n1", device: "gpu-0" }] } } },
};
const all = [pool, node, gpus, template, slice, taken, claiming("a"), claiming("b")];
const honoured = ["--setting", "ignore-dra-requests=false"];

describe("plan, with resource claims", () => {
  it("refuses their pods while devices are not planned with, and says which setting that is", async () => {
    const { unschedulable } = await json(...all);
    expect(unschedulable.map(({ pod: name }: { pod: string }) => name)).toEqual(["default/a", "default/b"]);
    expect(unschedulable[0].reason).toContain("the setting ignore-dra-requests is false: set it so");
  });

  it("gives out what a node has, once", async () => {
    const { code, out, err } = await of(all, "-o", "json", ...honoured);
    const { existingNodes, unschedulable } = JSON.parse(out);
    expect([code, err]).toEqual([2, expect.not.stringContaining("Resource")]);
    expect(existingNodes).toEqual([{ node: "n1", pods: ["default/a"] }]);
    expect(unschedulable[0]).toMatchObject({
      pod: "default/b",
      nodePools: {
        default: "no instance type that it allows has the devices (1 × gpu.nvidia.com) of the pod's claims",
      },
    });
  });

  it("names file, document and field of a claim that cannot be read", async () => {
    const bad = device("ResourceClaim", "bad", { devices: { requests: [{ name: "gpu" }] } });
    const { code, err } = await of([...all, bad], ...honoured);
    expect(code).toBe(1);
    expect(err).toMatch(/in\.yaml.*ResourceClaim default\/bad: spec\.devices\.requests\[0\]\.exactly: is missing/);
  });
});
