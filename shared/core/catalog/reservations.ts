// Reservations that a node class selects, as offerings. They come from the class's status and EC2's counts, not from the
// catalog: a catalog is a region's, a reservation an account's.
import {
  type CapacityReservation,
  type InstanceType,
  labels,
  type NodeClass,
  type Offering,
  type ReservationCount,
} from "../model/index.ts";
import { reservationLabels } from "./selection.ts";

/** EC2 takes back a capacity block's instances from half an hour before its end; nothing new starts ten minutes earlier. */
const blockEndsEarlyMs = 40 * 60_000;

/** From when on nothing is launched into a reservation any more; Infinity: it has no end. */
export function reservationClosesAtMs({ type, endAtMs }: CapacityReservation): number {
  if (endAtMs === undefined) return Number.POSITIVE_INFINITY;
  return type === "capacity-block" ? endAtMs - blockEndsEarlyMs : endAtMs;
}

/**
 * The types with an offering for each reservation of the class, where it has a subnet. `counts` say what is left of each,
 * none where a reservation is not among them; undefined: as much as is asked for (a launch asks EC2 itself). The same
 * array if there is nothing to add.
 */
export function withReservations(
  types: readonly InstanceType[],
  nodeClass: Pick<NodeClass, "resolved">,
  counts: readonly ReservationCount[] | undefined,
  nowMs: number,
): readonly InstanceType[] {
  const { capacityReservations, subnets } = nodeClass.resolved;
  if (capacityReservations.length === 0) return types;
  const zones = new Set(subnets.map(({ zone }) => zone));
  const zoneIds = new Map(types.flatMap(({ offerings }) => offerings.map(({ zone, zoneId }) => [zone, zoneId])));
  const left = counts && new Map(counts.map((count) => [count.id, count.left]));
  const byType = new Map<string, Offering[]>();
  for (const reservation of [...capacityReservations].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    if (!zones.has(reservation.zone)) continue;
    const count = left === undefined ? Number.MAX_SAFE_INTEGER : (left.get(reservation.id) ?? 0);
    const isOpen = nowMs < reservationClosesAtMs(reservation) && count > 0;
    const offerings = byType.get(reservation.instanceType) ?? [];
    byType.set(reservation.instanceType, offerings);
    offerings.push({
      zone: reservation.zone,
      zoneId: zoneIds.get(reservation.zone) ?? "",
      capacityType: "reserved",
      priceMicroUsd: 0,
      available: isOpen,
      reservationId: reservation.id,
      reservationCount: count,
      reservationType: reservation.type,
      reservationInterruptible: reservation.interruptible,
    });
  }
  return types.map((type) => {
    const own = byType.get(type.name);
    return own === undefined ? type : withOfferings(type, own);
  });
}

function withOfferings(type: InstanceType, more: readonly Offering[]): InstanceType {
  const known = new Set(type.offerings.map(({ reservationId }) => reservationId));
  const fresh = more.filter(({ reservationId }) => !known.has(reservationId));
  const added = (key: string, values: readonly string[]): readonly string[] => [
    ...new Set([...(type.labels[key] ?? []), ...values]),
  ];
  return {
    ...type,
    offerings: [...type.offerings, ...fresh],
    labels: {
      ...type.labels,
      [labels.capacityType]: added(labels.capacityType, ["reserved"]),
      [labels.zone]: added(
        labels.zone,
        fresh.map(({ zone }) => zone),
      ),
      [reservationLabels.id]: added(
        reservationLabels.id,
        fresh.map(({ reservationId }) => reservationId!),
      ),
      [reservationLabels.type]: added(
        reservationLabels.type,
        fresh.map(({ reservationType }) => reservationType!),
      ),
      [reservationLabels.interruptible]: added(
        reservationLabels.interruptible,
        fresh.map(({ reservationInterruptible }) => String(reservationInterruptible)),
      ),
    },
  };
}
