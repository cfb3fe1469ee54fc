// Our half of `bench:karpenter`: a run for every line on stdin, answered by a line of figures, so that both planners take
// turns on one machine; the last plan is written when the input ends. Karpenter's half is karpenter/main.go.
import { createInterface } from "node:readline";
import { readBench } from "./flags.ts";
import { solveOnce, writePlan } from "./solve.ts";
import { peakRssMiB } from "./timing.ts";

export async function takeTurns(argv: readonly string[]): Promise<void> {
  const bench = readBench(argv);
  const answer = (line: object): void => {
    process.stdout.write(`${JSON.stringify(line)}\n`);
  };
  answer({ pods: bench.pods.length });
  let last: ReturnType<typeof solveOnce> | undefined;
  for await (const _ of createInterface({ input: process.stdin })) {
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    last = solveOnce(bench);
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    const cpuSeconds = (user + system) / 1_000_000;
    answer({ seconds, cpuSeconds, solveSeconds: last.planSeconds, timedOut: false, peakRssMiB: peakRssMiB() });
  }
  if (last !== undefined && bench.planOut !== undefined) writePlan(bench.planOut, last.snapshot, last.plan);
}
