import { pathToFileURL } from "node:url";
import { clusterProblems } from "./cluster-problems.ts";
import type { SpecProblem } from "./spec-problem.ts";

// The checks that `npx sst deploy` begins with, run on a file in a program of its own: `timmerman check` starts it. The file
// is a program too, of whoever wrote it: it may throw, end the process or never end, and this one is there to be lost by it.
// So the command line need not know the stacks, and no state of one check is left for the next.

/** What is told to the parent, once. */
export interface CheckReport {
  /** How many clusters the file lists; 0 if it cannot be told. */
  readonly clusters: number;
  readonly problems: readonly SpecProblem[];
}

const [path = "", stage = ""] = process.argv.slice(2);
const report = await check(path, stage);
// The file may have left timers behind.
process.send?.(report, () => process.exit(0));

async function check(path: string, stage: string): Promise<CheckReport> {
  let written: Readonly<Record<string, unknown>>;
  try {
    written = await import(pathToFileURL(path).href);
  } catch (error) {
    return { clusters: 0, problems: [loadProblem(error)] };
  }
  const { deployment, clusters } = written;
  const missing = ["deployment", "clusters"].filter((name) => !Object.hasOwn(written, name));
  if (missing.length > 0) return { clusters: 0, problems: missing.map(exportProblem) };
  try {
    // Of any shape: the checks begin with that.
    const problems = clusterProblems(deployment as never, clusters as never, stage);
    return { clusters: Array.isArray(clusters) ? clusters.length : 0, problems };
  } catch (error) {
    const problem = `holds a value that cannot be read: ${messageOf(error)}`;
    return { clusters: 0, problems: [{ where: "the file", field: "", problem, fix: "write plain data" }] };
  }
}

function exportProblem(name: string): SpecProblem {
  const fix = `write export const ${name} = ${name === "clusters" ? "[…]" : "{ … }"};`;
  return { where: "the file", field: name, problem: "is not exported", fix };
}

/** Node strips types where SST's bundler compiles them, so that enums and the like end here. */
function loadProblem(error: unknown): SpecProblem {
  const code = (error as { code?: unknown } | undefined)?.code;
  const fixes: Readonly<Record<string, string>> = {
    ERR_INVALID_TYPESCRIPT_SYNTAX: "mend the syntax",
    ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX: "write plain data and types only",
    ERR_MODULE_NOT_FOUND: "mend the import; relative ones need their ending: ./cluster-spec.ts",
  };
  const ofSyntax = /does not provide an export/.test(messageOf(error))
    ? "import types by import type"
    : "mend the syntax";
  const fix = fixes[String(code)] ?? (error instanceof SyntaxError ? ofSyntax : "write plain data");
  return { where: "the file", field: "", problem: `cannot be loaded: ${messageOf(error)}${placeOf(error)}`, fix };
}

/** The message's first line that says something. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n").find((line) => line.trim() !== "") ?? "an error without a message";
}

/** Where in the file: Node writes `file:line` before the stack of a syntax error, and into the stack of others. */
function placeOf(error: unknown): string {
  const stack = error instanceof Error ? String(error.stack) : "";
  const name = pathToFileURL(path).pathname.split("/").at(-1)!;
  const line = stack.split(`${name}:`)[1]?.match(/^\d+/)?.[0];
  return line === undefined ? "" : ` (line ${line})`;
}
