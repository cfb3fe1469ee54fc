// The chart's alerts, asked of Prometheus' own query engine: what they say of a cluster in need, and of one that is well.
// How long a state must last (`for`) is Prometheus' to count.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { chartFolder, handedOver } from "./chart-values.ts";
import { openHelm, provideHelm } from "./helm.ts";

const program = await provideHelm();
const noGo = spawnSync("go", ["version"]).status === 0 ? undefined : "Go is not installed";
const missing = "reason" in program ? program.reason : noGo;

type Values = readonly (number | null)[];
/** Values a minute, by a series' name with its labels. */
type Series = Readonly<Record<string, Values>>;
/** `expected` is the alert's value; undefined: it keeps quiet. */
type Row = readonly [alert: string, what: string, series: Series, atMinute: number, expected: number | undefined];

/** The same value for so many minutes. */
const flat = (value: number | null, minutes: number): Values => Array.from({ length: minutes }, () => value);
/** From a value on, more by the same each minute. */
const rising = (from: number, by: number, minutes: number): Values =>
  Array.from({ length: minutes }, (_, minute) => from + by * minute);

const bucket = (le: string) => `karpenter_nodes_termination_duration_seconds_bucket{le="${le}"}`;
const created = 'karpenter_nodeclaims_created_total{nodepool="default"}';
const eligible = 'karpenter_voluntary_disruption_eligible_nodes{reason="empty"}';
const decisions = 'karpenter_voluntary_disruption_decisions_total{decision="delete"}';
const up = 'up{job="karpenter",namespace="kube-system"}';
const leads = { 'timmerman_relay_leader{pod="a"}': flat(1, 20) };
const failed = 'timmerman_relay_wakes_failed_total{pod="a"}';
const sent = 'timmerman_relay_wakes_sent_total{pod="a"}';
const depth = "karpenter_scheduler_queue_depth";

/** Ten minutes are more than 512 s. */
const slow = { [bucket("512")]: flat(0, 60), [bucket("1024")]: rising(0, 1, 60), [bucket("+Inf")]: rising(0, 1, 60) };
const quick = {
  [bucket("512")]: rising(0, 1, 60),
  [bucket("1024")]: rising(0, 1, 60),
  [bucket("+Inf")]: rising(0, 1, 60),
};

// biome-ignore format: a table
const table: readonly Row[] = [
  ["QueueDepthHigh", "six pods wait", { [depth]: flat(6, 5) }, 4, 6],
  ["QueueDepthHigh", "five pods wait", { [depth]: flat(5, 5) }, 4, undefined],
  ["TerminationSlow", "nodes take more than ten minutes", slow, 40, 998.4],
  ["TerminationSlow", "nodes go at once", quick, 40, undefined],
  ["TerminationSlow", "no node goes", { [bucket("512")]: flat(3, 60), [bucket("+Inf")]: flat(9, 60) }, 59, undefined],
  ["ProvisioningSpike", "claims come after an hour of quiet", { [created]: [...flat(0, 70), ...rising(5, 5, 10)] }, 75, 25],
  ["ProvisioningSpike", "claims come as they always do", { [created]: rising(0, 5, 90) }, 85, undefined],
  ["ProvisioningSpike", "claims come to a new cluster", { [created]: rising(1, 5, 10) }, 6, 25],
  ["ProvisioningSpike", "a few claims come", { [created]: [...flat(0, 70), ...rising(1, 1, 10)] }, 75, undefined],
  ["ConsolidationBlocked", "nothing was ever decided", { [eligible]: flat(5, 90) }, 70, 5],
  ["ConsolidationBlocked", "nothing is decided any more", { [eligible]: flat(5, 90), [decisions]: flat(3, 90) }, 70, 5],
  ["ConsolidationBlocked", "something was decided", { [eligible]: flat(5, 90), [decisions]: [...flat(3, 50), ...flat(4, 40)] }, 70, undefined],
  ["ConsolidationBlocked", "the first decision was made", { [eligible]: flat(5, 90), [decisions]: [...flat(null, 50), ...flat(1, 40)] }, 70, undefined],
  ["ConsolidationBlocked", "nodes were not eligible all the time", { [eligible]: [...flat(5, 30), 1, ...flat(5, 60)] }, 70, undefined],
  ["RelayAbsent", "one answers", { [up]: [1] }, 0, undefined],
  ["RelayAbsent", "none answers", { [up]: [0] }, 0, 1],
  ["RelayAbsent", "none is known", { [depth]: [0] }, 0, 1],
  ["RelaySilent", "one leads", { ...leads, 'timmerman_relay_leader{pod="b"}': flat(0, 20) }, 10, undefined],
  ["RelaySilent", "none leads", { 'timmerman_relay_leader{pod="b"}': flat(0, 20) }, 10, 0],
  ["RelaySilent", "every wake fails", { ...leads, [failed]: rising(0, 1, 20), [sent]: flat(7, 20) }, 10, 5],
  ["RelaySilent", "some wakes fail", { ...leads, [failed]: rising(0, 1, 20), [sent]: rising(0, 1, 20) }, 10, undefined],
  ["RelaySilent", "heartbeats fail", { ...leads, 'timmerman_relay_heartbeat_failures_total{pod="a"}': rising(0, 2, 20) }, 10, 10],
];

function labelsOf(series: string): Record<string, string> {
  const [, name = "", inside = ""] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? [];
  const pairs = [...inside.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label!, value!]);
  return { __name__: name, ...Object.fromEntries(pairs) };
}

describe.skipIf(missing !== undefined)(`the alerts${missing === undefined ? "" : ` (skipped: ${missing})`}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "timmerman-alerts-"));
  const helm = openHelm("path" in program ? program.path : "");
  afterAll(() => {
    helm.close();
    rmSync(folder, { recursive: true, force: true });
  });
  let answers: readonly (readonly number[])[];

  beforeAll(async () => {
    const values = join(folder, "values.yaml");
    writeFileSync(values, stringify({ ...handedOver, prometheusRule: { enabled: true } }));
    const file = "templates/prometheus-rule.yaml";
    const text = await helm("template", "timmerman", chartFolder, "-n", "kube-system", "-f", values, "-s", file);
    const rules = parse(text).spec.groups[0].rules as { alert: string; expr: string }[];
    const expressions = new Map(rules.map(({ alert, expr }) => [alert, expr]));
    const cases = table.map(([alert, , series, atMinute]) => ({
      query: expressions.get(`Timmerman${alert}`),
      atMinute,
      series: Object.entries(series).map(([name, minutes]) => ({ labels: labelsOf(name), values: minutes })),
    }));
    expect(new Set(table.map(([alert]) => alert)).size).toBe(expressions.size);
    const ran = spawnSync("nice", ["go", "run", "./alerts"], {
      cwd: fileURLToPath(new URL("prometheus", import.meta.url)),
      input: JSON.stringify(cases),
      encoding: "utf8",
    });
    if (ran.status !== 0) throw new Error(ran.stderr.slice(-2000));
    answers = JSON.parse(ran.stdout);
  }, 15 * 60_000);

  it.each(table.map((row, index) => [...row, index] as const))(
    "%s, where %s",
    (_alert, _what, _series, _atMinute, expected, index) => {
      const found = answers[index]!.map((value) => Math.round(value * 1e6) / 1e6);
      expect(found).toEqual(expected === undefined ? [] : [expected]);
    },
  );
});
