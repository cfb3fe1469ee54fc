import { fork } from "node:child_process";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { InputError } from "../input-error.ts";
import type { Terminal } from "../terminal.ts";

// The stacks are a program that is asked, not a library: what stands in stacks/clusters.ts is code, and this process should
// outlive it. See stacks/check-clusters.ts.

const defaultPath = "stacks/clusters.ts";
/** Loading and checking a thousand clusters takes less than a second. */
const checkTimeoutMs = 20_000;

const usage = `Usage: timmerman check [flags]

Checks stacks/clusters.ts as npx sst deploy does before it creates anything, without AWS: names, regions, roles, networks,
settings, and whether the policies that follow fit into what AWS takes. What only EKS knows is not checked.

  -f, --filename PATH    the file (default: ${defaultPath})
      --stage STAGE      the stage that is to be deployed, which is part of names (default: production)
  -o, --output FORMAT    text (default) or json
  -h, --help             this text

Exit codes: 0 nothing is wrong; 1 there are problems (all are printed), or bad input.
`;

interface Problem {
  readonly where: string;
  readonly field: string;
  readonly problem: string;
  readonly fix: string;
}

interface Report {
  readonly clusters: number;
  readonly problems: readonly Problem[];
}

interface CheckFlags {
  readonly path: string;
  readonly stage: string;
  readonly output: "text" | "json";
}

/** `timmerman check`. `timeoutMs`: how long the file may take to load. Throws InputError. */
export async function runCheck(
  argv: readonly string[],
  terminal: Terminal,
  timeoutMs: number = checkTimeoutMs,
): Promise<number> {
  const flags = readFlags(argv);
  if (flags === undefined) {
    terminal.out(usage);
    return 0;
  }
  const { path, stage, output } = flags;
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new InputError(`${path} is no file: start in the folder that has ${defaultPath}, or name one with -f`);
  }
  const { clusters, problems } = await askStacks(path, stage, terminal, timeoutMs);
  if (output === "json") terminal.out(`${JSON.stringify({ file: path, stage, clusters, problems }, undefined, 2)}\n`);
  else terminal.out(textOf(flags, { clusters, problems }));
  return problems.length === 0 ? 0 : 1;
}

/** What the file prints is not ours: it goes to standard error. */
function askStacks(path: string, stage: string, terminal: Terminal, timeoutMs: number): Promise<Report> {
  const script = fileURLToPath(new URL("../../stacks/check-clusters.ts", import.meta.url));
  const child = fork(script, [resolve(path), stage], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    timeout: timeoutMs,
    // Any other signal the file may have a listener for.
    killSignal: "SIGKILL",
  });
  let report: Report | undefined;
  child.on("message", (message) => {
    // The file can send messages of its own.
    if (isReport(message)) report = message;
  });
  child.stdout?.on("data", (text) => terminal.err(String(text)));
  child.stderr?.on("data", (text) => terminal.err(String(text)));
  return new Promise((done, failed) => {
    child.on("error", failed);
    child.on("close", (code, signal) => {
      const end = signal === null ? `ends the program (code ${code})` : `did not end within ${timeoutMs / 1_000} s`;
      done(report ?? { clusters: 0, problems: [lost(end)] });
    });
  });
}

function isReport(message: unknown): message is Report {
  const { clusters, problems } = (message ?? {}) as Partial<Report>;
  return Number.isInteger(clusters) && Array.isArray(problems);
}

function lost(problem: string): Problem {
  return { where: "the file", field: "", problem, fix: "write plain data, without await, loops and process" };
}

function textOf({ path, stage }: CheckFlags, { clusters, problems }: Report): string {
  const count = (of: number, what: string) => `${of} ${what}${of === 1 ? "" : "s"}`;
  if (problems.length === 0) {
    return `${printable(`${path}: ${count(clusters, "cluster")}, nothing is wrong (stage ${stage})`)}\n`;
  }
  const lines = problems.map(({ where, field, problem, fix }) =>
    [`- ${where}${field === "" ? "" : `: ${field}`} ${problem}`, `fix: ${fix}`].map(printable).join("\n  "),
  );
  const heading = printable(`${path} has ${count(problems.length, "problem")} (stage ${stage}):`);
  return `${heading}\n${lines.join("\n")}\n`;
}

/** Names come from a file that may have come from elsewhere: no escape sequences for the terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, " ");
}

function readFlags(argv: readonly string[]): CheckFlags | undefined {
  let values: { filename?: string; stage?: string; output?: string; help?: boolean };
  try {
    ({ values } = parseArgs({
      args: [...argv],
      options: {
        filename: { type: "string", short: "f" },
        stage: { type: "string" },
        output: { type: "string", short: "o" },
        help: { type: "boolean", short: "h" },
      },
    }));
  } catch (cause) {
    throw new InputError((cause as Error).message, { cause });
  }
  if (values.help === true) return undefined;
  const { filename: path = defaultPath, stage = "production", output = "text" } = values;
  if (output !== "text" && output !== "json") throw new InputError(`--output is ${output}: write text or json`);
  return { path, stage, output };
}
