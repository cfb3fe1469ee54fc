import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { alarmMetricMicroUsdPerMonth, alarmMetrics, alarmRules } from "../../stacks/alarms.ts";
import { dashboardMicroUsdPerMonth, dashboards } from "../../stacks/dashboards.ts";
import { metrics } from "../../stacks/metrics.ts";
import { monitored } from "./monitored-input.ts";
import { readPage, tableIn, tables, unaligned, writePage } from "./monitoring-page.ts";

if (process.env.UPDATE_DOCS === "1") writePage();

const usd = (microUsd: number) => `$${(microUsd / 1_000_000).toFixed(2)}`;

describe("docs/monitoring.md", () => {
  it.each(Object.keys(tables))("has the table of %s as the lists give it", (name) => {
    expect(tableIn(readPage(), name)).toBe(tables[name]);
  });

  it("has the series of Karpenter's that docs/metrics.md says are in CloudWatch", () => {
    const other = unaligned(readFileSync(new URL("../../docs/metrics.md", import.meta.url), "utf8"));
    const said = [...other.matchAll(/^\| `(karpenter_[a-z_]+)` \| [^|]*CloudWatch/gm)].map(([, name]) => name!);
    expect(said.sort()).toEqual(metrics.flatMap(({ name }) => (name.startsWith("karpenter_") ? [name] : [])).sort());
  });

  it("says what dashboards and alarms cost", () => {
    const rules = alarmRules(monitored);
    const alarms = alarmMetrics(rules);
    const ofClusters = alarmMetrics(alarmRules({ ...monitored, clusters: ["blue"], alarmsPerCluster: true })) - alarms;
    const text = readPage().replaceAll(/\s+/g, " ");
    expect(text).toContain(
      `${rules.length} alarms look at ${alarms} metrics: ${usd(alarms * alarmMetricMicroUsdPerMonth)} a month`,
    );
    expect(text).toContain(
      `five alarms on ${ofClusters} metrics for each cluster, ${usd(ofClusters * alarmMetricMicroUsdPerMonth)} a month`,
    );
    expect(text).toContain(
      `two dashboards cost ${usd(dashboards(monitored).length * dashboardMicroUsdPerMonth)} a month`,
    );
  });
});
