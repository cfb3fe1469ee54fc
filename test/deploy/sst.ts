// The real SST command line and the real engine, in a copy of this project's app in which everything that is not to be had
// from a package registry is a stand-in of ours (docs/deploy-test.md).
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPlatform, platform, root } from "../stacks/sst/platform.ts";
import { stage } from "./deployment.ts";
import { platformVariable } from "./platform.ts";
import { pythonVariable, unsentVariable } from "./provider/variables.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
/** What SST needs of the project to deploy it. */
const parts = ["sst.config.ts", "stacks", "functions", "shared", "package.json", "tsconfig.json"];
/** A command that takes longer hangs. */
const commandTimeoutMs = 600_000;

export interface Outcome {
  readonly code: number | null;
  /** Both streams, in the order in which they came. */
  readonly output: string;
  readonly seconds: number;
}

export interface App {
  /** The copy of the project that is deployed. */
  readonly folder: string;
  run(...args: readonly string[]): Promise<Outcome>;
  /** Calls that the provider did not send, since moto has them not. */
  unsent(): readonly { service: string; operation: string; parameters: Record<string, unknown> }[];
}

export interface AppOptions {
  /** Empty folder for the copy, SST's settings and its state. */
  readonly folder: string;
  readonly pulumi: string;
  readonly python: string;
  readonly awsEndpoint: string;
}

/** Copies the app, and sets the engine and the stand-ins where SST and the engine look for them. */
export function createApp({ folder, pulumi, python, awsEndpoint }: AppOptions): App {
  const app = join(folder, "app");
  mkdirSync(join(app, ".sst"), { recursive: true });
  for (const part of parts) cpSync(join(root, part), join(app, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(app, "node_modules"));
  installPlatform();
  symlinkSync(platform, join(app, ".sst", "platform"));
  cpSync(join(platform, "..", "provider-lock.json"), join(app, ".sst", "provider-lock.json"));
  const settings = join(folder, "settings");
  writePrograms(join(settings, "sst"), pulumi);
  const unsent = join(folder, "unsent.jsonl");
  writeFileSync(unsent, "");
  const env = {
    ...ownEnvironment(),
    XDG_CONFIG_HOME: settings,
    [platformVariable]: platform,
    [pythonVariable]: python,
    [unsentVariable]: unsent,
    AWS_ENDPOINT_URL: awsEndpoint,
  };
  return {
    folder: app,
    run: (...args) => runSst(args, app, env),
    unsent: () =>
      readFileSync(unsent, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
  };
}

/** Nobody's real credentials or profiles come near an emulator, nor does what SST would look up or tell. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(AWS|SST|PULUMI)_/.test(name));
  return {
    ...Object.fromEntries(kept),
    SST_SKIP_DEPENDENCY_CHECK: "1",
    SST_NO_BUN: "1",
    SST_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // A copy of the whole state after each of hundreds of steps, which nobody will want.
    PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_REGION: "us-east-1",
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_CONFIG_FILE: "/dev/null",
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
  };
}

/** Where SST looks for the engine, and the engine for its plugins. */
function writePrograms(home: string, pulumi: string): void {
  const bin = join(home, "bin");
  mkdirSync(bin, { recursive: true });
  linkOrCopy(pulumi, join(bin, "pulumi"));
  writeScript(join(bin, "pulumi-language-nodejs"), join(here, "language-host", "main.ts"));
  const dynamic = join(platform, "node_modules", "@pulumi", "pulumi", "cmd", "dynamic-provider", "index.js");
  writeScript(join(bin, "pulumi-resource-pulumi-nodejs"), dynamic);
  for (const name of ["aws", "random"]) {
    const version = versionOf(join(platform, "node_modules", "@pulumi", name));
    const folder = join(home, "plugins", `resource-${name}-v${version}`);
    mkdirSync(folder, { recursive: true });
    writeScript(join(folder, `pulumi-resource-${name}`), join(here, "provider", "main.ts"));
  }
}

function versionOf(folder: string): string {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // Another file system.
    cpSync(from, to);
  }
}

function writeScript(path: string, program: string): void {
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(path, 0o755);
}

/** Ends a program and all that came of it; the engine and its plugins are in groups of their own. */
function killTree(root: number): void {
  const rows = spawnSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).stdout.trim().split("\n");
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
  const doomed = [root];
  for (const parent of doomed) doomed.push(...pairs.filter(([, ppid]) => ppid === parent).map(([pid]) => pid));
  for (const pid of doomed) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (cause) {
      // It ended by itself meanwhile.
      if ((cause as NodeJS.ErrnoException).code !== "ESRCH") throw cause;
    }
  }
}

/** Runs SST's own binary to its end, or kills it with everything that it has started. */
function runSst(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const startedAt = performance.now();
  const binary = join(root, "node_modules", `sst-${process.platform}-${process.arch}`, "bin", "sst");
  return new Promise((resolve, reject) => {
    const child = spawn(binary, [...args, "--stage", stage, "--print-logs"], {
      cwd,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const kill = () => killTree(child.pid!);
    const late = setTimeout(kill, commandTimeoutMs);
    process.once("exit", kill);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(late);
      process.off("exit", kill);
      resolve({ code, output, seconds: (performance.now() - startedAt) / 1_000 });
    });
  });
}
