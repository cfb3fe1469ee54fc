// `npm run bench -- solve|disrupt|bundles|pods …` (README.md).
import { InputError } from "../../cli/input-error.ts";

const benches: Readonly<Record<string, () => Promise<(argv: readonly string[]) => Promise<void>>>> = {
  solve: async () => (await import("./solve.ts")).benchSolve,
  disrupt: async () => (await import("./disrupt.ts")).benchDisrupt,
  bundles: async () => (await import("./bundles.ts")).benchBundles,
  pods: async () => (await import("./trace-pods.ts")).writeTracePods,
};

const [name = "", ...argv] = process.argv.slice(2);
try {
  const load = Object.hasOwn(benches, name) ? benches[name] : undefined;
  if (load === undefined) throw new InputError(`"${name}" is none of ${Object.keys(benches).join(", ")}`);
  await (await load())(argv);
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  process.stderr.write(`bench: ${error.message}\n`);
  process.exitCode = 1;
}
