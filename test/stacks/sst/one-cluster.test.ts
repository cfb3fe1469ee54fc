// One public cluster in the deployment's own account and region, in production: what most people deploy.
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { keys, tableDefinition } from "../../../shared/adapters/dynamodb/table.ts";
import { parseInterruption } from "../../../shared/core/interruption/index.ts";
import { garbageMinAgeMs, leaseMs, spotWarningMs } from "../../../shared/core/limits.ts";
import { interruptionPatterns } from "../../../stacks/interruption.ts";
import { functionNames, queueNames } from "../../../stacks/names.ts";
import { blue, home } from "../specs.ts";
import { deploy, type Loose, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await deploy({
    given: { deployment: { region: home, alarmTopic: `arn:aws:sns:${home}:123456789012:ops` }, clusters: [blue] },
  });
}, 300_000);

const all = (type: string) => world.resources.filter((resource) => resource.type === type);
const one = (type: string, name: string): Loose => {
  const found = all(type).find((resource) => resource.name === name);
  if (found === undefined)
    throw new Error(
      `no ${type} ${name}; there are: ${all(type)
        .map((r) => r.name)
        .join(", ")}`,
    );
  return found.inputs;
};

it("the list of resources is the one that was reviewed", async () => {
  const lines = world.resources
    // Alarms and dashboards have suites of their own.
    .filter(({ type }) => !/^sst:|^pulumi:|metricAlarm|dashboard/.test(type))
    // Of these, hashes of ARNs are part of the name.
    .map(
      ({ type, name }) =>
        `${type.replace(/:\w+$/, "").padEnd(44)} ${name.replace(/Subscriber[A-Z][a-z]{5}/, "Subscriber")}`,
    );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("resources.one-cluster.txt");
});

describe("the table", () => {
  it("has the keys and the index that the functions use", () => {
    const table = one("aws:dynamodb/table:Table", "TableTable");
    expect(table.attributes.map((a: Loose) => ({ AttributeName: a.name, AttributeType: a.type }))).toEqual(
      tableDefinition.AttributeDefinitions,
    );
    expect([table.hashKey, table.rangeKey]).toEqual(tableDefinition.KeySchema.map((key) => key.AttributeName));
    expect(table.globalSecondaryIndexes).toEqual(
      tableDefinition.GlobalSecondaryIndexes.map((index) => ({
        name: index.IndexName,
        hashKey: index.KeySchema[0].AttributeName,
        rangeKey: index.KeySchema[1].AttributeName,
        projectionType: index.Projection.ProjectionType,
      })),
    );
    expect(table.billingMode).toBe(tableDefinition.BillingMode);
  });

  it("is kept, can be restored to any second, and forgets what expired", () => {
    const table = one("aws:dynamodb/table:Table", "TableTable");
    expect(table.deletionProtectionEnabled).toBe(true);
    expect(table.pointInTimeRecovery).toEqual({ enabled: true });
    expect(table.ttl).toEqual({ attributeName: "expiresAt", enabled: true });
    expect(table.streamEnabled).toBe(false);
  });
});

it("the bucket is private, encrypted, cleared of old catalogs, and kept", () => {
  expect(one("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock", "StorePublicAccessBlock")).toMatchObject({
    blockPublicAcls: true,
    blockPublicPolicy: true,
    ignorePublicAcls: true,
    restrictPublicBuckets: true,
  });
  const policy = JSON.parse(one("aws:s3/bucketPolicy:BucketPolicy", "StorePolicy").policy);
  expect(policy.Statement).toHaveLength(1);
  expect(policy.Statement[0]).toMatchObject({
    Effect: "Deny",
    Action: ["s3:*"],
    Condition: { Bool: { "aws:SecureTransport": ["false"] } },
  });
  expect(
    one("aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration", "StoreEncryption")
      .rules[0].applyServerSideEncryptionByDefault.sseAlgorithm,
  ).toBe("AES256");
  expect(one("aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration", "StoreLifecycle").rules).toMatchObject(
    [{ status: "Enabled", expiration: { days: 30 }, filter: { prefix: "catalog/" } }],
  );
  expect(one("aws:s3/bucket:Bucket", "StoreBucket").forceDestroy).toBe(false);
});

const pascal = (name: string) => name.replace(/(^|-)(.)/g, (_all, _dash, letter: string) => letter.toUpperCase());

describe.each(queueNames)("the queue of %s", (name) => {
  const queue = () => one("aws:sqs/queue:Queue", `${pascal(name)}Queue`);
  const fn = () => one("aws:lambda/function:Function", `${pascal(name)}FunctionFunction`);

  it("shows a message again only when its run has certainly ended, a few times, and then sets it aside", () => {
    const { visibilityTimeoutSeconds } = queue();
    expect(visibilityTimeoutSeconds).toBeGreaterThanOrEqual((name === "interrupt" ? 1 : 6) * fn().timeout);
    const { deadLetterTargetArn, maxReceiveCount } = JSON.parse(queue().redrivePolicy);
    expect(deadLetterTargetArn).toContain(`${pascal(name)}DeadLettersQueue`);
    expect(maxReceiveCount).toBeGreaterThanOrEqual(5);
    expect(maxReceiveCount).toBeLessThanOrEqual(10);
    // Else messages would expire before they are dead letters.
    expect(queue().messageRetentionSeconds).toBeGreaterThan(2 * maxReceiveCount * visibilityTimeoutSeconds);
    expect(one("aws:sqs/queue:Queue", `${pascal(name)}DeadLettersQueue`).messageRetentionSeconds).toBe(14 * 86_400);
  });

  it.runIf(name === "interrupt")(
    "shows a warning that failed again while it is of use, and until EC2 must know the instance",
    () => {
      const { visibilityTimeoutSeconds, redrivePolicy } = queue();
      expect(3 * visibilityTimeoutSeconds * 1_000).toBeLessThanOrEqual(spotWarningMs);
      expect((JSON.parse(redrivePolicy).maxReceiveCount - 1) * visibilityTimeoutSeconds * 1_000).toBeGreaterThan(
        garbageMinAgeMs,
      );
    },
  );

  it("is encrypted, speaks TLS only, and its dead letters come from it alone", () => {
    for (const title of [pascal(name), `${pascal(name)}DeadLetters`]) {
      expect(one("aws:sqs/queue:Queue", `${title}Queue`)).toMatchObject({
        sqsManagedSseEnabled: true,
        fifoQueue: false,
      });
      const [deny] = JSON.parse(one("aws:sqs/queuePolicy:QueuePolicy", `${title}Policy`).policy).Statement;
      expect(deny).toMatchObject({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } });
    }
    const allow = JSON.parse(
      one("aws:sqs/redriveAllowPolicy:RedriveAllowPolicy", `${pascal(name)}DeadLettersFrom`).redriveAllowPolicy,
    );
    expect(allow.redrivePermission).toBe("byQueue");
    expect(allow.sourceQueueArns[0]).toContain(`${pascal(name)}Queue`);
  });

  it("feeds its function at once, bounded, message by message", () => {
    const mapping = all("aws:lambda/eventSourceMapping:EventSourceMapping").find(({ inputs }) =>
      String(inputs.eventSourceArn).includes(`${pascal(name)}Queue`),
    )!.inputs;
    expect(mapping.maximumBatchingWindowInSeconds).toBe(0);
    expect(mapping.functionResponseTypes).toEqual(["ReportBatchItemFailures"]);
    expect(mapping.functionName).toBe(`arn:aws:lambda:${home}:123456789012:function:timmerman-production-${name}`);
    expect(mapping.scalingConfig.maximumConcurrency).toBeGreaterThanOrEqual(2);
    expect(mapping.batchSize).toBeLessThanOrEqual(10);
  });
});

describe.each(functionNames)("the function %s", (name) => {
  const fn = () => one("aws:lambda/function:Function", `${pascal(name)}FunctionFunction`);

  it("runs on Node 24 on arm64, traced, with its logs kept for a while", () => {
    expect(fn()).toMatchObject({
      name: `timmerman-production-${name}`,
      runtime: "nodejs24.x",
      architectures: ["arm64"],
      tracingConfig: { mode: "Active" },
    });
    expect(fn().vpcConfig).toBeUndefined();
    const logs = one("aws:cloudwatch/logGroup:LogGroup", `${pascal(name)}FunctionLogGroup`);
    expect(logs).toMatchObject({ name: `/aws/lambda/timmerman-production-${name}`, retentionInDays: 30 });
  });

  it("ends before the lease that it works under", () => {
    if (name !== "refresh-catalog") expect(fn().timeout * 1_000).toBeLessThan(leaseMs);
  });

  it("is told what docs/configuration.md lists, and nothing that the runtime does not know", () => {
    const documented = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8");
    const own = Object.keys(fn().environment.variables).filter((variable) => !variable.startsWith("SST_"));
    expect(own).toContain("TIMMERMAN_TABLE");
    expect(own).not.toContain("TIMMERMAN_CLUSTERS");
    const abbreviated = (variable: string) => variable.replace(/^TIMMERMAN_QUEUE|^POWERTOOLS/, "…");
    for (const variable of own) {
      expect(documented.includes(variable) || documented.includes(abbreviated(variable)), variable).toBe(true);
    }
  });
});

it("only the tick has reserved executions, and Lambda repeats none of its runs", () => {
  const reserved = all("aws:lambda/function:Function").map(({ inputs }) => [
    inputs.name,
    inputs.reservedConcurrentExecutions,
  ]);
  expect(reserved.filter(([, count]) => count !== undefined)).toEqual([["timmerman-production-tick", 1]]);
  expect(
    one("aws:lambda/functionEventInvokeConfig:FunctionEventInvokeConfig", "TickFunctionEventInvokeConfig"),
  ).toMatchObject({ maximumRetryAttempts: 0, maximumEventAgeInSeconds: 60 });
});

describe("schedules", () => {
  it.each([
    ["TickSchedule", "rate(1 minute)", "tick"],
    ["CatalogSchedule", "rate(1 hour)", "refresh-catalog"],
  ])("%s sends what the function takes for a schedule's event, %s", (name, rate, fn) => {
    const schedule = one("aws:scheduler/schedule:Schedule", `${name}Schedule`);
    expect(schedule).toMatchObject({ scheduleExpression: rate, state: "ENABLED", flexibleTimeWindow: { mode: "OFF" } });
    expect(schedule.target.arn).toBe(`arn:aws:lambda:${home}:123456789012:function:timmerman-production-${fn}`);
    expect(JSON.parse(schedule.target.input)["detail-type"]).toBe("Scheduled Event");
    expect(JSON.parse(one("aws:iam/role:Role", `${name}Role`).assumeRolePolicy).Statement).toEqual([
      {
        Effect: "Allow",
        Principal: { Service: "scheduler.amazonaws.com" },
        Action: "sts:AssumeRole",
        Condition: { StringEquals: { "aws:SourceAccount": "123456789012" } },
      },
    ]);
  });

  it("the catalog is also read once when regions change", () => {
    const { functionName, input, triggers } = one("aws:lambda/invocation:Invocation", "FirstCatalog");
    expect(functionName).toBe("timmerman-production-refresh-catalog");
    expect(JSON.parse(input)["detail-type"]).toBe("Scheduled Event");
    expect(triggers).toEqual({ regions: home });
  });
});

describe("interruptions", () => {
  it("come from the default bus into their queue, which takes them from these rules alone", () => {
    const rules = all("aws:cloudwatch/eventRule:EventRule");
    expect(rules.map(({ inputs }) => JSON.parse(inputs.eventPattern))).toEqual(
      Object.entries(interruptionPatterns)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, pattern]) => pattern),
    );
    expect(rules.every(({ inputs }) => inputs.eventBusName === undefined)).toBe(true);
    const [, allow] = JSON.parse(one("aws:sqs/queuePolicy:QueuePolicy", "InterruptPolicy").policy).Statement;
    expect(allow.Principal).toEqual({ Service: "events.amazonaws.com" });
    expect(allow.Condition.ArnEquals["aws:SourceArn"]).toHaveLength(rules.length);
    for (const { inputs } of all("aws:cloudwatch/eventTarget:EventTarget"))
      expect(inputs.arn).toContain("InterruptQueue");
  });

  it("are all of a kind that the function understands", () => {
    for (const pattern of Object.values(interruptionPatterns)) {
      for (const detailType of pattern["detail-type"]) {
        const detail =
          "detail" in pattern && "service" in pattern.detail
            ? { service: "EC2", eventTypeCategory: "scheduledChange", affectedEntities: [{ entityValue: "i-1" }] }
            : { "instance-id": "i-1", state: "stopping" };
        const event = {
          version: "0",
          id: "e",
          source: pattern.source[0],
          "detail-type": detailType,
          time: "2026-01-01T00:00:00Z",
          detail,
        };
        expect(parseInterruption(JSON.stringify(event)).messages, detailType).toHaveLength(1);
      }
    }
  });
});

describe("the cluster", () => {
  it("has an access entry in one group for each function that asks its API server, and no more", () => {
    const entries = all("aws:eks/accessEntry:AccessEntry");
    expect(entries.map(({ name }) => name)).toEqual(
      ["CollectGarbage", "Disrupt", "Interrupt", "Lifecycle", "Provision", "ResolveNodeClasses"].map(
        (fn) => `Access-blue-${fn}`,
      ),
    );
    for (const { inputs } of entries) {
      expect(inputs).toMatchObject({
        clusterName: "blue",
        type: "STANDARD",
        kubernetesGroups: ["timmerman:functions"],
      });
      expect(inputs.principalArn).toMatch(/^arn:aws:iam::123456789012:role\/timmerman-production-\w+FunctionRole/);
    }
  });

  it("gives the relay's service account a role that it alone can take", () => {
    expect(one("aws:eks/podIdentityAssociation:PodIdentityAssociation", "Relay-blue-Association")).toMatchObject({
      clusterName: "blue",
      namespace: "kube-system",
      serviceAccount: "timmerman-relay",
    });
    expect(JSON.parse(one("aws:iam/role:Role", "Relay-blue-Role").assumeRolePolicy).Statement).toEqual([
      {
        Effect: "Allow",
        Principal: { Service: "pods.eks.amazonaws.com" },
        Action: ["sts:AssumeRole", "sts:TagSession"],
        Condition: {
          StringEquals: {
            "aws:SourceAccount": "123456789012",
            "aws:RequestTag/kubernetes-namespace": "kube-system",
            "aws:RequestTag/kubernetes-service-account": "timmerman-relay",
          },
          ArnEquals: { "aws:SourceArn": `arn:aws:eks:${home}:123456789012:cluster/blue` },
        },
      },
    ]);
  });

  it("stands in the registry where and as the functions look for it", () => {
    const { item, hashKey, rangeKey } = one("aws:dynamodb/tableItem:TableItem", "Registry-blue");
    expect([hashKey, rangeKey]).toEqual(["pk", "sk"]);
    const { document, region, ...key } = JSON.parse(item);
    expect(key).toEqual(keys.registration("blue"));
    expect(region).toEqual({ S: home });
    expect(JSON.parse(document.S)).toEqual({
      name: "blue",
      region: home,
      endpoint: `https://BLUE.gr7.${home}.eks.amazonaws.com`,
      caBundle: "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t",
      serviceCidr: "172.20.0.0/16",
      settings: { batchIdleDuration: "2s", reservedENIs: "1", featureGates: { spotToSpotConsolidation: true } },
    });
  });

  it("has an instance profile for each node role", () => {
    expect(all("aws:iam/instanceProfile:InstanceProfile").map(({ inputs }) => inputs)).toEqual([
      { name: "KarpenterNodeRole-blue", role: "KarpenterNodeRole-blue" },
    ]);
  });

  it("is told to the chart by the outputs", () => {
    const url = expect.stringMatching(/^https:\/\/sqs\.eu-west-1\.amazonaws\.com\/123456789012\/timmerman-production-/);
    expect(world.outputs.relays).toEqual({
      blue: {
        settings: { clusterName: "blue", batchIdleDuration: "2s" },
        aws: { region: home },
        timmerman: {
          table: one("aws:dynamodb/table:Table", "TableTable").name,
          queues: { provision: url, disrupt: url, lifecycle: url, resolveNodeClasses: url },
        },
      },
    });
    expect(world.outputs.next.blue).toContain("npx timmerman init blue");
  });
});

it("alarms tell the topic", () => {
  const alarms = all("aws:cloudwatch/metricAlarm:MetricAlarm");
  expect(alarms.length).toBeGreaterThan(10);
  for (const { inputs } of alarms) expect(inputs.alarmActions).toEqual([`arn:aws:sns:${home}:123456789012:ops`]);
});
