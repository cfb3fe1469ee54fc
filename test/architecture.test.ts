// The house rules as a test: which rooms exist, who may import whom, which tokens a room bans, how large a file may grow.
// docs/architecture.md says why. To change a rule, change it here in the same commit and give the reason there.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

const topLevel = [
  "cli",
  "charts",
  "docs",
  "functions",
  "local",
  "relay",
  "shared",
  "stacks",
  "test",
  ".ci",
  ".gitignore",
  ".npmrc",
  "AGENTS.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "NOTICE",
  "README.md",
  "biome.json",
  "package-lock.json",
  "package.json",
  "sst.config.ts",
  "tsconfig.json",
];

const coreRooms = [
  "model",
  "resources",
  "requirements",
  "catalog",
  "scheduling",
  "provisioning",
  "disruption",
  "launch",
  "lifecycle",
  "interruption",
  "garbage",
];

const adapterRooms = ["aws", "kube", "ec2", "dynamodb", "sqs", "eventbridge", "s3", "powertools", "memory", "catalog"];

const functionRooms = [
  "provision",
  "disrupt",
  "lifecycle",
  "interrupt",
  "tick",
  "refresh-catalog",
  "resolve-node-classes",
  "collect-garbage",
];

/**
 * Which folders and single files a room may import besides itself. A room is the longest prefix of a file's path that
 * stands here. The relay knows how to count requests and read documents, but no room that decides: of disruption it has the
 * budgets alone, so that what it shows of them is what the planner counts with. The stacks check
 * settings with the runtime's own reader, so that a wrong one fails before it is deployed.
 */
const mayImport: Record<string, readonly string[]> = {
  "shared/core/model": [],
  "shared/core": [],
  "shared/api": ["shared/core/model", "shared/core/resources", "shared/core/requirements"],
  "shared/ports": ["shared/core/model"],
  "shared/controllers": ["shared/core", "shared/ports"],
  "shared/adapters": ["shared/ports", "shared/api", "shared/core"],
  "shared/runtime": ["shared/controllers", "shared/adapters", "shared/ports", "shared/core"],
  functions: ["shared/runtime"],
  stacks: ["shared/core/limits.ts", "shared/runtime/settings.ts"],
  cli: ["shared/runtime", "shared/api", "shared/core", "shared/ports", "shared/adapters", "local"],
  relay: [
    "shared/adapters/dynamodb",
    "shared/adapters/kube",
    "shared/adapters/sqs",
    "shared/ports",
    "shared/api",
    "shared/core/model",
    "shared/core/resources",
    "shared/core/limits.ts",
    "shared/core/disruption/budgets.ts",
  ],
  local: [
    "relay",
    "functions",
    "shared/runtime",
    "shared/adapters",
    "shared/api",
    "shared/ports",
    "shared/core/model",
    "shared/core/limits.ts",
  ],
};

/** Packages that the core may use: pure and without dependencies. */
const corePackages = ["croner", "@marcbachmann/cel-js"];

/** Packages that only adapters (and the relay, the local world and the runtime for its own) may name. */
const sdk = /^(@aws-sdk\/|@smithy\/|@kubernetes\/client-node|@aws-lambda-powertools\/|@middy\/)/;
const sdkRooms = ["shared/adapters", "shared/runtime", "relay", "local", "stacks"];

const bannedInCore: readonly [RegExp, string][] = [
  [/\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/, "the clock: time comes in as a value"],
  [/\bMath\.random\b|\brandomUUID\b/, "chance: ids and seeds come in as values"],
  [/\bMath\.(pow|log|log2|log10|exp|sin|cos|tan|hypot|cbrt)\b/, "inexact functions: scores use + - * / and sqrt only"],
  [/\bprocess\.|\bglobalThis\b/, "the environment"],
  [/\basync\b|\bawait\b|\bPromise\b|\bsetTimeout\b/, "asynchrony: the core is synchronous"],
  [/from "node:/, "Node's own modules"],
  [/\bconsole\./, "output"],
];

const sizeLimitLines = 400;
/** Files that are larger for a reason written here. The number may only fall. */
const sizeRatchet: Record<string, number> = {};

/** What .gitignore leaves out, for a tree that came without git. */
const ignoredFolders = ["node_modules", ".git", ".sst", ".timmerman", "coverage", "dist"];

function walk(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ignoredFolders.includes(entry.name) ? [] : walk(path);
    return [path];
  });
}

function listFiles(): string[] {
  try {
    const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return listed.split("\n").filter((f) => f !== "");
  } catch {
    // No git, or no repository: the tree itself will do.
    return walk("");
  }
}

const tracked = listFiles();
const sources = tracked.filter((f) => /\.(ts|js|mts|mjs)$/.test(f) && !/\.generated\.(ts|js)$/.test(f));
const text = new Map(sources.map((f) => [f, readIfThere(join(root, f))]));

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function roomOf(file: string): string | undefined {
  return Object.keys(mayImport)
    .filter((room) => file.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0];
}

interface Import {
  from: string;
  to: string;
}

function importsOf(file: string): { local: Import[]; packages: string[] } {
  const local: Import[] = [];
  const packages: string[] = [];
  for (const m of (text.get(file) ?? "").matchAll(
    /(?:^|\n)\s*(?:import|export)\b(?:[^;"'=]*?\bfrom\s*|\s*)["']([^"'\n]+)["']|\bimport\(\s*["']([^"'\n]+)["']/g,
  )) {
    const target = (m[1] ?? m[2])!;
    if (target.startsWith(".")) local.push({ from: file, to: normalize(join(dirname(file), target)) });
    else packages.push(target);
  }
  return { local, packages };
}

describe("the rooms", () => {
  it("are a closed list at the top level", () => {
    const tops = new Set(tracked.map((f) => f.split("/")[0]!));
    expect([...tops].filter((t) => !topLevel.includes(t))).toEqual([]);
  });

  it.each([
    ["shared/", ["core", "api", "ports", "controllers", "adapters", "runtime"]],
    ["shared/core/", [...coreRooms, "limits.ts"]],
    ["shared/adapters/", adapterRooms],
    ["functions/", functionRooms],
  ])("are a closed list in %s", (prefix, allowed) => {
    const found = new Set(
      tracked.filter((f) => f.startsWith(prefix)).map((f) => f.slice(prefix.length).split("/")[0]!),
    );
    expect([...found].filter((f) => !allowed.includes(f) && !f.endsWith(".md"))).toEqual([]);
  });

  it("have no drawer for everything", () => {
    const drawers = /(^|\/)(utils?|helpers?|managers?|common|misc|data|info)(\/|\.ts$)/;
    expect(sources.filter((f) => drawers.test(f))).toEqual([]);
  });

  it("name their files in kebab case", () => {
    const kebab = /^[a-z0-9.-]+$/;
    expect(sources.filter((f) => !kebab.test(f.split("/").at(-1)!))).toEqual([]);
  });
});

describe("imports", () => {
  it("go only in the directions of the design", () => {
    const wrong: string[] = [];
    for (const file of sources) {
      const room = roomOf(file);
      if (room === undefined) continue;
      for (const { to } of importsOf(file).local) {
        if (roomOf(to) === undefined) continue;
        if (![room, ...mayImport[room]!].some((allowed) => to === allowed || to.startsWith(`${allowed}/`)))
          wrong.push(`${file} -> ${to}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("of Lambda folders come only from the local world and tests", () => {
    const wrong = sources.filter(
      (f) =>
        !f.startsWith("functions/") &&
        !f.startsWith("local/") &&
        !f.startsWith("test/") &&
        importsOf(f).local.some((i) => i.to.startsWith("functions/")),
    );
    expect(wrong).toEqual([]);
  });

  it("of SDKs and clients stay inside adapters", () => {
    const wrong = sources.filter(
      (f) =>
        roomOf(f) !== undefined &&
        !sdkRooms.some((r) => f.startsWith(`${r}/`)) &&
        importsOf(f).packages.some((p) => sdk.test(p)),
    );
    expect(wrong).toEqual([]);
  });

  it("of packages by the core are a closed list", () => {
    const wrong = sources
      .filter((f) => f.startsWith("shared/core/"))
      .flatMap((f) =>
        importsOf(f)
          .packages.filter((p) => !corePackages.includes(p))
          .map((p) => `${f} -> ${p}`),
      );
    expect(wrong).toEqual([]);
  });
});

/** Source without comments and without the inside of plain strings, so that words in prose don't count. */
function codeOf(file: string): string {
  return (text.get(file) ?? "").replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|[^:"'`])\/\/.*$/gm, "$1");
}

describe("tokens", () => {
  it.each(bannedInCore)("the core is free of %s (%s)", (pattern) => {
    expect(sources.filter((f) => f.startsWith("shared/core/") && pattern.test(codeOf(f)))).toEqual([]);
  });

  it("the environment is read in the runtime, the command line and the relay's entry only", () => {
    const allowed = ["shared/runtime/", "cli/", "relay/", "test/", "local/"];
    const wrong = sources.filter(
      (f) => roomOf(f) !== undefined && !allowed.some((a) => f.startsWith(a)) && /process\.env/.test(codeOf(f)),
    );
    expect(wrong).toEqual([]);
  });

  it("controllers take time from the Clock", () => {
    const wrong = sources.filter(
      (f) => f.startsWith("shared/controllers/") && /Date\.now|new Date\(\)|Math\.random|setTimeout/.test(codeOf(f)),
    );
    expect(wrong).toEqual([]);
  });

  it("tests replace no modules and leave none skipped or focused by hand", () => {
    const own = "test/architecture.test.ts";
    expect(
      sources.filter((f) => f !== own && /\bvi\.mock\(|\b(it|test|describe)\.(only|todo)\(/.test(codeOf(f))),
    ).toEqual([]);
  });

  it("nothing is left to do without a reason", () => {
    const own = "test/architecture.test.ts";
    expect(sources.filter((f) => f !== own && /\b(TODO|FIXME|XXX)\b/.test(text.get(f) ?? ""))).toEqual([]);
  });
});

describe("sizes", () => {
  it(`no source file has more than ${sizeLimitLines} lines, but for the ratchet`, () => {
    const tooLarge = sources
      .map((f) => ({ file: f, lines: (text.get(f) ?? "").split("\n").length }))
      .filter(({ file, lines }) => lines > (sizeRatchet[file] ?? sizeLimitLines));
    expect(tooLarge).toEqual([]);
  });

  it("a Lambda's handler has at most 60 lines", () => {
    const handlers = sources.filter((f) => /^functions\/[^/]+\/handler\.ts$/.test(f));
    expect(handlers.filter((f) => text.get(f)!.split("\n").length > 60)).toEqual([]);
  });

  it("the ratchet names only files that need it", () => {
    const stale = Object.keys(sizeRatchet).filter((f) => (text.get(f) ?? "").split("\n").length <= sizeLimitLines);
    expect(stale).toEqual([]);
  });
});
