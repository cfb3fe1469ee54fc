import { Logger } from "@aws-lambda-powertools/logger";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPowertoolsTelemetry } from "../../../shared/adapters/powertools/index.ts";

type Line = Record<string, unknown> & {
  readonly _aws: {
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
    }[];
  };
};

let lines: Line[] = [];
beforeEach(() => {
  lines = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => {
      lines.push(JSON.parse(String(text)) as Line);
      return true;
    });
  }
});
beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation((text) => lines.push({ warned: text } as never));
});
afterEach(() => vi.restoreAllMocks());

const start = 1_760_000_040_000;
let nowMs = start;

const make = (more: { metrics?: boolean; perCluster?: boolean; logLevel?: "INFO" | "SILENT" } = {}) => {
  const { logLevel = "INFO", ...options } = more;
  nowMs = start;
  return createPowertoolsTelemetry({
    logger: new Logger({ serviceName: "timmerman", logLevel }),
    namespace: "Timmerman",
    serviceName: "production",
    now: () => nowMs,
    ...options,
  });
};

/** Dimension sets of the lines, as CloudWatch makes metrics of them. */
const dimensions = () => lines.map(({ _aws }) => _aws.CloudWatchMetrics[0]!.Dimensions);

describe("metrics through Powertools", () => {
  it("are one EMF line for each set of labels, whatever the labels' order, and counts are summed", () => {
    const telemetry = make();
    telemetry.count("karpenter_nodeclaims_created_total", 1, { nodepool: "a", reason: "provisioned" });
    telemetry.count("karpenter_nodeclaims_created_total", 2, { reason: "provisioned", nodepool: "a" });
    telemetry.count("karpenter_nodeclaims_created_total", 1, { nodepool: "b", reason: "provisioned" });
    expect(lines).toEqual([]);
    telemetry.flush();
    expect(lines).toMatchObject([
      { service: "production", nodepool: "a", reason: "provisioned", karpenter_nodeclaims_created_total: 3 },
      { service: "production", nodepool: "b", reason: "provisioned", karpenter_nodeclaims_created_total: 1 },
    ]);
    expect(lines[0]!._aws.CloudWatchMetrics[0]).toMatchObject({
      Namespace: "Timmerman",
      Metrics: [{ Name: "karpenter_nodeclaims_created_total", Unit: "Count" }],
    });
    telemetry.flush();
    expect(lines).toHaveLength(2);
  });

  it("share a line where their labels and dimensions are the same", () => {
    const telemetry = make();
    telemetry.count("karpenter_nodes_created_total", 1, { cluster: "blue", nodepool: "a" });
    telemetry.observe("timmerman_nodeclaims_launch_duration_seconds", 2, { nodepool: "a", cluster: "blue" });
    telemetry.gauge("timmerman_nodes", 3, { cluster: "blue", nodepool: "a" });
    telemetry.flush();
    expect(lines).toMatchObject([
      { karpenter_nodes_created_total: 1, timmerman_nodeclaims_launch_duration_seconds: 2 },
      { timmerman_nodes: 3 },
    ]);
  });

  it("have the unit that their name ends in", () => {
    const telemetry = make();
    telemetry.observe("karpenter_nodes_termination_duration_seconds", 3);
    telemetry.gauge("timmerman_memory_bytes", 8);
    telemetry.gauge("timmerman_oldest_termination_seconds", 9);
    telemetry.gauge("timmerman_nodes", 1);
    telemetry.flush();
    const units = lines.flatMap(({ _aws }) => _aws.CloudWatchMetrics[0]!.Metrics.map(({ Name, Unit }) => [Name, Unit]));
    expect(Object.fromEntries(units)).toEqual({
      karpenter_nodes_termination_duration_seconds: "Seconds",
      timmerman_memory_bytes: "Bytes",
      timmerman_oldest_termination_seconds: "Seconds",
      timmerman_nodes: "Count",
    });
  });

  it("keep every duration, fewer than a hundred a line, with its dimensions in each", () => {
    const telemetry = make();
    for (let at = 0; at < 250; at += 1) telemetry.observe("timmerman_run_duration_seconds", at, { controller: "x" });
    telemetry.flush();
    const values = lines.map((line) => line.timmerman_run_duration_seconds as number[]);
    expect(values.map(({ length }) => length)).toEqual([99, 99, 52]);
    expect(values.flat()).toEqual(Array.from({ length: 250 }, (_, at) => at));
    for (const sets of dimensions()) expect(sets).toEqual([["service"], ["service", "controller"]]);
  });
});

describe("dimensions", () => {
  it.each<[string, "count" | "gauge" | "observe", Record<string, string>, string[][], string[]]>([
    [
      "a cluster's count by reason: the sums and the parts, of the deployment and of the cluster",
      "count",
      { cluster: "blue", reason: "empty", nodepool: "default", capacity_type: "spot" },
      [["service"], ["service", "reason"], ["service", "cluster"], ["service", "cluster", "reason"]],
      ["nodepool", "capacity_type"],
    ],
    [
      "a cluster's gauge by phase: the parts only",
      "gauge",
      { cluster: "blue", phase: "Launched" },
      [
        ["service", "phase"],
        ["service", "cluster", "phase"],
      ],
      [],
    ],
    [
      "a cluster's gauge by capacity type",
      "gauge",
      { cluster: "blue", capacity_type: "spot" },
      [
        ["service", "capacity_type"],
        ["service", "cluster", "capacity_type"],
      ],
      [],
    ],
    [
      "a cluster's duration",
      "observe",
      { cluster: "blue", nodepool: "default" },
      [["service"], ["service", "cluster"]],
      ["nodepool"],
    ],
    [
      "what is by controller is the deployment's, and names the cluster in the line",
      "count",
      { controller: "disrupt", cluster: "blue", code: "throttled" },
      [["service"], ["service", "controller"]],
      ["cluster", "code"],
    ],
    [
      "a cluster's gauge by reason: its parts and their highest",
      "gauge",
      { cluster: "blue", reason: "empty" },
      [["service"], ["service", "reason"], ["service", "cluster"], ["service", "cluster", "reason"]],
      [],
    ],
    ["a gauge without labels", "gauge", {}, [["service"]], []],
    ["a gauge of a region, which the line names", "gauge", { region: "eu-west-1" }, [["service"]], ["region"]],
    [
      "a label without a value is left out",
      "count",
      { reason: "", cluster: "blue" },
      [["service"], ["service", "cluster"]],
      [],
    ],
  ])("%s", (_what, method, labels, sets, properties) => {
    const telemetry = make();
    telemetry[method]("timmerman_something", 1, labels);
    telemetry.flush();
    expect(dimensions()).toEqual([sets]);
    for (const name of properties) expect(lines[0]).toHaveProperty(name, labels[name]);
  });

  it("of clusters can be turned off, and the line names the cluster still", () => {
    const telemetry = make({ perCluster: false });
    telemetry.count("karpenter_nodeclaims_disrupted_total", 1, { cluster: "blue", reason: "empty" });
    telemetry.gauge("timmerman_nodeclaims", 4, { cluster: "blue", phase: "Pending" });
    telemetry.flush();
    expect(dimensions()).toEqual([[["service"], ["service", "reason"]], [["service", "phase"]]]);
    expect(lines).toMatchObject([{ cluster: "blue" }, { cluster: "blue" }]);
  });
});

describe("gauges", () => {
  const told = () => lines.map((line) => line.timmerman_nodes);

  it("have their last value, which is written once in each minute by the clock, and again if it is higher", () => {
    const telemetry = make();
    const measure = (value: number, atMs: number) => {
      nowMs = start + atMs;
      telemetry.gauge("timmerman_nodes", value, { cluster: "blue" });
      telemetry.flush();
    };
    telemetry.gauge("timmerman_nodes", 1, { cluster: "blue" });
    measure(2, 0);
    expect(told()).toEqual([2]);
    measure(2, 10_000);
    measure(1, 15_000);
    expect(told()).toEqual([2]);
    measure(3, 20_000);
    measure(3, 59_999);
    expect(told()).toEqual([2, 3]);
    measure(1, 60_000);
    measure(1, 119_000);
    measure(1, 125_000);
    expect(told()).toEqual([2, 3, 1, 1]);
  });

  it("that are ages are written once in each minute: they rise by themselves", () => {
    const telemetry = make();
    for (let seconds = 0; seconds < 180; seconds += 20) {
      nowMs = start + seconds * 1_000;
      telemetry.gauge("timmerman_oldest_termination_seconds", seconds + 1, { cluster: "blue" });
      telemetry.flush();
    }
    expect(lines.map((line) => line.timmerman_oldest_termination_seconds)).toEqual([1, 61, 121]);
  });

  it("of a cluster are not written while they are zero, but once in the minute after they fell to it", () => {
    const telemetry = make();
    for (const value of [0, 0, 5, 0, 0]) {
      telemetry.gauge("timmerman_nodes", value, { cluster: "blue" });
      telemetry.flush();
      nowMs += 60_000;
    }
    expect(told()).toEqual([5, 0]);
    telemetry.gauge("timmerman_nodes", 4, { cluster: "blue" });
    telemetry.flush();
    telemetry.gauge("timmerman_nodes", 0, { cluster: "blue" });
    telemetry.flush();
    expect(told()).toEqual([5, 0, 4]);
  });

  it("of the deployment are written while they are zero: that they come says that somebody runs", () => {
    const telemetry = make();
    for (let minute = 0; minute < 3; minute++) {
      telemetry.gauge("timmerman_silent_relays", 0);
      telemetry.flush();
      nowMs += 60_000;
    }
    expect(lines.map((line) => line.timmerman_silent_relays)).toEqual([0, 0, 0]);
  });
});

describe("the log", () => {
  it("has its fields as keys, errors with their stack", () => {
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
