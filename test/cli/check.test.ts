import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCheck } from "../../cli/commands/check.ts";
import { main } from "../../cli/main.ts";
import { paintFor } from "../../cli/output/paint.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

function listening() {
  const heard = { out: "", err: "" };
  const terminal = {
    out: (text: string) => {
      heard.out += text;
    },
    err: (text: string) => {
      heard.err += text;
    },
    paint: paintFor({ isTTY: false }, {}),
    now: () => 0,
  };
  return { heard, terminal };
}

async function run(...argv: string[]) {
  const { heard, terminal } = listening();
  const code = await main(["check", ...argv], terminal);
  return { code, ...heard };
}

const good = `
import type { ClusterSpec, Deployment } from "${root}stacks/cluster-spec.ts";
export const deployment: Deployment = { region: "eu-west-1" };
export const clusters: readonly ClusterSpec[] = [
  { name: "production", region: "eu-west-1", endpointAccess: "public", identity: "irsa", nodeRoles: ["Nodes"] },
];
`;
const deployed = 'export const deployment = { region: "eu-west-1" };';

describe("timmerman check", () => {
  let folder: string;
  const written = (text: string, name = "clusters.ts") => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "check-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("finds nothing wrong with a sound file", async () => {
    const path = written(good);
    expect(await run("-f", path)).toEqual({
      code: 0,
      out: `${path}: 1 cluster, nothing is wrong (stage production)\n`,
      err: "",
    });
  });

  it("takes the file of the folder that it is started in, as SST does, from the command that people type", () => {
    const command = [join(root, "cli/timmerman.js"), "check", "-o", "json"];
    const out = execFileSync(process.execPath, command, { cwd: root, encoding: "utf8" });
    expect(JSON.parse(out)).toMatchObject({ file: "stacks/clusters.ts", stage: "production", problems: [] });
  });

  it("prints every problem with its field and its fix", async () => {
    const path = written(good.replace('"irsa"', '"kiam"').replace('["Nodes"]', "[], settings: { reservedENIs: 'x' }"));
    expect(await run("-f", path, "--stage", "a b")).toEqual({
      code: 1,
      err: "",
      out: [
        `${path} has 4 problems (stage a b):`,
        '- stage "a b" cannot stand in the names of functions',
        "  fix: use letters, digits and hyphens, 24 at most: sst deploy --stage production",
        '- cluster production: identity is "kiam"',
        '  fix: write "pod-identity" or "irsa"',
        "- cluster production: nodeRoles is []",
        "  fix: list the names of the IAM roles that its nodes may have",
        "- cluster production: settings.reservedENIs must be a whole number such as 1",
        "  fix: mend it, or remove it to have Karpenter's default",
        "",
      ].join("\n"),
    });
  });

  it("gives the same as JSON", async () => {
    const path = written(good.replace('"irsa"', '"kiam"'));
    const { code, out } = await run("-f", path, "-o", "json");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({
      file: path,
      stage: "production",
      clusters: 1,
      problems: [
        {
          where: "cluster production",
          field: "identity",
          problem: 'is "kiam"',
          fix: 'write "pod-identity" or "irsa"',
        },
      ],
    });
  });

  it.each<[string, string, RegExp]>([
    ["a syntax error", `${deployed}\nexport const clusters = [;`, /cannot be loaded: .* \(line 2\)\n {2}fix: mend the/],
    ["an enum", "enum A { B }", /cannot be loaded: .*enum.* \(line 1\)\n {2}fix: write plain data and types only/],
    ["an error", "\nthrow new Error('not today')", /cannot be loaded: not today \(line 2\)\n {2}fix: write plain data/],
    ["no error", "throw undefined", /cannot be loaded: undefined\n/],
    ["a missing import", 'import "./none.ts";', /cannot be loaded: Cannot find module .*\n {2}fix: mend the import/],
    [
      "a type that is imported as a value",
      `import { ClusterSpec } from "${root}stacks/cluster-spec.ts"; export const clusters: ClusterSpec[] = [];`,
      /does not provide an export named 'ClusterSpec'.*\n {2}fix: import types by import type/,
    ],
    ["nothing", "", /the file: deployment is not exported\n.*\n- the file: clusters is not exported\n/],
    [
      "one export",
      deployed,
      /1 problem .*\n- the file: clusters is not exported\n {2}fix: write export const clusters/,
    ],
    [
      "a getter that throws",
      `${deployed} export const clusters = [{ get name() { throw new Error("mine"); } }];`,
      /holds a value that cannot be read: mine\n {2}fix: write plain data/,
    ],
    ["an end", "process.exit(0)", /the file ends the program \(code 0\)\n/],
    [
      "a word of its own before that",
      "process.send({ clusters: 1 }, () => process.exit(0)); await new Promise(() => {})",
      /ends the program/,
    ],
    ["an endless wait", "await new Promise(() => {})", /the file ends the program \(code 13\)\n/],
    [
      "escape sequences",
      `${deployed} export const clusters = [{ "\\u001b[2J": 1 }];`,
      /entry 0: {2}\[2J is not known\n/,
    ],
  ])("says what is wrong with a file that has %s", async (_what, text, problem) => {
    const { code, out } = await run("-f", written(text, `hostile-${_what.replaceAll(" ", "-")}.ts`));
    expect(out).toMatch(problem);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there is none is what is asked.
    expect(out).not.toMatch(/\u001b/);
    expect(code).toBe(1);
  });

  it("prints no escape sequences of a stage either", async () => {
    const { out } = await run("-f", written(good), "--stage", "\u001b[2J");
    expect(out).toMatch(/1 problem \(stage {2}\[2J\):\n/);
  });

  it("ends a file that does not end", async () => {
    const { heard, terminal } = listening();
    expect(
      await runCheck(["-f", written('process.on("SIGTERM", () => {}); for (;;) {}', "endless.ts")], terminal, 1_000),
    ).toBe(1);
    expect(heard.out).toMatch(/the file did not end within 1 s\n/);
  });

  it("keeps what a file prints out of its own output", async () => {
    const path = written(
      `console.log("mine"); process.send({ odd: 1 }); setInterval(() => {}, 1_000);\n${good}`,
      "talking.ts",
    );
    const { out, err } = await run("-f", path, "-o", "json");
    expect(JSON.parse(out).problems).toEqual([]);
    expect(err).toBe("mine\n");
  });

  it.each([
    [["-f", "none.ts"], "timmerman check: none.ts is no file: start in the folder that has stacks/clusters.ts"],
    [["-f", "stacks"], "timmerman check: stacks is no file"],
    [["-o", "yaml"], "timmerman check: --output is yaml: write text or json"],
    [["--frobnicate"], "timmerman check: Unknown option '--frobnicate'"],
    [["extra"], "timmerman check: Unexpected argument 'extra'"],
  ])("refuses %j", async (argv, message) => {
    const { code, out, err } = await run(...argv);
    expect([code, out]).toEqual([1, ""]);
    expect(err.startsWith(message)).toBe(true);
  });
});
