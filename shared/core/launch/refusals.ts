import { refusalMs } from "../limits.ts";
import type { CapacityType, FleetRequest, LaunchRefusal } from "../model/index.ts";

/** An offering that EC2 refused, by zone name: the controller knows the zones' ids. */
export interface RefusedPool {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: CapacityType;
  /** The one that is used up; undefined: the pool is none of a reservation. */
  readonly reservationId?: string;
  readonly untilMs: number;
}

/**
 * Offerings to leave out for three minutes. Only a plain lack of capacity counts: throttling, permissions and quotas say
 * nothing about a pool. Of launches into reservations it takes out the reservation, not its type and zone (Karpenter's
 * rule): another reservation there may have room, and other accounts have others. A pool out of addresses is out only when every subnet asked for in its zone is.
 */
export function refusedOfferings(
  refusals: readonly LaunchRefusal[],
  request: FleetRequest,
  nowMs: number,
): readonly RefusedPool[] {
  const fullSubnets = new Set(refusals.filter((r) => r.kind === "no-addresses").map((r) => r.subnetId));
  const pools = new Map<string, RefusedPool>();
  const reservations = new Map(
    request.templates.map(({ name, capacityReservationId }) => [name, capacityReservationId]),
  );
  const add = (instanceType: string, zone: string, capacityType: CapacityType, reservationId?: string) => {
    const reservation = reservationId === undefined ? {} : { reservationId };
    const pool = { instanceType, zone, capacityType, ...reservation, untilMs: nowMs + refusalMs };
    pools.set(keyOf(pool), pool);
  };
  for (const refusal of refusals) {
    if (refusal.kind !== "no-capacity" || refusal.instanceType === undefined || refusal.zone === undefined) continue;
    const { instanceType, zone, capacityType = request.capacityType } = refusal;
    const asked = request.overrides.filter((o) => o.instanceType === instanceType && o.zone === zone);
    const ids = refusal.reservationId === undefined ? asked.map((o) => reservations.get(o.template)) : [];
    for (const id of ids.length === 0 ? [refusal.reservationId] : ids) add(instanceType, zone, capacityType, id);
  }
  for (const override of request.overrides) {
    const others = request.overrides.filter(
      (o) => o.instanceType === override.instanceType && o.zone === override.zone,
    );
    if (others.every((o) => fullSubnets.has(o.subnetId)))
      add(override.instanceType, override.zone, request.capacityType, reservations.get(override.template));
  }
  return [...pools.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf(pool: RefusedPool): string {
  return `${pool.instanceType} ${pool.zone} ${pool.capacityType} ${pool.reservationId ?? ""}`;
}

const reasons: Readonly<Record<LaunchRefusal["kind"], string>> = {
  "no-capacity": "InsufficientCapacity",
  "no-addresses": "InsufficientFreeAddressesInSubnet",
  quota: "VCPULimitExceeded",
  unauthorized: "Unauthorized",
  "bad-request": "LaunchFailed",
  other: "LaunchFailed",
};

const severity: readonly LaunchRefusal["kind"][] = [
  "unauthorized",
  "bad-request",
  "quota",
  "other",
  "no-addresses",
  "no-capacity",
];

export interface RefusalSummary {
  /** Karpenter's reason of Launched=Unknown (facts §3.10). */
  readonly reason: string;
  readonly message: string;
  /** Every refusal is one that the planner avoids from now on: plan anew at once. Otherwise the same claim may be tried again. */
  readonly planAnew: boolean;
}

/** What a launch without instances comes to: the refusal that tells most, with how many said the same. */
export function summarizeRefusals(refusals: readonly LaunchRefusal[]): RefusalSummary {
  const worst = [...refusals].sort(
    (a, b) => severity.indexOf(a.kind) - severity.indexOf(b.kind) || (a.code < b.code ? -1 : a.code > b.code ? 1 : 0),
  )[0];
  if (worst === undefined) {
    return { reason: "LaunchFailed", message: "EC2 gave neither instances nor reasons", planAnew: false };
  }
  const same = refusals.filter((r) => r.code === worst.code).length;
  return {
    reason: reasons[worst.kind],
    message: `${worst.code}: ${worst.message}${same > 1 ? ` (and ${same - 1} pools more)` : ""}`,
    planAnew: refusals.every((r) => r.kind === "no-capacity" || r.kind === "no-addresses"),
  };
}
