// The chart's values, its schema, its templates and what they speak of agree. What needs Helm is in test/cluster.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ConfigError, readConfig } from "../../relay/config.ts";
import { createProcessSeries } from "../../relay/http/series.ts";
import { claimSeries } from "../../relay/metrics/claims.ts";
import { eligibleSeries } from "../../relay/metrics/eligible.ts";
import { nodeSeries } from "../../relay/metrics/nodes.ts";
import { podSeries } from "../../relay/metrics/pods.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const chart = `${root}charts/timmerman/`;
const read = (file: string) => readFileSync(`${chart}${file}`, "utf8");
const templates = readdirSync(`${chart}templates`).map((file) => ({ file, text: read(`templates/${file}`) }));

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly type?: string;
}
type Values = { readonly [name: string]: unknown };

const values = parse(read("values.yaml")) as Values;
const schema = JSON.parse(read("values.schema.json")) as Schema;
const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Paths of the values that the schema knows by name. */
function known({ properties }: Schema, path = ""): string[] {
  return Object.entries(properties ?? {}).flatMap(([name, field]) => [
    `${path}${name}`,
    ...known(field, `${path}${name}.`),
  ]);
}

/** The same of values, no deeper than the schema goes. */
function given(value: Values, { properties = {} }: Schema, path = ""): string[] {
  return Object.entries(value).flatMap(([name, field]) => {
    const below = properties[name];
    const inside = below?.properties !== undefined && isObject(field) ? given(field, below, `${path}${name}.`) : [];
    return [`${path}${name}`, ...inside];
  });
}

function at(value: unknown, path: string): unknown {
  return path.split(".").reduce((found, name) => (isObject(found) ? found[name] : undefined), value);
}

describe("values of the chart", () => {
  it("are those of the schema, each with a default", () => {
    expect(given(values, schema).sort()).toEqual(
      known(schema)
        .filter((path) => path !== "global")
        .sort(),
    );
  });

  it("are all that the templates ask for", () => {
    const asked = templates.flatMap(({ file, text }) =>
      [...text.matchAll(/\.Values\.([A-Za-z.]+[A-Za-z])/g)].map(([, path]) => ({ file, path: path! })),
    );
    expect(asked.length).toBeGreaterThan(50);
    expect(asked.filter(({ path }) => at(values, path) === undefined)).toEqual([]);
  });

  it("for Fargate override values that exist", () => {
    expect(known(schema)).toEqual(expect.arrayContaining(given(parse(read("values-fargate.yaml")) as Values, schema)));
  });

  it("that the stacks hand over have their names", () => {
    const handedOver = {
      settings: { clusterName: "", batchIdleDuration: "", batchMaxDuration: "" },
      aws: { region: "" },
      timmerman: { table: "", queues: { provision: "", disrupt: "", lifecycle: "", resolveNodeClasses: "" } },
      serviceAccount: { annotations: { "eks.amazonaws.com/role-arn": "" } },
    };
    expect(known(schema)).toEqual(expect.arrayContaining(given(handedOver, schema)));
  });

  it("have the durations that the relay has by itself", () => {
    const config = readConfig({
      CLUSTER_NAME: "c",
      AWS_REGION: "eu-west-1",
      TIMMERMAN_TABLE: "table",
      TIMMERMAN_QUEUE_PROVISION: "https://sqs.example/p",
      TIMMERMAN_QUEUE_DISRUPT: "https://sqs.example/d",
      TIMMERMAN_QUEUE_LIFECYCLE: "https://sqs.example/l",
      TIMMERMAN_QUEUE_RESOLVE_NODE_CLASSES: "https://sqs.example/r",
      BATCH_IDLE_DURATION: String(at(values, "settings.batchIdleDuration")),
      BATCH_MAX_DURATION: String(at(values, "settings.batchMaxDuration")),
      DISABLE_LEADER_ELECTION: "true",
    });
    expect(config).toMatchObject({ batchIdleMs: 1_000, batchMaxMs: 10_000 });
  });
});

describe("the chart", () => {
  it("has the project's version", () => {
    const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { version: string };
    expect(parse(read("Chart.yaml"))).toMatchObject({ version, appVersion: version });
  });

  it("gives the relay every variable that it reads, and no other", () => {
    const asked = new Set<string>();
    const env = new Proxy({}, { get: (_, name) => void asked.add(String(name)) });
    expect(() => readConfig(env)).toThrow(ConfigError);
    const written = [...read("templates/_environment.tpl").matchAll(/- name: (\w+)/g)].map(([, name]) => name!);
    // Other endpoints than AWS's own are for tests; who wants them has controller.env.
    const needed = [...asked].filter((name) => !name.startsWith("AWS_ENDPOINT_URL_"));
    expect(written.sort()).toEqual(needed.sort());
  });
});

describe("the alerts", () => {
  const text = read("templates/prometheus-rule.yaml");

  it("are the guide's four, and two on the relay", () => {
    expect([...text.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)).toEqual([
      "TimmermanQueueDepthHigh",
      "TimmermanTerminationSlow",
      "TimmermanProvisioningSpike",
      "TimmermanConsolidationBlocked",
      "TimmermanRelayAbsent",
      "TimmermanRelaySilent",
    ]);
  });

  it("rest on series that the relay has", async () => {
    const state = { isLeader: () => true, pendingWakes: () => [], pendingPods: () => 0, objects: () => 0 };
    const own = (await createProcessSeries(state).registry.getMetricsAsJSON()).map(({ name }) => name);
    const clusters = [podSeries, claimSeries, nodeSeries, eligibleSeries].flatMap((series) =>
      Object.values(series).flatMap((definition) =>
        "buckets" in definition ? [definition.name, `${definition.name}_bucket`] : [definition.name],
      ),
    );
    const used = [...text.matchAll(/\b(?:karpenter|timmerman)_[a-z_]+/g)].map(([name]) => name);
    expect(used.length).toBeGreaterThan(8);
    expect(used.filter((name) => ![...own, ...clusters].includes(name))).toEqual([]);
  });
});
