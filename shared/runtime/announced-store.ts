import type { DeletionReason, NodeClaim } from "../core/model/index.ts";
import type { ClaimStore, DecisionEvent, Decisions, Telemetry } from "../ports/index.ts";

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
    try {
      await decisions.publish(events);
    } catch (error) {
      telemetry.count("timmerman_decisions_lost_total", events.length);
      telemetry.log("warn", "decisions could not be published", { error });
    }
  }

  return {
    ...store,
    async settleLaunch(cluster, id, settledAtMs, pairs, failed) {
      const outcome = await store.settleLaunch(cluster, id, settledAtMs, pairs, failed);
      if (outcome === "lost") return outcome;
      await tell([
        ...pairs.map(
          ({ claim, instanceId, change: { instance } }): DecisionEvent => ({
            kind: "launched",
            cluster,
            atMs: settledAtMs,
            claim,
            instanceId,
            ...(instance === undefined ? {} : { detail: offeringOf(instance) }),
          }),
        ),
        ...failed.map(
          ({ claim, change: { launchFailure } }): DecisionEvent => ({
            kind: "refused",
            cluster,
            atMs: settledAtMs,
            claim,
            ...(launchFailure === undefined
              ? {}
              : { detail: { reason: launchFailure.reason, message: launchFailure.message } }),
          }),
        ),
      ]);
      return outcome;
    },
    async changeClaim(cluster, name, version, change) {
      const outcome = await store.changeClaim(cluster, name, version, change);
      if (outcome.kind !== "written") return outcome;
      const about = { cluster, atMs: clock.now(), ...subjectOf(outcome.claim) };
      if (change.registeredAtMs !== undefined) await tell([{ kind: "registered", ...about }]);
      if (change.deletion !== undefined) {
        const { reason } = change.deletion;
        await tell([{ kind: interruptions.has(reason) ? "interrupted" : "disrupted", ...about, detail: { reason } }]);
      }
      return outcome;
    },
  };
}

function subjectOf(claim: NodeClaim): Pick<DecisionEvent, "claim" | "nodePool" | "node" | "instanceId"> {
  return {
    claim: claim.name,
    nodePool: claim.nodePool,
    ...(claim.nodeName === undefined ? {} : { node: claim.nodeName }),
    ...(claim.instance === undefined ? {} : { instanceId: claim.instance.id }),
  };
}

function offeringOf(instance: NonNullable<NodeClaim["instance"]>): Record<string, string | number> {
  const { instanceType, zone, capacityType, priceMicroUsd } = instance;
  return { instanceType, zone, capacityType, priceMicroUsd };
}
