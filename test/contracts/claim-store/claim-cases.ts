import { describe, expect, it } from "vitest";
import { chunk, head, instance, planned, t0 } from "./fixtures.ts";
import type { SuiteContext } from "./suite.ts";

export function claimCases({ store, cluster }: SuiteContext): void {
  async function withClaim(): Promise<string> {
    const c = cluster();
    await store().createHead(c, head);
    await store().commit(c, head, chunk("p1", [planned("default-a")]));
    return c;
  }

  describe("a claim's record", () => {
    it("takes evidence, field by field, and its version grows by one", async () => {
      const c = await withClaim();
      const first = await store().changeClaim(c, "default-a", 1, {
        instance: instance("i-1"),
        nodeName: "ip-10-0-0-1",
      });
      expect(first).toMatchObject({ kind: "written", claim: { version: 2, nodeName: "ip-10-0-0-1" } });
      const second = await store().changeClaim(c, "default-a", 2, {
        registeredAtMs: t0 + 1,
        deletion: { requestedAtMs: t0 + 2, reason: "empty" },
        labels: { team: "b" },
        terminationGracePeriodMs: 30_000,
      });
      expect(second).toMatchObject({ kind: "written", claim: { version: 3 } });
      const claim = await store().readClaim(c, "default-a");
      expect(claim).toEqual((second as { claim: unknown }).claim);
      expect(claim).toMatchObject({
        version: 3,
        instance: instance("i-1"),
        nodeName: "ip-10-0-0-1",
        registeredAtMs: t0 + 1,
        deletion: { requestedAtMs: t0 + 2, reason: "empty" },
        labels: { team: "b" },
        terminationGracePeriodMs: 30_000,
        instanceTypes: planned("x").instanceTypes,
      });
      expect((await store().readState(c, t0))?.claims).toEqual([claim]);
    });

    it("loses a field that is set to undefined", async () => {
      const c = await withClaim();
      await store().changeClaim(c, "default-a", 1, { notFoundAtMs: t0, nodeName: "n" });
      const outcome = await store().changeClaim(c, "default-a", 2, { notFoundAtMs: undefined });
      expect(outcome).toMatchObject({ kind: "written", claim: { version: 3, nodeName: "n" } });
      expect(await store().readClaim(c, "default-a")).not.toHaveProperty("notFoundAtMs");
    });

    it("refuses a change of another version and shows what stands there", async () => {
      const c = await withClaim();
      await store().changeClaim(c, "default-a", 1, { nodeName: "n1" });
      const outcome = await store().changeClaim(c, "default-a", 1, { nodeName: "n2" });
      expect(outcome).toMatchObject({ kind: "conflict", current: { version: 2, nodeName: "n1" } });
      expect(await store().changeClaim(c, "default-z", 1, { nodeName: "n" })).toEqual({ kind: "conflict" });
      expect(await store().changeClaim(cluster(), "default-a", 1, { nodeName: "n" })).toEqual({ kind: "conflict" });
    });

    it("takes the same change again as written", async () => {
      const c = await withClaim();
      await store().changeClaim(c, "default-a", 1, { deletion: { requestedAtMs: t0, reason: "drifted" } });
      const again = await store().changeClaim(c, "default-a", 1, {
        deletion: { requestedAtMs: t0, reason: "drifted" },
      });
      expect(again).toMatchObject({ kind: "written", claim: { version: 2 } });
    });

    it("is changed by one of many at once", async () => {
      const c = await withClaim();
      const outcomes = await Promise.all(
        ["n1", "n2", "n3", "n4"].map((nodeName) => store().changeClaim(c, "default-a", 1, { nodeName })),
      );
      expect(outcomes.filter((outcome) => outcome.kind === "written")).toHaveLength(1);
      expect((await store().readClaim(c, "default-a"))?.version).toBe(2);
    });

    it("that is gone leaves every state read and is kept for explanations", async () => {
      const c = await withClaim();
      await store().changeClaim(c, "default-a", 1, { instance: instance("i-2") });
      expect(await store().retireClaim(c, "default-a", 1, t0 + 5, t0 + 10)).toMatchObject({ kind: "conflict" });
      const outcome = await store().retireClaim(c, "default-a", 2, t0 + 5, t0 + 10);
      expect(outcome).toMatchObject({ kind: "written", claim: { version: 3, goneAtMs: t0 + 5 } });
      expect((await store().readState(c, t0 + 6))?.claims).toEqual([]);
      expect(await store().readClaim(c, "default-a")).toMatchObject({ version: 3, goneAtMs: t0 + 5 });
      expect(await store().retireClaim(c, "default-a", 2, t0 + 5, t0 + 10)).toMatchObject({ kind: "written" });
      expect(await store().changeClaim(c, "default-a", 3, { nodeName: "late" })).toMatchObject({
        kind: "conflict",
        current: { version: 3, goneAtMs: t0 + 5 },
      });
      expect(await store().retireClaim(c, "default-z", 1, t0, t0)).toEqual({ kind: "conflict" });
    });
  });
}
