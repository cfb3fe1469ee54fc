import { describe, expect, it } from "vitest";
import type { CapacityReservation, NodePool, Pod, Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import {
  arch,
  asks,
  capacityType,
  nodeClass,
  pod,
  pods,
  pool,
  req,
  snapshot,
  zone,
} from "../core/scheduling/fixtures.ts";

const idLabel = "karpenter.k8s.aws/capacity-reservation-id";
const typeLabel = "karpenter.k8s.aws/capacity-reservation-type";
const reserved = (over: Partial<CapacityReservation> = {}): CapacityReservation => ({
  id: "cr-1",
  ownerId: "123456789012",
  instanceType: "a1.xlarge",
  zone: "z-a",
  type: "default",
  interruptible: false,
  matching: "targeted",
  ...over,
});

function given(
  reservations: readonly CapacityReservation[],
  left: Readonly<Record<string, number>>,
  pending: readonly Pod[],
  over: Partial<NodePool> = {},
): Snapshot {
  const base = nodeClass();
  return snapshot({
    nodeClasses: [{ ...base, resolved: { ...base.resolved, capacityReservations: reservations } }],
    reservations: Object.entries(left).map(([id, count]) => ({ id, left: count })),
    nodePools: [
      pool("default", {
        requirements: [req(capacityType, "In", "spot", "on-demand", "reserved"), req(arch, "In", "amd64")],
        ...over,
      }),
    ],
    pods: pending,
  });
}

const large = (count: number) => pods(count, { requests: asks(10, 4) });
const how = (of: Snapshot) =>
  planProvisioning(of)
    .claims.map(({ cheapest }) => cheapest.capacityType)
    .sort();

describe("52. counted reservations in one batch", () => {
  it("one slot left, two nodes: the first holds it, the other falls back to on demand", () => {
    const plan = planProvisioning(given([reserved()], { "cr-1": 1 }, large(2)));
    expect(plan.unschedulable).toEqual([]);
    expect(plan.claims.map(({ cheapest }) => cheapest.capacityType).sort()).toEqual(["on-demand", "reserved"]);
    const fallback = plan.claims.find(({ cheapest }) => cheapest.capacityType === "on-demand")!;
    expect(fallback.requirements.some(({ key }) => key === idLabel)).toBe(false);
  });

  it.each([1, 2])("pods that few types hold and pods that many hold take no more than the %i that are left", (left) => {
    const mixed = [...large(1), pod("huge", { requests: asks(15.5, 30) })];
    const onReserved = how(given([reserved()], { "cr-1": left }, mixed)).filter((one) => one === "reserved");
    expect(onReserved).toHaveLength(left);
  });

  it("several pods on one node count once", () => {
    expect(how(given([reserved()], { "cr-1": 1 }, pods(8, { requests: asks(1.5, 2) })))).toEqual(["reserved"]);
  });

  it("two pools share what is left", () => {
    const one = given([reserved()], { "cr-1": 1 }, [
      pod("a", { requests: asks(10, 4), nodeSelector: { "karpenter.sh/nodepool": "default" } }),
      pod("b", { requests: asks(10, 4), nodeSelector: { "karpenter.sh/nodepool": "other" } }),
    ]);
    const other = { ...one.nodePools[0]!, name: "other", uid: "uid-other" };
    expect(how({ ...one, nodePools: [...one.nodePools, other] })).toEqual(["on-demand", "reserved"]);
  });

  it("what EC2 has not counted for us is not used", () => {
    expect(how(given([reserved()], {}, large(1)))).toEqual(["on-demand"]);
  });

  it("a pod may insist on a reservation, by capacity type, id or kind, and gets none where none is left", () => {
    for (const nodeSelector of [{ [capacityType]: "reserved" }, { [idLabel]: "cr-1" }, { [typeLabel]: "default" }]) {
      const picky = pods(2, { requests: asks(10, 4), nodeSelector });
      const plan = planProvisioning(given([reserved()], { "cr-1": 1 }, picky));
      expect(plan.claims.map(({ cheapest }) => cheapest.capacityType)).toEqual(["reserved"]);
      expect(plan.unschedulable).toHaveLength(1);
    }
  });

  it("the gate turns them off", () => {
    const on = given([reserved()], { "cr-1": 1 }, large(1));
    const settings = { ...on.settings, featureGates: { ...on.settings.featureGates, reservedCapacity: false } };
    expect(how({ ...on, settings })).toEqual(["on-demand"]);
  });
});

describe("53. a claim's capacity type is what its offerings have", () => {
  it("reserved, with the reservation's id, kind and zone as labels", () => {
    const block = reserved({ type: "capacity-block", endAtMs: 1_700_086_400_000 });
    const of = given([block], { "cr-1": 1 }, large(1));
    const plan = planProvisioning(of);
    const [claim] = plan.claims;
    expect(claim!.requirements).toContainEqual(req(capacityType, "In", "reserved"));
    expect(claim!.requirements).toContainEqual(req(zone, "In", "z-a"));
    expect(claim!.labels).toMatchObject({
      [idLabel]: "cr-1",
      [typeLabel]: "capacity-block",
      [capacityType]: "reserved",
    });
    // The plan holds until the block closes, forty minutes before its end.
    expect(plan.nextChangeAtMs).toBe(1_700_086_400_000 - 2_400_000);
  });

  it("on demand only, where no reservation and no spot is left", () => {
    const [claim] = planProvisioning(given([reserved()], { "cr-1": 0 }, large(1))).claims;
    expect(claim!.requirements).toContainEqual(req(capacityType, "In", "on-demand"));
  });
});
