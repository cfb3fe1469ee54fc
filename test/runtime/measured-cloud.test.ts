import { describe, expect, it } from "vitest";
import { createMemoryClock } from "../../shared/adapters/memory/clock.ts";
import { createMemoryCloud } from "../../shared/adapters/memory/cloud.ts";
import { createMemoryTelemetry } from "../../shared/adapters/memory/telemetry.ts";
import { type Cloud, OperationError } from "../../shared/ports/index.ts";
import { measuredCloud } from "../../shared/runtime/measured-cloud.ts";

const nothing = { subnets: [], securityGroups: [], images: [] };

function measuring(bend: Partial<Cloud> = {}) {
  const clock = createMemoryClock(0);
  const telemetry = createMemoryTelemetry();
  const cloud = measuredCloud({ ...createMemoryCloud(clock, nothing), ...bend }, { clock, telemetry });
  return { clock, telemetry, cloud };
}

describe("a measured cloud", () => {
  it("measures how long each call takes, and answers what the cloud answers", async () => {
    const clock = createMemoryClock(0);
    const telemetry = createMemoryTelemetry();
    const slow: Cloud = {
      ...createMemoryCloud(clock, nothing),
      async terminate(ids) {
        await clock.advanceTo(1_500);
        return { notFound: ids };
      },
    };
    const cloud = measuredCloud(slow, { clock, telemetry });
    expect(await cloud.terminate(["i-1"])).toEqual({ notFound: ["i-1"] });
    expect(telemetry.samples).toEqual([
      {
        kind: "observe",
        name: "karpenter_cloudprovider_duration_seconds",
        value: 1.5,
        labels: { method: "terminate" },
      },
    ]);
  });

  it.each([
    ["throttled", new OperationError("slowly", { retry: "later", code: "throttled" })],
    ["unknown", new TypeError("a mistake")],
  ])("counts a failure as %s, and throws it on", async (error, thrown) => {
    const { cloud, telemetry } = measuring({ findByIds: () => Promise.reject(thrown) });
    await expect(cloud.findByIds(["i-1"])).rejects.toBe(thrown);
    expect(telemetry.counted("karpenter_cloudprovider_errors_total", { error, method: "findByIds" })).toBe(1);
    expect(telemetry.observed("karpenter_cloudprovider_duration_seconds")).toEqual([0]);
  });

  it("calls each method of the cloud with all that it was given", async () => {
    const asked: unknown[] = [];
    const echo = new Proxy({} as Cloud, {
      get:
        (_, method) =>
        async (...given: unknown[]) => {
          asked.push([method, ...given]);
          return method;
        },
    });
    const telemetry = createMemoryTelemetry();
    const cloud = measuredCloud(echo, { clock: { now: () => 0 }, telemetry });
    const calls: readonly (readonly [keyof Cloud, ...unknown[]])[] = [
      ["launch", { clientToken: "t" }],
      ["findByTags", { a: "b" }, { includeTerminated: true }],
      ["findByIds", ["i-1"]],
      ["terminate", ["i-1"]],
      ["tag", "i-1", { a: "b" }],
      ["resolveNetwork", { subnets: [], securityGroups: [] }],
      ["findReservations", [{ id: "cr-1" }]],
      ["findImages", [{ id: "ami-1" }]],
    ];
    for (const [method, ...given] of calls) {
      const call = cloud[method] as (...all: readonly unknown[]) => Promise<unknown>;
      expect(await call(...given)).toBe(method);
    }
    expect(asked).toEqual(calls);
    expect(Object.keys(cloud).sort()).toEqual(calls.map(([method]) => method).sort());
    expect(telemetry.samples.map(({ labels }) => labels)).toEqual(calls.map(([method]) => ({ method })));
  });
});
