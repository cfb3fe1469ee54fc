import { describe, expect, it } from "vitest";
import { chunk, head, planned, t0 } from "./fixtures.ts";
import type { SuiteContext } from "./suite.ts";

export function commitCases({ store, cluster }: SuiteContext): void {
  describe("the head", () => {
    it("is made once, and is what stands there afterwards", async () => {
      const c = cluster();
      expect(await store().readHead(c)).toBeUndefined();
      expect(await store().readState(c, t0)).toBeUndefined();
      expect(await store().createHead(c, head)).toEqual(head);
      expect(await store().createHead(c, { ...head, epoch: "e2" })).toEqual(head);
      expect(await store().readHead(c)).toEqual(head);
      expect(await store().readState(c, t0)).toEqual({ head, claims: [], launches: [], placements: [], commands: [] });
    });
  });

  describe("a commit", () => {
    it("moves the head by one and leaves claims, with what was asked for and no evidence", async () => {
      const c = cluster();
      await store().createHead(c, head);
      const outcome = await store().commit(c, head, chunk("p1", [planned("default-b"), planned("default-a")]));
      expect(outcome).toEqual({ kind: "committed", head: { ...head, seq: 1 } });
      const state = await store().readState(c, t0);
      expect(state?.head).toEqual({ ...head, seq: 1 });
      expect(state?.claims.map((claim) => claim.name)).toEqual(["default-a", "default-b"]);
      const { cheapest: _cheapest, pods: _pods, ...asked } = planned("default-a");
      expect(state?.claims[0]).toEqual({ ...asked, version: 1, createdAtMs: t0, reason: "provisioned" });
      expect(await store().readClaim(c, "default-a")).toEqual(state?.claims[0]);
      expect(await store().readClaim(c, "default-z")).toBeUndefined();
    });

    it("is lost when the head has moved, and leaves nothing", async () => {
      const c = cluster();
      await store().createHead(c, head);
      await store().commit(c, head, chunk("p1", [planned("default-a")]));
      expect(await store().commit(c, head, chunk("p2", [planned("default-b")]))).toEqual({ kind: "lost" });
      const state = await store().readState(c, t0);
      expect(state?.claims.map((claim) => claim.name)).toEqual(["default-a"]);
      expect(state?.head.seq).toBe(1);
    });

    it("is lost in another epoch, and without a head", async () => {
      const c = cluster();
      expect(await store().commit(c, head, chunk("p1", []))).toEqual({ kind: "lost" });
      await store().createHead(c, head);
      expect(await store().commit(c, { ...head, epoch: "e9" }, chunk("p1", []))).toEqual({ kind: "lost" });
    });

    it("is committed when repeated, also after others, and does nothing more", async () => {
      const c = cluster();
      await store().createHead(c, head);
      const first = chunk("p1", [planned("default-a", ["ns/a"])]);
      await store().commit(c, head, first);
      expect(await store().commit(c, head, first)).toEqual({ kind: "committed", head: { ...head, seq: 1 } });
      await store().commit(c, { ...head, seq: 1 }, chunk("p2", [planned("default-b")]));
      expect(await store().commit(c, head, first)).toEqual({ kind: "committed", head: { ...head, seq: 1 } });
      const state = await store().readState(c, t0);
      expect(state?.head.seq).toBe(2);
      expect(state?.claims.map((claim) => claim.version)).toEqual([1, 1]);
      expect(state?.placements).toHaveLength(1 + 1);
    });

    it("in chunks moves the head once for each", async () => {
      const c = cluster();
      await store().createHead(c, head);
      const names = (at: number) => Array.from({ length: 90 }, (_, i) => planned(`default-${at}-${i}`));
      expect(await store().commit(c, head, chunk("p1", names(0)))).toMatchObject({ kind: "committed" });
      expect(await store().commit(c, { ...head, seq: 1 }, chunk("p1", names(1), { index: 1 }))).toMatchObject({
        head: { seq: 2 },
      });
      expect((await store().readState(c, t0))?.claims).toHaveLength(180);
    });

    it("of which two run at once happens once", async () => {
      const c = cluster();
      await store().createHead(c, head);
      const outcomes = await Promise.all(
        ["x", "y", "z"].map((who) => store().commit(c, head, chunk(`p-${who}`, [planned(`default-${who}`)]))),
      );
      expect(outcomes.filter((outcome) => outcome.kind === "committed")).toHaveLength(1);
      const state = await store().readState(c, t0);
      expect(state?.claims).toHaveLength(1);
      expect(state?.head.seq).toBe(1);
    });

    it("that does not fit a transaction is refused with what to do", async () => {
      const c = cluster();
      await store().createHead(c, head);
      const many = Array.from({ length: 99 }, (_, i) => planned(`default-${i}`));
      await expect(store().commit(c, head, chunk("p1", many))).rejects.toMatchObject({
        name: "OperationError",
        code: "too-large",
        retry: "never",
        message: expect.stringContaining("smaller chunks"),
      });
      expect((await store().readHead(c))?.seq).toBe(0);
    });

    it("never takes over a claim's name", async () => {
      const c = cluster();
      await store().createHead(c, head);
      await store().commit(c, head, chunk("p1", [planned("default-a")]));
      await expect(
        store().commit(c, { ...head, seq: 1 }, chunk("p2", [planned("default-b"), planned("default-a")])),
      ).rejects.toMatchObject({ code: "claim-exists", retry: "never", message: expect.stringContaining("default-a") });
      const state = await store().readState(c, t0);
      expect(state?.claims.map((claim) => claim.name)).toEqual(["default-a"]);
      expect(state?.head.seq).toBe(1);
    });
  });

  describe("placements", () => {
    it("are the chunk's and the pods of its new claims, and end by comparison", async () => {
      const c = cluster();
      await store().createHead(c, head);
      const made = planned("default-a", ["ns/one", "ns/two"]);
      const placements = [{ target: "node-1", pods: ["ns/three"] }];
      await store().commit(c, head, chunk("p1", [made], { placements, nominatedUntilMs: t0 + 100 }));
      await store().commit(
        c,
        { ...head, seq: 1 },
        chunk("p2", [], { placements: [{ target: "default-a", pods: ["ns/four"] }], nominatedUntilMs: t0 + 50 }),
      );
      expect((await store().readState(c, t0 + 49))?.placements).toEqual([
        { planId: "p2", untilMs: t0 + 50, target: "default-a", pods: ["ns/four"] },
        { planId: "p1", untilMs: t0 + 100, target: "node-1", pods: ["ns/three"] },
        { planId: "p1", untilMs: t0 + 100, target: "default-a", pods: ["ns/one", "ns/two"] },
      ]);
      expect((await store().readState(c, t0 + 50))?.placements.map((p) => p.planId)).toEqual(["p1", "p1"]);
      expect((await store().readState(c, t0 + 100))?.placements).toEqual([]);
    });

    it("of thousands of pods fit", async () => {
      const c = cluster();
      await store().createHead(c, head);
      const pods = Array.from({ length: 9_000 }, (_, i) => `production/checkout-7f9c4d8b6-${(i * 7919).toString(36)}`);
      const placements = [{ target: "node-1", pods }];
      await store().commit(c, head, chunk("p1", [], { placements }));
      expect((await store().readState(c, t0))?.placements[0]?.pods).toEqual(pods);
    });
  });
}

/** Last of all: some emulators grow slow with their table. */
export function largeClusterCases({ store, cluster }: SuiteContext, size: number): void {
  describe("a large cluster", () => {
    it(`of ${size} claims is read whole and in order`, async () => {
      const c = cluster();
      await store().createHead(c, head);
      const names = Array.from({ length: size }, (_, i) => `default-${String(i).padStart(4, "0")}`);
      for (let at = 0; at * 90 < size; at += 1) {
        const claims = names.slice(at * 90, (at + 1) * 90).map((name) => planned(name));
        const outcome = await store().commit(c, { ...head, seq: at }, chunk("p1", claims, { index: at }));
        expect(outcome.kind).toBe("committed");
      }
      const state = await store().readState(c, t0);
      expect(state?.claims.map((claim) => claim.name)).toEqual(names);
      expect(state?.claims.at(-1)?.instanceTypes).toEqual(planned("x").instanceTypes);
    });
  });
}
