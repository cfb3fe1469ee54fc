import { describe, expect, it } from "vitest";
import { createDashboards, dashboards } from "../../stacks/dashboards.ts";
import { gridWidth, own, topClusters } from "../../stacks/dashboards-widgets.ts";
import { dimensionSets, metricNamed, namespace } from "../../stacks/metrics.ts";
import { functions, monitored, queues } from "./monitored-input.ts";

interface Options {
  readonly id?: string;
  readonly expression?: string;
  readonly visible?: boolean;
  readonly stat?: string;
  readonly label?: string;
}

interface MetricWidget {
  readonly title: string;
  readonly metrics: readonly (readonly unknown[])[];
  readonly region: string;
  readonly period: number;
  readonly stat: string;
  readonly view: string;
}

/** The body as CloudWatch gets it. */
const bodies = (change = {}) =>
  dashboards({ ...monitored, ...change }).map(({ name, body }) => ({
    name,
    body: JSON.parse(JSON.stringify(body)) as typeof body,
  }));
const graphs = (change = {}) =>
  bodies(change).flatMap(({ body }) =>
    body.widgets.filter(({ type }) => type === "metric").map(({ properties }) => properties as unknown as MetricWidget),
  );

describe("dashboards", () => {
  it("are two, however many clusters there are", () => {
    const clusters = Array.from({ length: 1_000 }, (_, at) => `c${at}`);
    expect(bodies({ clusters }).map(({ name }) => name)).toEqual([
      "timmerman-production",
      "timmerman-production-cluster",
    ]);
    expect(JSON.stringify(bodies({ clusters })).length).toBe(JSON.stringify(bodies({ clusters: ["c0"] })).length);
  });

  it("keep CloudWatch's rules: at most 500 widgets on a grid of 24 columns that don't overlap", () => {
    for (const { name, body } of bodies()) {
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,255}$/);
      expect(body.widgets.length).toBeLessThanOrEqual(500);
      const taken = new Set<string>();
      for (const { x, y, width, height } of body.widgets) {
        for (const value of [x, y, width, height]) expect(Number.isInteger(value)).toBe(true);
        expect(width >= 1 && x >= 0 && x + width <= gridWidth && height >= 1 && height <= 1_000).toBe(true);
        for (let column = x; column < x + width; column++) {
          for (let row = y; row < y + height; row++) {
            expect(taken.has(`${column},${row}`)).toBe(false);
            taken.add(`${column},${row}`);
          }
        }
      }
    }
  });

  it("have in each graph a title, the deployment's region, a period in whole minutes, and at most 100 lines", () => {
    for (const { title, metrics, region, period, view, stat } of graphs()) {
      expect(title).not.toBe("");
      expect(region).toBe("eu-west-1");
      expect(period % 60).toBe(0);
      expect(["timeSeries", "singleValue"]).toContain(view);
      expect(["Sum", "Maximum"]).toContain(stat);
      expect(metrics.length).toBeGreaterThan(0);
      expect(metrics.length).toBeLessThanOrEqual(100);
    }
  });

  it("show only metrics that are written, with dimensions that they have", () => {
    for (const { title, metrics } of graphs()) {
      for (const line of metrics) {
        if (typeof line[0] !== "string") continue;
        const [space, name, ...rest] = line as [string, string, ...unknown[]];
        const options = rest.at(-1);
        const pairs = typeof options === "object" ? rest.slice(0, -1) : rest;
        expect(pairs.length % 2, title).toBe(0);
        const dimensions = pairs.filter((_, at) => at % 2 === 0) as string[];
        for (const value of pairs) expect(typeof value === "string" && value !== "").toBe(true);
        if (space === "AWS/SQS") expect(dimensions).toEqual(["QueueName"]);
        else if (space === "AWS/Lambda") expect(dimensions).toEqual(["FunctionName"]);
        else {
          expect(space).toBe(namespace);
          expect(dimensions[0]).toBe("service");
          const sets = dimensionSets(metricNamed(name)).map((set) => [...set].sort().join());
          expect(sets, `${title}: ${name}`).toContain(dimensions.slice(1).sort().join());
        }
      }
    }
  });

  it("have formulas whose ids are there, each id once, and one query a graph", () => {
    for (const { title, metrics } of graphs()) {
      const options = metrics.map((line) => line.at(-1)).filter((one): one is Options => typeof one === "object");
      const ids = options.flatMap(({ id }) => id ?? []);
      expect(new Set(ids).size, title).toBe(ids.length);
      for (const id of ids) expect(id).toMatch(/^[a-z][a-zA-Z0-9_]*$/);
      const formulas = options.flatMap(({ expression }) => expression ?? []);
      for (const formula of formulas.filter((one) => !/^(SELECT|SUM\(SEARCH)/.test(one))) {
        expect(ids).toEqual(expect.arrayContaining(formula.match(/\b[a-z]+\b/g) ?? []));
      }
      expect(formulas.filter((one) => one.startsWith("SELECT")).length).toBeLessThanOrEqual(1);
      expect(options.every(({ visible, id }) => visible !== false || id !== undefined)).toBe(true);
    }
  });

  it("search and query only metrics that are written, with dimensions that they have", () => {
    const expressions = graphs().flatMap(({ metrics }) =>
      metrics.flatMap((line) => (line[0] as Options).expression ?? []),
    );
    const schemas = expressions.flatMap((text) => {
      const search = /SEARCH\('\{(\w+),([\w,]+)\} MetricName="(\w+)" service="([\w-]+)"/.exec(text);
      if (search !== null) return [{ space: search[1], dimensions: search[2]!, name: search[3]!, service: search[4] }];
      const query = /SELECT \w+\("(\w+)"\) FROM SCHEMA\("(\w+)", ([\w, ]+)\) WHERE service = '([\w-]+)'/.exec(text);
      if (query !== null) return [{ space: query[2], dimensions: query[3]!, name: query[1]!, service: query[4] }];
      expect(text).not.toMatch(/SEARCH|SELECT/);
      return [];
    });
    expect(schemas.length).toBeGreaterThan(10);
    for (const { space, dimensions, name, service } of schemas) {
      expect([space, service]).toEqual([namespace, "timmerman-production"]);
      const asked = dimensions.split(/,\s*/).filter((one) => one !== "service");
      const sets = dimensionSets(metricNamed(name)).map((set) => [...set].sort().join());
      expect(sets).toContain(asked.sort().join());
    }
  });

  it("show what the operators need", () => {
    const names = new Set(
      graphs().flatMap(({ metrics }) =>
        metrics.flatMap((line) => JSON.stringify(line).match(/[a-z]+_[a-z_]+|Approx\w+/g) ?? []),
      ),
    );
    for (const needed of [
      "timmerman_nodes",
      "timmerman_vcpus",
      "timmerman_memory_bytes",
      "timmerman_hourly_cost_micro_usd",
      "karpenter_scheduler_queue_depth",
      "timmerman_nodeclaims",
      "timmerman_nodeclaims_launched_total",
      "timmerman_launches_refused_total",
      "karpenter_nodeclaims_disrupted_total",
      "timmerman_voluntary_disruption_savings_micro_usd_total",
      "timmerman_pods_ready_duration_seconds",
      "timmerman_messages_failed_total",
      "ApproximateAgeOfOldestMessage",
    ]) {
      expect([...names]).toContain(needed);
    }
  });

  it("show every queue and function", () => {
    const text = JSON.stringify(graphs());
    for (const name of [...Object.values(queues), ...Object.values(functions)]) expect(text).toContain(`"${name}"`);
  });
});

describe("the dashboard of one cluster", () => {
  const [, { body }] = bodies() as [ReturnType<typeof bodies>[number], ReturnType<typeof bodies>[number]];

  it("has the cluster as a variable that replaces a dimension of every graph", () => {
    expect(body.variables).toEqual([
      {
        type: "property",
        property: "cluster",
        inputType: "select",
        id: "cluster",
        label: "Cluster",
        visible: true,
        search:
          '{Timmerman,service,cluster} MetricName="timmerman_hourly_cost_micro_usd" service="timmerman-production"',
        populateFrom: "cluster",
        defaultValue: "__FIRST",
      },
    ]);
    for (const { properties } of body.widgets) {
      for (const line of properties.metrics ?? []) {
        if (typeof line[0] === "string") expect(line).toEqual(expect.arrayContaining(["cluster", "blue"]));
      }
    }
  });

  it("is not made where clusters have no metrics of their own, and the other one asks for none", () => {
    const [fleet, ...others] = bodies({ metricsPerCluster: false });
    expect(others).toEqual([]);
    expect(JSON.stringify(fleet!.body)).not.toMatch(/"cluster"|SEARCH|SELECT/);
  });
});

describe("a widget", () => {
  it("cannot be of a metric or a dimension that nobody writes", () => {
    expect(() => own("timmerman_nonsense", { service: "a" })).toThrow("no function writes a metric timmerman_nonsense");
    expect(() => own("timmerman_nodes", { service: "a", cluster: "b" })).toThrow(
      "timmerman_nodes is not written by cluster",
    );
    expect(() => topClusters("timmerman_nonsense", "a", 60, "MAX")).toThrow(RangeError);
  });
});

it("createDashboards gives each body as text, under the name that it has in CloudWatch", () => {
  const made: { name: string; args: { dashboardName: string; dashboardBody: string } }[] = [];
  class Dashboard {
    constructor(name: string, args: { dashboardName: string; dashboardBody: string }) {
      made.push({ name, args });
    }
  }
  expect(createDashboards(monitored, Dashboard, (body) => JSON.stringify(body))).toHaveLength(2);
  expect(made.map(({ name, args }) => [name, args.dashboardName])).toEqual([
    ["timmerman-production", "timmerman-production"],
    ["timmerman-production-cluster", "timmerman-production-cluster"],
  ]);
  expect(JSON.parse(made[0]!.args.dashboardBody)).toHaveProperty("widgets");
});
