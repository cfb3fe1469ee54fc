import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { seriesDefinitions } from "../../../relay/metrics/index.ts";
import { claimNotes } from "../../../shared/core/model/index.ts";
import { metrics } from "../../../stacks/metrics.ts";
import { unaligned } from "../../stacks/monitoring-page.ts";
import { busyCluster } from "./busy-cluster.ts";
import { dashboards, karpentersSeries, operatorsSeries, staleNames } from "./karpenters-series.ts";
import { parseExposition } from "./parse-exposition.ts";

const text = unaligned(readFileSync(new URL("../../../docs/metrics.md", import.meta.url), "utf8"));

/** Cells of the tables' rows that begin with a name in code. */
const rows = text
  .split("\n")
  .filter((line) => /^\| `[a-z0-9_]+` \|/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, name, where, note]) => ({ name: name!.replaceAll("`", ""), where: where!, note: note! }));
const places = ["relay", "CloudWatch", "not yet", "nothing to measure"];
const at = (place: string) => rows.filter(({ where }) => where.split(", ").includes(place)).map(({ name }) => name);

describe("docs/metrics.md", () => {
  it("says of each of Karpenter's series, once, where it is", () => {
    const listed = rows.map(({ name }) => name);
    expect(listed.filter((name) => /^(karpenter|operator)_/.test(name)).sort()).toEqual(
      [...karpentersSeries, ...operatorsSeries].map(([name]) => name).sort(),
    );
    expect(new Set(listed).size).toBe(listed.length);
    expect(rows.filter(({ where }) => !where.split(", ").every((one) => places.includes(one)))).toEqual([]);
  });

  it("gives the reason for each that is nowhere", () => {
    expect(rows.filter(({ where, note }) => /not yet|nothing/.test(where) && note === "")).toEqual([]);
  });

  it("says relay of what the relay exports, and of nothing else", () => {
    expect(at("relay").sort()).toEqual(seriesDefinitions.map(({ name }) => name).sort());
  });

  it("says CloudWatch of what the functions measure under Karpenter's names, and of nothing else", () => {
    const measured = metrics.map(({ name }) => name).filter((name) => name.startsWith("karpenter_"));
    expect(at("CloudWatch").sort()).toEqual(measured.sort());
  });

  it("names the annotations that labels are made of", () => {
    for (const annotation of Object.values(claimNotes)) expect(text).toContain(`\`${annotation}\``);
  });
});

describe("the relay's series", () => {
  const known = new Map([...karpentersSeries, ...operatorsSeries].map((one) => [one[0], one]));

  it.each(seriesDefinitions.filter(({ name }) => known.has(name)).map((one) => [one.name, one] as const))(
    "%s has Karpenter's type and labels",
    (name, { type, labels }) => {
      const [, karpenters, names] = known.get(name)!;
      expect([type, ...labels].sort()).toEqual([karpenters, ...names.split(" ").filter((one) => one !== "")].sort());
    },
  );
});

describe("what people's Prometheus asks for", () => {
  const families = parseExposition(busyCluster());
  const samples = [...families.values()].flatMap((family) => family.samples);
  const names = new Set(samples.map(({ name }) => name));
  // A histogram of reconciliations has no line before the first wake.
  names.add("controller_runtime_reconcile_time_seconds_bucket").add("controller_runtime_reconcile_time_seconds_count");

  it.each(Object.entries(dashboards))("is there for %s, or named as what stays empty", (dashboard, asked) => {
    const row = text.split("\n").find((line) => line.startsWith(`| ${dashboard} |`)) ?? "";
    const gaps = [...row.matchAll(/`(karpenter_[a-z_0-9]*)`/g)].map(([, name]) => name);
    expect(
      asked
        .split(" ")
        .filter((name) => !names.has(name))
        .sort(),
    ).toEqual(gaps.sort());
  });

  it("names what Karpenter itself no longer has", () => {
    expect(staleNames.filter((name) => names.has(name))).toEqual([]);
    expect(text).toContain("`karpenter_workqueue_*` is empty at Karpenter too");
  });

  it("is there for the four known alerts", () => {
    const amountOf = (name: string, labels: Readonly<Record<string, string>>) =>
      samples.find((one) => one.name === name && Object.entries(labels).every(([key, is]) => one.labels[key] === is))
        ?.value;
    expect(amountOf("karpenter_scheduler_queue_depth", { controller: "provisioner" })).toBe(6);
    const termination = "karpenter_nodes_termination_duration_seconds_bucket";
    expect(amountOf(termination, { nodepool: "default", le: "600" })).toBe(0);
    expect(amountOf(termination, { nodepool: "default", le: "1024" })).toBe(1);
    expect(amountOf(termination, { nodepool: "default", le: "+Inf" })).toBe(1);
    expect(amountOf("karpenter_nodeclaims_created_total", { nodepool: "default" })).toBe(3);
    expect(amountOf("karpenter_voluntary_disruption_eligible_nodes", { reason: "empty" })).toBe(2);
    expect(amountOf("karpenter_voluntary_disruption_decisions_total", { reason: "underutilized" })).toBe(1);
  });

  it("names, of each series that can have values here, only labels that it was defined with", () => {
    const defined = new Map(seriesDefinitions.map((definition) => [definition.name, definition]));
    for (const [name, { type, samples: own }] of families) {
      const { type: definedType, labels } = defined.get(name)!;
      expect([name, type]).toEqual([name, definedType]);
      const strange = own.flatMap((one) => Object.keys(one.labels)).filter((label) => !labels.includes(label));
      expect(strange.filter((label) => label !== "le" && label !== "quantile")).toEqual([]);
    }
  });
});
