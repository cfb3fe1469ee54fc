import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "../../relay/config.ts";

const environment = {
  CLUSTER_NAME: "production",
  AWS_REGION: "eu-west-1",
  TIMMERMAN_TABLE: "timmerman-table",
  TIMMERMAN_QUEUE_PROVISION: "https://sqs.example/1/provision",
  TIMMERMAN_QUEUE_DISRUPT: "https://sqs.example/1/disrupt",
  TIMMERMAN_QUEUE_LIFECYCLE: "https://sqs.example/1/lifecycle",
  TIMMERMAN_QUEUE_RESOLVE_NODE_CLASSES: "https://sqs.example/1/resolve",
  POD_NAME: "timmerman-relay-abc",
  POD_NAMESPACE: "kube-system",
};

describe("the relay's configuration", () => {
  it("has a default for what the chart need not set", () => {
    expect(readConfig(environment)).toMatchObject({
      cluster: "production",
      batchIdleMs: 1_000,
      batchMaxMs: 10_000,
      bindAddress: "127.0.0.1",
      port: 8080,
      logLevel: "info",
      observeClusterState: true,
      election: { namespace: "kube-system", name: "timmerman-relay" },
      identity: "timmerman-relay-abc",
    });
  });

  it("needs no pod without an election", () => {
    const { POD_NAME: _, POD_NAMESPACE: __, ...rest } = environment;
    const config = readConfig({ ...rest, DISABLE_LEADER_ELECTION: "true", BIND_ADDRESS: "::", METRICS_PORT: "0" });
    expect([config.election, config.bindAddress, config.port]).toEqual([undefined, "::", 0]);
  });

  it.each(["us-gov-west-1", "eusc-de-east-1", "us-isob-east-1"])("knows %s for a region", (region) => {
    expect(readConfig({ ...environment, AWS_REGION: region }).region).toBe(region);
  });

  it("lists everything that is wrong, with the fix", () => {
    const wrong = { BATCH_IDLE_DURATION: "soon", METRICS_PORT: "99999", LOG_LEVEL: "loud", AWS_REGION: "Ireland" };
    const read = () => readConfig({ ...environment, ...wrong, TIMMERMAN_TABLE: undefined });
    expect(read).toThrow(ConfigError);
    try {
      read();
    } catch (error) {
      expect((error as ConfigError).problems).toEqual([
        'AWS_REGION is "Ireland": set it to the region of the deployment, such as eu-west-1',
        "TIMMERMAN_TABLE is not set: set it to the name of the deployment's table",
        'BATCH_IDLE_DURATION is "soon": set it to a duration such as 10s, five minutes at most',
        'LOG_LEVEL is "loud": set it to one of debug, info, warn, error',
        'METRICS_PORT is "99999": set it to a port from 0 to 65535',
      ]);
    }
  });

  it("refuses a longest batch that is shorter than the idle time", () => {
    expect(() => readConfig({ ...environment, BATCH_IDLE_DURATION: "20s" })).toThrow(/BATCH_MAX_DURATION is shorter/);
  });
});
