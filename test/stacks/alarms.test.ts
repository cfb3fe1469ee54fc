import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type AlarmArgs, alarmArgs, alarmMetrics, alarmRules, createAlarms } from "../../stacks/alarms.ts";
import { dimensionSets, metricNamed, namespace } from "../../stacks/metrics.ts";
import { deadLetterQueues, functions, monitored, queues } from "./monitored-input.ts";

const topicArn = "arn:aws:sns:eu-west-1:123456789012:on-call";
const alarms = alarmArgs(monitored);
const named = (name: string): AlarmArgs => alarms.find((alarm) => alarm.name === `timmerman-production-${name}`)!;
const firstMetric = (name: string) => named(name).metricQueries.find(({ metric }) => metric !== undefined)!.metric!;

describe("the alarms of a deployment", () => {
  it("are as many for a thousand clusters as for none", () => {
    const clusters = Array.from({ length: 1_000 }, (_, at) => `c${at}`);
    const rules = alarmRules({ ...monitored, clusters });
    expect(rules.length).toBe(alarmRules({ ...monitored, clusters: [] }).length);
    // 4 dollars and 30 cents a month.
    expect([rules.length, alarmMetrics(rules)]).toEqual([26, 41]);
  });

  it("have names of their own, a description that fits, and periods that CloudWatch takes", () => {
    expect(new Set(alarms.map(({ name }) => name)).size).toBe(alarms.length);
    for (const { name, alarmDescription, evaluationPeriods, datapointsToAlarm, metricQueries } of alarms) {
      expect(name.length).toBeLessThanOrEqual(255);
      expect(alarmDescription.length).toBeLessThanOrEqual(1_024);
      expect(datapointsToAlarm).toBeLessThanOrEqual(evaluationPeriods);
      const periods = metricQueries.flatMap(({ metric }) => metric?.period ?? []);
      for (const period of periods) {
        expect(period % 60).toBe(0);
        // An alarm looks back a day at most; with periods of an hour and longer, a week.
        expect(period * evaluationPeriods).toBeLessThanOrEqual(86_400);
      }
    }
  });

  it("compare one thing each, of at most ten metrics, by formulas whose ids are there", () => {
    for (const { name, metricQueries } of alarms) {
      expect(metricQueries.filter(({ returnData }) => returnData).length, name).toBe(1);
      expect(metricQueries.filter(({ metric }) => metric !== undefined).length).toBeLessThanOrEqual(10);
      const ids = metricQueries.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { id, expression, metric } of metricQueries) {
        expect(id).toMatch(/^[a-z][a-zA-Z0-9_]*$/);
        expect((expression === undefined) !== (metric === undefined)).toBe(true);
        if (expression === undefined) continue;
        expect(expression).not.toMatch(/SEARCH|SELECT/);
        expect(ids).toEqual(expect.arrayContaining(expression.match(/\b[a-z]+\b/g) ?? []));
      }
    }
  });

  it("look only at metrics that are written, with dimensions that they have", () => {
    for (const { metricQueries } of [...alarms, ...alarmArgs({ ...monitored, alarmsPerCluster: true })]) {
      for (const { metric } of metricQueries) {
        if (metric === undefined || metric.namespace.startsWith("AWS/")) continue;
        expect(metric.namespace).toBe(namespace);
        const { service, ...others } = metric.dimensions;
        expect(service).toBe("timmerman-production");
        expect(dimensionSets(metricNamed(metric.metricName)).map((set) => set.join())).toContain(
          Object.keys(others).join(),
        );
      }
    }
  });

  it("say what missing values mean, with the reason", () => {
    for (const { id, missing } of alarmRules(monitored)) {
      expect(["breaching", "notBreaching"], id).toContain(missing.as);
      expect(missing.because.length).toBeGreaterThan(20);
    }
    const breaching = alarms.filter(({ treatMissingData }) => treatMissingData === "breaching");
    expect(breaching.map(({ name }) => name)).toEqual(["timmerman-production-silent-relays"]);
  });

  it("are the four that users of Karpenter know", () => {
    expect(named("queue-depth")).toMatchObject({ threshold: 5, evaluationPeriods: 2, datapointsToAlarm: 2 });
    expect(firstMetric("queue-depth")).toMatchObject({
      metricName: "karpenter_scheduler_queue_depth",
      period: 60,
      stat: "Maximum",
    });
    expect(named("termination-slow")).toMatchObject({ threshold: 600 });
    expect(firstMetric("termination-slow")).toMatchObject({
      metricName: "karpenter_nodes_termination_duration_seconds",
      stat: "p95",
    });
    expect(firstMetric("created-surge")).toMatchObject({
      metricName: "karpenter_nodeclaims_created_total",
      period: 300,
      stat: "Sum",
    });
    expect(
      named("disruption-blocked").metricQueries.map(({ metric, expression }) => metric?.metricName ?? expression),
    ).toEqual([
      "karpenter_voluntary_disruption_eligible_nodes",
      "karpenter_voluntary_disruption_decisions_total",
      "IF(FILL(decisions, 0) > 0, 0, nodes)",
    ]);
  });

  it("have the bounds of the chart's alerts, but for the surge of a whole fleet", () => {
    const values = parse(readFileSync(new URL("../../charts/timmerman/values.yaml", import.meta.url), "utf8"));
    const { queueDepth, slowTermination, provisioningSpike, consolidationBlocked } = values.prometheusRule.alerts;
    expect([queueDepth.pods, queueDepth.for]).toEqual([named("queue-depth").threshold, "2m"]);
    expect(slowTermination.seconds).toBe(named("termination-slow").threshold);
    expect(consolidationBlocked.nodes).toBe(named("disruption-blocked").threshold);
    expect(consolidationBlocked.window).toBe("1h");
    expect(provisioningSpike.claims).toBeLessThan(named("created-surge").threshold);
    const page = readFileSync(new URL("../../docs/monitoring.md", import.meta.url), "utf8");
    expect(page).toContain(
      `more than ${provisioningSpike.claims} within 5 minutes, if that is more than ${provisioningSpike.factor} times`,
    );
    expect(page).toContain(`more than ${named("created-surge").threshold} within 5 minutes: a sum over all clusters`);
  });

  it("watch each queue, its dead letters, and every function", () => {
    const dimensions = (metricName: string) =>
      alarms
        .flatMap(({ metricQueries }) => metricQueries)
        .filter(({ metric }) => metric?.metricName === metricName)
        .map(({ metric }) => Object.values(metric!.dimensions)[0]);
    expect(dimensions("ApproximateAgeOfOldestMessage")).toEqual(Object.values(queues));
    expect(dimensions("ApproximateNumberOfMessagesVisible")).toEqual(Object.values(deadLetterQueues));
    expect(dimensions("Errors")).toEqual(Object.values(functions));
    expect(dimensions("Throttles")).toEqual(Object.values(functions));
    expect(named("oldest-wake-interrupt").threshold).toBe(120);
    expect(named("oldest-wake-provision").threshold).toBe(300);
  });

  it("split what does not fit one formula", () => {
    const many = Object.fromEntries(Array.from({ length: 23 }, (_, at) => [`f${at}`, `function-${at}`]));
    const names = alarmArgs({ ...monitored, functions: many }).map(({ name }) => name);
    expect(names.filter((name) => name.includes("function-errors"))).toEqual(
      [1, 2, 3].map((part) => `timmerman-production-function-errors-${part}`),
    );
  });

  it("tell a topic when they go off and when it is over, if there is one", () => {
    expect(alarms.filter((alarm) => "alarmActions" in alarm || "okActions" in alarm)).toEqual([]);
    for (const alarm of alarmArgs({ ...monitored, topicArn })) {
      expect(alarm).toMatchObject({ alarmActions: [topicArn], okActions: [topicArn] });
    }
  });

  it("are also of each cluster where that is wanted, those that can name one", () => {
    const more = alarmRules({ ...monitored, alarmsPerCluster: true }).slice(alarms.length);
    expect(more.map(({ id, of }) => `${id} ${of}`)).toEqual(
      ["blue", "green"].flatMap((cluster) =>
        ["queue-depth", "termination-slow", "termination-stuck", "created-surge", "disruption-blocked"].map(
          (id) => `${id} ${cluster}`,
        ),
      ),
    );
    expect(alarmMetrics(more)).toBe(12);
  });
});

describe("the runbook", () => {
  const page = new URL("../../docs/monitoring.md", import.meta.url);
  it("has a section for each alarm, which the alarm names", () => {
    expect(existsSync(page)).toBe(true);
    const headings = [...readFileSync(page, "utf8").matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
    for (const { id } of alarmRules(monitored)) expect(headings).toContain(id);
    for (const { alarmDescription } of alarms) expect(alarmDescription).toMatch(/ See docs\/monitoring\.md#[a-z-]+$/);
  });
});

it("createAlarms makes each under its name", () => {
  const made: string[] = [];
  class MetricAlarm {
    constructor(name: string, args: AlarmArgs) {
      expect(args.name).toBe(name);
      made.push(name);
    }
  }
  expect(createAlarms(monitored, MetricAlarm)).toHaveLength(alarms.length);
  expect(made).toEqual(alarms.map(({ name }) => name));
});
