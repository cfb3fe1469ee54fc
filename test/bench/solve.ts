// The planner timed, from Pod objects to the finished plan.
import { writeFileSync } from "node:fs";
import { readSnapshot } from "../../cli/input/snapshot.ts";
import { planDocument } from "../../cli/output/plan-document.ts";
import { buildInstanceTypes } from "../../shared/core/catalog/index.ts";
import type { ProvisioningPlan, Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { type Bench, readBench } from "./flags.ts";
import { median, peakRssMiB, print, round, timed } from "./timing.ts";

export async function benchSolve(argv: readonly string[]): Promise<void> {
  const bench = readBench(argv);
  const { result, coldSeconds, seconds } = timed(bench.runs, () => {
    const { snapshot } = readSnapshot(bench.objects, bench.pods, bench.context);
    return { snapshot, plan: planProvisioning(snapshot) };
  });
  const peak = peakRssMiB();
  const { snapshot, plan } = result;
  const document = planDocument(snapshot, plan, undefined);
  if (bench.planOut !== undefined) writeFileSync(bench.planOut, `${JSON.stringify(document, null, 2)}\n`);
  print(
    {
      workload: bench.workloads.join(" "),
      pods: snapshot.pods.length,
      types: typesOf(snapshot),
      runs: bench.runs,
      coldSeconds,
      seconds,
      podsPerSecond: Math.round(snapshot.pods.length / seconds.median),
      nodes: plan.claims.length,
      unschedulable: plan.unschedulable.length,
      costPerHour: round(document.cost.plannedPerHour - document.cost.currentPerHour, 6),
      boundPerHour: await boundOf(bench, snapshot, plan),
      typesPerClaim: typesPerClaim(plan),
      peakRssMiB: peak,
    },
    bench.output,
  );
}

async function boundOf(bench: Bench, snapshot: Snapshot, plan: ProvisioningPlan): Promise<number | null> {
  if (!bench.bound || plan.unschedulable.length > 0) return null;
  const { boundPerHour } = await import("./bound.ts");
  return await boundPerHour(snapshot);
}

/** Types that some node class can launch. */
export function typesOf(snapshot: Snapshot): number {
  const names = new Set<string>();
  for (const nodeClass of snapshot.nodeClasses) {
    for (const { name } of buildInstanceTypes(snapshot.catalog, nodeClass, snapshot.settings)) names.add(name);
  }
  return names.size;
}

function typesPerClaim(plan: ProvisioningPlan): { min: number; median: number } {
  const counts = plan.claims.map((claim) => claim.instanceTypes.length).sort((a, b) => a - b);
  return { min: counts[0] ?? 0, median: median(counts) };
}
