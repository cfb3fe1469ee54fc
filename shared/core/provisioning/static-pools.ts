// Pools with spec.replicas: so many nodes, whatever the pods need. Answers to Karpenter's static provisioning controller
// (feature gate StaticCapacity). Planned before the pods, so that these find the new nodes there.
import type { NodeClaim, PlannedClaim, PlanWarning, Snapshot } from "../model/index.ts";
import {
  expiresAtMs,
  isLeaving,
  launchableTypes,
  type OpenClaim,
  type Pool,
  settledState,
  type World,
} from "../scheduling/index.ts";
import { ClaimBuilder } from "./planned-claim.ts";

/** Claims of a pool that will stay: those that count as its replicas. */
export function staying({ claims, nowMs }: Pick<Snapshot, "claims" | "nowMs">, pool: string): readonly NodeClaim[] {
  return claims.filter((claim) => claim.nodePool === pool && !isLeaving(claim) && expiresAtMs(claim) > nowMs);
}

export interface StaticPlan {
  readonly claims: readonly PlannedClaim[];
  readonly warnings: readonly PlanWarning[];
}

/** The claims that static pools lack, as far as their limits on nodes go. */
export function planStaticPools(world: World): StaticPlan {
  const claims: PlannedClaim[] = [];
  const warnings: PlanWarning[] = [];
  const builder = new ClaimBuilder(world);
  const slots = new Map<string, number>();
  for (const [index, pool] of world.pools.statics.entries()) {
    const { name, replicas = 0, limits } = pool.nodePool;
    const have = staying(world.snapshot, name).length;
    const allowed = Math.min(replicas, limits.nodes ?? replicas);
    const field = "spec.replicas";
    if (have < replicas && allowed < replicas) {
      const message = `of ${replicas} nodes only ${allowed} are kept, for spec.limits.nodes allows no more`;
      warnings.push({ object: `NodePool/${name}`, field, message });
    }
    for (let missing = allowed - have; missing > 0; missing--) {
      const usage = new Float64Array(world.axis.size);
      const start = startOf(pool, usage, slots);
      if (start === undefined) {
        const message = `${missing} nodes are missing, and EC2 sells no instance type now that meets the pool's requirements and holds its DaemonSets`;
        warnings.push({ object: `NodePool/${name}`, field, message });
        break;
      }
      const poolIndex = world.pools.pools.length + index;
      claims.push(builder.build({ pool, poolIndex, usage, taken: new Map(), ...start }, [], claims.length));
    }
  }
  return { claims, warnings };
}

type Start = Pick<OpenClaim, "state" | "reservation">;

/** A reservation that has a slot left, else a plain node; undefined: nothing is sold that would do. */
function startOf(pool: Pool, usage: Float64Array, slots: Map<string, number>): Start | undefined {
  const { states, reservations, relaxed } = pool;
  const bought = (state: number): number | undefined => {
    const settled = settledState(states, state);
    return [settled, state].find((one) => one >= 0 && launchableTypes(pool, one, usage, undefined) !== undefined);
  };
  for (const { id, start, count } of reservations) {
    const state = (slots.get(id) ?? 0) < count ? bought(start) : undefined;
    if (state === undefined) continue;
    slots.set(id, (slots.get(id) ?? 0) + 1);
    return { state, reservation: id };
  }
  const state = bought(states.root) ?? (relaxed === undefined ? undefined : bought(relaxed));
  return state === undefined ? undefined : { state };
}

/** A planned claim as the next plan would find it: committed, not launched. */
export function asCommitted(planned: PlannedClaim, nowMs: number): NodeClaim {
  const { cheapest: _cheapest, pods: _pods, ...claim } = planned;
  return { ...claim, version: 1, createdAtMs: nowMs, reason: "provisioned" };
}
