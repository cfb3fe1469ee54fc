import { describe, expect, it } from "vitest";
import { chunk, fleetRequest, head, instance, planned, t0 } from "./fixtures.ts";
import type { SuiteContext } from "./suite.ts";

export function launchCases({ store, cluster }: SuiteContext): void {
  let ids = 0;
  /** A cluster with claims a, b, c, and ids that no other case uses. */
  async function prepared() {
    ids += 1;
    const c = cluster();
    await store().createHead(c, head);
    await store().commit(c, head, chunk("p1", [planned("a"), planned("b"), planned("c")]));
    const id = `launch-${ids}`;
    const launch = { id, request: fleetRequest(id, 2), sealedAtMs: t0 + 1, sendBeforeMs: t0 + 600_001 };
    return { c, id, launch, i1: `i-${ids}aaa`, i2: `i-${ids}bbb` };
  }
  const both = [
    { name: "b", version: 1 },
    { name: "a", version: 1 },
  ];

  describe("sealing a launch", () => {
    it("writes the request once and its id into each claim, in order", async () => {
      const { c, id, launch } = await prepared();
      expect(await store().readLaunch(c, id)).toBeUndefined();
      expect(await store().sealLaunch(c, launch, both)).toBe("sealed");
      expect(await store().readLaunch(c, id)).toEqual({ ...launch, version: 1, claims: ["b", "a"] });
      const state = await store().readState(c, t0);
      expect(state?.launches).toEqual([{ ...launch, version: 1, claims: ["b", "a"] }]);
      expect(state?.claims.map((claim) => [claim.name, claim.version, claim.launch])).toEqual([
        ["a", 2, { id, sealedAtMs: t0 + 1 }],
        ["b", 2, { id, sealedAtMs: t0 + 1 }],
        ["c", 1, undefined],
      ]);
    });

    it("is all or nothing over its claims", async () => {
      const { c, id, launch } = await prepared();
      await store().changeClaim(c, "a", 1, { deletion: { requestedAtMs: t0, reason: "deleted" } });
      expect(await store().sealLaunch(c, launch, both)).toBe("lost");
      expect(await store().readLaunch(c, id)).toBeUndefined();
      expect(await store().readClaim(c, "b")).toMatchObject({ version: 1 });
    });

    it("never takes a claim that has a launch, at whatever version", async () => {
      const { c, launch } = await prepared();
      await store().sealLaunch(c, launch, both);
      const other = { ...launch, id: `${launch.id}-other` };
      expect(await store().sealLaunch(c, other, [{ name: "a", version: 2 }])).toBe("lost");
      expect(await store().sealLaunch(c, other, [{ name: "c", version: 1 }])).toBe("sealed");
    });

    it("is sealed when repeated, lost when the id has another request", async () => {
      const { c, launch } = await prepared();
      await store().sealLaunch(c, launch, both);
      expect(await store().sealLaunch(c, launch, both)).toBe("sealed");
      const other = { ...launch, request: fleetRequest("changed", 3) };
      expect(await store().sealLaunch(c, other, both)).toBe("lost");
      expect((await store().readClaim(c, "a"))?.version).toBe(2);
    });

    it("refuses more claims than one transaction can settle, and a request that fits no item", async () => {
      const { c, launch } = await prepared();
      const many = Array.from({ length: 49 }, (_, i) => ({ name: `x-${i}`, version: 1 }));
      await expect(store().sealLaunch(c, launch, many)).rejects.toMatchObject({ code: "too-large", retry: "never" });
      const noise = Array.from({ length: 90_000 }, (_, i) => ((i * 2_654_435_761) >>> 0).toString(16)).join("");
      await expect(
        store().sealLaunch(c, { ...launch, request: fleetRequest("t", 2, noise) }, both),
      ).rejects.toMatchObject({ code: "too-large", retry: "never", message: expect.stringContaining(launch.id) });
    });
  });

  describe("settling a launch", () => {
    it("pairs instances with claims, names them by instance, and takes the launch out of the state", async () => {
      const { c, id, launch, i1 } = await prepared();
      await store().sealLaunch(c, launch, both);
      const pairs = [{ claim: "b", claimVersion: 2, change: { instance: instance(i1) }, instanceId: i1 }];
      const failure = { reason: "InsufficientInstanceCapacity", message: "none left", atMs: t0 + 9 };
      const failed = [{ claim: "a", claimVersion: 2, change: { launchFailure: failure, launch: undefined } }];
      expect(await store().settleLaunch(c, id, t0 + 9, pairs, failed)).toBe("settled");
      expect(await store().findInstance(i1)).toEqual({ cluster: c, claim: "b" });
      expect(await store().readClaim(c, "b")).toMatchObject({ version: 3, instance: instance(i1), launch: { id } });
      const a = await store().readClaim(c, "a");
      expect(a).toMatchObject({ version: 3, launchFailure: failure });
      expect(a).not.toHaveProperty("launch");
      expect((await store().readState(c, t0 + 9))?.launches).toEqual([]);
      expect(await store().readLaunch(c, id)).toEqual({
        ...launch,
        version: 2,
        claims: ["b", "a"],
        settledAtMs: t0 + 9,
      });
    });

    it("is harmless when repeated, and lost when it was settled otherwise", async () => {
      const { c, id, launch, i1, i2 } = await prepared();
      await store().sealLaunch(c, launch, both);
      const pair = (claim: string, instanceId: string) => ({
        claim,
        claimVersion: 2,
        change: { instance: instance(instanceId) },
        instanceId,
      });
      const pairs = [pair("b", i1), pair("a", i2)];
      expect(await store().settleLaunch(c, id, t0 + 9, pairs, [])).toBe("settled");
      expect(await store().settleLaunch(c, id, t0 + 12, pairs, [])).toBe("settled");
      expect(await store().settleLaunch(c, id, t0 + 9, [pair("b", i2), pair("a", i1)], [])).toBe("lost");
      expect((await store().readClaim(c, "a"))?.version).toBe(3);
      expect(await store().findInstance(i2)).toEqual({ cluster: c, claim: "a" });
    });

    it("is all or nothing: a claim that moved loses it whole", async () => {
      const { c, id, launch, i1 } = await prepared();
      await store().sealLaunch(c, launch, both);
      await store().changeClaim(c, "a", 2, { deletion: { requestedAtMs: t0, reason: "deleted" } });
      const pairs = [{ claim: "b", claimVersion: 2, change: { instance: instance(i1) }, instanceId: i1 }];
      const failed = [{ claim: "a", claimVersion: 2, change: { launch: undefined } }];
      expect(await store().settleLaunch(c, id, t0 + 9, pairs, failed)).toBe("lost");
      expect(await store().findInstance(i1)).toBeUndefined();
      expect(await store().readClaim(c, "b")).toMatchObject({ version: 2 });
      expect((await store().readState(c, t0))?.launches).toHaveLength(1);
      const again = [{ ...failed[0]!, claimVersion: 3 }];
      expect(await store().settleLaunch(c, id, t0 + 10, pairs, again)).toBe("settled");
    });

    it("of as many claims as a launch may have fits one transaction", async () => {
      const c = cluster();
      ids += 1;
      const id = `launch-${ids}`;
      const names = Array.from({ length: 48 }, (_, i) => `x-${i}`);
      await store().createHead(c, head);
      await store().commit(
        c,
        head,
        chunk(
          "p1",
          names.map((name) => planned(name)),
        ),
      );
      const claims = names.map((name) => ({ name, version: 1 }));
      const launch = { id, request: fleetRequest(id, 48), sealedAtMs: t0, sendBeforeMs: t0 + 1 };
      expect(await store().sealLaunch(c, launch, claims)).toBe("sealed");
      const pairs = names.map((claim, i) => ({
        claim,
        claimVersion: 2,
        change: { instance: instance(`i-${ids}-${i}`) },
        instanceId: `i-${ids}-${i}`,
      }));
      expect(await store().settleLaunch(c, id, t0 + 2, pairs, [])).toBe("settled");
      expect(await store().findInstance(`i-${ids}-47`)).toEqual({ cluster: c, claim: "x-47" });
      expect((await store().readState(c, t0))?.claims.every((claim) => claim.version === 3)).toBe(true);
    });

    it("finds no launch that was never sealed", async () => {
      const { c } = await prepared();
      expect(await store().settleLaunch(c, "never", t0, [], [])).toBe("lost");
      expect(await store().findInstance("i-unknown")).toBeUndefined();
    });
  });

  describe("an empty look-up", () => {
    it("is noted once, by version", async () => {
      const { c, id, launch } = await prepared();
      await store().sealLaunch(c, launch, both);
      expect(await store().noteEmptyLookup(c, id, 1, t0 + 700_000)).toBe("noted");
      expect(await store().noteEmptyLookup(c, id, 1, t0 + 700_000)).toBe("noted");
      expect(await store().noteEmptyLookup(c, id, 1, t0 + 800_000)).toBe("lost");
      expect(await store().noteEmptyLookup(c, "never", 1, t0)).toBe("lost");
      expect(await store().readLaunch(c, id)).toMatchObject({ version: 2, emptyLookupAtMs: t0 + 700_000 });
      const failed = ["a", "b"].map((claim) => ({ claim, claimVersion: 2, change: { launch: undefined } }));
      expect(await store().settleLaunch(c, id, t0 + 9, [], failed)).toBe("settled");
      expect(await store().readLaunch(c, id)).toMatchObject({ version: 3, emptyLookupAtMs: t0 + 700_000 });
      expect(await store().noteEmptyLookup(c, id, 3, t0 + 900_000)).toBe("lost");
    });
  });
}
