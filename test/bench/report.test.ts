import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InputError } from "../../cli/input-error.ts";
import { benchSolve } from "./solve.ts";
import { median, timed } from "./timing.ts";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));
const bench = (...argv: string[]) => spawnSync(process.execPath, [main, ...argv], { encoding: "utf8" });
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bench-"));
  writeFileSync(join(folder, "w.json"), JSON.stringify({ apiVersion: "v1", kind: "List", items: [pool, deployment] }));
});
afterAll(() => rmSync(folder, { recursive: true }));

const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
const pool = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "default" },
  spec: { template: { spec: { nodeClassRef, requirements: [] } }, disruption: { consolidateAfter: "0s" } },
};
const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: {
    replicas: 3,
    template: { spec: { containers: [{ name: "c", resources: { requests: { cpu: "1" } } }] } },
  },
};

describe("bench", () => {
  it("solve: the contract's figures, and the plan as timmerman plan prints it", () => {
    const out = join(folder, "plan.json");
    const told = bench("solve", "--workload", join(folder, "w.json"), "--runs", "2", "--plan-out", out);
    const report = JSON.parse(told.stdout);
    expect(Object.keys(report)).toEqual([
      "workload",
      "pods",
      "types",
      "runs",
      "coldSeconds",
      "seconds",
      "podsPerSecond",
      "nodes",
      "unschedulable",
      "costPerHour",
      "boundPerHour",
      "typesPerClaim",
      "peakRssMiB",
      "planSeconds",
      "preferences",
      "faults",
    ]);
    expect(report).toMatchObject({ pods: 3, runs: 2, unschedulable: 0, faults: [] });
    const plan = JSON.parse(readFileSync(out, "utf8"));
    expect(plan.nodeClaims).toHaveLength(report.nodes);
    expect(plan.cost.plannedPerHour).toBe(report.costPerHour);
    expect(report.boundPerHour).toBeLessThanOrEqual(report.costPerHour);
  });

  it("disrupt: commands, savings and simulations", () => {
    const told = bench("disrupt", "--workload", join(folder, "w.json"), "--runs", "1");
    expect(JSON.parse(told.stdout)).toMatchObject({
      pods: 3,
      nodesNow: 0,
      commands: 0,
      savingsPerHour: 0,
      simulations: 0,
    });
  });

  it.each<[string[], string]>([
    [[], "no input"],
    [["--workload", "x", "--runs", "0"], '--runs: "0" is not a count'],
    [["--workload", "x", "-o", "yaml"], '--output: "yaml" is neither'],
    [["--workload", "x", "--now", "soon"], '--now: "soon" is not a time'],
    [["--workload", "singing-5"], '"singing-5" is neither a file nor one of diverse-1000'],
    [["--workload", "x", "--types", "few"], '--types: "few" is not a count'],
    [["--workload", "x", "--batch", "0"], '--batch: "0" is not a count'],
    [["--workload", "/nowhere.json"], "/nowhere.json: there is no such file"],
    [["--fast"], "--fast"],
  ])("solve %j is refused in one line", async (argv, message) => {
    await expect(benchSolve(argv)).rejects.toThrow(InputError);
    await expect(benchSolve(argv)).rejects.toThrow(message);
  });

  it("a benchmark that does not exist is one line and exit code 1", () => {
    const told = bench("sing");
    expect(told.status).toBe(1);
    expect(told.stderr).toMatch(/^bench: "sing" is none of solve, disrupt, batches, growth, .*diverse-1000.*\n$/);
  });
});

describe("timing", () => {
  it("takes the first run apart from the others", () => {
    let runs = 0;
    const { result, seconds, coldSeconds } = timed(3, () => ++runs);
    expect(result).toBe(3);
    expect(coldSeconds).toBeGreaterThanOrEqual(0);
    expect(seconds.min).toBeLessThanOrEqual(seconds.max);
  });

  it.each([
    [[], 0],
    [[4], 4],
    [[1, 2, 9], 2],
    [[1, 2, 4, 9], 3],
  ])("the median of %j is %d", (sorted, expected) => {
    expect(median(sorted)).toBe(expected);
  });
});
