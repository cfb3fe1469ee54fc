// The embedded scheduler's own sums and selections: they judge what the planning core says, so they are tested by literals.
import { describe, expect, it } from "vitest";
import { amountOf, requestsOf } from "../../../local/cluster/requests.ts";
import { matchesNode, selectsLabels, toleratesAll } from "../../../local/cluster/selection.ts";
import type { KubeObject } from "../../../local/kube/types.ts";

const pod = (spec: object): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec });
const container = (requests: object, more: object = {}) => ({ name: "c", resources: { requests }, ...more });
const node = (labels: Record<string, string>): KubeObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "n1", labels },
});

describe("requests", () => {
  it.each([
    ["cpu", "100m", 100],
    ["cpu", "1.5", 1500],
    ["cpu", 2, 2000],
    ["cpu", "0.0001", 1],
    ["memory", "1Gi", 1_073_741_824],
    ["memory", "1e3", 1000],
    ["nvidia.com/gpu", "1", 1],
  ])("%s %s is %d", (resource, quantity, amount) => {
    expect(amountOf(resource, quantity)).toBe(amount);
  });

  it("take limits where a request is absent, and count one pod", () => {
    const spec = {
      containers: [{ name: "c", resources: { limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "1" } } }],
    };
    expect(requestsOf(pod(spec))).toEqual({ cpu: 1000, memory: 1_073_741_824, pods: 1 });
  });

  it("sum sidecars with containers and raise to the largest init step", () => {
    const initContainers = [container({ cpu: "100m" }, { restartPolicy: "Always" }), container({ cpu: "200m" })];
    expect(requestsOf(pod({ containers: [container({ cpu: "100m" })], initContainers }))).toEqual({
      cpu: 300,
      pods: 1,
    });
    const early = [container({ cpu: "200m" }), container({ cpu: "100m" }, { restartPolicy: "Always" })];
    expect(requestsOf(pod({ containers: [container({ cpu: "50m" })], initContainers: early }))).toEqual({
      cpu: 200,
      pods: 1,
    });
  });

  it("add overhead and let pod-level resources replace the sum", () => {
    const spec = {
      containers: [container({ cpu: "1" })],
      resources: { requests: { cpu: "500m" } },
      overhead: { cpu: "250m" },
    };
    expect(requestsOf(pod(spec))).toEqual({ cpu: 750, pods: 1 });
  });
});

describe("node selection", () => {
  const affinity = (...terms: object[]) => ({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
  });
  const term = (key: string, operator: string, ...values: string[]) => ({
    matchExpressions: [{ key, operator, values }],
  });

  it.each([
    ["a matching selector", { nodeSelector: { a: "1" } }, true],
    ["a differing selector", { nodeSelector: { a: "2" } }, false],
    ["one of two terms", affinity(term("a", "In", "9"), term("n", "Gt", "4")), true],
    ["no term", affinity(term("a", "In", "9")), false],
    ["an empty term", affinity({}), false],
    ["NotIn of an absent label", affinity(term("z", "NotIn", "1")), true],
    ["In of an absent label", affinity(term("z", "In", "1")), false],
    ["Lt at the bound", affinity(term("n", "Lt", "5")), false],
    ["DoesNotExist", affinity(term("z", "DoesNotExist")), true],
    ["the node's name", affinity({ matchFields: [{ key: "metadata.name", operator: "In", values: ["n1"] }] }), true],
    ["another's name", affinity({ matchFields: [{ key: "metadata.name", operator: "In", values: ["n2"] }] }), false],
  ])("with %s: %s", (_, spec, expected) => {
    expect(matchesNode(spec, node({ a: "1", n: "5" }))).toBe(expected);
  });

  it.each([
    ["nothing", undefined, false],
    ["everything", {}, true],
    ["by label", { matchLabels: { a: "1" } }, true],
    ["by expression", { matchExpressions: [{ key: "a", operator: "NotIn", values: ["1"] }] }, false],
  ])("a label selector selects %s", (_, selector, expected) => {
    expect(selectsLabels(selector, { a: "1" })).toBe(expected);
  });

  it.each([
    ["none", [], false],
    ["of everything", [{ operator: "Exists" }], true],
    ["of the key", [{ key: "k", operator: "Exists" }], true],
    ["of the value", [{ key: "k", value: "v", effect: "NoSchedule" }], true],
    ["of another value", [{ key: "k", value: "w" }], false],
    ["of another effect", [{ key: "k", operator: "Exists", effect: "NoExecute" }], false],
  ])("toleration %s", (_, tolerations, expected) => {
    expect(
      toleratesAll(tolerations, [{ key: "k", value: "v", effect: "NoSchedule" }], ["NoSchedule", "NoExecute"]),
    ).toBe(expected);
  });

  it("passes over taints of effects that are not asked about", () => {
    expect(toleratesAll([], [{ key: "k", effect: "PreferNoSchedule" }], ["NoSchedule"])).toBe(true);
  });
});
