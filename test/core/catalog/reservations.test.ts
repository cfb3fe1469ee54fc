import { describe, expect, it } from "vitest";
import { reservationClosesAtMs, withRefusals, withReservations } from "../../../shared/core/catalog/index.ts";
import type { CapacityReservation, InstanceType } from "../../../shared/core/model/index.ts";

const hourMs = 3_600_000;
const endAtMs = 1_700_000_000_000;

function reservation(over: Partial<CapacityReservation> = {}): CapacityReservation {
  return {
    id: "cr-1",
    ownerId: "123456789012",
    instanceType: "a1.large",
    zone: "z-a",
    type: "default",
    interruptible: false,
    matching: "targeted",
    ...over,
  };
}

const type: InstanceType = {
  name: "a1.large",
  labels: { "karpenter.sh/capacity-type": ["on-demand"], "topology.kubernetes.io/zone": ["z-a"] },
  capacity: {},
  allocatable: {},
  offerings: [{ zone: "z-a", zoneId: "id-1", capacityType: "on-demand", priceMicroUsd: 4, available: true }],
};

function offered(one: CapacityReservation, left: number | undefined, nowMs = 0) {
  const resolved = {
    amis: [],
    subnets: [{ id: "subnet-a", zone: "z-a" }],
    securityGroupIds: [],
    capacityReservations: [one],
  };
  const counts = left === undefined ? undefined : [{ id: one.id, left }];
  return withReservations([type], { resolved }, counts, nowMs)[0]!;
}

describe("reservations of a node class", () => {
  it("are offerings of their type and zone, with their labels", () => {
    const block = offered(reservation({ type: "capacity-block", interruptible: true }), 3);
    expect(block.offerings[1]).toEqual({
      zone: "z-a",
      zoneId: "id-1",
      capacityType: "reserved",
      priceMicroUsd: 0,
      available: true,
      reservationId: "cr-1",
      reservationCount: 3,
      reservationType: "capacity-block",
      reservationInterruptible: true,
    });
    expect(block.labels).toEqual({
      "karpenter.sh/capacity-type": ["on-demand", "reserved"],
      "topology.kubernetes.io/zone": ["z-a"],
      "karpenter.k8s.aws/capacity-reservation-id": ["cr-1"],
      "karpenter.k8s.aws/capacity-reservation-type": ["capacity-block"],
      "karpenter.k8s.aws/capacity-reservation-interruptible": ["true"],
    });
  });

  it.each<[string, CapacityReservation, number | undefined, boolean | undefined]>([
    ["with slots left", reservation(), 1, true],
    ["without a slot left", reservation(), 0, false],
    ["that EC2 was not asked about", reservation(), undefined, true],
    ["where the class has no subnet", reservation({ zone: "z-b" }), 1, undefined],
    ["of another type", reservation({ instanceType: "b2.large" }), 1, undefined],
  ])("%s", (_, one, left, available) => {
    expect(offered(one, left).offerings[1]?.available).toBe(available);
  });

  it.each<[string, CapacityReservation, number, boolean]>([
    ["a reservation is open to its end", reservation({ endAtMs }), endAtMs - 1, true],
    ["and not beyond", reservation({ endAtMs }), endAtMs, false],
    ["a block closes forty minutes early", reservation({ type: "capacity-block", endAtMs }), endAtMs - hourMs, true],
    ["as EC2 takes its instances back", reservation({ type: "capacity-block", endAtMs }), endAtMs - 2_400_000, false],
  ])("%s", (_, one, nowMs, available) => {
    expect(offered(one, 1, nowMs).offerings[1]!.available).toBe(available);
    expect(nowMs < reservationClosesAtMs(one)).toBe(available);
  });

  it("change nothing where there are none", () => {
    const types = [type];
    const resolved = { amis: [], subnets: [], securityGroupIds: [], capacityReservations: [] };
    expect(withReservations(types, { resolved }, [], 0)).toBe(types);
  });
});

it("94. a refused reservation is closed until its time, and no other of its type and zone", () => {
  const resolved = {
    amis: [],
    subnets: [{ id: "subnet-a", zone: "z-a" }],
    securityGroupIds: [],
    capacityReservations: [reservation(), reservation({ id: "cr-2" })],
  };
  const types = withReservations([type], { resolved }, undefined, 0);
  const refusal = { instanceType: "a1.large", zone: "z-a", capacityType: "reserved", untilMs: 1_000 } as const;
  const open = (refused: Parameters<typeof withRefusals>[1], nowMs = 0) =>
    withRefusals(types, refused, nowMs)[0]!.offerings.flatMap(({ available, reservationId }) =>
      available ? [reservationId ?? "on-demand"] : [],
    );
  expect(open([{ ...refusal, reservationId: "cr-1" }])).toEqual(["on-demand", "cr-2"]);
  expect(open([{ ...refusal, reservationId: "cr-1" }], 1_000)).toEqual(["on-demand", "cr-1", "cr-2"]);
  expect(open([refusal])).toEqual(["on-demand"]);
});
