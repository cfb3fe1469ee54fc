// What the relay exports, read by Prometheus' own code. `go run` builds it: some three minutes with a cold build cache.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { busyCluster } from "../relay/metrics/busy-cluster.ts";
import { parseExposition } from "../relay/metrics/parse-exposition.ts";

const folder = fileURLToPath(new URL("prometheus", import.meta.url));
const noGo = spawnSync("go", ["version"]).status !== 0;
if (noGo && process.env.CI === "true") throw new Error("Go is not installed, so that Prometheus cannot be asked");

interface Report {
  readonly families: Readonly<Record<string, string>>;
  readonly series: number;
  readonly answers: Readonly<Record<string, readonly { labels: Readonly<Record<string, string>>; value: string }[]>>;
}

/** The known alerts' expressions, as people have them, and two of the dashboards'. */
const queries = [
  "karpenter_scheduler_queue_depth > 5",
  "histogram_quantile(0.95, karpenter_nodes_termination_duration_seconds_bucket) > 600",
  "rate(karpenter_nodeclaims_created_total[5m])",
  "karpenter_voluntary_disruption_eligible_nodes > 1 unless on() sum(rate(karpenter_voluntary_disruption_decisions_total[5m])) > 0",
  'karpenter_nodes_termination_duration_seconds{job="karpenter",quantile="0.5"}',
  'sum by (resource_type) (karpenter_nodepools_usage{resource_type="cpu"}) / sum by (resource_type) (karpenter_nodepools_limit{resource_type="cpu"})',
] as const;

describe.skipIf(noGo)(`Prometheus${noGo ? " (Go is not installed)" : ""}`, () => {
  const text = busyCluster();
  let report: Report;

  beforeAll(() => {
    const ran = spawnSync("go", ["run", ".", ...queries], {
      cwd: folder,
      input: text,
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    });
    if (ran.status !== 0) throw new Error(ran.stderr.slice(-2000));
    report = JSON.parse(ran.stdout) as Report;
  }, 15 * 60_000);

  it("reads the families that we wrote, and takes the summary's buckets for a family of their own", () => {
    const written = [...parseExposition(text)].map(([name, { type }]) => [name, type.toUpperCase()]);
    expect(report.families).toEqual({
      ...Object.fromEntries(written),
      karpenter_nodes_termination_duration_seconds_bucket: "UNTYPED",
    });
  });

  it("stores every line as a series", () => {
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(report.series).toBe(lines.length);
  });

  it.each<[(typeof queries)[number], readonly (readonly [label: string, value: number])[]]>([
    [queries[0], [["provisioner", 6]]],
    [queries[1], [["default", 1002.8]]],
    [queries[2], [["default", 0]]],
    [queries[3], [["empty", 2]]],
    [queries[4], [["default", 900]]],
    [queries[5], [["cpu", 0.06]]],
  ])("answers %s", (query, expected) => {
    const answers = report.answers[query]!.map(({ labels, value }) => [
      labels.controller ?? labels.nodepool ?? labels.reason ?? labels.resource_type,
      Number(value),
    ]);
    expect(answers.map(([label]) => label)).toEqual(expected.map(([label]) => label));
    for (const [index, [, value]] of expected.entries()) expect(answers[index]![1]).toBeCloseTo(value, 6);
  });
});
