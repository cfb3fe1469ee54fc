// An AWS account on loopback with one EKS cluster in it: moto for what it can (emulator.py), the project's own fleet
// endpoint for EC2, its embedded Kubernetes API behind EKS's tokens for the cluster, and the Lambda emulator.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createScaledClock } from "../../local/clock.ts";
import { createCloud, kubernetesVersion } from "../../local/cloud.ts";
import type { Ec2 } from "../../local/ec2/ec2.ts";
import { createSeededIds } from "../../local/kube/ids.ts";
import { createApiServer } from "../../local/kube/server.ts";
import type { ApiServer } from "../../local/kube/types.ts";
import { applyManifest, readManifests } from "../../local/manifests.ts";
import { readDefaultCatalog } from "../../shared/adapters/catalog/index.ts";
import { freePorts } from "../cluster/ports.ts";
import { clusterName, nodeRole, region } from "./deployment.ts";
import { type EksFront, startEksFront } from "./eks-front.ts";
import { startHosts } from "./hosts.ts";
import { type Code, type Lambdas, startLambdas } from "./lambdas.ts";
import { type Calls, openCalls, type Values } from "./provider/aws.ts";
import { pythonVariable } from "./provider/variables.ts";

const startTimeoutMs = 90_000;

export interface Account {
  readonly folder: string;
  /** moto: every service but EC2. */
  readonly endpoint: string;
  /** What programs in the account are given: keys, region and endpoints. */
  readonly environment: Readonly<Record<string, string>>;
  readonly aws: Calls["aws"];
  readonly kube: ApiServer;
  readonly front: EksFront;
  readonly ec2: Ec2;
  readonly lambdas: Lambdas;
  stop(): Promise<void>;
}

export interface AccountOptions {
  readonly python: string;
  /** Lambda's runtime interface emulator. */
  readonly emulator: string;
}

/** Brings everything up; what was started is stopped again if a part fails. */
export async function openAccount(options: AccountOptions): Promise<Account> {
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    return { ...(await assemble(options, stops)), stop };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

async function assemble({ python, emulator }: AccountOptions, stops: (() => unknown)[]) {
  const folder = mkdtempSync(join(tmpdir(), "timmerman-deploy-"));
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  const clock = createScaledClock({ speed: 1, startMs: Date.now() });

  const kube = createApiServer({ clock, ids: createSeededIds(1) });
  await kube.listen();
  stops.push(() => kube.close());
  const crds = fileURLToPath(new URL("../../charts/timmerman/files/crds", import.meta.url));
  for (const manifest of readManifests([crds])) applyManifest(kube.store, manifest);
  const front = await startEksFront(kube.kubeconfig(), clock.now());
  stops.push(() => front.stop());

  const catalog = readDefaultCatalog();
  const ec2 = createCloud(clock, catalog, 1);
  const ec2Url = await ec2.listen();
  stops.push(() => ec2.close());

  const endpoint = `http://127.0.0.1:${(await freePorts(1))[0]}`;
  const env = { ...process.env, ...keys, [pythonVariable]: python, AWS_ENDPOINT_URL: endpoint };
  const { aws } = openCalls(region, env);
  const environment = { ...keys, AWS_ENDPOINT_URL: endpoint, ...endpoints(endpoint, ec2Url) };
  const lambdas = await startLambdas({
    emulator,
    python,
    folder: join(folder, "functions"),
    fetchCode: (name) => fetchCode(name, aws),
    surroundings: () => environment,
  });
  stops.push(() => lambdas.stop());
  const moto = startMoto(python, endpoint, front, lambdas);
  stops.push(() => moto.kill("SIGKILL"));
  await answers(endpoint, moto);
  await createCluster(aws);
  const hosts = startHosts({ kube, ec2, clock, catalog, clusterName });
  stops.push(hosts);
  return { folder, endpoint, environment, aws, kube, front, ec2, lambdas };
}

const keys = {
  AWS_ACCESS_KEY_ID: "test",
  AWS_SECRET_ACCESS_KEY: "test",
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
};

/** Every client's own variable, since those of the functions read no other. */
function endpoints(moto: string, ec2: string): Record<string, string> {
  const services = ["DYNAMODB", "SQS", "S3", "EVENTBRIDGE", "STS", "PRICING"];
  return {
    ...Object.fromEntries(services.map((service) => [`AWS_ENDPOINT_URL_${service}`, moto])),
    AWS_ENDPOINT_URL_EC2: ec2,
  };
}

function startMoto(python: string, endpoint: string, front: EksFront, lambdas: Lambdas): ChildProcess {
  const program = fileURLToPath(new URL("emulator.py", import.meta.url));
  const child = spawn(python, [program, "-H", "127.0.0.1", "-p", new URL(endpoint).port], {
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      ...process.env,
      ...keys,
      MOTO_IAM_LOAD_MANAGED_POLICIES: "true",
      TIMMERMAN_DEPLOY_KUBE: front.url,
      TIMMERMAN_DEPLOY_KUBE_CA: front.caBundle,
      TIMMERMAN_DEPLOY_LAMBDA: lambdas.url,
    },
  });
  child.stderr.on("data", (chunk: Buffer) => {
    motoWords = (motoWords + chunk.toString()).slice(-4_000);
  });
  process.once("exit", () => child.kill("SIGKILL"));
  return child;
}

let motoWords = "";

async function answers(endpoint: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline && child.exitCode === null) {
    const response = await fetch(`${endpoint}/moto-api/data.json`).catch(() => undefined);
    if (response?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`moto did not come up:\n${motoWords}`);
}

/** What a user has before they come to Timmerman: a cluster, and a role for its nodes. */
async function createCluster(aws: Calls["aws"]): Promise<void> {
  const trust = (service: string) =>
    JSON.stringify({
      Version: "2012-10-17",
      Statement: [{ Effect: "Allow", Principal: { Service: service }, Action: "sts:AssumeRole" }],
    });
  const RoleName = "eks-cluster";
  const created = await aws("iam", "CreateRole", { RoleName, AssumeRolePolicyDocument: trust("eks.amazonaws.com") });
  await aws("iam", "CreateRole", { RoleName: nodeRole, AssumeRolePolicyDocument: trust("ec2.amazonaws.com") });
  const { Subnets } = await aws("ec2", "DescribeSubnets");
  await aws("eks", "CreateCluster", {
    name: clusterName,
    version: kubernetesVersion,
    roleArn: (created.Role as Values).Arn,
    resourcesVpcConfig: {
      subnetIds: (Subnets as Values[]).slice(0, 2).map((subnet) => subnet.SubnetId),
      endpointPublicAccess: true,
      endpointPrivateAccess: false,
    },
    kubernetesNetworkConfig: { serviceIpv4Cidr: "10.100.0.0/16", ipFamily: "ipv4" },
    accessConfig: { authenticationMode: "API_AND_CONFIG_MAP" },
  });
}

/** A function as it is deployed: its code from the bucket that it was uploaded to. */
async function fetchCode(name: string, aws: Calls["aws"]): Promise<Code> {
  const { Configuration, Code: code } = await aws("lambda", "GetFunction", { FunctionName: name });
  const { Handler, Timeout, MemorySize, Environment } = Configuration as Values;
  // moto names the object under a host of AWS; it lies in the bucket that SST made for such things.
  const Key = new URL(String((code as Values).Location)).pathname.slice(1);
  const { Buckets } = await aws("s3", "ListBuckets");
  const Bucket = (Buckets as { Name: string }[]).find((one) => one.Name.startsWith("sst-asset-"))?.Name;
  const { Body } = await aws("s3", "GetObject", { Bucket, Key });
  return {
    zip: Buffer.from(String((Body as Values).$base64), "base64"),
    handler: String(Handler),
    timeoutS: Number(Timeout),
    memoryMb: Number(MemorySize),
    environment: (Environment as { Variables: Record<string, string> }).Variables,
  };
}
