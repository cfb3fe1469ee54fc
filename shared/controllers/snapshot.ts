import { zonesHere } from "../core/catalog/index.ts";
import type {
  ClusterView,
  NodeClaim,
  NodeClass,
  RefusedOffering,
  ReservationCount,
  Snapshot,
} from "../core/model/index.ts";
import type { ClaimStore, StoredState } from "../ports/index.ts";
import type { ClusterContext, ControllerPorts } from "./context.ts";

/** What a run knows, and the stored state it came from. */
export interface Observation {
  readonly snapshot: Snapshot;
  readonly state: StoredState;
}

/**
 * Reads in the order that makes a torn read harmless: head, claims, placements and commands first, then what EC2 has, then
 * nodes, then bound and pending pods in one list, last. A commit between two reads costs this run its own commit; a pod
 * bound between them is counted twice at worst. Undefined: the cluster has no head, so nothing may be decided.
 */
export async function observeCluster(
  ports: ControllerPorts,
  context: ClusterContext,
  options: { readonly atLeast?: string | undefined; readonly podEvents?: boolean },
): Promise<Observation | undefined> {
  const nowMs = ports.clock.now();
  const state = await ports.store.readState(context.name, nowMs);
  if (state === undefined) {
    reportNoHead(ports, context.name);
    return undefined;
  }
  const catalog = await ports.catalog.read(context.region);
  const refused = await ports.store.readRefusals(context.region, nowMs);
  const eventsAtMs = options.podEvents === true ? await readPodEvents(context) : new Map<string, number>();
  const view = await context.cluster.read({
    leavingNodes: leavingNodes(state.claims, nowMs),
    overlays: context.settings.featureGates.nodeOverlay,
    buffers: context.settings.featureGates.capacityBuffer,
    ...(context.settings.defaultSpread === undefined ? {} : { defaultSpread: context.settings.defaultSpread }),
    devices: !context.settings.ignoreDraRequests,
    ...(options.atLeast === undefined ? {} : { atLeast: options.atLeast }),
  });
  if (hasDeviceClaims(view)) await import("../core/scheduling/devices/language.ts");
  const refusals = withNames(refused, zonesHere(catalog, view.nodeClasses));
  const claims = state.claims.map((claim) => {
    const lastPodEventAtMs = Math.max(claim.lastPodEventAtMs ?? 0, eventsAtMs.get(claim.name) ?? 0);
    return lastPodEventAtMs === 0 ? claim : { ...claim, lastPodEventAtMs };
  });
  const snapshot: Snapshot = {
    ...view,
    nowMs,
    head: state.head,
    settings: context.settings,
    catalog,
    claims,
    placements: state.placements.map(({ target, pods }) => ({ target, pods })),
    commands: state.commands,
    refusals,
    reservations: await readReservations(context, view.nodeClasses),
  };
  return { snapshot, state };
}

/** Some pod's devices are to be selected: only then is what selectors are written in loaded, an eighth of what provision starts with. */
function hasDeviceClaims({ resourceClaims, resourceClaimTemplates }: ClusterView): boolean {
  return resourceClaims.length + resourceClaimTemplates.length > 0;
}

/** Nodes whose claims say that they are on their way out, or have had their time, whatever the nodes show yet. */
function leavingNodes(claims: readonly NodeClaim[], nowMs: number): ReadonlySet<string> {
  const leaving = claims.filter(
    ({ deletion, commandId, expireAfterMs, createdAtMs }) =>
      deletion !== undefined ||
      commandId !== undefined ||
      (expireAfterMs !== null && createdAtMs + expireAfterMs <= nowMs),
  );
  return new Set(leaving.flatMap(({ nodeName }) => nodeName ?? []));
}

/** What EC2 says is left of the reservations that classes select; it is not asked where none does. */
async function readReservations(
  { cloud, settings }: ClusterContext,
  nodeClasses: readonly NodeClass[],
): Promise<readonly ReservationCount[]> {
  const ids = new Set(nodeClasses.flatMap(({ resolved }) => resolved.capacityReservations.map(({ id }) => id)));
  if (!settings.featureGates.reservedCapacity || ids.size === 0) return [];
  const found = await cloud.findReservations([...ids].sort().map((id) => ({ id })));
  return found.map(({ id, left }) => ({ id, left }));
}

/** Refusals are shared by zone id, for names differ between accounts; here they get this account's names. */
export async function readRefusals(
  ports: ControllerPorts,
  region: string,
  zones: readonly Zone[],
  nowMs: number,
): Promise<readonly RefusedOffering[]> {
  return withNames(await ports.store.readRefusals(region, nowMs), zones);
}

interface Zone {
  readonly name: string;
  readonly id: string;
}

function withNames(
  refusals: Awaited<ReturnType<ClaimStore["readRefusals"]>>,
  zones: readonly Zone[],
): readonly RefusedOffering[] {
  const names = new Map(zones.map((zone) => [zone.id, zone.name]));
  return refusals.flatMap(({ zoneId, ...refusal }) => {
    const zone = names.get(zoneId);
    return zone === undefined ? [] : [{ ...refusal, zone }];
  });
}

/** When pods last came or went, by claim, as the relay wrote it on the custom resources. */
async function readPodEvents(context: ClusterContext): Promise<ReadonlyMap<string, number>> {
  const mirrors = await context.cluster.listClaimMirrors();
  return new Map(
    mirrors.flatMap(({ name, lastPodEventAtMs }) => (lastPodEventAtMs === undefined ? [] : [[name, lastPodEventAtMs]])),
  );
}

/** A cluster without a head is nobody's to change: it was never initialised here, or its table was lost. */
export function reportNoHead(ports: ControllerPorts, cluster: string): void {
  const message = `cluster ${cluster} has no head in the table: it was not set up here, or its records were lost; nothing is decided for it until it has one`;
  ports.telemetry.log("error", message, { cluster });
  ports.telemetry.count("timmerman_missing_heads_total", 1, { cluster });
}
