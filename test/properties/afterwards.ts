import type { NodeClaim, PlannedClaim, ProvisioningPlan, Snapshot } from "../../shared/core/model/index.ts";

/** The plan carried out: its claims in flight, its pods nominated, the head moved on. */
export function afterwards(snapshot: Snapshot, plan: ProvisioningPlan): Snapshot {
  return {
    ...snapshot,
    head: { ...snapshot.head, seq: snapshot.head.seq + 1 },
    claims: [...snapshot.claims, ...plan.claims.map(inFlight)],
    placements: [
      ...snapshot.placements,
      ...plan.placements,
      ...plan.claims.map(({ name, pods }) => ({ target: name, pods })),
    ],
  };
}

function inFlight({ cheapest: _, pods: __, ...claim }: PlannedClaim): NodeClaim {
  return { ...claim, version: 1, createdAtMs: 0, reason: "provisioned" };
}
