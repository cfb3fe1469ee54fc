// The planner timed, from Pod objects to the finished plan.
import { writeFileSync } from "node:fs";
import { readSnapshot } from "../../cli/input/snapshot.ts";
import { type PlanDocument, planDocument } from "../../cli/output/plan-document.ts";
import { buildInstanceTypes } from "../../shared/core/catalog/index.ts";
import type { ProvisioningPlan, Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { type Bench, readBench } from "./flags.ts";
import { judged } from "./judged.ts";
import { median, peakRssMiB, print, round, timed } from "./timing.ts";

/** One run: what is timed, and how much of it was planning. */
export function solveOnce(bench: Bench): { snapshot: Snapshot; plan: ProvisioningPlan; planSeconds: number } {
  const { snapshot } = readSnapshot(bench.objects, bench.pods, bench.context);
  const start = performance.now();
  const plan = planProvisioning(snapshot);
  return { snapshot, plan, planSeconds: (performance.now() - start) / 1000 };
}

/** Writes the plan as `timmerman plan` prints it. */
export function writePlan(path: string, snapshot: Snapshot, plan: ProvisioningPlan): PlanDocument {
  const document = planDocument(snapshot, plan, undefined);
  writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`);
  return document;
}

export async function benchSolve(argv: readonly string[]): Promise<void> {
  const bench = readBench(argv);
  print(await solveReport(bench), bench.output);
}

export async function solveReport(bench: Bench): Promise<Readonly<Record<string, unknown>>> {
  const planSeconds: number[] = [];
  const { result, coldSeconds, seconds } = timed(bench.runs, () => {
    const once = solveOnce(bench);
    planSeconds.push(once.planSeconds);
    return once;
  });
  const peak = peakRssMiB();
  const { snapshot, plan } = result;
  if (bench.planOut !== undefined) writePlan(bench.planOut, snapshot, plan);
  const found = judged(snapshot, planDocument(snapshot, plan, undefined));
  const waiting = found.placed + found.unplaced;
  const warm = planSeconds.slice(bench.runs > 1 ? 1 : 0).sort((a, b) => a - b);
  return {
    workload: bench.workloads.join(" "),
    pods: snapshot.pods.length,
    types: typesOf(snapshot),
    runs: bench.runs,
    coldSeconds,
    seconds,
    podsPerSecond: Math.round(waiting / seconds.median),
    nodes: found.nodes,
    unschedulable: plan.unschedulable.length,
    costPerHour: round(found.costPerHour, 6),
    boundPerHour: await boundOf(bench, snapshot, plan),
    typesPerClaim: found.typesPerClaim,
    peakRssMiB: peak,
    planSeconds: round(median(warm), 4),
    preferences: found.preferences,
    faults: found.faultCount === 0 ? [] : [...found.faults, `${found.faultCount} in all`],
  };
}

export async function boundOf(bench: Bench, snapshot: Snapshot, plan: ProvisioningPlan): Promise<number | null> {
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
