import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { vi } from "vitest";
import type { Given } from "../../../stacks/cluster-spec.ts";
import { installPlatform, platform, root } from "./platform.ts";

// SST's own components, run by the test: Pulumi's engine and AWS's answers are stood in for, nothing else is. What comes
// out are the resources that a deployment would ask AWS for, with the arguments that it would send.

// Also where the suite is run without its config: to import SST's components takes seconds, the first time minutes.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

// biome-ignore lint/suspicious/noExplicitAny: Pulumi's own objects and AWS's answers, of every shape that there is
export type Loose = any;

export interface Made {
  readonly type: string;
  readonly name: string;
  readonly inputs: Readonly<Record<string, Loose>>;
  /** The provider's name, where it is not the deployment's own. */
  readonly provider: string | undefined;
}

export interface World {
  readonly resources: readonly Made[];
  readonly outputs: Loose;
}

export interface WorldOptions {
  readonly given: Given;
  readonly stage?: string;
  /** Told of each resource when it is made. */
  onMade?(resource: Made): void;
}

export const account = "123456789012";

/** Deploys to nobody. Rejects with what the stacks throw. */
export async function deploy({ given, stage = "production", onMade = () => {} }: WorldOptions): Promise<World> {
  installPlatform();
  const server = await startCli();
  process.env.SST_SERVER = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return await deployWith(given, stage, onMade);
  } finally {
    server.close();
  }
}

async function deployWith(given: Given, stage: string, onMade: (resource: Made) => void): Promise<World> {
  const load = createRequire(`${platform}/package.json`);
  const pulumi = load("@pulumi/pulumi");
  const resources: Made[] = [];
  pulumi.runtime.setMocks(
    {
      newResource: (args: Loose) => {
        const { type, name, inputs } = args;
        const made = { type, name, inputs, provider: providerName(args.provider) };
        resources.push(made);
        onMade(made);
        return { id: `${args.name}-id`, state: { ...stateOf(args, given.deployment.region), ...args.inputs } };
      },
      call: (args: Loose) => answerOf(args, given),
    },
    "timmerman",
    stage,
    false,
  );
  setGlobals(pulumi, load("@pulumi/aws"), stage);
  Object.assign(globalThis, { sst: await import(pathToFileURL(`${platform}/src/components/index.ts`).href) });
  const { createStacks } = await import("../../../stacks/main.ts");
  let outputs: Loose;
  let failure: unknown;
  await pulumi.runtime.runInPulumiStack(async () => {
    try {
      outputs = await known(pulumi, createStacks(given));
    } catch (error) {
      failure = error;
    }
  });
  await pulumi.runtime.disconnect();
  if (failure !== undefined) throw failure;
  return { resources: resources.sort((a, b) => (key(a) < key(b) ? -1 : 1)), outputs };
}

function key({ type, name }: Made): string {
  return `${type} ${name}`;
}

function known(pulumi: Loose, value: unknown): Promise<Loose> {
  return new Promise((resolve) => pulumi.output(value).apply(resolve));
}

function providerName(provider: string | undefined): string | undefined {
  const name = provider?.split("::").at(-2);
  return name === undefined || name === "default" ? undefined : name;
}

function setGlobals(pulumi: Loose, aws: Loose, stage: string): void {
  const { output, all, interpolate, jsonStringify } = pulumi;
  Object.assign(globalThis, {
    $app: { name: "timmerman", stage, removal: "retain", protect: false, providers: {} },
    $dev: false,
    $cli: { command: "deploy", rpc: "", state: {}, paths: { root, home: root, work: `${root}.sst`, platform } },
    $util: pulumi,
    $output: output,
    $resolve: all,
    $interpolate: interpolate,
    $jsonStringify: jsonStringify,
    aws,
  });
}

/** What SST's command line is to its components. */
async function startCli(): Promise<Server> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { method } = JSON.parse(body);
      response.end(JSON.stringify({ result: rpc(method) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function rpc(method: string): unknown {
  if (method === "Provider.Aws.Bootstrap") return { asset: "sst-asset", state: "sst-state" };
  if (method === "Runtime.Build") {
    return {
      handler: "handler.handler",
      out: `${root}functions/tick`,
      errors: [],
      sourcemaps: [],
    };
  }
  throw new Error(`the components asked SST's command line for ${method}`);
}

/** What AWS would add to a resource. */
function stateOf({ type, name, inputs, provider }: Loose, home: string): Record<string, unknown> {
  const physical = inputs.name ?? inputs.bucket ?? `${name}-0123`;
  const region = home;
  const where = `${region}:${account}`;
  const owner = /Account(\d{12})/.exec(providerName(provider) ?? "")?.[1] ?? account;
  switch (type) {
    case "aws:sqs/queue:Queue":
      return {
        name: physical,
        arn: `arn:aws:sqs:${where}:${physical}`,
        url: `https://sqs.${region}.amazonaws.com/${account}/${physical}`,
      };
    case "aws:dynamodb/table:Table":
      return { name: physical, arn: `arn:aws:dynamodb:${where}:table/${physical}` };
    case "aws:s3/bucket:Bucket":
      return { bucket: physical, arn: `arn:aws:s3:::${physical}` };
    case "aws:lambda/function:Function":
      return { name: physical, arn: `arn:aws:lambda:${where}:function:${physical}` };
    case "aws:iam/role:Role":
      return { name: physical, arn: `arn:aws:iam::${owner}:role/${physical}` };
    case "aws:cloudwatch/eventBus:EventBus":
      return { name: physical, arn: `arn:aws:events:${where}:event-bus/${physical}` };
    case "aws:cloudwatch/eventRule:EventRule": {
      const bus = inputs.eventBusName === undefined ? "" : `${inputs.eventBusName}/`;
      return { name: physical, arn: `arn:aws:events:${where}:rule/${bus}${physical}` };
    }
    case "random:index/randomBytes:RandomBytes":
      return { base64: "AAAA" };
    default:
      return { arn: `arn:aws:${type}:${physical}`, name: physical };
  }
}

function answerOf({ token, inputs, provider }: Loose, given: Given): Loose {
  const owner = /Account(\d{12})/.exec(providerName(provider) ?? "")?.[1] ?? account;
  switch (token) {
    case "aws:index/getRegion:getRegion":
      return { region: given.deployment.region, name: given.deployment.region };
    case "aws:index/getCallerIdentity:getCallerIdentity":
      return { accountId: owner };
    case "aws:index/getPartition:getPartition":
      return { partition: "aws" };
    case "aws:iam/getPolicyDocument:getPolicyDocument":
      return { json: documentOf(inputs), ...inputs };
    case "aws:eks/getCluster:getCluster":
      return eksAnswer(inputs.name, regionOf(inputs.name, given), owner);
    default:
      throw new Error(`the stacks asked AWS for ${token}`);
  }
}

function regionOf(cluster: string, given: Given): string {
  return given.clusters.find(({ name }) => name === cluster)!.region;
}

/** What EKS says of a cluster. */
export function eksAnswer(name: string, region: string, owner: string): Loose {
  return {
    arn: `arn:aws:eks:${region}:${owner}:cluster/${name}`,
    endpoint: `https://${name.toUpperCase()}.gr7.${region}.eks.amazonaws.com`,
    certificateAuthorities: [{ data: "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t" }],
    kubernetesNetworkConfigs: [{ ipFamily: "ipv4", serviceIpv4Cidr: "172.20.0.0/16" }],
    identities: [{ oidcs: [{ issuer: `https://oidc.eks.${region}.amazonaws.com/id/${name.toUpperCase()}` }] }],
    accessConfigs: [{ authenticationMode: "API_AND_CONFIG_MAP" }],
    vpcConfig: {
      endpointPublicAccess: true,
      endpointPrivateAccess: true,
    },
  };
}

/** As the provider renders a policy document. */
function documentOf({ statements = [] }: Loose): string {
  return JSON.stringify({
    Version: "2012-10-17",
    Statement: statements.map((statement: Loose) => ({
      Effect: statement.effect ?? "Allow",
      ...(statement.principals === undefined
        ? {}
        : { Principal: Object.fromEntries(statement.principals.map((p: Loose) => [p.type, p.identifiers])) }),
      Action: statement.actions,
      Resource: statement.resources,
      ...(statement.conditions === undefined || statement.conditions.length === 0
        ? {}
        : { Condition: conditionsOf(statement.conditions) }),
    })),
  });
}

function conditionsOf(conditions: Loose[]): Record<string, Record<string, string[]>> {
  const rendered: Record<string, Record<string, string[]>> = {};
  for (const { test, variable, values } of conditions) {
    rendered[test] = { ...rendered[test], [variable]: values };
  }
  return rendered;
}
