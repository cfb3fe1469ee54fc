import { describe, expect, it } from "vitest";
import { toPod } from "../../shared/api/index.ts";

type Amounts = Record<string, string | number>;
const container = (requests?: Amounts, limits?: Amounts, more: object = {}) => ({
  name: "c",
  resources: { ...(requests && { requests }), ...(limits && { limits }) },
  ...more,
});
const sidecar = (requests: Amounts) => container(requests, undefined, { restartPolicy: "Always" });
const requestsOf = (spec: object) => toPod({ kind: "Pod", metadata: { name: "p" }, spec }).requests;

describe("what a pod asks of its node", () => {
  it.each<[string, object, object]>([
    ["nothing but a place", { containers: [container()] }, { pods: 1 }],
    [
      "the sum of its containers",
      { containers: [container({ cpu: "100m" }), container({ cpu: 1, memory: "1Gi" })] },
      { cpu: 1100, memory: 1073741824, pods: 1 },
    ],
    [
      "limits where requests are absent",
      { containers: [container({ cpu: "100m" }, { cpu: "1", memory: "64Mi", "nvidia.com/gpu": 1 })] },
      { cpu: 100, memory: 67108864, "nvidia.com/gpu": 1, pods: 1 },
    ],
    [
      "resources whose names every object inherits",
      { containers: [container({ constructor: 1 }, { valueOf: 2 }), container({ constructor: 1 })] },
      { constructor: 2, valueOf: 2, pods: 1 },
    ],
    [
      "a single init container that needs more",
      {
        containers: [container({ cpu: "100m" })],
        initContainers: [container({ cpu: "300m" }), container({ memory: "1Mi" })],
      },
      { cpu: 300, memory: 1048576, pods: 1 },
    ],
    [
      "less for init containers than for containers",
      { containers: [container({ cpu: "500m" })], initContainers: [container({ cpu: "300m" })] },
      { cpu: 500, pods: 1 },
    ],
    // Kubernetes' documentation of sidecar containers; cases core#479 and core#569.
    [
      "a sidecar beside the init containers after it",
      {
        containers: [container({ cpu: "100m" })],
        initContainers: [sidecar({ cpu: "100m" }), container({ cpu: "200m" })],
      },
      { cpu: 300, pods: 1 },
    ],
    [
      "a sidecar that starts after the init containers",
      {
        containers: [container({ cpu: "100m" })],
        initContainers: [container({ cpu: "200m" }), sidecar({ cpu: "100m" })],
      },
      { cpu: 200, pods: 1 },
    ],
    [
      "sidecars that stay",
      { containers: [container({ cpu: "100m" })], initContainers: [sidecar({ cpu: "50m" }), sidecar({ cpu: "60m" })] },
      { cpu: 210, pods: 1 },
    ],
    [
      "overhead on top",
      {
        containers: [container({ cpu: "1" })],
        initContainers: [container({ cpu: "2" })],
        overhead: { cpu: "250m", memory: "1Mi" },
      },
      { cpu: 2250, memory: 1048576, pods: 1 },
    ],
    [
      "what is asked for the pod as a whole",
      {
        containers: [container({ cpu: "2", memory: "1Mi", "nvidia.com/gpu": 1 })],
        resources: { requests: { cpu: "1" } },
      },
      { cpu: 1000, memory: 1048576, "nvidia.com/gpu": 1, pods: 1 },
    ],
    [
      "the pod's limit where no container asks",
      { containers: [container({ cpu: "2" })], resources: { limits: { cpu: "4", memory: "1Mi" } } },
      { cpu: 2000, memory: 1048576, pods: 1 },
    ],
    [
      "overhead on top of the whole",
      { containers: [container()], resources: { requests: { cpu: "1" } }, overhead: { cpu: "250m" } },
      { cpu: 1250, pods: 1 },
    ],
    [
      "no more of a device for the whole",
      { containers: [container()], resources: { requests: { "nvidia.com/gpu": 4 } } },
      { pods: 1 },
    ],
    [
      "huge pages of the whole by their limit",
      { containers: [container({ "hugepages-2Mi": "2Mi" })], resources: { limits: { "hugepages-2Mi": "4Mi" } } },
      { "hugepages-2Mi": 4194304, pods: 1 },
    ],
    [
      "fractions rounded up",
      { containers: [container({ cpu: "0.0001", memory: "1500m" })] },
      { cpu: 1, memory: 2, pods: 1 },
    ],
  ])("%s", (_, spec, expected) => {
    expect(requestsOf(spec)).toEqual(expected);
  });
});

describe("a name that no record can hold", () => {
  const named = JSON.parse('{"__proto__": "1"}') as Amounts;

  it("is refused as a resource and as a label", () => {
    const message = "is no name that Kubernetes allows";
    expect(() => requestsOf({ containers: [container(named)] })).toThrow(message);
    expect(() => requestsOf({ containers: [container()], nodeSelector: named })).toThrow(message);
  });
});
