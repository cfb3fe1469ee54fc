// How time grows with pods: one kind of workload at several sizes, each in a process of its own.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { InputError } from "../../cli/input-error.ts";
import { round } from "./timing.ts";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));
const sizes = [10_000, 20_000, 50_000, 100_000];

/** `growth [unconstrained|diverse|…] [--sizes 1000,10000] [flags of solve]`: prints JSON. */
export async function benchGrowth(argv: readonly string[]): Promise<void> {
  const [first = "unconstrained", ...others] = argv;
  const [kind, rest] = first.startsWith("-") ? ["unconstrained", [...argv]] : [first, others];
  const at = rest.indexOf("--sizes");
  const given = at < 0 ? sizes : (rest[at + 1] ?? "").split(",").map(Number);
  if (given.some((size) => !Number.isSafeInteger(size) || size < 1)) throw new InputError("--sizes: 10000,100000");
  if (at >= 0) rest.splice(at, 2);
  const steps = given.map((pods) => {
    const told = spawnSync(process.execPath, [main, `${kind}-${pods}`, "--no-bound", "-o", "json", ...rest], {
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    });
    if (told.status !== 0) throw new InputError(told.stderr.trim().replace(/^bench: /, ""));
    const { coldSeconds, seconds, nodes, peakRssMiB, faults } = JSON.parse(told.stdout);
    return { pods, coldSeconds, warmSeconds: seconds.median, nodes, peakRssMiB, faults };
  });
  const [least, most] = [steps[0]!, steps.at(-1)!];
  const report = {
    workload: kind,
    steps,
    podsTimes: round(most.pods / least.pods, 2),
    coldTimes: round(most.coldSeconds / least.coldSeconds, 2),
    warmTimes: round(most.warmSeconds / least.warmSeconds, 2),
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
}
