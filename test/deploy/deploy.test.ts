// One deployment's life, as a user with one cluster would live it: deployed, set up, at work, deployed again, changed,
// removed. What is real in it and what stands in is told in docs/deploy-test.md.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { applyManifest, readManifests } from "../../local/manifests.ts";
import { functionNames, pascal, queueNames, wakeQueueNames } from "../../stacks/names.ts";
import { runtimeStatements, statementsFor } from "../../stacks/policies.ts";
import { policyText } from "../../stacks/policy-text.ts";
import { type Account, openAccount } from "./account.ts";
import { readCheckpoint } from "./checkpoint.ts";
import { allPodsBound, claimItems, conditionOf, itemsOf, listOf, readJsonObject } from "./cluster-life.ts";
import { type Delivery, deliver, deliverUntil, mappingOf, putEvent, runSchedule, wake } from "./deliveries.ts";
import { clusterName, clustersFile, functionName, nodeRole, prefix, region, stage } from "./deployment.ts";
import { bucketOf, placesOf } from "./places.ts";
import { readRoles, roleOf, statementsOf } from "./policies.ts";
import type { Values } from "./provider/aws.ts";
import { type App, createApp, type Outcome } from "./sst.ts";

const noDeployment = inject("noDeployment");
const title = noDeployment === "" ? "a deployment to moto" : `a deployment to moto (SKIPPED: ${noDeployment})`;

/** Lines in which SST tells of a change that it has made. */
const changesIn = ({ output }: Outcome) =>
  output.split("\n").filter((line) => /^\|\s+(Creat|Updat|Delet|Replac)/.test(line));
/** On a slow machine; what is waited for mostly takes some ten seconds. */
const patienceMs = 400_000;
const zipLimitBytes = 1_000_000;
const bundleLimitBytes = 1_600_000;

describe.skipIf(noDeployment !== "")(title, () => {
  let account: Account;
  let app: App;
  let first: Outcome;
  let table: string;
  const delivered: (Delivery & { name: string })[] = [];

  beforeAll(async () => {
    const python = inject("deployPython");
    account = await openAccount({ python, emulator: inject("lambdaEmulator") });
    const { folder, endpoint } = account;
    app = createApp({ folder, pulumi: inject("pulumi"), python, awsEndpoint: endpoint });
    writeFileSync(join(app.folder, "stacks", "clusters.ts"), clustersFile());
    first = await app.run("deploy");
    if (first.code !== 0) throw new Error(`the deployment failed:\n${first.output.slice(-10_000)}`);
    table = (JSON.parse(readFileSync(join(app.folder, ".sst", "outputs.json"), "utf8")) as { table: string }).table;
    tell(`deployed in ${Math.round(first.seconds)} s`);
  });
  afterAll(() => account?.stop());

  describe("once deployed", () => {
    it("has gone through", () => {
      expect(first.output).toContain("✓  Complete");
    });

    it("consists of the resources that were reviewed", async () => {
      const reviewed = readFileSync(new URL("../stacks/sst/resources.one-cluster.txt", import.meta.url), "utf8")
        .replaceAll("EuWest1", "UsEast1")
        .replaceAll("blue", clusterName)
        .trimEnd()
        .split("\n");
      const made = (await readCheckpoint(account))
        // Alarms and dashboards are not in that list.
        .filter(({ type }) => !/metricAlarm|dashboard/.test(type))
        .map(
          ({ type, name }) =>
            `${type.replace(/:\w+$/, "").padEnd(44)} ${name.replace(/Subscriber[A-Z][a-z]{5}/, "Subscriber")}`,
        );
      expect(made.sort()).toEqual(reviewed.sort());
    });

    it("leaves nothing undefined in what functions are given", async () => {
      for (const name of functionNames) {
        const { Environment } = await account.aws("lambda", "GetFunctionConfiguration", {
          FunctionName: functionName(name),
        });
        const { Variables } = Environment as { Variables: Record<string, string> };
        expect(Object.values(Variables).filter((value) => /undefined|\[object|04da6b54/.test(value))).toEqual([]);
        expect(Variables).toMatchObject({ TIMMERMAN_DEPLOYMENT: prefix, TIMMERMAN_TABLE: table });
      }
    });

    it("has functions on Node 24 and arm64, traced, in zips of less than a megabyte", async () => {
      const { Functions } = await account.aws("lambda", "ListFunctions");
      const found = (Functions as Values[]).map(({ FunctionName, Runtime, Architectures, TracingConfig, CodeSize }) => {
        expect([Runtime, Architectures, TracingConfig]).toEqual(["nodejs24.x", ["arm64"], { Mode: "Active" }]);
        expect(Number(CodeSize)).toBeLessThan(zipLimitBytes);
        tell(`${FunctionName}: ${CodeSize} bytes zipped`);
        return FunctionName;
      });
      expect(found.sort()).toEqual(functionNames.map(functionName).sort());
    });

    it("was bundled with what functions use of EC2's client, not with all of it", () => {
      for (const name of functionNames) {
        const folder = join(app.folder, ".sst", "artifacts", `${pascal(`${name}-function`)}-src`);
        const modules = readdirSync(folder).filter((file) => file.endsWith(".mjs"));
        const texts = modules.map((file) => readFileSync(join(folder, file), "utf8"));
        const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
        tell(`${name}: ${bytes} bytes unzipped`);
        expect(bytes).toBeLessThan(bundleLimitBytes);
        expect(texts.some((text) => text.includes("CreateFleetRequest"))).toBe(true);
        expect(texts.filter((text) => text.includes("AcceptVpcPeeringConnection"))).toEqual([]);
      }
    });

    it("gives each function's role what the stacks claim, and nobody else the role", async () => {
      const roles = await readRoles(account);
      for (const name of functionNames) {
        const role = roleOf(roles, pascal(`${name}-function`));
        const places = await placesOf(account, table);
        const claimed = policyText([...runtimeStatements(functionName(name), places), ...statementsFor(name, places)]);
        expect(role.statements).toEqual(statementsOf(claimed));
        expect(role.managedPolicies).toEqual([]);
        expect(role.trust).toEqual([
          { Action: ["sts:AssumeRole"], Effect: "Allow", Principal: { Service: ["lambda.amazonaws.com"] } },
        ]);
      }
    });

    it("lets nobody do everything: no action has a wildcard, no resource is everything where it can be named", async () => {
      const roles = await readRoles(account);
      expect(roles).toHaveLength(functionNames.length + 3);
      const statements = roles.flatMap((role) => role.statements) as { Action: string[]; Resource: string[] }[];
      expect(statements.flatMap(({ Action }) => Action).filter((action) => action.includes("*"))).toEqual([]);
      const unbounded = statements.filter(({ Resource }) => Resource.includes("*")).flatMap(({ Action }) => Action);
      // AWS knows no resources for these.
      expect(unbounded.filter((action) => !/^(ec2:Describe\w+|xray:Put\w+|pricing:GetProducts)$/.test(action))).toEqual(
        [],
      );
    });

    it("feeds functions from queues at once, bounded, and with partial failures", async () => {
      for (const name of queueNames) {
        const mapping = await mappingOf(account, name);
        expect(mapping).toMatchObject({
          EventSourceArn: expect.stringContaining(`:${prefix}-${pascal(name)}Queue-`),
          FunctionResponseTypes: ["ReportBatchItemFailures"],
          ScalingConfig: { MaximumConcurrency: name === "interrupt" ? 10 : 2 },
        });
        expect(mapping.MaximumBatchingWindowInSeconds ?? 0).toBe(0);
      }
      const { QueueUrls } = await account.aws("sqs", "ListQueues");
      expect(QueueUrls).toHaveLength(2 * queueNames.length);
      for (const QueueUrl of QueueUrls as string[]) {
        const { Attributes } = await account.aws("sqs", "GetQueueAttributes", { QueueUrl, AttributeNames: ["All"] });
        const { RedrivePolicy, VisibilityTimeout, SqsManagedSseEnabled, Policy } = Attributes as Record<string, string>;
        expect(SqsManagedSseEnabled).toBe("true");
        expect(JSON.parse(Policy ?? "{}").Statement[0]).toMatchObject({ Sid: "TlsOnly", Effect: "Deny" });
        if (QueueUrl.includes("DeadLetters")) continue;
        const isInterrupt = QueueUrl.includes("-InterruptQueue-");
        expect(JSON.parse(RedrivePolicy ?? "{}")).toMatchObject({ maxReceiveCount: isInterrupt ? 10 : 5 });
        expect(Number(VisibilityTimeout)).toBeGreaterThanOrEqual(isInterrupt ? 40 : 180);
      }
    });

    it("keeps its records in a table that can be restored and that forgets what expired", async () => {
      const { Table } = await account.aws("dynamodb", "DescribeTable", { TableName: table });
      expect(Table).toMatchObject({
        KeySchema: [
          { AttributeName: "pk", KeyType: "HASH" },
          { AttributeName: "sk", KeyType: "RANGE" },
        ],
        BillingModeSummary: { BillingMode: "PAY_PER_REQUEST" },
        DeletionProtectionEnabled: false,
        GlobalSecondaryIndexes: [{ IndexName: "due", Projection: { ProjectionType: "KEYS_ONLY" } }],
      });
      const { TimeToLiveDescription } = await account.aws("dynamodb", "DescribeTimeToLive", { TableName: table });
      expect(TimeToLiveDescription).toEqual({ TimeToLiveStatus: "ENABLED", AttributeName: "expiresAt" });
      const { ContinuousBackupsDescription } = await account.aws("dynamodb", "DescribeContinuousBackups", {
        TableName: table,
      });
      expect(ContinuousBackupsDescription).toMatchObject({
        PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: "ENABLED" },
      });
    });

    it("asked EKS for what moto has not: access entries of the functions' group, and the relay's role", async () => {
      const calls = app.unsent();
      const roles = await readRoles(account);
      expect(calls.map(({ operation }) => operation).sort()).toEqual([
        ...Array.from({ length: 6 }, () => "CreateAccessEntry"),
        "CreatePodIdentityAssociation",
      ]);
      for (const { operation, parameters } of calls) {
        expect(parameters.clusterName).toBe(clusterName);
        const arn = String(operation === "CreateAccessEntry" ? parameters.principalArn : parameters.roleArn);
        expect(roles.map(({ name }) => name)).toContain(arn.split("/").at(-1));
        if (operation !== "CreateAccessEntry") continue;
        expect(parameters).toMatchObject({ type: "STANDARD", kubernetesGroups: ["timmerman:functions"] });
      }
    });
  });

  describe("at work, in the bundles that were uploaded", () => {
    it("has its first catalog, which the deployment itself had refreshed", async () => {
      const Bucket = await bucketOf(account);
      const pointers = await itemsOf(account, table, `market#aws#${region}`);
      const pointer = pointers.find(({ sk }) => (sk as { S: string }).S === "catalog");
      const key = String((pointer?.key as { S: string } | undefined)?.S);
      expect(key).toMatch(/^catalog\/us-east-1\/\w+\.json\.gz$/);
      const catalog = await readJsonObject(account, Bucket, key);
      expect((catalog.instanceTypes as unknown[]).length).toBeGreaterThan(500);
      expect(account.lambdas.logOf(functionName("refresh-catalog"))).toContain("timmerman_catalog_refreshes_total");
    });

    it("is set up by `timmerman init`, and gives the chart its values", async () => {
      const init = await timmerman("init", clusterName, "--stage", stage);
      expect(init).toMatchObject({ code: 0, stderr: "" });
      expect(init.stdout).toContain(`cluster ${clusterName} is set up`);
      const values = await timmerman("values", clusterName);
      expect(values.stdout).toContain(`table: ${table}`);
      for (const queue of ["provision", "disrupt", "lifecycle", "resolveNodeClasses"]) {
        expect(values.stdout).toMatch(new RegExp(`${queue}: http://127\\.0\\.0\\.1:\\d+/123456789012/${prefix}-`));
      }
    });

    it("is woken by the tick", async () => {
      for (const manifest of readManifests([join(import.meta.dirname, "../../local/manifests")])) {
        applyManifest(account.kube.store, manifest);
      }
      const tick = await runSchedule(account, "tick", new Date());
      expect(tick).toEqual({ payload: { wakesSent: wakeQueueNames.length }, errored: false });
    });

    it("resolves classes, plans claims, launches instances, and sees them join until all pods run", async () => {
      const wakes = setInterval(() => void wake(account, "provision", "lifecycle"), 3_000);
      try {
        delivered.push(...(await deliverUntil(account, wakeQueueNames, () => allPodsBound(account), patienceMs)));
      } finally {
        clearInterval(wakes);
      }
      expect(conditionOf(listOf(account, "ec2nodeclasses.karpenter.k8s.aws")[0], "Ready")).toBe("True");
      const claims = await claimItems(account, table);
      const instances = account.ec2.instances();
      expect(claims.length).toBeGreaterThan(0);
      expect(instances).toHaveLength(claims.length);
      const described = account.ec2.call<{ Reservations: { Instances: { Tags: unknown[] }[] }[] }>(
        "DescribeInstances",
        {},
      );
      for (const { Tags } of described.Reservations.flatMap(({ Instances }) => Instances)) {
        expect(Tags).toContainEqual({ Key: "timmerman/deployment", Value: prefix });
      }
      expect(listOf(account, "nodeclaims.karpenter.sh")).toHaveLength(claims.length);
      tell(`${listOf(account, "pods").length} pods on ${instances.length} instances`);
    });

    it("sees a spot warning through the deployed rule, and gives the node up", async () => {
      const spot = account.ec2
        .instances()
        .find(({ pool, state }) => pool.capacityType === "spot" && state === "running");
      const forwarded: Promise<unknown>[] = [];
      const end = account.ec2.onEvent((event) => {
        if (event.kind === "interruption-warning") forwarded.push(putEvent(account, event));
      });
      expect(account.ec2.interrupt(spot!.id)).toBe(true);
      account.ec2.settle();
      end();
      await Promise.all(forwarded);
      const interrupted = await deliver(account, "interrupt");
      expect(interrupted?.bodies).toMatchObject([
        { "detail-type": "EC2 Spot Instance Interruption Warning", detail: { "instance-id": spot!.id } },
      ]);
      delivered.push({ ...interrupted!, name: "interrupt" });
      const going = (await claimItems(account, table)).filter((item) => item.deletion !== undefined);
      expect(going).toHaveLength(1);
      const isTainted = () =>
        listOf(account, "nodes").some((node) =>
          ((node.spec.taints ?? []) as { key: string }[]).some(({ key }) => key === "karpenter.sh/disrupted"),
        );
      delivered.push(...(await deliverUntil(account, wakeQueueNames, isTainted, patienceMs)));
    });

    it("has run every function, and none has failed", async () => {
      for (const name of wakeQueueNames.filter((queue) => !delivered.some((one) => one.name === queue))) {
        await wake(account, name);
        const delivery = await deliver(account, name);
        expect(delivery, name).toBeDefined();
        delivered.push({ ...delivery!, name });
      }
      expect(delivered.filter(({ invocation }) => invocation.errored)).toEqual([]);
      expect(delivered.map(({ invocation }) => invocation.payload)).toEqual(
        delivered.map(() => ({ batchItemFailures: [] })),
      );
      for (const name of functionNames) {
        const log = account.lambdas.logOf(functionName(name));
        expect(log).toContain("INVOKE RTDONE(status: success");
        expect(log.split("\n").filter((line) => /"level":"ERROR"|status: (error|failure)/.test(line))).toEqual([]);
      }
      // The cluster took no token that is not EKS's.
      expect(account.front.counts.refused).toBe(0);
    });
  });

  describe("after that", () => {
    it("is deployed again without any change", async () => {
      const again = await app.run("deploy");
      tell(`deployed again in ${Math.round(again.seconds)} s`);
      expect([again.code, changesIn(again)]).toEqual([0, []]);
    });

    it("changes what the user has changed, and nothing else", async () => {
      const file = clustersFile('logRetention: "1 week"', 'settings: { batchIdleDuration: "2s" },');
      writeFileSync(join(app.folder, "stacks", "clusters.ts"), file);
      const change = await app.run("deploy");
      tell(`changed in ${Math.round(change.seconds)} s`);
      expect(change.code).toBe(0);
      const kinds = changesIn(change).map((line) => line.replace(/^\|\s+(\w+)\s.* (aws:\S+).*$/, "$1 $2"));
      expect(kinds.sort()).toEqual([
        ...functionNames.map(() => "Updated aws:cloudwatch:LogGroup"),
        "Updated aws:dynamodb:TableItem",
      ]);
      const { logGroups } = await account.aws("logs", "DescribeLogGroups", {
        logGroupNamePrefix: `/aws/lambda/${prefix}`,
      });
      expect((logGroups as Values[]).map(({ retentionInDays }) => retentionInDays)).toEqual(functionNames.map(() => 7));
      const [registered] = await itemsOf(account, table, "registry");
      expect(JSON.parse((registered!.document as { S: string }).S)).toMatchObject({
        name: clusterName,
        settings: { batchIdleDuration: "2s" },
      });
    });

    it("is removed without a trace", async () => {
      const removal = await app.run("remove");
      tell(`removed in ${Math.round(removal.seconds)} s`);
      expect(removal.code).toBe(0);
      const names = async (service: string, operation: string, list: string, name?: string) => {
        const answer = await account.aws(service, operation);
        return ((answer[list] ?? []) as (string | Values)[])
          .map((one) => (typeof one === "string" ? one : String(one[name ?? ""])))
          .filter((one) => !/^(sst-|default$|eks-cluster$)/.test(one));
      };
      expect({
        functions: await names("lambda", "ListFunctions", "Functions", "FunctionName"),
        mappings: await names("lambda", "ListEventSourceMappings", "EventSourceMappings", "UUID"),
        tables: await names("dynamodb", "ListTables", "TableNames"),
        queues: await names("sqs", "ListQueues", "QueueUrls"),
        buckets: await names("s3", "ListBuckets", "Buckets", "Name"),
        rules: await names("events", "ListRules", "Rules", "Name"),
        buses: await names("events", "ListEventBuses", "EventBuses", "Name"),
        schedules: await names("scheduler", "ListSchedules", "Schedules", "Name"),
        alarms: await names("cloudwatch", "DescribeAlarms", "MetricAlarms", "AlarmName"),
        dashboards: await names("cloudwatch", "ListDashboards", "DashboardEntries", "DashboardName"),
        logGroups: await names("logs", "DescribeLogGroups", "logGroups", "logGroupName"),
        roles: (await readRoles(account)).map(({ name }) => name),
        profiles: await names("iam", "ListInstanceProfiles", "InstanceProfiles", "InstanceProfileName"),
      }).toEqual({
        functions: [],
        mappings: [],
        tables: [],
        queues: [],
        buckets: [],
        rules: [],
        buses: [],
        schedules: [],
        alarms: [],
        dashboards: [],
        logGroups: [],
        roles: [],
        profiles: [],
      });
      // The user's own role is left alone.
      await account.aws("iam", "GetRole", { RoleName: nodeRole });
    });
  });

  function timmerman(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const program = join(import.meta.dirname, "../../cli/timmerman.js");
    const env = { ...process.env, ...account.environment };
    return new Promise((resolve) => {
      execFile(process.execPath, [program, ...args], { cwd: app.folder, env }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
      });
    });
  }
});

function tell(what: string): void {
  process.stderr.write(`deployment: ${what}\n`);
}
