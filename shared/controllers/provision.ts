import { maxCommitTries, maxEventsPerRun, nominationWindowMs } from "../core/limits.ts";
import type { Head, NodeClaim, ProvisioningPlan, Snapshot } from "../core/model/index.ts";
import type { KubeEvent } from "../ports/index.ts";
import { announce, warningEvents } from "./announce.ts";
import { writeBufferStatus } from "./buffer-status.ts";
import { chunksOf } from "./chunks.ts";
import type { ClusterContext, ControllerPorts, PlanningSettings } from "./context.ts";
import type { Controller } from "./index.ts";
import { measureCreated, measureLostCommit, measurePending, podsSince } from "./measure.ts";
import { writeOverlayStatus } from "./overlay-status.ts";
import type { RunLog } from "./report.ts";
import { leased, makeDue } from "./schedule.ts";
import { type Observation, observeCluster } from "./snapshot.ts";

/** Pending pods → committed claims and nominations. Answers to Karpenter's provisioner. */
export function createProvision(ports: ControllerPorts, settings: PlanningSettings): Controller {
  return leased(ports, (context, log, atLeast) => provision(ports, settings, context, log, atLeast));
}

async function provision(
  ports: ControllerPorts,
  settings: PlanningSettings,
  context: ClusterContext,
  log: RunLog,
  atLeast: string | undefined,
): Promise<void> {
  for (let tries = 0; tries < maxCommitTries; tries++) {
    const observed = await observeCluster(ports, context, { atLeast });
    if (observed === undefined) return;
    const plan = settings.planners.provisioning(observed.snapshot);
    const committed = await commitPlan(ports, context, observed, plan, log);
    // Also for claims of earlier runs: the wake for them may have been lost.
    if (committed.claims > 0 || observed.state.claims.some(isUnlaunched)) {
      await ports.wakes.send({ cluster: context.name, target: "lifecycle" });
    }
    if (committed.lost) {
      log.count("commitsLost");
      measureLostCommit(ports.telemetry, context.name, "provision");
      continue;
    }
    log.due(plan.nextChangeAtMs);
    log.due(nominationsEndAtMs(observed, plan));
    log.count("podsUnschedulable", plan.unschedulable.length);
    measurePending(ports.telemetry, context.name, observed.snapshot, plan);
    await writeOverlayStatus(context, observed.snapshot, log);
    await writeBufferStatus(context, observed.snapshot, plan, log);
    await announce(context.cluster, log, eventsOf(observed.snapshot, plan));
    return;
  }
  log.due(ports.clock.now());
}

function isUnlaunched({ launch, instance }: NodeClaim): boolean {
  return launch === undefined && instance === undefined;
}

async function commitPlan(
  ports: ControllerPorts,
  context: ClusterContext,
  { snapshot, state }: Observation,
  plan: ProvisioningPlan,
  log: RunLog,
): Promise<{ readonly lost: boolean; readonly claims: number }> {
  if (plan.claims.length === 0 && !saysMore(plan, snapshot)) return { lost: false, claims: 0 };
  if (plan.claims.length > 0) await makeDue(ports, context.name, ["lifecycle"]);
  const since = podsSince(snapshot);
  const dated = { ...plan, claims: plan.claims.map((claim) => ({ ...claim, ...since(claim) })) };
  const chunks = chunksOf(dated, { id: ports.ids.next(), reason: "provisioned", nowMs: snapshot.nowMs });
  let head: Head = state.head;
  let claims = 0;
  for (const chunk of chunks) {
    const outcome = await ports.store.commit(context.name, head, chunk);
    if (outcome.kind === "lost") return { lost: true, claims };
    head = outcome.head;
    claims += chunk.claims.length;
    log.count("claimsCommitted", chunk.claims.length);
    log.count("placementsCommitted", chunk.placements.length);
    measureCreated(ports.telemetry, context.name, chunk.claims, "provisioned", ports.clock.now());
  }
  return { lost: false, claims };
}

/** When pods that wait for their place are looked at again: nominations end, whatever became of their nodes. */
function nominationsEndAtMs({ snapshot, state }: Observation, plan: ProvisioningPlan): number | null {
  if (plan.claims.length + plan.placements.length > 0) return snapshot.nowMs + nominationWindowMs;
  const pending = new Set(
    snapshot.pods.flatMap((pod) => (pod.nodeName === undefined ? [`${pod.namespace}/${pod.name}`] : [])),
  );
  const ends = state.placements
    .filter(({ pods }) => pods.some((pod) => pending.has(pod)))
    .map(({ untilMs }) => untilMs);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** Some pod is placed that no live nomination names yet. */
function saysMore(plan: ProvisioningPlan, snapshot: Snapshot): boolean {
  const live = new Set(snapshot.placements.flatMap(({ target, pods }) => pods.map((pod) => `${target} ${pod}`)));
  return plan.placements.some(({ target, pods }) => pods.some((pod) => !live.has(`${target} ${pod}`)));
}

/** What people see with `kubectl describe`: where a pod goes, or why nowhere, and what is odd about a pool. */
function eventsOf(snapshot: Snapshot, plan: ProvisioningPlan): readonly KubeEvent[] {
  const pods = new Map(snapshot.pods.map((pod) => [`${pod.namespace}/${pod.name}`, pod]));
  const live = new Set(snapshot.placements.flatMap((placement) => placement.pods));
  const event = (name: string, type: KubeEvent["type"], reason: string, message: string): readonly KubeEvent[] => {
    const pod = pods.get(name);
    if (pod === undefined) return [];
    const { namespace, uid } = pod;
    return [{ key: `${reason}/${uid}`, kind: "Pod", namespace, name: pod.name, uid, type, reason, message }];
  };
  const targets = [
    ...plan.claims.map(({ name, pods: names }) => ({
      message: `a node for it is being made: NodeClaim ${name}`,
      names,
    })),
    ...plan.placements.map(({ target, pods: names }) => ({ message: `it fits on ${target}`, names })),
  ];
  const nominated = targets.flatMap(({ message, names }) =>
    names.filter((name) => !live.has(name)).flatMap((name) => event(name, "Normal", "Nominated", message)),
  );
  const refused = plan.unschedulable.flatMap(({ pod, reason }) => event(pod, "Warning", "FailedScheduling", reason));
  return [
    ...nominated.slice(0, maxEventsPerRun),
    ...refused.slice(0, maxEventsPerRun),
    ...warningEvents(snapshot, plan.warnings),
  ];
}
