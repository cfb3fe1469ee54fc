// Pods that arrive in batches, in the order of the input: every batch is planned on what earlier ones left, whose nodes
// stay as they are. The cost of all nodes at the end is held against the bound for all pods at once.
import type { Node, NodeClaim, PlannedClaim, Pod, ProvisioningPlan, Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { faults, keyOf, outcomes } from "../properties/feasibility.ts";
import { boundPerHour } from "./bound.ts";
import { type Bench, readBench } from "./flags.ts";
import { solveOnce } from "./solve.ts";
import { median, peakRssMiB, print, round } from "./timing.ts";

export async function benchBatches(argv: readonly string[]): Promise<void> {
  const bench = readBench(argv);
  print(await batchesReport(bench), bench.output);
}

export async function batchesReport(bench: Bench): Promise<Readonly<Record<string, unknown>>> {
  const { snapshot: all } = solveOnce(bench);
  const waiting = all.pods.filter(({ nodeName }) => nodeName === undefined);
  const seconds: number[] = [];
  const wrong: string[] = [];
  let world: Snapshot = { ...all, pods: all.pods.filter(({ nodeName }) => nodeName !== undefined) };
  let unschedulable = 0;
  for (let from = 0; from < waiting.length; from += bench.batch) {
    const asked: Snapshot = { ...world, pods: [...world.pods, ...waiting.slice(from, from + bench.batch)] };
    const start = performance.now();
    const plan = planProvisioning(asked);
    seconds.push((performance.now() - start) / 1000);
    unschedulable += plan.unschedulable.length;
    // Judging every batch of many would take longer than all else: the first ones and then every hundredth.
    if (seconds.length <= 5 || seconds.length % 100 === 0) wrong.push(...faults(asked, plan));
    world = comeTrue(asked, plan);
  }
  const cost = world.claims.reduce((total, { instance }) => total + (instance?.priceMicroUsd ?? 0), 0) / 1_000_000;
  const bound = bench.bound && unschedulable === 0 ? await boundPerHour(all) : null;
  const sorted = [...seconds].sort((a, b) => a - b);
  return {
    workload: bench.workloads.join(" "),
    pods: waiting.length,
    batch: bench.batch,
    batches: seconds.length,
    secondsPerBatch: { median: round(median(sorted), 4), max: round(sorted.at(-1) ?? 0, 4) },
    planSeconds: round(
      seconds.reduce((total, one) => total + one, 0),
      3,
    ),
    nodes: world.nodes.length,
    unschedulable,
    costPerHour: round(cost, 4),
    oneShotBoundPerHour: bound,
    overBound: bound === null ? null : round(cost / bound, 4),
    peakRssMiB: peakRssMiB(),
    faults: wrong.slice(0, 10),
  };
}

/** The cluster once every claim of the plan has become the cheapest node that it may, and its pods run there. */
export function comeTrue(world: Snapshot, plan: ProvisioningPlan): Snapshot {
  const bound = new Map<string, string>();
  const nodeOf = new Map(world.claims.map(({ name, nodeName }) => [name, nodeName ?? name]));
  for (const { target, pods } of plan.placements) for (const pod of pods) bound.set(pod, nodeOf.get(target) ?? target);
  const made = plan.claims.map((claim) => {
    for (const pod of claim.pods) bound.set(pod, `node-${claim.name}`);
    return nodeFor(world, claim);
  });
  return {
    ...world,
    head: { ...world.head, seq: world.head.seq + 1 },
    nodes: [...world.nodes, ...made.map(({ node }) => node)],
    claims: [...world.claims, ...made.map(({ claim }) => claim)],
    pods: world.pods.map((pod): Pod => {
      const nodeName = bound.get(keyOf(pod));
      return nodeName === undefined ? pod : { ...pod, nodeName, phase: "Running", unschedulable: false, ready: true };
    }),
  };
}

function nodeFor(world: Snapshot, planned: PlannedClaim): { readonly node: Node; readonly claim: NodeClaim } {
  const cheapest = outcomes(world, planned).reduce((best, one) =>
    one.offering.priceMicroUsd < best.offering.priceMicroUsd ? one : best,
  );
  const { type, offering, seen } = cheapest;
  const name = `node-${planned.name}`;
  const providerId = `aws:///${offering.zone}/${name}`;
  const joined = { "karpenter.sh/registered": "true", "karpenter.sh/initialized": "true" };
  const { cheapest: _, pods: __, podsSinceMs: ___, ...kept } = planned;
  const at = world.nowMs - 600_000;
  const amounts = { capacity: type.capacity, allocatable: type.allocatable };
  return {
    node: {
      uid: name,
      name,
      resourceVersion: "1",
      providerId,
      labels: { ...seen.labels, ...joined, "kubernetes.io/hostname": name },
      annotations: {},
      taints: planned.taints,
      ...amounts,
      conditions: [{ type: "Ready", status: "True", changedAtMs: at }],
      cordoned: false,
      createdAtMs: at,
      finalizers: [],
    },
    claim: {
      ...kept,
      version: 1,
      createdAtMs: at,
      reason: "provisioned",
      instance: {
        id: name,
        providerId,
        instanceType: type.name,
        zone: offering.zone,
        capacityType: offering.capacityType,
        priceMicroUsd: offering.priceMicroUsd,
        ...amounts,
        launchedAtMs: at,
      },
      nodeName: name,
      nodeUid: name,
      registeredAtMs: at,
      initializedAtMs: at,
    },
  };
}
