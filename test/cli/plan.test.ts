import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { main } from "../../cli/main.ts";
import { paintFor } from "../../cli/output/paint.ts";

const nowMs = Date.parse("2026-12-01T00:00:00Z");
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "plan-"));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

type Doc = Record<string, unknown>;
const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
const pool = (name: string, spec: Doc = {}, requirements: Doc[] = []): Doc => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name },
  spec: {
    template: { spec: { nodeClassRef, requirements } },
    disruption: { consolidateAfter: "30s", budgets: [{ nodes: "100%" }] },
    ...spec,
  },
});
const pod = (name: string, requests: Doc, spec: Doc = {}): Doc => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: { containers: [{ name: "c", resources: { requests } }], ...spec },
});
const node = (name: string, metadata: Doc = {}): Doc => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: {
    name,
    labels: {
      "karpenter.sh/nodepool": "default",
      "karpenter.sh/capacity-type": "on-demand",
      "node.kubernetes.io/instance-type": "m5.large",
      "topology.kubernetes.io/zone": "z-a",
      "kubernetes.io/arch": "amd64",
      "kubernetes.io/os": "linux",
    },
    ...metadata,
  },
  status: { conditions: [{ type: "Ready", status: "True" }] },
});
const list = (...items: Doc[]): Doc => ({ apiVersion: "v1", kind: "List", items });

const type = (name: string, vcpus: number, memoryMiB: number): Doc => ({
  InstanceType: name,
  SupportedUsageClasses: ["on-demand", "spot"],
  SupportedVirtualizationTypes: ["hvm"],
  Hypervisor: "nitro",
  ProcessorInfo: { Manufacturer: "Intel", SupportedArchitectures: ["x86_64"], SustainedClockSpeedInGhz: 3.1 },
  VCpuInfo: { DefaultVCpus: vcpus },
  MemoryInfo: { SizeInMiB: memoryMiB },
  NetworkInfo: { Ipv4AddressesPerInterface: 10, MaximumNetworkInterfaces: 3 },
});
const files: Record<string, Doc | string> = {
  "catalog.json": {
    region: "us-east-1",
    zones: [
      { name: "z-a", id: "id-a" },
      { name: "z-b", id: "id-b" },
    ],
    instanceTypes: [type("m5.large", 2, 8192), type("m5.xlarge", 4, 16_384)],
    onDemand: { "m5.large": 0.096, "m5.xlarge": 0.192 },
    spot: { "m5.xlarge": { "z-b": 0.08 } },
  },
  "one.json": list(pool("default"), pod("web", { cpu: "1", memory: "1Gi" })),
  "too-large.json": list(pool("default"), pod("web", { cpu: "1" }), pod("huge", { cpu: "900" })),
  "bad-pod.yaml":
    "apiVersion: v1\nkind: Pod\nmetadata: {name: ok}\nspec: {containers: [{name: c}]}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: bad}\nspec: {containers: [{name: c, resources: {requests: {cpu: lots}}}]}\n",
  "bad-pool.json": pool("p", { weight: 1000 }),
  "empty-node.json": list(pool("default"), node("n-1")),
  "young-node.json": list(pool("default"), node("n-1", { creationTimestamp: "2026-11-30T23:59:50Z" })),
  "room.json": list(pool("default"), node("n-1"), pod("web", { cpu: "1", memory: "1Gi" })),
  "letters.json": list(
    pool("default", {}, [{ key: "karpenter.k8s.aws/instance-family", operator: "In", values: ["m"] }]),
    pod("web", { cpu: "1" }),
  ),
  "other.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n",
};

interface Run {
  code: number;
  out: string;
  err: string;
}
async function run(...argv: string[]): Promise<Run> {
  const told = { out: "", err: "" };
  const code = await main(["plan", ...argv.map((arg) => arg.replace("@", `${folder}/`))], {
    out: (text) => {
      told.out += text;
    },
    err: (text) => {
      told.err += text;
    },
    paint: paintFor({ isTTY: false }, {}),
    now: () => nowMs,
  });
  return { code, ...told };
}
const json = async (...argv: string[]) =>
  JSON.parse((await run("--catalog", "@catalog.json", "-o", "json", ...argv)).out);

describe("timmerman plan", () => {
  it("prints the contract's document", async () => {
    const plan = await json("-f", "@one.json");
    expect(Object.keys(plan)).toEqual([
      "nodeClaims",
      "existingNodes",
      "unschedulable",
      "ignored",
      "disruption",
      "blocked",
      "leaving",
      "cost",
      "warnings",
      "nextChangeAt",
    ]);
    const [claim] = plan.nodeClaims;
    expect(claim).toMatchObject({
      nodePool: "default",
      instanceTypes: ["m5.xlarge", "m5.large"],
      cheapest: { instanceType: "m5.xlarge", zone: "z-b", capacityType: "spot", pricePerHour: 0.08 },
      taints: [],
      requests: { cpu: "1", memory: "1Gi", pods: "1" },
      pods: ["default/web"],
    });
    expect(plan.cost).toEqual({ currentPerHour: 0, plannedPerHour: 0.08 });
  });

  it("prints the same bytes for the same input, as JSON and as YAML, which say the same", async () => {
    const first = await run("-f", "@one.json", "-o", "json");
    expect((await run("-f", "@one.json", "-o", "json")).out).toBe(first.out);
    expect(parse((await run("-f", "@one.json", "-o", "yaml")).out)).toEqual(JSON.parse(first.out));
  });

  it.each<[string, string[], number, string]>([
    ["every pod placed", ["-f", "@one.json"], 0, ""],
    ["a pod without a place", ["-f", "@too-large.json"], 2, ""],
    ["only disruption", ["-f", "@too-large.json", "--only", "disruption"], 0, ""],
    [
      "a bad pod",
      ["-f", "@bad-pod.yaml"],
      1,
      "bad-pod.yaml: document 2: Pod default/bad: spec.containers[0].resources.requests.cpu: ",
    ],
    ["a bad pool", ["-f", "@bad-pool.json"], 1, "bad-pool.json: document 1: NodePool p: spec.weight: "],
    ["no such file", ["-f", "@nowhere.yaml"], 1, "nowhere.yaml: there is no such file"],
    ["no input", [], 1, "no input"],
    ["a bad catalog", ["-f", "@one.json", "--catalog", "@one.json"], 1, "one.json: region: expected"],
    ["a bad setting", ["-f", "@one.json", "--setting", "x=1"], 1, '--setting x=1: there is no setting "x"'],
    ["a bad time", ["-f", "@one.json", "--now", "yesterday"], 1, '--now: "yesterday" is not a time'],
    ["a day that does not exist", ["-f", "@one.json", "--now", "2026-02-31T00:00:00Z"], 1, "--now: "],
    ["an hour that does not exist", ["-f", "@one.json", "--now", "2026-02-01T24:00:00Z"], 1, "--now: "],
    ["a bad part", ["-f", "@one.json", "--only", "both"], 1, '--only: "both" is neither'],
    ["a bad format", ["-f", "@one.json", "-o", "xml"], 1, '--output: "xml" is none of'],
    ["a flag that does not exist", ["-f", "@one.json", "--frobnicate"], 1, "--frobnicate"],
  ])("%s", async (_, argv, code, message) => {
    const told = await run(...argv);
    expect(told.code).toBe(code);
    if (code !== 1) return;
    expect(told.out).toBe("");
    expect(told.err.trimEnd().split("\n")).toHaveLength(1);
    expect(told.err).toContain(message);
  });

  it("says on stderr what it assumes and skips, once", async () => {
    const { err } = await run("-f", "@one.json", "-f", "@other.yaml");
    expect(err).toBe(
      "skipped kinds that have no say in a plan: Service (1)\n" +
        "EC2NodeClass default: not in the input, planned as a ready AL2023 class with a subnet in every zone\n",
    );
  });

  it("reads a node with a pool's label as that pool's claim: empty for long, it goes", async () => {
    const plan = await json("-f", "@empty-node.json");
    expect(plan.disruption).toEqual([
      { reason: "Empty", decision: "delete", nodes: ["n-1"], replacements: [], savingsPerHour: 0.096 },
    ]);
    expect(plan.cost).toEqual({ currentPerHour: 0.096, plannedPerHour: 0 });
  });

  it("keeps it until consolidateAfter has passed, and knows when that is", async () => {
    const plan = await json("-f", "@young-node.json");
    expect(plan.disruption).toEqual([]);
    expect(plan.blocked[0].node).toBe("n-1");
    expect(plan.nextChangeAt).toBe("2026-12-01T00:00:20Z");
    expect((await json("-f", "@young-node.json", "--now", "2026-12-01T00:00:20Z")).disruption).toHaveLength(1);
  });

  it("uses room that is there, and does not take that node away", async () => {
    const plan = await json("-f", "@room.json");
    expect(plan.nodeClaims).toEqual([]);
    expect(plan.existingNodes).toEqual([{ node: "n-1", pods: ["default/web"] }]);
    expect(plan.disruption).toEqual([]);
  });

  it("plans with --only either part", async () => {
    expect((await json("-f", "@room.json", "--only", "disruption")).existingNodes).toEqual([]);
    expect((await json("-f", "@empty-node.json", "--only", "provisioning")).disruption).toEqual([]);
  });

  it("warns of a category in place of a family, and plans its families", async () => {
    const plan = await json("-f", "@letters.json");
    expect(plan.nodeClaims).toHaveLength(1);
    expect(plan.warnings).toHaveLength(1);
    expect(JSON.stringify(plan.warnings)).toContain("karpenter.k8s.aws/instance-category");
  });

  it("explains itself as a table", async () => {
    const { out } = await run("-f", "@too-large.json", "--catalog", "@catalog.json");
    expect(out).toContain("NEW NODES (1)\nNODECLAIM");
    expect(out).toMatch(/default-\S+ +default +m5\.xlarge +z-b +spot +0\.0800 +1 +1 +0Gi +2\n/);
    expect(out).toContain("  ↳ default/web: cheapest of 2 types that fit, next m5.large\n");
    expect(out).toContain("PODS WITHOUT A PLACE (1)\ndefault/huge\n");
    expect(out).toContain("1 new node for 1 pod; 1 pod without a place.\nCost: $0.00/h now, $0.0800/h planned.");
    expect(out).not.toContain("\u001b[");
    expect(out).not.toMatch(/ +\n/);
  });

  it("tells its flags", async () => {
    const { code, out } = await run("--help");
    expect(code).toBe(0);
    for (const flag of ["--filename", "--catalog", "--now", "--only", "--setting", "--output"])
      expect(out).toContain(flag);
  });
});

describe("colours", () => {
  it.each([
    [{ isTTY: true }, {}, true],
    [{ isTTY: true }, { NO_COLOR: "1" }, false],
    [{ isTTY: true }, { NO_COLOR: "" }, true],
    [{ isTTY: true }, { TERM: "dumb" }, false],
    [{ isTTY: false }, {}, false],
    [{}, {}, false],
  ])("%j with %j: %s", (stream, env, isColored) => {
    expect(paintFor(stream, env).red("x") === "x").toBe(!isColored);
  });
});

describe("the command itself", () => {
  const command = fileURLToPath(new URL("../../cli/timmerman.js", import.meta.url));
  const spawn = (...argv: string[]) => spawnSync(process.execPath, [command, ...argv], { encoding: "utf8" });

  it("starts, passes its exit code on, and keeps standard output for the plan", () => {
    const told = spawn("plan", "-f", join(folder, "too-large.json"), "-o", "json", "--now", "2026-12-01T00:00:00Z");
    expect(told.status).toBe(2);
    expect(JSON.parse(told.stdout).unschedulable[0].pod).toBe("default/huge");
  });

  it("knows its commands", async () => {
    expect(spawn("plam").stderr).toBe('timmerman: there is no command "plam"; timmerman --help lists them\n');
    expect(spawn().status).toBe(1);
    expect(spawn("--help").stdout).toContain("plan");
  });
});

const manifests = fileURLToPath(new URL("../../../shared/data/manifests/", import.meta.url));
describe.skipIf(!existsSync(manifests))("public manifests (skipped where ../shared/data is absent)", () => {
  const names = existsSync(manifests) ? readdirSync(manifests).filter((name) => name.endsWith(".yaml")) : [];
  it.each(names)("%s loads", async (name) => {
    const { code, err } = await run("-f", join(manifests, name));
    expect(`${code} ${err}`).toMatch(/^[02] /);
  });

  it("all of them together load", async () => {
    expect((await run("-f", manifests)).code).toBe(0);
  });
});
