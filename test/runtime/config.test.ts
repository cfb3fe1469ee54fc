import { describe, expect, it } from "vitest";
import { parseConfig } from "../../shared/runtime/config.ts";
import { ConfigError } from "../../shared/runtime/variables.ts";
import { caBundle, environment } from "./environment.ts";

function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe("the configuration", () => {
  it("is what the environment says, with Karpenter's defaults", () => {
    expect(parseConfig(environment)).toEqual({
      deployment: "test",
      region: "us-east-1",
      tableName: "timmerman",
      queueUrls: {
        provision: "https://sqs.us-east-1.amazonaws.com/123456789012/provision",
        disrupt: "https://sqs.us-east-1.amazonaws.com/123456789012/disrupt",
        lifecycle: "https://sqs.us-east-1.amazonaws.com/123456789012/lifecycle",
        "resolve-node-classes": "https://sqs.us-east-1.amazonaws.com/123456789012/resolve",
        "collect-garbage": "https://sqs.us-east-1.amazonaws.com/123456789012/collect",
      },
      clusters: [
        {
          name: "blue",
          region: "us-east-1",
          server: "https://blue.eks.example",
          endpoint: "https://blue.eks.example",
          caBundle,
          serviceCidr: "10.100.0.0/16",
          kubernetesVersion: "1.34",
          settings: {
            clusterName: "blue",
            clusterEndpoint: "https://blue.eks.example",
            batchIdleMs: 1_000,
            batchMaxMs: 10_000,
            preferencePolicy: "Respect",
            minValuesPolicy: "Strict",
            vmMemoryOverheadPpm: 75_000,
            reservedEnis: 0,
            ignoreDraRequests: true,
            featureGates: {
              nodeRepair: false,
              reservedCapacity: true,
              spotToSpotConsolidation: false,
              nodeOverlay: false,
              staticCapacity: false,
              capacityBuffer: false,
            },
          },
        },
      ],
      defaults: {
        batchIdleMs: 1_000,
        batchMaxMs: 10_000,
        preferencePolicy: "Respect",
        minValuesPolicy: "Strict",
        vmMemoryOverheadPpm: 75_000,
        reservedEnis: 0,
        ignoreDraRequests: true,
        featureGates: {
          nodeRepair: false,
          reservedCapacity: true,
          spotToSpotConsolidation: false,
          nodeOverlay: false,
          staticCapacity: false,
          capacityBuffer: false,
        },
      },
      endpoints: {},
      logLevel: "INFO",
      serviceName: "timmerman",
      metricsNamespace: "Timmerman",
      metricsPerCluster: true,
      tracing: false,
    });
  });

  const byZone = { topologyKey: "topology.kubernetes.io/zone", maxSkew: 1, whenUnsatisfiable: "ScheduleAnyway" };

  it("takes settings for all clusters, and a cluster's own over them", () => {
    const config = parseConfig({
      ...environment,
      BATCH_IDLE_DURATION: "1m30.5s",
      VM_MEMORY_OVERHEAD_PERCENT: "0.0501",
      MIN_VALUES_POLICY: "bestEffort",
      FEATURE_GATES: "NodeRepair=true, ReservedCapacity=false",
      RESERVED_ENIS: "1",
      SCHEDULER_CONFIG: JSON.stringify({ podTopologySpread: { defaultConstraints: [byZone] } }),
      LOG_LEVEL: "debug",
      TIMMERMAN_CLUSTERS: JSON.stringify([
        {
          name: "blue",
          region: "eu-west-1",
          endpoint: "https://blue.eks.example",
          server: "https://10.0.0.1",
          token: "secret",
          caBundle,
          kubernetesVersion: "1.35",
          serviceCidr: "172.20.0.0/16",
          dnsAddress: "172.20.0.10",
          settings: { reservedENIs: "2", featureGates: { nodeOverlay: true } },
        },
      ]),
    });
    expect(config.logLevel).toBe("DEBUG");
    expect(config.defaults.defaultSpread).toEqual([byZone]);
    expect(config.clusters?.[0]?.settings.defaultSpread).toEqual([byZone]);
    expect(config.clusters?.[0]).toMatchObject({
      region: "eu-west-1",
      server: "https://10.0.0.1",
      token: "secret",
      dnsAddress: "172.20.0.10",
      settings: {
        batchIdleMs: 90_500,
        vmMemoryOverheadPpm: 50_100,
        minValuesPolicy: "BestEffort",
        reservedEnis: 2,
        featureGates: { nodeRepair: true, reservedCapacity: false, nodeOverlay: true },
      },
    });
  });

  it("takes endpoints of one's own, and keys only beside them", () => {
    const keys = { AWS_ACCESS_KEY_ID: "k", AWS_SECRET_ACCESS_KEY: "s" };
    expect(parseConfig({ ...environment, ...keys }).credentials).toBeUndefined();
    const config = parseConfig({
      ...environment,
      ...keys,
      AWS_ENDPOINT_URL_DYNAMODB: "http://127.0.0.1:8000",
      AWS_ENDPOINT_URL_SQS: "http://127.0.0.1:9324",
    });
    expect(config.credentials).toEqual({ accessKeyId: "k", secretAccessKey: "s" });
    expect(config.endpoints).toEqual({ dynamodb: "http://127.0.0.1:8000", sqs: "http://127.0.0.1:9324" });
  });

  it("takes keys only where the endpoint is on loopback and they are no role's", () => {
    const keys = { AWS_ACCESS_KEY_ID: "k", AWS_SECRET_ACCESS_KEY: "s" };
    const credentialsAt = (url: string, more = {}) =>
      parseConfig({ ...environment, ...keys, AWS_ENDPOINT_URL_DYNAMODB: url, ...more }).credentials;
    for (const url of ["http://127.1.2.3:8000", "http://localhost:8000", "http://[::1]:8000"]) {
      expect(credentialsAt(url)).toEqual({ accessKeyId: "k", secretAccessKey: "s" });
    }
    for (const url of ["https://vpce-1.dynamodb.us-east-1.vpce.amazonaws.com", "http://127.0.0.1.example.com"]) {
      expect(credentialsAt(url)).toBeUndefined();
    }
    expect(credentialsAt("http://127.0.0.1:8000", { AWS_SESSION_TOKEN: "t" })).toBeUndefined();
  });

  it("tells no secret of a list of clusters that is wrong", () => {
    const secret = "s3cr3t-token";
    const lists = [
      `[{"name":"a","token":"${secret}"`,
      `${secret}`,
      `[{"name":"a","token":["${secret}"]}]`,
      `[{"name":"a","token":{"value":"${secret}"},"endpoint":"${secret}"}]`,
      `[{"name":"a","settings":{"reservedENIs":"${secret}"}}]`,
      `[{"name":"${secret} "}]`,
    ];
    for (const list of lists) {
      const problems = problemsOf({ ...environment, TIMMERMAN_CLUSTERS: list });
      expect(problems.length).toBeGreaterThan(0);
      expect(problems.join("\n")).not.toContain(secret);
    }
    expect(problemsOf({ ...environment, TIMMERMAN_CLUSTERS: `[{"token":"${secret}",}]` })[0]).toContain("position 25");
  });

  it("sends no token in the clear but on loopback", () => {
    const withToken = (endpoint: string) =>
      problemsOf({
        ...environment,
        TIMMERMAN_CLUSTERS: JSON.stringify([{ name: "a", endpoint, caBundle, token: "t", kubernetesVersion: "1.34" }]),
      });
    expect(withToken("http://10.0.0.1")).toEqual([
      "TIMMERMAN_CLUSTERS: cluster a: server is wrong: it must be the API server's URL, https unless on loopback: tokens go to it",
    ]);
    expect(withToken("http://127.0.0.1:6443")).toEqual([]);
    expect(withToken("https://10.0.0.1")).toEqual([]);
  });

  it("names every variable that is missing, and what to set it to", () => {
    expect(problemsOf({})).toEqual([
      "AWS_REGION is not set: set it to the region of this deployment, e.g. us-east-1",
      "TIMMERMAN_DEPLOYMENT is not set: set it to a name for this deployment, e.g. production",
      "TIMMERMAN_TABLE is not set: set it to the name of the DynamoDB table",
      "TIMMERMAN_QUEUE_PROVISION is not set: set it to the URL of that controller's queue",
      "TIMMERMAN_QUEUE_DISRUPT is not set: set it to the URL of that controller's queue",
      "TIMMERMAN_QUEUE_LIFECYCLE is not set: set it to the URL of that controller's queue",
      "TIMMERMAN_QUEUE_RESOLVE_NODE_CLASSES is not set: set it to the URL of that controller's queue",
      "TIMMERMAN_QUEUE_COLLECT_GARBAGE is not set: set it to the URL of that controller's queue",
    ]);
    expect(() => parseConfig({})).toThrow("the configuration has 8 problem(s):\n- AWS_REGION is not set");
  });

  it.each([
    ["BATCH_IDLE_DURATION", "10", 'BATCH_IDLE_DURATION is "10": set it to a duration such as 10s'],
    ["VM_MEMORY_OVERHEAD_PERCENT", "7.5", "a fraction from 0 to 1 such as 0.075"],
    ["VM_MEMORY_OVERHEAD_PERCENT", "1.1", "a fraction from 0 to 1 such as 0.075"],
    ["RESERVED_ENIS", "-1", "a whole number"],
    ["IGNORE_DRA_REQUESTS", "yes", "true or false"],
    ["PREFERENCE_POLICY", "Maybe", "one of Respect, Ignore"],
    ["LOG_LEVEL", "loud", "one of DEBUG, INFO, WARN, ERROR, SILENT"],
    [
      "FEATURE_GATES",
      "Drift=true",
      'FEATURE_GATES has "Drift=true": write <gate>=true or =false, with a gate of NodeRepair',
    ],
    ["FEATURE_GATES", "NodeRepair", "write <gate>=true or =false"],
    ["AWS_ENDPOINT_URL_EC2", "localhost", "a URL, or remove it"],
    ["TIMMERMAN_TABLE", "a b", 'TIMMERMAN_TABLE is "a b"'],
    ["TIMMERMAN_CLUSTERS", "{", "set it to a JSON list"],
    ["TIMMERMAN_CLUSTERS", "{}", "TIMMERMAN_CLUSTERS: must be a list"],
    ["TIMMERMAN_CLUSTERS", "[1]", "entry 0 must be an object"],
    ["TIMMERMAN_CLUSTERS", '[{"name":"a b"}]', "entry 0: name is wrong: it must be an EKS cluster's name"],
    ["TIMMERMAN_CLUSTERS", '[{"name":"a"}]', "cluster a: endpoint is missing: it must be the API server's URL"],
    ["TIMMERMAN_CLUSTERS", '[{"name":"a","endpoint":"https://x"}]', "cluster a: caBundle is missing"],
    ["TIMMERMAN_CLUSTERS", '[{"name":"a","endpont":"https://x"}]', "cluster a: endpont is not known"],
    [
      "TIMMERMAN_CLUSTERS",
      '[{"name":"a","settings":{"reservedEnis":2}}]',
      "cluster a: settings.reservedEnis is not known: write reservedENIs",
    ],
  ])("says what is wrong with %s=%s", (name, value, problem) => {
    const found = problemsOf({ ...environment, [name]: value });
    expect(found.some((text) => text.includes(problem))).toBe(true);
  });

  it("refuses a cluster that is listed twice", () => {
    const twice = JSON.stringify([
      ...JSON.parse(environment.TIMMERMAN_CLUSTERS),
      ...JSON.parse(environment.TIMMERMAN_CLUSTERS),
    ]);
    expect(problemsOf({ ...environment, TIMMERMAN_CLUSTERS: twice })).toEqual([
      "TIMMERMAN_CLUSTERS: cluster blue is listed twice: list it once",
    ]);
  });
});
