import { type DeletionReason, labels, type NodeClaim } from "../core/model/index.ts";
import {
  type ClaimChange,
  type ClaimStore,
  type DecisionEvent,
  type Decisions,
  DecisionsLost,
  OperationError,
  type Telemetry,
} from "../ports/index.ts";

export interface Announcing {
  readonly decisions: Decisions;
  readonly telemetry: Telemetry;
  readonly clock: { now(): number };
}

const interruptions: ReadonlySet<DeletionReason> = new Set([
  "spot_interrupted",
  "capacity_reservation_interrupted",
  "scheduled_change",
  "instance_stopped",
  "instance_terminated",
]);

/**
 * A claim store that tells of what it wrote: evidence is written once, so what is written is what happened, whichever
 * controller it came from. An event that cannot be sent is counted and lost, since nothing may depend on it.
 */
export function announcedStore(store: ClaimStore, { decisions, telemetry, clock }: Announcing): ClaimStore {
  async function tell(events: readonly DecisionEvent[]): Promise<void> {
    if (events.length === 0) return;
    try {
      await decisions.publish(events);
    } catch (error) {
      const lost = error instanceof DecisionsLost ? error.lost : events.length;
      telemetry.count("timmerman_decisions_lost_total", lost);
      telemetry.log("warn", "decisions could not be published", { lost, error });
    }
  }

  return {
    ...store,
    async settleLaunch(cluster, id, settledAtMs, pairs, failed) {
      const outcome = await store.settleLaunch(cluster, id, settledAtMs, pairs, failed);
      if (outcome === "lost") return outcome;
      const about = { cluster, atMs: settledAtMs };
      const launched = pairs.map(({ claim, instanceId, change }): DecisionEvent => {
        return { kind: "launched", ...about, claim, ...poolIn(change.labels), instanceId, ...offeringOf(change) };
      });
      const refused = failed.map(async ({ claim, change }): Promise<DecisionEvent> => {
        return { kind: "refused", ...about, claim, ...(await poolOf(store, cluster, claim)), ...refusalOf(change) };
      });
      await tell([...launched, ...(await Promise.all(refused))]);
      return outcome;
    },
    async changeClaim(cluster, name, version, change) {
      const outcome = await store.changeClaim(cluster, name, version, change);
      if (outcome.kind !== "written") return outcome;
      await tell(eventsOf(outcome.claim, change, { cluster, atMs: clock.now() }));
      return outcome;
    },
  };
}

/** What a change of a claim's record tells. A launch that cannot be asked for is refused, and its claim's end follows from it. */
function eventsOf(
  claim: NodeClaim,
  change: ClaimChange,
  when: Pick<DecisionEvent, "cluster" | "atMs">,
): readonly DecisionEvent[] {
  const about = { ...when, ...subjectOf(claim) };
  const events: DecisionEvent[] = [];
  if (change.registeredAtMs !== undefined) events.push({ kind: "registered", ...about });
  if (change.launchFailure !== undefined) events.push({ kind: "refused", ...about, ...refusalOf(change) });
  else if (change.deletion !== undefined) {
    const { reason } = change.deletion;
    events.push({ kind: interruptions.has(reason) ? "interrupted" : "disrupted", ...about, reason });
  }
  return events;
}

function subjectOf(claim: NodeClaim): Omit<DecisionEvent, "kind" | "cluster" | "atMs"> {
  return {
    claim: claim.name,
    nodePool: claim.nodePool,
    ...(claim.nodeName === undefined ? {} : { node: claim.nodeName }),
    ...(claim.instance === undefined ? {} : { instanceId: claim.instance.id }),
    ...offeringOf(claim),
  };
}

/** Unknown where the record cannot be read: an event without its pool is better than none. */
async function poolOf(store: ClaimStore, cluster: string, claim: string): Promise<Pick<DecisionEvent, "nodePool">> {
  try {
    const record = await store.readClaim(cluster, claim);
    return record === undefined ? {} : { nodePool: record.nodePool };
  } catch (error) {
    if (error instanceof OperationError) return {};
    throw error;
  }
}

/** A launch writes the labels of its claim, the pool's among them. */
function poolIn(own: ClaimChange["labels"]): Pick<DecisionEvent, "nodePool"> {
  const nodePool = own?.[labels.nodePool];
  return nodePool === undefined ? {} : { nodePool };
}

function offeringOf({ instance }: Pick<ClaimChange, "instance">): Partial<DecisionEvent> {
  if (instance === undefined) return {};
  const { instanceType, zone, capacityType, priceMicroUsd } = instance;
  return { instanceType, zone, capacityType, priceMicroUsd };
}

function refusalOf({ launchFailure }: ClaimChange): Pick<DecisionEvent, "reason" | "message"> {
  return launchFailure === undefined ? {} : { reason: launchFailure.reason, message: launchFailure.message };
}
