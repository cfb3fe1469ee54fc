// docs/cost.md adds up: its money is its counts times its prices, and what it takes from elsewhere is what stands there.
// The counts themselves are held by `npm run test:cost`.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { comparisonTable, moneyTable, months, relayPods } from "./money.ts";
import { inputsIn, podsMicroUsd, sumsOf } from "./sums.ts";
import { readPage, readTable, withTable, writePage, writes } from "./tables.ts";

const file = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe("docs/cost.md", () => {
  const inputs = inputsIn(readPage());

  it.each([
    ["money", moneyTable],
    ["comparison", comparisonTable],
  ] as const)("%s is the counts times the prices", (name, tableFrom) => {
    const table = tableFrom(inputs);
    if (writes) writePage(withTable(readPage(), name, table));
    const asPage = `<!-- ${name} -->\n${table}\n<!-- /${name} -->`;
    expect(readTable(readPage(), name)).toEqual(readTable(asPage, name));
  });

  it("says in short, as does the deploy page, what the table has", () => {
    const inWords = (dollars: number) => `$${Math.round(dollars)}`;
    const total = (name: string) => sumsOf(inputs, months[name]!).total / 1_000_000;
    const [rest, busy] = [inWords(total("1 at rest")), inWords(total("1 busy"))];
    const page = readPage().replace(/\s+/g, " ");
    expect(page).toContain(`costs ${rest} at rest and ${busy} when busy`);
    expect(page).toContain(`Timmerman for its ${rest}.`);
    const each = ["1,000 at rest", "1,000 busy"].map((name) => inWords(total(name) / 1_000));
    expect(page).toContain(`a thousand clusters cost ${each.join(" to ")} each`);
    expect(file("docs/deploy.md")).toContain(`some ${rest} a month`);
  });

  it("has the alarms and dashboards of docs/monitoring.md, and its relay is the chart's", () => {
    const looked = /alarms look at (\d+) metrics/.exec(file("docs/monitoring.md"))?.[1];
    expect(inputs.assumed["metrics that alarms look at"]).toBe(Number(looked));
    expect(parse(file("charts/timmerman/values.yaml"))).toMatchObject({
      replicas: relayPods.replicas,
      controller: {
        resources: { requests: { cpu: `${relayPods.milliCpu}m`, memory: `${relayPods.mebibytes}Mi` } },
      },
    });
  });
});

describe("sums", () => {
  const inputs = inputsIn(readPage());
  const at = (name: string) => sumsOf(inputs, months[name]!);

  it("grow with clusters where something is each cluster's, and stay where it is the deployment's", () => {
    const [one, many] = [at("1 at rest").lines, at("1,000 at rest").lines];
    expect(many["DynamoDB, heartbeats"]).toBeCloseTo(1_000 * one["DynamoDB, heartbeats"]!);
    for (const name of ["SQS, polls of empty queues", "CloudWatch, alarms", "CloudWatch, dashboards"]) {
      expect(many[name], name).toBe(one[name]);
    }
    // Warm processes: less than a thousand times as much.
    expect(many["Lambda, duration"]!).toBeGreaterThan(300 * one["Lambda, duration"]!);
    expect(many["Lambda, duration"]!).toBeLessThan(1_000 * one["Lambda, duration"]!);
  });

  it("are literally so", () => {
    // 120 heartbeats an hour of 3 units; 730 hours; $0.625 for a million: 262,800 units.
    expect(at("1 at rest").lines["DynamoDB, heartbeats"]).toBeCloseTo(164_250);
    // Six queues, five pollers, three polls a minute: 3,942,000 requests at $0.40 a million.
    expect(at("1 at rest").lines["SQS, polls of empty queues"]).toBeCloseTo(1_576_800);
    // 61 runs an hour by a schedule, $1 a million.
    expect(at("1,000 busy").lines["EventBridge Scheduler"]).toBeCloseTo(44_530);
    // Half of a node's two vCPUs, 730 hours, $0.096.
    const karpenter = podsMicroUsd(inputs, { replicas: 1, milliCpu: 1_000, mebibytes: 1_024 }, 1);
    expect(karpenter.node).toBeCloseTo(35_040_000);
    expect(karpenter.fargate).toBeCloseTo(730 * (40_480 + 2 * 4_445));
  });

  it("are more when there is more to do", () => {
    for (const clusters of ["1", "1,000"]) {
      const [rest, busy] = [at(`${clusters} at rest`), at(`${clusters} busy`)];
      expect(busy.total).toBeGreaterThan(rest.total);
      expect(busy.nodes).toBeGreaterThan(rest.nodes);
    }
  });
});
