// Pods that an API server would refuse are bad input: one line that names file, document, object, field and rule.
import { afterAll, describe, expect, it } from "vitest";
import { type Doc, planning, pod, pool, workload } from "./planning.ts";

const plan = planning();
afterAll(plan.end);

const selector = { matchLabels: { app: "web" } };
const spread = (over: Doc): Doc => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", labelSelector: selector, ...over },
  ],
});
const hard = "requiredDuringSchedulingIgnoredDuringExecution";
const soft = "preferredDuringSchedulingIgnoredDuringExecution";
const term = (over: Doc): Doc => ({ topologyKey: "zone", labelSelector: selector, ...over });
const near = (over: Doc): Doc => ({ affinity: { podAffinity: { [hard]: [term(over)] } } });
const wish = (weight: unknown): Doc => ({
  affinity: { podAntiAffinity: { [soft]: [{ weight, podAffinityTerm: term({}) }] } },
});
const nodes = (expression: Doc): Doc => ({
  affinity: { nodeAffinity: { [hard]: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } } },
});
const nodeWish = (weight: unknown): Doc => ({
  affinity: { nodeAffinity: { [soft]: [{ weight, preference: { matchExpressions: [] } }] } },
});
const ports = (...all: Doc[]): Doc => ({ containers: [{ name: "c", ports: all }] });

// biome-ignore format: a table
const table: readonly (readonly [what: string, spec: Doc, field: string, rule: string])[] = [
  ["maxSkew 1.5", spread({ maxSkew: 1.5 }), "spec.topologySpreadConstraints[0].maxSkew", "whole number"],
  ["maxSkew 0", spread({ maxSkew: 0 }), "spec.topologySpreadConstraints[0].maxSkew", "1 or more"],
  ["maxSkew -1", spread({ maxSkew: -1 }), "spec.topologySpreadConstraints[0].maxSkew", "1 or more"],
  ["minDomains -1", spread({ minDomains: -1 }), "spec.topologySpreadConstraints[0].minDomains", "greater than zero"],
  ["minDomains of a wish", spread({ minDomains: 2, whenUnsatisfiable: "ScheduleAnyway" }), "spec.topologySpreadConstraints[0].minDomains", "only use minDomains if whenUnsatisfiable=DoNotSchedule"],
  ["no topologyKey", spread({ topologyKey: "" }), "spec.topologySpreadConstraints[0].topologyKey", "empty"],
  ["a topologyKey with a blank", spread({ topologyKey: "a zone" }), "spec.topologySpreadConstraints[0].topologyKey", "name part"],
  ["an unknown action", spread({ whenUnsatisfiable: "Sometimes" }), "spec.topologySpreadConstraints[0].whenUnsatisfiable", "DoNotSchedule"],
  ["an unknown policy", spread({ nodeTaintsPolicy: "Maybe" }), "spec.topologySpreadConstraints[0].nodeTaintsPolicy", "Honor"],
  ["a constraint twice", { topologySpreadConstraints: [...spread({}).topologySpreadConstraints as Doc[], ...spread({ maxSkew: 2 }).topologySpreadConstraints as Doc[]] }, "spec.topologySpreadConstraints[0]", "Duplicate"],
  ["label keys without a selector", spread({ labelSelector: undefined, matchLabelKeys: ["rev"] }), "spec.topologySpreadConstraints[0].matchLabelKeys", "labelSelector"],
  ["a selector's bad label", spread({ labelSelector: { matchLabels: { "a b": "c" } } }), "spec.topologySpreadConstraints[0].labelSelector.matchLabels", "name part"],
  ["a term without a topologyKey", near({ topologyKey: "" }), `spec.affinity.podAffinity.${hard}[0].topologyKey`, "empty"],
  ["a selector's unknown operator", near({ labelSelector: { matchExpressions: [{ key: "a", operator: "Gt", values: ["1"] }] } }), `spec.affinity.podAffinity.${hard}[0].labelSelector.matchExpressions[0].operator`, "In"],
  ["weight 0", wish(0), `spec.affinity.podAntiAffinity.${soft}[0].weight`, "1-100"],
  ["weight 101", wish(101), `spec.affinity.podAntiAffinity.${soft}[0].weight`, "1-100"],
  ["weight 1.5 for nodes", nodeWish(1.5), `spec.affinity.nodeAffinity.${soft}[0].weight`, "1-100"],
  ["a bad key of a node label", nodes({ key: "a/b/c", operator: "Exists" }), `spec.affinity.nodeAffinity.${hard}.nodeSelectorTerms[0].matchExpressions[0].key`, "qualified name"],
  ["an unknown operator for nodes", nodes({ key: "a", operator: "Like", values: ["b"] }), `spec.affinity.nodeAffinity.${hard}.nodeSelectorTerms[0].matchExpressions[0].operator`, "In"],
  ["a bad node selector", { nodeSelector: { "-a": "b" } }, "spec.nodeSelector", "name part"],
  ["a toleration of everything with a value", { tolerations: [{ operator: "Equal", value: "x" }] }, "spec.tolerations[0].operator", "Exists"],
  ["host port 70000", ports({ containerPort: 80, hostPort: 70_000 }), "spec.containers[0].ports[0].hostPort", "65535"],
  ["a host port twice", ports({ containerPort: 80, hostPort: 80 }, { containerPort: 81, hostPort: 80 }), "spec.containers[0].ports[1].hostPort", "Duplicate"],
  ["an unknown protocol", ports({ containerPort: 80, hostPort: 80, protocol: "HTTP" }), "spec.containers[0].ports[0].protocol", "SCTP"],
];

describe("a pod that the API server would refuse", () => {
  it.each(table)("is refused: %s", async (_, spec, field, rule) => {
    const told = await plan.of([pool, pod("fine", "1"), pod("web", "1", spec)]);
    expect([told.code, told.out]).toEqual([1, ""]);
    expect(told.err).toMatch(/^timmerman plan: .*in\.yaml: document 1: items\[2\]: Pod default\/web: [^\n]*\n$/);
    expect(told.err).toContain(` ${field}`);
    expect(told.err).toContain(rule);
  });

  it.each(["Deployment", "StatefulSet", "Job", "DaemonSet"])("is refused in the template of a %s", async (kind) => {
    const template = { spec: { containers: [{ name: "c" }], ...spread({ maxSkew: 0 }) } };
    const { code, err } = await plan.of([pool, workload(kind, "web", { template })]);
    expect(code).toBe(1);
    expect(err).toContain(`${kind} default/web: spec.template.spec.topologySpreadConstraints[0].maxSkew: `);
  });

  it("is refused for a label of its own", async () => {
    const { code, err } = await plan.of([pool, pod("web", "1", {}, { labels: { app: "my web" } })]);
    expect([code, err]).toEqual([1, expect.stringContaining("Pod default/web: metadata.labels: Invalid value")]);
  });

  it("is not one that a cluster has merged label keys into the selector of", async () => {
    const merged = { matchExpressions: [{ key: "rev", operator: "In", values: ["1"] }] };
    const spec = { ...spread({ labelSelector: merged, matchLabelKeys: ["rev"] }), nodeSelector: { "a/b": "" } };
    expect((await plan.of([pool, pod("web", "1", spec, { labels: { rev: "1" } })])).code).not.toBe(1);
  });
});
