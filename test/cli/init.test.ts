import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { main } from "../../cli/main.ts";
import { paintFor } from "../../cli/output/paint.ts";
import { createTable, dynoxideAvailable, startDynoxide } from "../../local/aws/dynamodb.ts";
import { createSeededIds } from "../../local/kube/ids.ts";
import { createApiServer } from "../../local/kube/server.ts";
import { createDynamoClaimStore } from "../../shared/adapters/dynamodb/index.ts";
import { createEc2Client, createEc2Cloud } from "../../shared/adapters/ec2/index.ts";
import { startScriptedServer } from "../adapters/kube/scripted-server.ts";
import { freshRequest } from "../contracts/cloud/subject.ts";
import { groups, images, openRegion, subnets } from "../local/ec2/small-region.ts";

const nowMs = 1_760_000_000_000;
const TableName = "timmerman";
const keys = { accessKeyId: "local", secretAccessKey: "local" };
const skipped = dynoxideAvailable() ? "" : " (skipped: npm serves @dynoxide/linux-x64 for Linux on x64 only)";

/** Everything that `init` speaks to, on loopback, and where it is as the SDK's own variables say. */
async function openWorld() {
  const region = await openRegion();
  const dynamodb = await startDynoxide();
  const client = new DynamoDBClient({ region: "us-east-1", endpoint: dynamodb.url, credentials: keys });
  await createTable(client, TableName);
  const kube = createApiServer({ clock: { now: () => nowMs }, ids: createSeededIds(1) });
  await kube.listen();
  const { server, token, ca } = kube.kubeconfig();
  for (const [name, value] of Object.entries({
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_EC2: region.endpoint,
  })) {
    vi.stubEnv(name, value);
  }
  async function register(name: string, more: object = {}) {
    const document = { name, region: "us-east-1", endpoint: server, caBundle: Buffer.from(ca).toString("base64") };
    const text = JSON.stringify({ ...document, token, ...more });
    const Item = { pk: { S: "registry" }, sk: { S: name }, region: { S: "us-east-1" }, document: { S: text } };
    await client.send(new PutItemCommand({ TableName, Item }));
  }
  return {
    register,
    store: createDynamoClaimStore({ client, tableName: TableName }),
    cloud: createEc2Cloud({
      client: createEc2Client({ region: "us-east-1", endpoint: region.endpoint, credentials: keys }),
      clock: region.clock,
    }),
    uid: kube.store.get("namespaces", { name: "kube-system" }).metadata.uid!,
    async close() {
      vi.unstubAllEnvs();
      client.destroy();
      await Promise.all([kube.close(), region.close(), dynamodb.stop()]);
    },
  };
}

async function run(...argv: string[]) {
  let out = "";
  let err = "";
  const code = await main(["init", ...argv], {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    paint: paintFor({ isTTY: false }, {}),
    now: () => nowMs,
  });
  return { code, out, err };
}

const flags = ["--table", TableName, "--region", "us-east-1", "--stage", "test"];

describe.skipIf(skipped !== "")(`timmerman init${skipped}`, () => {
  let world: Awaited<ReturnType<typeof openWorld>>;
  let folder: string;
  beforeAll(async () => {
    world = await openWorld();
    folder = mkdtempSync(join(tmpdir(), "init-"));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await world?.close();
  });

  it("makes the head of a registered cluster, has its controllers due and says what next", async () => {
    await world.register("blue");
    const { code, out, err } = await run("blue", ...flags);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(`kube-system has uid ${world.uid}`);
    expect(out).toMatch(/cluster blue is set up: epoch [a-z2-7]{24}, 0 commits/);
    expect(out).toContain("timmerman values blue > values.yaml");
    expect(await world.store.readHead("blue")).toMatchObject({ seq: 0, clusterUid: world.uid });
    const due = (await world.store.readDue(nowMs)).map(({ controller }) => controller).sort();
    expect(due).toEqual(["collect-garbage", "disrupt", "lifecycle", "provision", "resolve-node-classes"]);
  });

  it("changes nothing when it is repeated", async () => {
    await world.register("twice");
    await run("twice", ...flags);
    const head = await world.store.readHead("twice");
    const { code, out } = await run("twice", ...flags);
    expect(code).toBe(0);
    expect(out).toContain(`cluster twice was set up before: epoch ${head?.epoch}, 0 commits`);
    expect(await world.store.readHead("twice")).toEqual(head);
  });

  it("takes from the deployment's outputs what no flag says", async () => {
    await world.register("told");
    const path = join(folder, "outputs.json");
    writeFileSync(path, JSON.stringify({ table: TableName, region: "us-east-1", deployment: "timmerman-test" }));
    expect(await run("told", "--outputs", path)).toMatchObject({ code: 0, err: "" });
    const { err } = await run("told", "--outputs", path, "--table", "other");
    expect(err).toContain("reading the registration of cluster told in table other: ResourceNotFoundException");
  });

  it("refuses a stage that the outputs are not of, unless flags say where that one is", async () => {
    await world.register("staged");
    const path = join(folder, "of-another-stage.json");
    writeFileSync(path, JSON.stringify({ table: TableName, region: "us-east-1", deployment: "timmerman-test" }));
    const from = ["staged", "--outputs", path];
    for (const named of [
      ["--stage", "live"],
      ["--deployment", "timmerman-live"],
    ]) {
      const { code, err } = await run(...from, ...named);
      expect(code).toBe(1);
      expect(err).toContain("the outputs are of timmerman-test, not of timmerman-live");
      expect(err).toContain("give --table and --region");
      expect((await run(...from, ...named, "--table", TableName)).err).toContain("give --region");
    }
    expect(await world.store.readHead("staged")).toBeUndefined();
    expect((await run(...from, ...flags.slice(0, 4), "--stage", "live")).code).toBe(0);
    expect((await run(...from, "--stage", "test")).code).toBe(0);
  });

  it("refuses a cluster in which instances of the deployment run without records, and names them", async () => {
    await world.register("lost");
    const subject = { subnets, securityGroup: groups.nodes, image: { id: images.x86, name: "" } };
    const marks = { "timmerman/deployment": "timmerman-test", "eks:eks-cluster-name": "lost" };
    const { instances } = await world.cloud.launch(freshRequest(subject as never, 1, { count: 2, tags: marks }));
    const { code, err } = await run("lost", ...flags);
    expect(code).toBe(2);
    expect(err).toContain("2 instances of timmerman-test run in it");
    for (const { id } of instances) expect(err).toContain(id);
    expect(err).toContain("timmerman recover");
    expect(await world.store.readHead("lost")).toBeUndefined();
    const other = [...flags.slice(0, 4), "--deployment", "another"];
    expect((await run("lost", ...other)).code).toBe(0);
  });

  it("refuses a cluster that was made anew under an old name", async () => {
    await world.register("anew");
    await world.store.createHead("anew", { seq: 7, epoch: "e1", clusterUid: "uid-of-old" });
    const { code, err } = await run("anew", ...flags);
    expect(code).toBe(2);
    expect(err).toContain("whose kube-system had uid uid-of-old");
    expect(await world.store.readHead("anew")).toMatchObject({ seq: 7, clusterUid: "uid-of-old" });
  });

  it("asks a cluster without a token of its own with an EKS token of the caller, and says what a refusal needs", async () => {
    const api = await startScriptedServer(() => ({ status: 403, body: { kind: "Status", message: "no access" } }));
    await world.register("closed", { endpoint: api.url, caBundle: "", token: undefined });
    const { code, err } = await run("closed", ...flags);
    await api.stop();
    expect(code).toBe(1);
    expect(err).toContain("give your own IAM identity an EKS access entry");
    for (const { token } of api.seen) expect(token).toMatch(/^Bearer k8s-aws-v1\./);
    expect(await world.store.readHead("closed")).toBeUndefined();
  });

  it.each([
    [["nowhere", ...flags], "cluster nowhere is not in the registry of table timmerman (us-east-1): add it to stacks/"],
    [["blue", "--table", "missing", ...flags.slice(2)], "reading the registration of cluster blue"],
    [[], "name a cluster"],
    [["a", "b"], "one cluster at a time"],
    [["blue", "--tabel", "x"], "--tabel"],
    [["blue", "--outputs", "/nonexistent/outputs.json"], "cannot be read"],
    [["blue", "--table", TableName, "--region", "us-east-1"], "--stage or --deployment is missing"],
  ])("says in a line what is wrong with %j", async (argv, problem) => {
    const { code, out, err } = await run(...argv);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(problem);
    expect(err.trim().split("\n")).toHaveLength(1);
  });

  it("tells its flags and exit codes", async () => {
    const { code, out } = await run("--help");
    expect(code).toBe(0);
    for (const flag of ["--stage", "--outputs", "--table", "--region", "--deployment", "Exit codes"]) {
      expect(out).toContain(flag);
    }
  });
});
