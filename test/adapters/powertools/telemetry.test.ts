import { Logger } from "@aws-lambda-powertools/logger";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPowertoolsTelemetry } from "../../../shared/adapters/powertools/index.ts";

describe("telemetry through Powertools", () => {
  let lines: Record<string, unknown>[] = [];
  beforeEach(() => {
    lines = [];
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, "write").mockImplementation((text) => {
        lines.push(JSON.parse(String(text)) as Record<string, unknown>);
        return true;
      });
    }
  });
  afterEach(() => vi.restoreAllMocks());

  const make = (more: { metrics?: boolean; logLevel?: "INFO" | "SILENT" } = {}) =>
    createPowertoolsTelemetry({
      logger: new Logger({ serviceName: "timmerman", logLevel: more.logLevel ?? "INFO" }),
      namespace: "Timmerman",
      serviceName: "timmerman",
      ...(more.metrics === undefined ? {} : { metrics: more.metrics }),
    });

  it("writes one EMF line for each set of labels, whatever the labels' order", () => {
    const telemetry = make();
    telemetry.count("karpenter_nodeclaims_created_total", 1, { nodepool: "a", reason: "provisioned" });
    telemetry.count("karpenter_nodeclaims_created_total", 1, { reason: "provisioned", nodepool: "a" });
    telemetry.count("karpenter_nodeclaims_created_total", 1, { nodepool: "b", reason: "provisioned" });
    telemetry.gauge("timmerman_claims", 7);
    expect(lines).toEqual([]);
    telemetry.flush();
    expect(lines).toMatchObject([
      { nodepool: "a", reason: "provisioned", karpenter_nodeclaims_created_total: [1, 1] },
      { nodepool: "b", reason: "provisioned", karpenter_nodeclaims_created_total: 1 },
      { timmerman_claims: 7 },
    ]);
    const [first] = lines as [{ _aws: { CloudWatchMetrics: { Dimensions: string[][]; Namespace: string }[] } }];
    expect(first._aws.CloudWatchMetrics[0]).toMatchObject({
      Namespace: "Timmerman",
      Dimensions: [["service", "nodepool", "reason"]],
    });
    telemetry.flush();
    expect(lines).toHaveLength(3);
  });

  it("puts at most a hundred values in a line", () => {
    const telemetry = make();
    for (let at = 0; at < 150; at += 1) telemetry.observe("timmerman_run_duration_seconds", at, { controller: "x" });
    telemetry.flush();
    expect(lines.map((line) => (line.timmerman_run_duration_seconds as number[]).length)).toEqual([100, 50]);
  });

  it("logs with its fields as keys, errors with their stack", () => {
    make().log("warn", "something happened", { cluster: "blue", claim: "a", error: new Error("cause") });
    expect(lines).toMatchObject([
      { level: "WARN", message: "something happened", cluster: "blue", claim: "a", service: "timmerman" },
    ]);
    expect(lines[0]?.error).toMatchObject({
      name: "Error",
      message: "cause",
      stack: expect.stringContaining("Error: cause"),
    });
  });

  it("is silent where it is told to be", () => {
    const telemetry = make({ metrics: false, logLevel: "SILENT" });
    telemetry.count("timmerman_claims", 1);
    telemetry.log("error", "nobody hears");
    telemetry.flush();
    expect(lines).toEqual([]);
  });
});
