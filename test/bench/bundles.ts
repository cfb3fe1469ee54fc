import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { InputError } from "../../cli/input-error.ts";
import { bundleFunctions, functionNames } from "./function-bundles.ts";
import { median, print, round } from "./timing.ts";

/** What a fresh process does: nothing but load the bundle, and say how long that took by the clock and by the processor. */
const importing = `
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await import(process.argv[1]);
  const { user, system } = process.cpuUsage(cpu);
  process.stdout.write(JSON.stringify({ wallMs: performance.now() - start, cpuMs: (user + system) / 1_000 }));
`;

interface Import {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/**
 * `bundles`: how large each function is as it is deployed, and how long a fresh process takes to load it: the median by
 * the clock, the fastest, and the median of processor time, which other work on the machine disturbs least.
 */
export async function benchBundles(argv: readonly string[]): Promise<void> {
  const { runs, output } = flags(argv);
  const outdir = mkdtempSync(join(tmpdir(), "bundles-"));
  try {
    const report: Record<string, unknown> = { node: process.version };
    for (const name of functionNames) {
      const { bytesAtStart, bytesTotal, entry } = (await bundleFunctions([name], outdir)).get(name)!;
      const imports = Array.from({ length: runs }, () => importOnce(join(outdir, entry)));
      const wallMs = imports.map((once) => once.wallMs).sort((a, b) => a - b);
      const cpuMs = imports.map((once) => once.cpuMs).sort((a, b) => a - b);
      report[name] = {
        bytesAtStart,
        bytesTotal,
        importMs: round(median(wallMs), 1),
        fastestMs: round(wallMs[0]!, 1),
        cpuMs: round(median(cpuMs), 1),
      };
    }
    print(report, output);
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

function flags(argv: readonly string[]): { readonly runs: number; readonly output: "json" | "table" } {
  let values: { runs: string; output: string };
  try {
    const options = {
      runs: { type: "string", default: "7" },
      output: { type: "string", short: "o", default: "json" },
    } as const;
    values = parseArgs({ args: [...argv], options }).values;
  } catch (cause) {
    throw new InputError((cause as Error).message.split(". ")[0]!, { cause });
  }
  const { runs, output } = values;
  if (!/^[1-9]\d{0,2}$/.test(runs)) throw new InputError(`--runs: "${runs}" is not a count from 1 to 999`);
  if (output !== "json" && output !== "table") throw new InputError(`--output: "${output}" is neither json nor table`);
  return { runs: Number(runs), output };
}

function importOnce(path: string): Import {
  const text = execFileSync(process.execPath, ["--input-type=module", "-e", importing, path], { encoding: "utf8" });
  return JSON.parse(text) as Import;
}
