import { describe, expect, it } from "vitest";
import { toWorkload } from "../../shared/api/index.ts";

const template = { spec: { containers: [] } };
const workload = (kind: string, spec: object, status: object = {}) =>
  toWorkload({ kind, metadata: { name: "w" }, spec: { template, ...spec }, status });
const ended = (type: string, status: string) => ({ conditions: [{ type, status }] });

describe("toWorkload", () => {
  it.each<[string, object, object, number]>([
    ["Deployment", {}, {}, 1],
    ["Deployment", { replicas: null }, {}, 1],
    ["ReplicaSet", { replicas: 0 }, {}, 0],
    ["StatefulSet", { replicas: 3 }, {}, 3],
    ["Job", { parallelism: 4 }, {}, 4],
    ["Job", { parallelism: 4, completions: 6 }, { succeeded: 3 }, 3],
    ["Job", { parallelism: 4, completions: 6 }, { succeeded: 7 }, 0],
    ["Job", { parallelism: 0, completions: 6 }, {}, 0],
    ["Job", { parallelism: 4 }, { succeeded: 1 }, 0],
    ["Job", { parallelism: 4, suspend: true }, {}, 0],
    ["Job", { parallelism: 4 }, ended("Complete", "True"), 0],
    ["Job", { parallelism: 4 }, ended("Failed", "True"), 0],
    ["Job", { parallelism: 4 }, ended("FailureTarget", "True"), 0],
    ["Job", { parallelism: 4 }, ended("SuccessCriteriaMet", "True"), 0],
    ["Job", { parallelism: 4 }, ended("Failed", "False"), 4],
    ["Job", { parallelism: 4 }, ended("Suspended", "True"), 4],
  ])("a %s of %j with %j makes pods: %i", (kind, spec, status, pods) => {
    expect(workload(kind, spec, status).pods).toBe(pods);
  });

  it.each<[string, object, string]>([
    ["Deployment", { replicas: "3" }, 'Deployment w: spec.replicas: expected a number, got "3"'],
    ["Deployment", { replicas: 2.5 }, "Deployment w: spec.replicas: expected a whole number from 0 on, got 2.5"],
    ["Job", { parallelism: -3 }, "Job w: spec.parallelism: expected a whole number from 0 on, got -3"],
    ["Job", { suspend: true, completions: true }, "Job w: spec.completions: expected a number, got true"],
    ["ReplicaSet", { template: undefined }, "ReplicaSet w: spec.template: is missing"],
    ["ReplicaSet", { template: 1 }, "ReplicaSet w: spec.template: expected an object, got 1"],
    ["ReplicaSet", { template: {} }, "ReplicaSet w: spec.template.spec: is missing"],
    [
      "StatefulSet",
      { template: { spec: { volumes: 0 } } },
      "StatefulSet w: spec.template.spec.volumes: expected a list",
    ],
    [
      "StatefulSet",
      { template: { ...template, metadata: { labels: { a: 1 } } } },
      "StatefulSet w: spec.template.metadata.labels.a: expected a text",
    ],
    ["StatefulSet", { volumeClaimTemplates: [{}] }, "StatefulSet w: spec.volumeClaimTemplates[0].metadata.name: is"],
    ["CronJob", {}, "workload w: kind: expected one of Deployment, ReplicaSet, StatefulSet, Job"],
  ])("a %s of %j is refused", (kind, spec, problem) => {
    expect(() => workload(kind, spec)).toThrow(problem);
  });

  it("names a StatefulSet's claim templates", () => {
    const spec = { volumeClaimTemplates: [{ metadata: { name: "data" } }, { metadata: { name: "log" } }] };
    expect(workload("StatefulSet", spec).claimTemplates).toEqual(["data", "log"]);
    expect(workload("Deployment", spec).claimTemplates).toEqual([]);
  });
});
