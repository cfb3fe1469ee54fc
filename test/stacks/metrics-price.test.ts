import { describe, expect, it, vi } from "vitest";
import type { Sample } from "../../shared/adapters/memory/telemetry.ts";
import { monthlyMicroUsd, mostMetrics } from "../../stacks/metrics-price.ts";
import { createWorld } from "../simulation/world.ts";
import { linesOf } from "./emitted.ts";
import { readPage, unaligned } from "./monitoring-page.ts";

// Also where the suite is run without a config: a busy machine is no failure.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const minute = 60_000;
const monthlyUsd = (count: number) => `$${(monthlyMicroUsd(count) / 1_000_000).toFixed(2)}`;

/** Metrics of the cluster, and of the deployment, that get values from these samples. */
function counted(samples: readonly Sample[]): { readonly deployment: number; readonly cluster: number } {
  const streams = { deployment: new Set<string>(), cluster: new Set<string>() };
  for (const { name, sets, labels } of linesOf(samples)) {
    for (const set of sets) {
      const key = [name, ...set.map((dimension) => `${dimension}=${labels[dimension]}`)].sort().join();
      streams[set.includes("cluster") ? "cluster" : "deployment"].add(key);
    }
  }
  return { deployment: streams.deployment.size, cluster: streams.cluster.size };
}

async function hours(): Promise<Readonly<Record<"empty" | "steady" | "eventful", ReturnType<typeof counted>>>> {
  const world = await createWorld();
  const hour = async (act: () => Promise<void> | void = () => {}) => {
    const from = world.telemetry.samples.length;
    await act();
    await world.runFor(60 * minute);
    return counted(world.telemetry.samples.slice(from));
  };
  const empty = await hour();
  world.life.workloads.push({ name: "web", replicas: 12 });
  await world.runFor(10 * minute);
  const steady = await hour();
  const eventful = await hour(async () => {
    const [own] = world.cloud.everyInstance();
    await world.interrupt(own!.id);
    await world.runFor(5 * minute);
    world.life.workloads[0]!.replicas = 0;
    await world.runFor(5 * minute);
    world.life.workloads[0]!.replicas = 40;
  });
  return { empty, steady, eventful };
}

describe("the price of metrics", () => {
  it("has CloudWatch's tiers", () => {
    expect(monthlyMicroUsd(0)).toBe(0);
    expect(monthlyMicroUsd(10)).toBe(3_000_000);
    expect(monthlyMicroUsd(10_001)).toBe(3_000_100_000);
    expect(monthlyMicroUsd(250_001)).toBe(3_000_000_000 + 24_000_000_000 + 50_000);
    expect(monthlyMicroUsd(1_000_001)).toBe(3_000_000_000 + 24_000_000_000 + 37_500_000_000 + 20_000);
  });

  it("is what docs/monitoring.md says, counted in an empty, a steady and an eventful hour of a cluster", async () => {
    const { empty, steady, eventful } = await hours();
    expect(empty.cluster).toBe(0);
    const page = unaligned(readPage());
    const row = (what: string, { cluster, deployment }: ReturnType<typeof counted>) =>
      `| ${what} | ${cluster} | ${monthlyUsd(cluster)} | ${deployment} | ${monthlyUsd(deployment)} |`;
    expect(page).toContain(row("an empty cluster", empty));
    expect(page).toContain(row("a cluster whose nodes all stay", steady));
    expect(page).toContain(row("one with interruptions, launches and disruptions in every hour", eventful));
    expect(page).toContain(row("every label with every value, in every hour", mostMetrics()));
    const thousandSteady = monthlyMicroUsd(1_000 * steady.cluster) / 1_000_000;
    const thousandEventful = monthlyMicroUsd(1_000 * eventful.cluster) / 1_000_000;
    const text = page.replaceAll(/\s+/g, " ");
    expect(text).toContain(
      `a thousand clusters whose nodes all stay cost $${thousandSteady.toLocaleString("en")} a month`,
    );
    expect(text).toContain(`in every hour $${thousandEventful.toLocaleString("en")}`);
  });
});
