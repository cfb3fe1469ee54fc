import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Sample } from "../../shared/adapters/memory/telemetry.ts";
import { dimensionSets, metricNamed, metrics } from "../../stacks/metrics.ts";
import { type Emitted, everySample, linesOf } from "./emitted.ts";

// Also where the suite is run without a config: a busy machine is no failure.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const joined = (sets: readonly (readonly string[])[]) => sets.map((set) => [...set].sort().join()).sort();

describe("the list of metrics", () => {
  let samples: readonly Sample[];
  let lines: readonly Emitted[];
  beforeAll(async () => {
    samples = await everySample();
    lines = linesOf(samples);
  });

  it("has every name once, in snake case, as Karpenter's or ours", () => {
    const names = metrics.map(({ name }) => name);
    expect(names.length).toBe(new Set(names).size);
    for (const name of names) expect(name).toMatch(/^(karpenter|timmerman)_[a-z]+(_[a-z]+)*$/);
    expect(metrics.filter(({ kind, name }) => kind === "count" && !name.endsWith("_total"))).toEqual([]);
    expect(metrics.filter(({ kind, name }) => kind === "duration" && !name.endsWith("_duration_seconds"))).toEqual([]);
  });

  it("is what running controllers and handlers measure, no less and no more", () => {
    const emitted = new Set(samples.map(({ name }) => name));
    expect([...emitted].sort()).toEqual(metrics.map(({ name }) => name).sort());
  });

  it("has the units and dimensions of the lines that are written", () => {
    const written = new Map<string, Emitted[]>();
    for (const line of lines) written.set(line.name, [...(written.get(line.name) ?? []), line]);
    for (const metric of metrics) {
      const own = written.get(metric.name) ?? [];
      expect(own.length, metric.name).toBeGreaterThan(0);
      for (const { unit, sets } of own) {
        expect({ name: metric.name, unit, sets: joined(sets) }).toEqual({
          name: metric.name,
          unit: metric.unit,
          sets: joined(dimensionSets(metric)),
        });
      }
    }
  });

  it("has the labels of the lines, spelled the same, with values that it names", () => {
    for (const { name, labels, properties } of lines) {
      const { label, properties: listed } = metricNamed(name);
      expect({ name, unlisted: properties.filter((one) => !listed.includes(one)) }).toEqual({ name, unlisted: [] });
      if (label === undefined) continue;
      expect(label.values, `${name} ${label.name}`).toContain(labels[label.name]);
    }
  });

  it("lists no property that no line has", () => {
    for (const { name, properties } of metrics) {
      const seen = new Set(lines.filter((line) => line.name === name).flatMap((line) => line.properties));
      expect({ name, unseen: properties.filter((one) => !seen.has(one)) }).toEqual({ name, unseen: [] });
    }
  });

  it("has no dimension of clusters left where that is turned off", () => {
    for (const { name, sets } of linesOf(samples, false)) {
      expect({ name, sets: joined(sets) }).toEqual({ name, sets: joined(dimensionSets(metricNamed(name), false)) });
    }
  });

  it("names every metric that stands in the source", () => {
    const root = new URL("../../", import.meta.url);
    const sources = ["shared/controllers", "shared/runtime", "shared/adapters"].flatMap((room) =>
      readdirSync(new URL(room, root), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .map((file) => readFileSync(new URL(`${room}/${file}`, root), "utf8")),
    );
    const named = sources.flatMap((text) =>
      [...text.matchAll(/"((?:karpenter|timmerman)_[a-z_]+)"/g)].map((m) => m[1]!),
    );
    expect([...new Set(named)].sort()).toEqual(metrics.map(({ name }) => name).sort());
  });
});
