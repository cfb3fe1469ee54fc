import { reservationClosesAtMs } from "../core/catalog/index.ts";
import { type FoundImage, imageTerms, resolveAmis } from "../core/launch/index.ts";
import { agendaFloorMs, objectRetryMs } from "../core/limits.ts";
import type { CapacityReservation, NodeClass, NodePool, ResolvedAmi } from "../core/model/index.ts";
import type { ResolvedNetwork, StatusCondition, WakeTarget } from "../ports/index.ts";
import { keepOrEnd } from "./class-deletion.ts";
import { classConditions, poolConditions } from "./conditions.ts";
import type { ClusterContext, ControllerPorts, ControllerSettings } from "./context.ts";
import type { Controller } from "./index.ts";
import { poolUsage } from "./pool-status.ts";
import { isolate, type RunLog } from "./report.ts";
import { leased, makeDue } from "./schedule.ts";

/** Who waits for classes: pods for a plan, claims for their launch. */
const waiting: readonly WakeTarget[] = ["provision", "lifecycle"];

/**
 * What the selectors of each EC2NodeClass find, and whether it and the NodePools that name it can be used. Answers to
 * Karpenter's nodeclass status controllers and nodepool readiness. A role is reached through the instance profile of the
 * same name; profiles are not made here. Classes are held while claims use them.
 */
export function createResolveNodeClasses(ports: ControllerPorts, _settings: ControllerSettings): Controller {
  return leased(ports, (context, log, atLeast) => resolveAll(ports, context, log, atLeast));
}

async function resolveAll(
  ports: ControllerPorts,
  context: ClusterContext,
  log: RunLog,
  atLeast: string | undefined,
): Promise<void> {
  const view = await context.cluster.read({ pods: false, ...(atLeast === undefined ? {} : { atLeast }) });
  // After the classes: only a plan from before a deletion can still commit a claim of that class, which then never launches.
  const state = await ports.store.readState(context.name, ports.clock.now());
  const ready = new Map<string, StatusCondition>();
  let changed = false;
  for (const nodeClass of view.nodeClasses) {
    const own = (work: () => Promise<void>) =>
      isolate(log, `EC2NodeClass ${nodeClass.name}`, ports.clock.now() + objectRetryMs, work);
    // Without records nobody knows who uses it.
    if (state !== undefined) await own(() => keepOrEnd(context, log, nodeClass, state.claims, ports.clock.now()));
    if (nodeClass.deletionAtMs !== undefined) continue;
    await own(async () => {
      const { condition, conditions, amis, status } = await resolve(context, nodeClass, ports.clock.now());
      const usable = condition.status === "True";
      // Before the write: once it is written, a repetition of this run sees no change.
      if (usable !== nodeClass.ready || (usable && !sameImages(amis, nodeClass.resolved.amis))) {
        changed = true;
        log.count("classesChanged");
        await makeDue(ports, context.name, waiting);
      }
      const { name, uid } = nodeClass;
      await context.cluster.setConditions({ kind: "EC2NodeClass", name, uid }, conditions, status);
      ready.set(name, condition);
      if (!usable) log.due(ports.clock.now() + agendaFloorMs);
    });
  }
  // Lifecycle counts nodes as they come and go; a count that could not be written then is made up for here.
  for (const pool of view.nodePools) {
    const usage = state === undefined ? {} : poolUsage(pool, state.claims);
    await isolate(log, `NodePool ${pool.name}`, ports.clock.now() + objectRetryMs, () =>
      judgePool(context, pool, view.nodeClasses, ready, usage),
    );
  }
  if (!changed) return;
  await ports.wakes.sendAll(waiting.map((target) => ({ wake: { cluster: context.name, target } })));
}

/** Other images may boot other types, for which pods wait. */
function sameImages(a: readonly ResolvedAmi[], b: readonly ResolvedAmi[]): boolean {
  const ids = (amis: readonly ResolvedAmi[]) => JSON.stringify(amis.map(({ id }) => id).sort());
  return ids(a) === ids(b);
}

interface Resolution {
  /** Ready, of the conditions. */
  readonly condition: StatusCondition;
  readonly conditions: readonly StatusCondition[];
  readonly amis: readonly ResolvedAmi[];
  readonly status: Readonly<Record<string, unknown>>;
}

/** What the class's selectors find, and what its status is to say. */
async function resolve(context: ClusterContext, nodeClass: NodeClass, nowMs: number): Promise<Resolution> {
  const network = await context.cloud.resolveNetwork({
    subnets: nodeClass.subnetSelectorTerms,
    securityGroups: nodeClass.securityGroupSelectorTerms,
  });
  const { terms, unresolved } = imageTerms(nodeClass, context.bootstrap.kubernetesVersion);
  const images = terms.length === 0 ? [] : await context.cloud.findImages(terms);
  const amis = resolveAmis(images);
  const reservable = context.settings.featureGates.reservedCapacity;
  const { capacityReservationSelectorTerms: reservationTerms } = nodeClass;
  const reservations =
    reservable && reservationTerms.length > 0 ? await context.cloud.findReservations(reservationTerms) : [];
  const instanceProfile = nodeClass.instanceProfile ?? nodeClass.role;
  const conditions = classConditions({
    nodeClass,
    network,
    amis,
    unresolved,
    bootstrap: context.bootstrap,
    clusterName: context.name,
    reservable,
  });
  const status = {
    ...statusOf(network, amis, images),
    ...(reservable ? { capacityReservations: reservations.map((one) => reservationStatus(one, nowMs)) } : {}),
    ...(instanceProfile === undefined ? {} : { instanceProfile }),
  };
  return { condition: conditions.find(({ type }) => type === "Ready")!, conditions, amis, status };
}

/** As Karpenter shows it: subnets by free addresses, the most first; images as launches try them. */
function statusOf(
  network: ResolvedNetwork,
  amis: readonly ResolvedAmi[],
  images: readonly FoundImage[],
): Readonly<Record<string, unknown>> {
  const deprecated = new Set(images.filter((image) => image.deprecated).map(({ id }) => id));
  return {
    subnets: [...network.subnets]
      .sort((a, b) => b.freeAddresses - a.freeAddresses || (a.id < b.id ? -1 : 1))
      .map(({ id, zone, zoneId }) => ({ id, zone, zoneID: zoneId })),
    securityGroups: [...network.securityGroups]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, name }) => ({ id, name })),
    amis: amis.map(({ id, name, requirements }) => ({
      id,
      ...(name === undefined ? {} : { name }),
      ...(deprecated.has(id) ? { deprecated: true } : {}),
      requirements: requirements.map(({ key, operator, values }) => ({
        key,
        operator,
        ...(values.length === 0 ? {} : { values }),
      })),
    })),
  };
}

function reservationStatus(reservation: CapacityReservation, nowMs: number): Readonly<Record<string, unknown>> {
  const { endAtMs, interruptible } = reservation;
  return {
    id: reservation.id,
    ownerID: reservation.ownerId,
    instanceType: reservation.instanceType,
    availabilityZone: reservation.zone,
    instanceMatchCriteria: reservation.matching,
    reservationType: reservation.type,
    state: nowMs < reservationClosesAtMs(reservation) ? "active" : "expiring",
    ...(interruptible ? { interruptible } : {}),
    ...(endAtMs === undefined ? {} : { endTime: new Date(endAtMs).toISOString() }),
  };
}

async function judgePool(
  context: ClusterContext,
  pool: NodePool,
  nodeClasses: readonly NodeClass[],
  ready: ReadonlyMap<string, StatusCondition>,
  usage: Readonly<Record<string, unknown>>,
): Promise<void> {
  const nodeClass = nodeClasses.find(({ name }) => name === pool.nodeClassRef.name);
  const conditions = poolConditions(pool, nodeClass, ready.get(pool.nodeClassRef.name));
  const observed = nodeClass === undefined ? {} : { nodeClassObservedGeneration: nodeClass.generation };
  await context.cluster.setConditions({ kind: "NodePool", name: pool.name, uid: pool.uid }, conditions, {
    ...observed,
    ...usage,
  });
}
