// One full pass of every disruption method timed, on clusters of Nodes with bound Pods.
import { writeFileSync } from "node:fs";
import { readSnapshot } from "../../cli/input/snapshot.ts";
import { planDocument } from "../../cli/output/plan-document.ts";
import { planDisruption } from "../../shared/core/disruption/index.ts";
import { readBench } from "./flags.ts";
import { typesOf } from "./solve.ts";
import { peakRssMiB, print, round, timed } from "./timing.ts";

export async function benchDisrupt(argv: readonly string[]): Promise<void> {
  const bench = readBench(argv);
  const { result, coldSeconds, seconds } = timed(bench.runs, () => {
    const { snapshot } = readSnapshot(bench.objects, bench.pods, bench.context);
    return { snapshot, plan: planDisruption(snapshot) };
  });
  const peak = peakRssMiB();
  const { snapshot, plan } = result;
  const document = planDocument(snapshot, undefined, plan);
  if (bench.planOut !== undefined) writeFileSync(bench.planOut, `${JSON.stringify(document, null, 2)}\n`);
  print(
    {
      workload: bench.workloads.join(" "),
      pods: snapshot.pods.length,
      nodesNow: snapshot.nodes.length,
      types: typesOf(snapshot),
      runs: bench.runs,
      coldSeconds,
      seconds,
      podsPerSecond: Math.round(snapshot.pods.length / seconds.median),
      commands: plan.commands.length,
      savingsPerHour: round(document.cost.currentPerHour - document.cost.plannedPerHour, 6),
      simulations: plan.simulations ?? 0,
      peakRssMiB: peak,
    },
    bench.output,
  );
}
