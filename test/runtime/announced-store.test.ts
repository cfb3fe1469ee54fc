import { describe, expect, it } from "vitest";
import { createMemoryClaimStore } from "../../shared/adapters/memory/claim-store.ts";
import { createMemoryTelemetry } from "../../shared/adapters/memory/telemetry.ts";
import { type ClaimStore, type DecisionEvent, DecisionsLost, OperationError } from "../../shared/ports/index.ts";
import { announcedStore } from "../../shared/runtime/announced-store.ts";
import { chunk, fleetRequest, head, instance, planned, t0 } from "../contracts/claim-store/fixtures.ts";

/** Two claims in one launch. */
async function seal(store: ClaimStore): Promise<void> {
  await store.createHead("blue", head);
  await store.commit("blue", head, chunk("p1", [planned("a"), planned("b")]));
  const launch = { id: "l1", request: fleetRequest("l1", 2), sealedAtMs: t0, sendBeforeMs: t0 + 1 };
  await store.sealLaunch("blue", launch, [
    { name: "a", version: 1 },
    { name: "b", version: 1 },
  ]);
}

async function prepared(publish: (events: readonly DecisionEvent[]) => Promise<void>) {
  const telemetry = createMemoryTelemetry();
  const clock = { now: () => t0 + 99 };
  const store = announcedStore(createMemoryClaimStore(), { decisions: { publish }, telemetry, clock });
  await seal(store);
  const labels = { "karpenter.sh/nodepool": "default" };
  const pairs = [{ claim: "a", claimVersion: 2, change: { instance: instance("i-1"), labels }, instanceId: "i-1" }];
  const launchFailure = { reason: "InsufficientInstanceCapacity", message: "none left", atMs: t0 };
  const failed = [{ claim: "b", claimVersion: 2, change: { launchFailure, launch: undefined } }];
  expect(await store.settleLaunch("blue", "l1", t0 + 5, pairs, failed)).toBe("settled");
  return { store, telemetry };
}

const offering = { instanceType: "c6a.large", zone: "us-east-1a", capacityType: "spot", priceMicroUsd: 33_100 };

describe("a store that tells", () => {
  it("publishes what was launched, refused, registered, disrupted and interrupted, and nothing that did not happen", async () => {
    const events: DecisionEvent[] = [];
    const { store } = await prepared(async (some) => void events.push(...some));
    await store.changeClaim("blue", "a", 3, { nodeName: "n1", registeredAtMs: t0 + 7 });
    await store.changeClaim("blue", "a", 3, { nodeName: "n2", registeredAtMs: t0 + 8 });
    await store.changeClaim("blue", "a", 4, { initializedAtMs: t0 + 8 });
    await store.changeClaim("blue", "a", 5, { deletion: { requestedAtMs: t0 + 9, reason: "spot_interrupted" } });
    await store.changeClaim("blue", "b", 3, { deletion: { requestedAtMs: t0 + 9, reason: "empty" } });
    const a = {
      cluster: "blue",
      claim: "a",
      nodePool: "default",
      node: "n1",
      instanceId: "i-1",
      atMs: t0 + 99,
      ...offering,
    };
    expect(events).toEqual([
      {
        kind: "launched",
        cluster: "blue",
        atMs: t0 + 5,
        claim: "a",
        nodePool: "default",
        instanceId: "i-1",
        ...offering,
      },
      {
        kind: "refused",
        cluster: "blue",
        atMs: t0 + 5,
        claim: "b",
        nodePool: "default",
        reason: "InsufficientInstanceCapacity",
        message: "none left",
      },
      { kind: "registered", ...a },
      { kind: "interrupted", ...a, reason: "spot_interrupted" },
      {
        kind: "disrupted",
        cluster: "blue",
        claim: "b",
        nodePool: "default",
        atMs: t0 + 99,
        reason: "empty",
      },
    ]);
  });

  it("writes as before when nobody can be told, and counts what was lost", async () => {
    const { store, telemetry } = await prepared(async () => {
      throw new Error("no bus");
    });
    expect((await store.readClaim("blue", "a"))?.instance?.id).toBe("i-1");
    expect(telemetry.counted("timmerman_decisions_lost_total")).toBe(2);
  });

  it("counts only those that were not taken, where that is known", async () => {
    const { telemetry } = await prepared(async () => {
      throw new DecisionsLost(1, new OperationError("slowly", { retry: "later", code: "throttled" }));
    });
    expect(telemetry.counted("timmerman_decisions_lost_total")).toBe(1);
  });

  it("tells of a launch that could not be asked for as refused, and not of its claim's end besides", async () => {
    const events: DecisionEvent[] = [];
    const { store } = await prepared(async (some) => void events.push(...some));
    const launchFailure = { reason: "SubnetsNotFound", message: "the node class selects no subnet", atMs: t0 };
    const deletion = { requestedAtMs: t0, reason: "insufficient_capacity" } as const;
    await store.changeClaim("blue", "b", 3, { launchFailure, deletion });
    expect(events.slice(2)).toMatchObject([{ kind: "refused", claim: "b", reason: "SubnetsNotFound" }]);
    await store.changeClaim("blue", "b", 4, { launchFailure: undefined });
    expect(events).toHaveLength(3);
  });

  it("tells of a refusal without its pool where the record cannot be read, and settles all the same", async () => {
    const events: DecisionEvent[] = [];
    const memory = createMemoryClaimStore();
    const readClaim = async () => {
      throw new OperationError("not now", { retry: "later", code: "throttled" });
    };
    const decisions = { publish: async (some: readonly DecisionEvent[]) => void events.push(...some) };
    const clock = { now: () => t0 };
    const store = announcedStore({ ...memory, readClaim }, { decisions, telemetry: createMemoryTelemetry(), clock });
    await seal(store);
    const failed = [{ claim: "b", claimVersion: 2, change: {} }];
    expect(await store.settleLaunch("blue", "l1", t0, [], failed)).toBe("settled");
    expect(events).toEqual([{ kind: "refused", cluster: "blue", atMs: t0, claim: "b" }]);
  });
});
