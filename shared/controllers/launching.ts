import {
  buildInstanceTypes,
  judgeOverlays,
  overlaidPools,
  overlaidTypes,
  withRefusals,
  withReservations,
  zonesHere,
} from "../core/catalog/index.ts";
import {
  type LaunchedInstance,
  type LaunchSubnet,
  nextLaunchStep,
  pairedLabels,
  pairInstances,
  planLaunch,
  refusedOfferings,
  summarizeRefusals,
} from "../core/launch/index.ts";
import {
  launchLookupGapMs,
  launchResendMs,
  launchRetryMs,
  launchSendWindowMs,
  maxCommitTries,
  minWakeDelayMs,
} from "../core/limits.ts";
import {
  type ClusterView,
  type InstanceType,
  type Launch,
  type LaunchRefusal,
  type NodeClaim,
  type NodeClass,
  type RefusedOffering,
  tags,
} from "../core/model/index.ts";
import { Requirements } from "../core/requirements/index.ts";
import { type ClaimChange, OperationError, type StoredState } from "../ports/index.ts";
import type { ClusterContext, ControllerPorts, ControllerSettings } from "./context.ts";
import { measureDisrupted, measureLaunched, measureRefusals, measureRefused } from "./measure.ts";
import type { RunLog } from "./report.ts";
import { readRefusals } from "./snapshot.ts";

/** What the launches of one run share. */
export interface LaunchDesk {
  readonly ports: ControllerPorts;
  readonly settings: ControllerSettings;
  readonly context: ClusterContext;
  readonly head: StoredState["head"];
  readonly nodeClasses: ReadonlyMap<string, NodeClass>;
  readonly log: RunLog;
  /** The claim's class's types, as the cluster's NodeOverlays show them on its node. */
  typesOf(nodeClass: NodeClass, claim: NodeClaim): Promise<readonly InstanceType[]>;
  subnetsOf(nodeClass: NodeClass): Promise<readonly LaunchSubnet[]>;
}

export function createLaunchDesk(
  ports: ControllerPorts,
  settings: ControllerSettings,
  context: ClusterContext,
  head: StoredState["head"],
  { nodeClasses, nodePools, nodeOverlays }: Pick<ClusterView, "nodeClasses" | "nodePools" | "nodeOverlays">,
  log: RunLog,
): LaunchDesk {
  let refusals: Promise<readonly RefusedOffering[]> | undefined;
  const subnets = new Map<string, Promise<readonly LaunchSubnet[]>>();
  return {
    ports,
    settings,
    context,
    head,
    nodeClasses: new Map(nodeClasses.map((nodeClass) => [nodeClass.name, nodeClass])),
    log,
    async typesOf(nodeClass, claim) {
      const catalog = await ports.catalog.read(context.region);
      const nowMs = ports.clock.now();
      refusals ??= readRefusals(ports, context.region, zonesHere(catalog, nodeClasses), nowMs);
      const all = buildInstanceTypes(catalog, nodeClass, context.settings);
      const { reservedCapacity } = context.settings.featureGates;
      // Whether anything is left of a reservation is for EC2 to say.
      const reservable = reservedCapacity ? withReservations(all, nodeClass, undefined, nowMs) : all;
      const types = withRefusals(reservable, await refusals, nowMs);
      if (nodeOverlays.length === 0) return types;
      const typesOfClass = (other: NodeClass) => buildInstanceTypes(catalog, other, context.settings);
      const { active } = judgeOverlays(nodeOverlays, overlaidPools(nodePools, nodeClasses, typesOfClass));
      return overlaidTypes(types, active, Requirements.of(claim.requirements));
    },
    subnetsOf(nodeClass) {
      const known = subnets.get(nodeClass.uid);
      if (known !== undefined) return known;
      const terms = nodeClass.resolved.subnets.map(({ id }) => ({ id }));
      const found = context.cloud
        .resolveNetwork({ subnets: terms, securityGroups: [] })
        .then((network) => network.subnets.map(({ id, zone, freeAddresses }) => ({ id, zone, freeAddresses })));
      subnets.set(nodeClass.uid, found);
      return found;
    },
  };
}

/** Seals one request for a group of interchangeable claims, then sends it. Nothing is sent that is not sealed. */
export async function launchGroup(desk: LaunchDesk, claims: readonly NodeClaim[]): Promise<void> {
  const { ports, settings, context, log } = desk;
  const nodeClass = desk.nodeClasses.get(claims[0]!.nodeClass);
  if (nodeClass === undefined) return;
  const types = await desk.typesOf(nodeClass, claims[0]!);
  const { endpoint, caBundle, serviceCidr, dnsAddress } = context.bootstrap;
  const outcome = planLaunch({
    launchId: ports.ids.next(),
    claims,
    nodeClass,
    types,
    subnets: await desk.subnetsOf(nodeClass),
    deployment: settings.deployment,
    epoch: desk.head.epoch,
    bootstrap: {
      clusterName: context.name,
      endpoint,
      caBundle,
      serviceCidr,
      ...(dnsAddress === undefined ? {} : { dnsAddress }),
    },
  });
  if (outcome.kind === "refused") {
    await noteRefused(desk, claims, types, outcome);
    return;
  }
  const { request } = outcome;
  const id = request.clientToken;
  const sealedAtMs = ports.clock.now();
  const sealed = await ports.store.sealLaunch(
    context.name,
    { id, request, sealedAtMs, sendBeforeMs: sealedAtMs + launchSendWindowMs },
    claims.map(({ name, version }) => ({ name, version })),
  );
  const launch = sealed === "sealed" ? await ports.store.readLaunch(context.name, id) : undefined;
  if (launch === undefined) {
    log.due(sealedAtMs + minWakeDelayMs);
    return;
  }
  log.count("launchesSealed");
  await driveLaunch(desk, launch, true);
}

/** Nothing to ask EC2 for. If refusals are why, the planner knows them and plans anew; else the claim waits and tries again. */
async function noteRefused(
  { ports, context, log }: LaunchDesk,
  claims: readonly NodeClaim[],
  types: readonly InstanceType[],
  { reason, message }: { readonly reason: string; readonly message: string },
): Promise<void> {
  const atMs = ports.clock.now();
  for (const claim of claims) {
    const refused = types.some((t) => claim.instanceTypes.includes(t.name) && t.offerings.some((o) => !o.available));
    const anew = reason === "InsufficientCapacity" && refused;
    await ports.store.changeClaim(context.name, claim.name, claim.version, failure(reason, message, atMs, anew));
    measureRefused(ports.telemetry, context.name, claim, reason);
    if (anew) measureDisrupted(ports.telemetry, context.name, claim, "insufficient_capacity");
    log.due(anew ? atMs + minWakeDelayMs : atMs + launchRetryMs);
  }
}

function failure(reason: string, message: string, atMs: number, planAnew: boolean): ClaimChange {
  return {
    launch: undefined,
    launchFailure: { reason, message, atMs },
    ...(planAnew ? { deletion: { requestedAtMs: atMs, reason: "insufficient_capacity" } } : {}),
  };
}

/**
 * Takes an unsettled launch one step further: send, or past its time look up, and settle what came of it. `sealedNow`: by
 * this run, so that no attempt went before.
 */
export async function driveLaunch(desk: LaunchDesk, launch: Launch, sealedNow = false): Promise<void> {
  const { ports, context, log } = desk;
  const nowMs = ports.clock.now();
  const step = nextLaunchStep(launch, nowMs);
  switch (step.kind) {
    case "settled":
      return;
    case "wait":
      log.due(step.untilMs);
      return;
    case "send":
      await send(desk, launch, sealedNow);
      return;
    case "look-up": {
      const found = await findLaunched(desk, launch);
      if (found.length >= launch.claims.length || step.ifNone === "give-up") await settle(desk, launch, found, []);
      else {
        await ports.store.noteEmptyLookup(context.name, launch.id, launch.version, nowMs);
        log.due(nowMs + minWakeDelayMs);
      }
    }
  }
}

async function send(desk: LaunchDesk, launch: Launch, sealedNow: boolean): Promise<void> {
  const { ports, context, log } = desk;
  try {
    const { instances, refusals } = await context.cloud.launch(launch.request);
    const known = new Map<string, LaunchedInstance>(instances.map((instance) => [instance.id, instance]));
    // Fewer than asked for may be all there are, or all that this repetition told of.
    if (known.size < launch.claims.length) {
      for (const instance of await findLaunched(desk, launch)) known.set(instance.id, instance);
    }
    const explained = known.size >= launch.claims.length || refusals.length > 0;
    if (explained || (known.size > 0 && (await isLastLook(desk, launch)))) {
      await settle(desk, launch, [...known.values()], refusals);
    } else log.due(ports.clock.now() + launchResendMs);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    await settleRefused(desk, launch, error, sealedNow);
  }
}

/** EC2 refused the request. That settles it only if no earlier attempt, whose answer was lost, left instances. */
async function settleRefused(
  desk: LaunchDesk,
  launch: Launch,
  error: OperationError,
  sealedNow: boolean,
): Promise<void> {
  const { ports, log } = desk;
  const mismatch = error.code === "idempotency-mismatch";
  if (!mismatch && (error.retry !== "never" || error.outcomeUnknown)) throw error;
  const found = await findLaunched(desk, launch);
  const missing = found.length < launch.claims.length;
  // Somebody used this token before: there are instances, or will be shown.
  if (mismatch && found.length === 0) {
    log.due(ports.clock.now() + launchResendMs);
    throw error;
  }
  if (missing && !(sealedNow && !mismatch) && !(await isLastLook(desk, launch))) {
    log.due(ports.clock.now() + launchResendMs);
    return;
  }
  const kind = error.code === "unauthorized" ? "unauthorized" : "bad-request";
  const refusals = missing && !mismatch ? [{ kind, code: error.code, message: error.message } as const] : [];
  await settle(desk, launch, found, refusals);
}

/** Fewer instances than claims, and EC2 does not say why: true when as few were found two minutes ago. */
async function isLastLook({ ports, context }: LaunchDesk, launch: Launch): Promise<boolean> {
  const nowMs = ports.clock.now();
  if (launch.emptyLookupAtMs !== undefined) return nowMs >= launch.emptyLookupAtMs + launchLookupGapMs;
  await ports.store.noteEmptyLookup(context.name, launch.id, launch.version, nowMs);
  return false;
}

function findLaunched({ context, settings }: LaunchDesk, launch: Launch): Promise<readonly LaunchedInstance[]> {
  return context.cloud.findByTags({ [tags.deployment]: settings.deployment, [tags.launch]: launch.id });
}

/** One conditional transaction: who has which instance, and why the others have none. */
async function settle(
  desk: LaunchDesk,
  launch: Launch,
  instances: readonly LaunchedInstance[],
  refusals: readonly LaunchRefusal[],
): Promise<void> {
  const { ports, context, log } = desk;
  const nowMs = ports.clock.now();
  await noteRefusals(desk, launch, refusals);
  for (let tries = 0; tries < maxCommitTries; tries++) {
    const records = await Promise.all(launch.claims.map((name) => ports.store.readClaim(context.name, name)));
    const claims = records.filter((claim): claim is NodeClaim => claim !== undefined && claim.goneAtMs === undefined);
    const nodeClass = claims[0] === undefined ? undefined : desk.nodeClasses.get(claims[0].nodeClass);
    const types = nodeClass === undefined ? [] : await desk.typesOf(nodeClass, claims[0]!);
    const byName = new Map(claims.map((claim) => [claim.name, claim]));
    const pairs = pairInstances([...byName.keys()], instances, launch.request, types, nowMs);
    const paired = new Set(pairs.map((pair) => pair.claim));
    const summary = summarizeRefusals(refusals);
    const outcome = await ports.store.settleLaunch(
      context.name,
      launch.id,
      nowMs,
      pairs.map((pair) => {
        const claim = byName.get(pair.claim)!;
        const change = { instance: pair.instance, labels: pairedLabels(claim, pair), launchFailure: undefined };
        return { claim: pair.claim, claimVersion: claim.version, instanceId: pair.instance.id, change };
      }),
      claims
        .filter((claim) => !paired.has(claim.name))
        .map((claim) => {
          const change = failure(
            summary.reason,
            summary.message,
            nowMs,
            summary.planAnew && claim.deletion === undefined,
          );
          return { claim: claim.name, claimVersion: claim.version, change };
        }),
    );
    if (outcome === "settled") {
      log.count("instancesLaunched", pairs.length);
      log.count("launchesRefused", claims.length - pairs.length);
      for (const { claim, instance } of pairs) {
        measureLaunched(ports.telemetry, context.name, byName.get(claim)!, instance, nowMs);
      }
      for (const claim of claims.filter(({ name }) => !paired.has(name))) {
        measureRefused(ports.telemetry, context.name, claim, summary.reason);
        if (!summary.planAnew || claim.deletion !== undefined) continue;
        measureDisrupted(ports.telemetry, context.name, claim, "insufficient_capacity");
      }
      const reasonOf = (refusal: LaunchRefusal) => summarizeRefusals([refusal]).reason;
      measureRefusals(ports.telemetry, context.name, refusals, reasonOf);
      return;
    }
    const current = await ports.store.readLaunch(context.name, launch.id);
    if (current === undefined || current.settledAtMs !== undefined) return;
  }
  log.due(nowMs + minWakeDelayMs);
}

async function noteRefusals(desk: LaunchDesk, launch: Launch, refusals: readonly LaunchRefusal[]): Promise<void> {
  const { ports, context } = desk;
  const refused = refusedOfferings(refusals, launch.request, ports.clock.now());
  if (refused.length === 0) return;
  const catalog = await ports.catalog.read(context.region);
  const ids = new Map(zonesHere(catalog, [...desk.nodeClasses.values()]).map((zone) => [zone.name, zone.id]));
  await ports.store.noteRefusals(
    context.region,
    refused.flatMap(({ zone, ...offering }) => {
      const zoneId = ids.get(zone);
      return zoneId === undefined ? [] : [{ ...offering, zoneId }];
    }),
  );
}
