import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as whole from "@aws-sdk/client-ec2";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ec2ClientFolder, writeEc2Client } from "../../stacks/ec2-client.ts";

// Also where the suite is run without a config: a busy machine is no failure.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const project = fileURLToPath(new URL("../..", import.meta.url));
const commands = [
  "CreateFleetCommand",
  "CreateLaunchTemplateCommand",
  "CreateTagsCommand",
  "DescribeInstancesCommand",
  "TerminateInstancesCommand",
] as const;
type Client = Pick<typeof whole, "EC2Client" | (typeof commands)[number]>;

const inputs = {
  CreateFleetCommand: {
    Type: "instant",
    ClientToken: "token-1",
    LaunchTemplateConfigs: [
      {
        LaunchTemplateSpecification: { LaunchTemplateId: "lt-1", Version: "$Latest" },
        Overrides: [
          { InstanceType: "m7g.large", SubnetId: "subnet-1", Priority: 1.5, ImageId: "ami-1" },
          { InstanceType: "c7g.large", SubnetId: "subnet-2", MaxPrice: "0.1" },
        ],
      },
    ],
    TargetCapacitySpecification: { TotalTargetCapacity: 1, DefaultTargetCapacityType: "spot" },
    TagSpecifications: [{ ResourceType: "instance", Tags: [{ Key: "a&b", Value: "c d" }] }],
  },
  CreateLaunchTemplateCommand: {
    ClientToken: "token-2",
    LaunchTemplateName: "one",
    LaunchTemplateData: {
      BlockDeviceMappings: [{ DeviceName: "/dev/xvda", Ebs: { VolumeSize: 20, Encrypted: true } }],
      MetadataOptions: { HttpTokens: "required", HttpPutResponseHopLimit: 1 },
      NetworkInterfaces: [{ DeviceIndex: 0, Groups: ["sg-1"], AssociatePublicIpAddress: false }],
    },
  },
  CreateTagsCommand: { Resources: ["i-1"], Tags: [{ Key: "a", Value: "" }] },
  DescribeInstancesCommand: { Filters: [{ Name: "tag:a", Values: ["b", "c"] }], MaxResults: 5 },
  TerminateInstancesCommand: { InstanceIds: ["i-1", "i-2"] },
} as const;

const instancesAnswer = `<?xml version="1.0"?><DescribeInstancesResponse><requestId>r-1</requestId><reservationSet><item>
  <instancesSet><item><instanceId>i-1</instanceId><launchTime>2026-01-02T03:04:05.000Z</launchTime>
  <instanceState><code>16</code><name>running</name></instanceState><ebsOptimized>true</ebsOptimized>
  <tagSet><item><key>a</key><value>b</value></item></tagSet></item></instancesSet></item></reservationSet>
  <nextToken>more</nextToken></DescribeInstancesResponse>`;
const errorAnswer =
  "<Response><Errors><Error><Code>InvalidInstanceID.NotFound</Code><Message>no i-1</Message></Error></Errors><RequestID>r-2</RequestID></Response>";

/** The client without a network: it sends to `answer`, and what it sent is returned with what came of it. */
async function speak(client: Client, command: (typeof commands)[number], status: number, answer: string) {
  let sent: unknown;
  const ec2 = new client.EC2Client({
    region: "eu-west-1",
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
    maxAttempts: 1,
    requestHandler: {
      async handle(request: Record<string, unknown>) {
        const { method, protocol, hostname, path, query, body } = request;
        const headers = Object.keys(request.headers as object).sort();
        sent = { method, protocol, hostname, path, query, body, headers };
        return { response: { statusCode: status, headers: {}, body: Buffer.from(answer) } };
      },
    } as never,
  });
  const Command = client[command] as unknown as new (input: object) => whole.DescribeInstancesCommand;
  const outcome = await ec2.send(new Command(inputs[command])).then(
    (output) => ({ output }),
    (error: Error) => ({ name: error.name, message: error.message }),
  );
  return { sent, outcome };
}

describe("the copy of EC2's client that functions carry", () => {
  const folder = mkdtempSync(join(tmpdir(), "ec2-client-"));
  let copied: Client;
  let bytes: number;

  beforeAll(async () => {
    symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
    writeEc2Client(folder);
    const contents = `export { EC2Client, ${commands.join(", ")} } from "./${ec2ClientFolder}"`;
    const outfile = join(folder, "cut.mjs");
    const options = { bundle: true, minify: true, platform: "node", format: "esm", packages: "external" } as const;
    await build({ ...options, stdin: { contents, resolveDir: folder }, mainFields: ["module", "main"], outfile });
    bytes = readFileSync(outfile).length;
    copied = (await import(pathToFileURL(outfile).href)) as Client;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("leaves out what nobody asks for when it is bundled", () => {
    expect(bytes).toBeLessThan(100_000);
  });

  it.each(commands)("sends for %s what the whole client sends", async (command) => {
    const { sent } = await speak(copied, command, 400, errorAnswer);
    expect(sent).toMatchObject({ hostname: "ec2.eu-west-1.amazonaws.com", method: "POST" });
    expect(String((sent as { body: unknown }).body)).toContain(`Action=${command.replace(/Command$/, "")}`);
    expect(sent).toEqual((await speak(whole, command, 400, errorAnswer)).sent);
  });

  it.each([
    ["an answer", 200, instancesAnswer],
    ["an error", 400, errorAnswer],
  ])("reads %s as the whole client does", async (_what, status, answer) => {
    const { outcome } = await speak(copied, "DescribeInstancesCommand", status, answer);
    expect(outcome).toEqual((await speak(whole, "DescribeInstancesCommand", status, answer)).outcome);
    expect(JSON.stringify(outcome)).toContain(status === 200 ? '"LaunchTime":"2026-01-02T03:04:05.000Z"' : "NotFound");
  });
});

describe("a bundle of what asks for EC2's client", () => {
  const room = "shared/adapters/ec2";
  const folder = mkdtempSync(join(tmpdir(), "ec2-client-"));
  const bundle = async () => {
    const built = await build({
      absWorkingDir: folder,
      entryPoints: [`${room}/asks.ts`],
      bundle: true,
      platform: "node",
      mainFields: ["module", "main"],
      format: "esm",
      write: false,
      metafile: true,
      logLevel: "silent",
    });
    return Object.keys(built.metafile.inputs).filter((path) => path.endsWith("EC2Client.js"));
  };

  beforeAll(() => {
    symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
    for (const file of ["tsconfig.json", `${room}/tsconfig.json`, `${room}/client-not-copied.js`]) {
      cpSync(join(project, file), join(folder, file));
    }
    const asks = 'import { EC2Client } from "@aws-sdk/client-ec2";\nexport const client = new EC2Client({});\n';
    writeFileSync(join(folder, room, "asks.ts"), asks);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("fails as long as there is no copy, instead of taking the whole client", async () => {
    await expect(bundle()).rejects.toThrow(/No matching export in "\S*client-not-copied.js" for import "EC2Client"/);
  });

  it("has the copy once there is one", async () => {
    writeEc2Client(folder);
    expect(await bundle()).toEqual([`${ec2ClientFolder}/dist-es/EC2Client.js`]);
  });
});

describe("copying EC2's client", () => {
  let folder: string;
  const write = (path: string, text: string) => {
    const full = join(folder, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  };
  const installed = "node_modules/@aws-sdk/client-ec2";
  const manifest = { name: "@aws-sdk/client-ec2", version: "9.9.9", sideEffects: false, module: "./dist-es/index.js" };
  const copyOf = (path: string) => readFileSync(join(folder, ec2ClientFolder, path), "utf8");

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "ec2-client-"));
    write(`${installed}/package.json`, JSON.stringify({ ...manifest, scripts: { test: "no" } }));
    write(`${installed}/dist-es/index.js`, 'export * from "./schemas/schemas_0";\n');
    write(
      `${installed}/dist-es/schemas/schemas_0.js`,
      'const _N = "Name";\nconst _xN = "xmlName";\nexport const A = [_N, { [_xN]: _N }];\n',
    );
    return () => rmSync(folder, { recursive: true });
  });

  it("writes out the schemas' keys and nothing else", () => {
    writeEc2Client(folder);
    expect(copyOf("dist-es/index.js")).toBe('export * from "./schemas/schemas_0";\n');
    expect(copyOf("dist-es/schemas/schemas_0.js")).toBe(
      'const _N = "Name";\nconst _xN = "xmlName";\nexport const A = [_N, { "xmlName": _N }];\n',
    );
    expect(JSON.parse(copyOf("package.json"))).toEqual(manifest);
  });

  it("makes good an old copy, and one that was changed", () => {
    writeEc2Client(folder);
    write(`${ec2ClientFolder}/dist-es/index.js`, "changed");
    write(`${ec2ClientFolder}/dist-es/gone.js`, "of an older version");
    write(`${installed}/package.json`, JSON.stringify({ ...manifest, version: "9.9.10" }));
    writeEc2Client(folder);
    expect(copyOf("dist-es/index.js")).toBe('export * from "./schemas/schemas_0";\n');
    expect(() => copyOf("dist-es/gone.js")).toThrow("ENOENT");
    expect(JSON.parse(copyOf("package.json")).version).toBe("9.9.10");
  });

  it("sees the versions that the package has for itself, as long as it has any", () => {
    const own = join(installed, "node_modules");
    write(`${own}/@smithy/core/package.json`, "{}");
    writeEc2Client(folder);
    writeEc2Client(folder);
    expect(readlinkSync(join(folder, ec2ClientFolder, "node_modules"))).toContain(own);
    rmSync(join(folder, own), { recursive: true });
    writeEc2Client(folder);
    expect(() => readlinkSync(join(folder, ec2ClientFolder, "node_modules"))).toThrow("ENOENT");
  });

  it.each([
    ["a package without side effects no more", "package.json", JSON.stringify({ ...manifest, sideEffects: true })],
    ["another layout", "package.json", JSON.stringify({ ...manifest, module: "./lib/index.js" })],
    ["keys that are no constants", "dist-es/schemas/schemas_0.js", "export const A = { [_xN]: 1 };\n"],
    ["no such keys", "dist-es/schemas/schemas_0.js", "export const A = 1;\n"],
  ])("fails on %s rather than let bundles grow", (_what, path, text) => {
    write(`${installed}/${path}`, text);
    expect(() => writeEc2Client(folder)).toThrow(/@aws-sdk\/client-ec2.*(laid out|no constant|no keys)/);
  });

  it("fails without the package", () => {
    rmSync(join(folder, installed), { recursive: true });
    expect(() => writeEc2Client(folder)).toThrow("ENOENT");
  });
});
