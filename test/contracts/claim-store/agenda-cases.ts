import { describe, expect, it } from "vitest";
import { t0 } from "./fixtures.ts";
import type { SuiteContext } from "./suite.ts";

export function agendaCases({ store, cluster }: SuiteContext): void {
  describe("refusals", () => {
    it("are shared by region and end by comparison; the last note counts", async () => {
      const region = "eu-west-3";
      const spot = { instanceType: "m5.large", zoneId: "euw3-az1", capacityType: "spot" } as const;
      const other = { instanceType: "c5.large", zoneId: "euw3-az2", capacityType: "on-demand" } as const;
      expect(await store().readRefusals(region, t0)).toEqual([]);
      await store().noteRefusals(region, []);
      await store().noteRefusals(region, [
        { ...spot, untilMs: t0 + 10 },
        { ...other, untilMs: t0 + 20 },
      ]);
      expect(await store().readRefusals(region, t0 + 9)).toEqual([
        { ...other, untilMs: t0 + 20 },
        { ...spot, untilMs: t0 + 10 },
      ]);
      expect(await store().readRefusals(region, t0 + 10)).toEqual([{ ...other, untilMs: t0 + 20 }]);
      await store().noteRefusals(region, [{ ...spot, untilMs: t0 + 40 }]);
      expect(await store().readRefusals(region, t0 + 20)).toEqual([{ ...spot, untilMs: t0 + 40 }]);
      expect(await store().readRefusals("eu-west-2", t0)).toEqual([]);
    });

    it("of reservations are each one's, beside those of the type and zone", async () => {
      const all = { instanceType: "m5.large", zoneId: "euw3-az3", capacityType: "reserved" } as const;
      const notes = [
        { ...all, untilMs: t0 + 10 },
        { ...all, reservationId: "cr-1", untilMs: t0 + 20 },
        { ...all, reservationId: "cr-2", untilMs: t0 + 30 },
      ];
      await store().noteRefusals("ap-south-1", notes);
      expect(await store().readRefusals("ap-south-1", t0)).toEqual(notes);
      expect(await store().readRefusals("ap-south-1", t0 + 20)).toEqual([notes[2]]);
    });

    it("come by the hundred, the same one twice among them", async () => {
      const many = Array.from({ length: 130 }, (_, i) => ({
        instanceType: `m5.${i}xlarge`,
        zoneId: "use2-az1",
        capacityType: "spot" as const,
        untilMs: t0 + 10,
      }));
      await store().noteRefusals("us-east-2", [...many, { ...many[0]!, untilMs: t0 + 30 }]);
      expect(await store().readRefusals("us-east-2", t0)).toHaveLength(130);
      expect(await store().readRefusals("us-east-2", t0 + 10)).toEqual([{ ...many[0]!, untilMs: t0 + 30 }]);
    });
  });

  it("sets what is absent or too far ahead", async () => {
    const c = cluster();
    const onlyOdd = { ifAbsent: true, latestMs: t0 + 120 };
    expect(await store().setAgenda(c, "relay", t0 + 120, onlyOdd)).toBe(true);
    expect(await store().setAgenda(c, "relay", t0, onlyOdd)).toBe(false);
    await store().setAgenda(c, "relay", t0 + 121, { replace: true });
    expect(await store().setAgenda(c, "relay", t0, { ifAbsent: true })).toBe(false);
    expect(await store().setAgenda(c, "relay", t0, onlyOdd)).toBe(true);
    const due = (await store().readDue(t0)).filter(({ cluster }) => cluster === c);
    expect(due).toEqual([{ cluster: c, controller: "relay", dueAtMs: t0 }]);
  });

  describe("a lease", () => {
    it("is one holder's until it ends, and can be taken again by the holder", async () => {
      const c = cluster();
      const taken = { kind: "taken", requested: 0 };
      expect(await store().takeLease(c, "provision", "x", t0, t0 + 60)).toEqual(taken);
      expect(await store().takeLease(c, "disrupt", "y", t0, t0 + 60)).toEqual(taken);
      expect(await store().takeLease(c, "provision", "x", t0 + 1, t0 + 61)).toEqual(taken);
      expect(await store().takeLease(c, "provision", "y", t0 + 60, t0 + 120)).toEqual({ kind: "busy" });
      expect(await store().takeLease(c, "provision", "y", t0 + 61, t0 + 120)).toMatchObject({ kind: "taken" });
    });

    it("that nobody asked for is released", async () => {
      const c = cluster();
      await store().takeLease(c, "provision", "x", t0, t0 + 60);
      expect(await store().releaseLease(c, "provision", "x", 0)).toBe(true);
      expect(await store().takeLease(c, "provision", "y", t0 + 1, t0 + 61)).toEqual({ kind: "taken", requested: 0 });
    });

    it("that somebody asked for makes its holder run once more for all who asked", async () => {
      const c = cluster();
      const lease = await store().takeLease(c, "provision", "x", t0, t0 + 60);
      const requested = lease.kind === "taken" ? lease.requested : -1;
      expect(await store().takeLease(c, "provision", "y", t0 + 1, t0 + 61)).toEqual({ kind: "busy" });
      expect(await store().takeLease(c, "provision", "z", t0 + 2, t0 + 62)).toEqual({ kind: "busy" });
      expect(await store().releaseLease(c, "provision", "x", requested)).toBe(false);
      expect(await store().releaseLease(c, "provision", "x", requested)).toBe(true);
      expect(await store().takeLease(c, "provision", "y", t0 + 3, t0 + 63)).toMatchObject({ kind: "taken" });
    });

    it("that was taken over is left alone by its late holder", async () => {
      const c = cluster();
      await store().takeLease(c, "provision", "x", t0, t0 + 60);
      await store().takeLease(c, "provision", "y", t0 + 60, t0 + 120);
      expect(await store().releaseLease(c, "provision", "x", 0)).toBe(true);
      expect(await store().takeLease(c, "provision", "z", t0 + 61, t0 + 121)).toEqual({ kind: "busy" });
      expect(await store().releaseLease(cluster(), "provision", "x", 0)).toBe(true);
    });
  });

  describe("the agenda", () => {
    it("keeps the earliest, unless replaced, and gives what is due in order", async () => {
      const [c, d] = [cluster(), cluster()];
      const due = async (now: number) => (await store().readDue(now)).filter((e) => [c, d].includes(e.cluster));
      await store().setAgenda(c, "provision", t0 + 50);
      await store().setAgenda(c, "provision", t0 + 30);
      await store().setAgenda(c, "provision", t0 + 40);
      await store().setAgenda(c, "provision", null);
      await store().setAgenda(d, "disrupt", t0 + 10);
      expect(await due(t0 + 9)).toEqual([]);
      expect(await due(t0 + 29)).toEqual([{ cluster: d, controller: "disrupt", dueAtMs: t0 + 10 }]);
      expect(await due(t0 + 30)).toEqual([
        { cluster: d, controller: "disrupt", dueAtMs: t0 + 10 },
        { cluster: c, controller: "provision", dueAtMs: t0 + 30 },
      ]);
      await store().setAgenda(c, "provision", t0 + 90, { replace: true });
      await store().setAgenda(d, "disrupt", null, { replace: true });
      await store().setAgenda(d, "disrupt", null, { replace: true });
      expect(await due(t0 + 89)).toEqual([]);
      expect(await due(t0 + 90)).toEqual([{ cluster: c, controller: "provision", dueAtMs: t0 + 90 }]);
    });

    it("tells whether a moment was set, and lets one that is past give way", async () => {
      const c = cluster();
      expect(await store().setAgenda(c, "lifecycle", t0 + 50, { nowMs: t0 })).toBe(true);
      expect(await store().setAgenda(c, "lifecycle", t0 + 60, { nowMs: t0 + 49 })).toBe(false);
      expect(await store().setAgenda(c, "lifecycle", t0 + 40, { nowMs: t0 + 10 })).toBe(true);
      expect(await store().setAgenda(c, "lifecycle", t0 + 90, { nowMs: t0 + 40 })).toBe(true);
      expect(await store().setAgenda(c, "lifecycle", t0 + 95, { replace: true })).toBe(true);
      expect((await store().readDue(t0 + 94)).filter((e) => e.cluster === c)).toEqual([]);
    });

    it("sets a moment only where none stands, if asked to", async () => {
      const c = cluster();
      const due = async () => (await store().readDue(t0 + 99)).filter((e) => e.cluster === c).map((e) => e.dueAtMs);
      expect(await store().setAgenda(c, "relay", t0 + 50, { ifAbsent: true })).toBe(true);
      expect(await store().setAgenda(c, "relay", t0 + 40, { ifAbsent: true })).toBe(false);
      expect(await store().setAgenda(c, "relay", t0 + 60, { ifAbsent: true, nowMs: t0 + 55 })).toBe(false);
      expect(await due()).toEqual([t0 + 50]);
      await store().setAgenda(c, "relay", null, { replace: true });
      expect(await store().setAgenda(c, "relay", t0 + 60, { ifAbsent: true })).toBe(true);
      expect(await due()).toEqual([t0 + 60]);
    });
  });
}
