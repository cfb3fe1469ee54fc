// A launch into a reservation that turns out to be used up: what is noted, and what is planned then.
import { expect, it } from "vitest";
import { createLifecycle } from "../../shared/controllers/index.ts";
import type { CapacityReservation } from "../../shared/core/model/index.ts";
import { clusterName, commitClaims, createDesk, planned, startMs, wake } from "./desk.ts";

const reservation = (id: string): CapacityReservation => ({
  id,
  ownerId: "123456789012",
  instanceType: "m5.large",
  zone: "us-east-1a",
  type: "default",
  interruptible: false,
  matching: "targeted",
});

it("94. leaves that reservation out, ends the claim, and has its pods planned anew", async () => {
  const desk = await createDesk();
  const [nodeClass] = desk.cluster.nodeClasses.list();
  const resolved = { ...nodeClass!.resolved, capacityReservations: [reservation("cr-1"), reservation("cr-2")] };
  desk.cluster.nodeClasses.put({ ...nodeClass!, resolved });
  desk.cloud.setCapacity({ instanceType: "m5.large", zone: "us-east-1a", capacityType: "reserved" }, 0);
  const requirements = [
    { key: "karpenter.sh/capacity-type", operator: "In", values: ["reserved"] },
    { key: "karpenter.k8s.aws/capacity-reservation-id", operator: "In", values: ["cr-1"] },
  ] as const;
  await commitClaims(desk, planned("a", { requirements }));

  await createLifecycle(desk.ports, desk.settings).run(wake("lifecycle"));

  expect(await desk.store.readRefusals("us-east-1", startMs)).toMatchObject([
    { instanceType: "m5.large", zoneId: "use1-az1", capacityType: "reserved", reservationId: "cr-1" },
  ]);
  expect(await desk.store.readClaim(clusterName, "a")).toMatchObject({ deletion: { reason: "insufficient_capacity" } });
  expect(desk.woken()).toContain("provision");
});
