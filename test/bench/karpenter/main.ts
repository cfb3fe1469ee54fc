// `npm run bench:karpenter -- [--workload NAME|FILE …] …`: Karpenter's published scheduler and ours on the same input
// (docs/benchmarks.md).
import { parseArgs } from "node:util";
import { InputError } from "../../../cli/input-error.ts";
import { columns } from "../../../cli/output/columns.ts";
import { AbsentTrace, catalogOf } from "../input.ts";
import { type Comparison, compare, type Side } from "./compare.ts";
import { provideKarpenter } from "./program.ts";

const options = {
  workload: { type: "string", short: "f", multiple: true },
  catalog: { type: "string" },
  types: { type: "string" },
  runs: { type: "string", default: "3" },
  threads: { type: "string", default: "5" },
  "karpenter-limit": { type: "string", default: "20m" },
  "ignore-preferences": { type: "boolean", default: false },
  spot: { type: "boolean", default: false },
  daemonset: { type: "boolean", default: false },
  "no-bound": { type: "boolean", default: false },
  nice: { type: "string", default: "0" },
  "plan-out": { type: "string" },
  output: { type: "string", short: "o", default: "both" },
} as const;

async function run(argv: readonly string[]): Promise<void> {
  const { values } = parsed(argv);
  for (const name of ["runs", "threads", "nice"] as const) {
    if (!/^\d{1,3}$/.test(values[name])) throw new InputError(`--${name}: "${values[name]}" is not a count`);
  }
  if (!/^\d+(ms|s|m|h)$/.test(values["karpenter-limit"])) throw new InputError("--karpenter-limit: write it as in 20m");
  if (!["json", "table", "both"].includes(values.output)) throw new InputError("--output: json, table or both");
  const program = await provideKarpenter();
  if ("reason" in program) throw new InputError(program.reason);
  const comparisons: Comparison[] = [];
  for (const workload of values.workload ?? ["diverse-1000"]) {
    process.stderr.write(`bench: ${workload}\n`);
    const comparison = await compare(workload, {
      program: program.path,
      catalog: catalogOf(values.catalog, values.types),
      runs: Math.max(1, Number(values.runs)),
      threads: Math.max(1, Number(values.threads)),
      limit: values["karpenter-limit"],
      ignorePreferences: values["ignore-preferences"],
      spot: values.spot,
      daemonSet: values.daemonset,
      niceness: Number(values.nice),
      bound: !values["no-bound"],
      planOut: values["plan-out"],
    });
    comparisons.push(comparison);
    if (values.output !== "json") process.stderr.write(`${tableOf(comparison).join("\n")}\n`);
  }
  if (values.output !== "table") process.stdout.write(`${JSON.stringify(comparisons, null, 2)}\n`);
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options });
  } catch (cause) {
    throw new InputError((cause as Error).message.split(". ")[0]!, { cause });
  }
}

function tableOf({ workload, pods, types, boundPerHour, loadAverage, ours, karpenter, ratio }: Comparison): string[] {
  const both = (title: string, of: (side: Side) => string | number | null, last: string | number = "") => [
    title,
    String(of(ours) ?? "–"),
    String(of(karpenter) ?? "–"),
    String(last),
  ];
  const overBound = ({ costPerHour }: Side) => (boundPerHour === null ? null : (costPerHour / boundPerHour).toFixed(4));
  const rows = [
    both("seconds, cold", ({ coldSeconds }) => coldSeconds),
    both("  search alone", ({ solveSeconds }) => solveSeconds.cold, `${ratio.coldTimes} ×`),
    both("seconds, warm", ({ warmSeconds }) => warmSeconds),
    both("  search alone", ({ solveSeconds }) => solveSeconds.warm, `${ratio.warmTimes} ×`),
    both("processor seconds, cold", ({ cpuSeconds }) => cpuSeconds.cold, `${ratio.coldCpuTimes} ×`),
    both("processor seconds, warm", ({ cpuSeconds }) => cpuSeconds.warm, `${ratio.warmCpuTimes} ×`),
    both("pods a second", ({ podsPerSecond }) => podsPerSecond),
    both("nodes", ({ nodes }) => nodes, ratio.nodes),
    both("USD an hour", ({ costPerHour }) => costPerHour, ratio.cost),
    both("  over the bound", overBound, boundPerHour === null ? "no bound" : `bound ${boundPerHour}`),
    both("unschedulable", ({ unplaced }) => unplaced),
    both("preferences kept", ({ preferences }) => `${preferences.honoured} of ${preferences.asked}`),
    both("types a claim", ({ typesPerClaim: t }) => `${t.min} / ${t.median}`, "least / median"),
    both("  needlessly < 15", ({ typesPerClaim }) => typesPerClaim.needlesslyFew, "claims"),
    both("peak RSS, MiB", ({ peakRssMiB }) => peakRssMiB, ratio.peakRss),
    both("faults", ({ faultCount }) => faultCount),
    both("cut off", ({ timedOut }) => (timedOut ? "yes" : "no")),
  ];
  const heads = [workload, "TIMMERMAN", "KARPENTER", "RATIO"].map((title) => ({ title }));
  return [
    `${pods} pods, ${types} types, load average ${loadAverage.before} before and ${loadAverage.after} after`,
    ...columns(heads, rows),
    ...[...ours.faults.map((fault) => `ours: ${fault}`), ...karpenter.faults.map((fault) => `Karpenter's: ${fault}`)],
    "",
  ];
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof InputError || error instanceof AbsentTrace)) throw error;
  process.stderr.write(`bench: ${error.message}\n`);
  process.exitCode = 1;
}
