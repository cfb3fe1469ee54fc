// `npm run bench -- solve|disrupt|batches|growth|bundles|pods|workload …`, or the name of a workload (README.md).
import { InputError } from "../../cli/input-error.ts";
import { AbsentTrace } from "./input.ts";
import { workloadNames } from "./workloads/index.ts";

type Bench = (argv: readonly string[]) => Promise<void>;

const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  solve: async () => (await import("./solve.ts")).benchSolve,
  disrupt: async () => (await import("./disrupt.ts")).benchDisrupt,
  batches: async () => (await import("./batches.ts")).benchBatches,
  growth: async () => (await import("./growth.ts")).benchGrowth,
  turns: async () => (await import("./turns.ts")).takeTurns,
  bundles: async () => (await import("./bundles.ts")).benchBundles,
  pods: async () => (await import("./trace-pods.ts")).writeTracePods,
  workload: async () => (await import("./workload-file.ts")).writeWorkload,
};

/** `diverse-1000 …` is short for `solve --workload diverse-1000 …`. */
function benchOf(name: string, argv: readonly string[]): { load: () => Promise<Bench>; argv: readonly string[] } {
  const load = Object.hasOwn(benches, name) ? benches[name] : undefined;
  if (load !== undefined) return { load, argv };
  if (workloadNames.some((known) => known.replace(/-\d+$/, "") === name.replace(/-\d+$/, "")))
    return { load: benches.solve!, argv: ["--workload", name, ...argv] };
  const names = [...Object.keys(benches).filter((bench) => bench !== "turns"), ...workloadNames];
  throw new InputError(`"${name}" is none of ${names.join(", ")}`);
}

const [name = "", ...rest] = process.argv.slice(2);
try {
  const { load, argv } = benchOf(name, rest);
  await (await load())(argv);
} catch (error) {
  if (!(error instanceof InputError || error instanceof AbsentTrace)) throw error;
  process.stderr.write(`bench: ${error.message}\n`);
  process.exitCode = 1;
}
