import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { PlanDocument } from "../../cli/output/plan-document.ts";
import { planYaml } from "../../cli/output/plan-yaml.ts";
import { planning, pod, pool, workload } from "./planning.ts";

const { of, ofText, run, end } = planning();
afterAll(end);

describe("-o yaml", () => {
  const plan: PlanDocument = {
    nodeClaims: [],
    existingNodes: [],
    unschedulable: [],
    ignored: [],
    disruption: [],
    blocked: [],
    leaving: [],
    cost: { currentPerHour: 0.5, plannedPerHour: 0 },
    warnings: [],
    nextChangeAt: null,
  };
  // What YAML 1.1, YAML 1.2 and the readers of either take for something else than a text
  it.each(
    "yes on No y null ~ 1_000 2026-01-01 1:30 0o7 0x1F .5 1e3 = << -1 +1 .inf .NaN true NULL 2026-01-01T00:00:00Z 1,5".split(
      " ",
    ),
  )("says %s as a text to readers of YAML 1.1 and 1.2, as a value and as a key", (word) => {
    const unschedulable = [{ pod: word, reason: word, nodePools: { [word]: word } }];
    const printed = planYaml({ ...plan, unschedulable });
    expect(parse(printed, { version: "1.1" })).toEqual({ ...plan, unschedulable });
    expect(parse(printed, { version: "1.2" })).toEqual({ ...plan, unschedulable });
    expect(printed.split(JSON.stringify(word))).toHaveLength(5);
  });

  it("leaves plain texts and numbers plain", async () => {
    const { out } = await of([pool, pod("p", "1")], "-o", "yaml");
    expect(out).toContain("nodePool: default\n");
    expect(out).toContain('cpu: "1"\n');
    expect(out).toContain("currentPerHour: 0\n");
  });
});

describe("input that nothing can be made of", () => {
  it.each<[string, unknown, string]>([
    ["a pod without a spec", { ...pod("p", "1"), spec: undefined }, "Pod default/p: spec: is missing"],
    [
      "owners that are none",
      pod("p", "1", {}, { ownerReferences: 1.5 }),
      "Pod default/p: metadata.ownerReferences: expected a list",
    ],
    [
      "containers that are none",
      pod("p", "1", { containers: [null] }),
      "Pod default/p: spec.containers[0]: expected an object",
    ],
    [
      "a DaemonSet without a template",
      { apiVersion: "apps/v1", kind: "DaemonSet", metadata: { name: "d" }, spec: {} },
      "DaemonSet default/d: spec.template: is missing",
    ],
    [
      "a Job with less than none to do",
      workload("Job", "j", { completions: -1 }),
      "Job default/j: spec.completions: expected a whole number",
    ],
  ])("%s is refused in one line", async (_, item, problem) => {
    const limits = { limits: [{ type: "Container", default: { cpu: "1" } }] };
    const range = { apiVersion: "v1", kind: "LimitRange", metadata: { name: "l" }, spec: limits };
    const { code, out, err } = await of([pool, range, item]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^timmerman plan: [^\n]*: document 1: items\[2\]: [^\n]*\n$/);
    expect(err).toContain(problem);
  });

  it.each(["", "---\n# nothing\n", '{"apiVersion":"v1","kind":"List","items":[]}'])(
    "%j has no manifests",
    async (text) => {
      const { code, out, err } = await ofText(text, "-o", "json");
      expect(code).toBe(0);
      expect(err).toMatch(/^no manifest was read from \S+in\.yaml\n$/);
      expect(JSON.parse(out).nodeClaims).toEqual([]);
    },
  );

  it("/dev/null has none either", async () => {
    expect(await run("-f", "/dev/null")).toMatchObject({ code: 0, err: "no manifest was read from /dev/null\n" });
  });
});
