import { groupClaims } from "../core/launch/index.ts";
import { nextStep } from "../core/lifecycle/index.ts";
import { claimConcurrency, minWakeDelayMs, objectRetryMs } from "../core/limits.ts";
import type { ClusterView, NodeClaim, NodeClass, NodePool } from "../core/model/index.ts";
import type { ClaimMirror, StoredState, WakeTarget } from "../ports/index.ts";
import { advanceClaim } from "./advance.ts";
import { type ClaimDesk, createClaimDesk } from "./claim-desk.ts";
import type { ClusterContext, ControllerPorts, ControllerSettings } from "./context.ts";
import type { Controller } from "./index.ts";
import { createLaunchDesk, driveLaunch, launchGroup } from "./launching.ts";
import { measureClaims } from "./measure.ts";
import { writePoolStatus } from "./pool-status.ts";
import { forEachBounded, isolate, type RunLog } from "./report.ts";
import { leased } from "./schedule.ts";
import { reportNoHead } from "./snapshot.ts";

/**
 * Drives every claim from commit to gone: launches, mirrors, registration, initialization, draining, termination. Answers
 * to Karpenter's nodeclaim lifecycle, termination and node termination controllers. Each claim by itself: one that fails
 * keeps no other waiting.
 */
export function createLifecycle(ports: ControllerPorts, settings: ControllerSettings): Controller {
  return leased(ports, (context, log, atLeast) => driveClaims(ports, settings, context, log, atLeast));
}

async function driveClaims(
  ports: ControllerPorts,
  settings: ControllerSettings,
  context: ClusterContext,
  log: RunLog,
  atLeast: string | undefined,
): Promise<void> {
  const before = await ports.store.readState(context.name, ports.clock.now());
  if (before === undefined) {
    reportNoHead(ports, context.name);
    return;
  }
  const overlays = context.settings.featureGates.nodeOverlay;
  const view = await context.cluster.read({ pods: false, overlays, ...(atLeast === undefined ? {} : { atLeast }) });
  const mirrors = new Map((await context.cluster.listClaimMirrors()).map((mirror) => [mirror.name, mirror]));
  const launched = await driveLaunches(ports, settings, context, before, view, mirrors, log);
  const state = launched ? await ports.store.readState(context.name, ports.clock.now()) : before;
  if (state === undefined) return;
  measureClaims(ports.telemetry, context.name, state, ports.clock.now());
  const wanted = new Set<WakeTarget>();
  const desk = await createClaimDesk({
    ports,
    context,
    state,
    view,
    mirrors,
    log,
    wake: (target) => wanted.add(target),
  });
  await forEachBounded(state.claims, claimConcurrency, (claim) =>
    isolate(log, `NodeClaim ${claim.name}`, ports.clock.now() + objectRetryMs, () => advanceClaim(desk, claim)),
  );
  await releaseLeftovers(desk, state);
  const endsClasses = view.nodeClasses.some(({ deletionAtMs }) => deletionAtMs !== undefined);
  if (endsClasses && (log.counts.claimsGone ?? 0) > 0) wanted.add("resolve-node-classes");
  if ((log.counts.nodesRegistered ?? 0) + (log.counts.claimsGone ?? 0) > 0) await countNodes(desk, view.nodePools);
  await ports.wakes.sendAll([...wanted].map((target) => ({ wake: { cluster: context.name, target } })));
}

/** Open launches first: their claims may have instances already. Then new ones, for claims that are ready to launch. */
async function driveLaunches(
  ports: ControllerPorts,
  settings: ControllerSettings,
  context: ClusterContext,
  state: StoredState,
  view: ClusterView,
  mirrors: ReadonlyMap<string, ClaimMirror>,
  log: RunLog,
): Promise<boolean> {
  const desk = createLaunchDesk(ports, settings, context, state.head, view, log);
  const retryAtMs = () => ports.clock.now() + objectRetryMs;
  await forEachBounded(state.launches, claimConcurrency, (launch) =>
    isolate(log, `launch ${launch.id}`, retryAtMs(), () => driveLaunch(desk, launch)),
  );
  const ready = state.claims.filter((claim) => isReadyToLaunch(claim, desk.nodeClasses, mirrors, ports.clock.now()));
  await forEachBounded(groupClaims(ready), claimConcurrency, (group) =>
    isolate(log, `launch of ${group.map((claim) => claim.name).join(", ")}`, retryAtMs(), () =>
      launchGroup(desk, group),
    ),
  );
  return state.launches.length > 0 || ready.length > 0;
}

function isReadyToLaunch(
  claim: NodeClaim,
  nodeClasses: ReadonlyMap<string, NodeClass>,
  mirrors: ReadonlyMap<string, ClaimMirror>,
  nowMs: number,
): boolean {
  if (claim.launch !== undefined || claim.instance !== undefined) return false;
  const nodeClass = nodeClasses.get(claim.nodeClass);
  const mirrorDeleted = mirrors.get(claim.name)?.deletionAtMs !== undefined;
  const seen = { nodes: [], mirrorDeleted, ...(nodeClass === undefined ? {} : { nodeClass }) };
  return nextStep(claim, seen, nowMs).kind === "launch";
}

/** Nodes came or went: the NodePools say how many there are. */
async function countNodes({ ports, context, log }: ClaimDesk, pools: readonly NodePool[]): Promise<void> {
  const retryAtMs = ports.clock.now() + objectRetryMs;
  await isolate(log, "status of the NodePools", retryAtMs, async () => {
    const state = await ports.store.readState(context.name, ports.clock.now());
    if (state === undefined) return;
    measureClaims(ports.telemetry, context.name, state, ports.clock.now());
    await writePoolStatus(context, pools, state.claims, log, retryAtMs);
  });
}

/** Custom resources of claims that are gone: a slower run made them again after they were released. */
async function releaseLeftovers(desk: ClaimDesk, state: StoredState): Promise<void> {
  const { ports, context, log } = desk;
  const known = new Set(state.claims.map((claim) => claim.name));
  const leftovers = [...desk.mirrors.values()].filter((m) => m.mirroredVersion !== undefined && !known.has(m.name));
  await forEachBounded(leftovers, claimConcurrency, (mirror) =>
    isolate(log, `NodeClaim ${mirror.name}`, ports.clock.now() + minWakeDelayMs, async () => {
      const record = await ports.store.readClaim(context.name, mirror.name);
      if (record?.goneAtMs === undefined) return;
      await context.cluster.releaseClaim(mirror.name, { uid: mirror.uid });
      log.count("mirrorsReleased");
    }),
  );
}
