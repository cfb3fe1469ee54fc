import { describe, expect, it } from "vitest";
import { findOrphans, type Knowledge } from "../../../shared/core/garbage/index.ts";
import type { CloudInstance } from "../../../shared/core/model/index.ts";
import { request } from "../launch/literals.ts";
import { claim, instance, minute, node, second, t0 } from "../lifecycle/literals.ts";

const nowMs = t0 + 60 * minute;
const known: Knowledge = { deployment: "prod", epoch: "e1", claims: [], launches: [] };

function machine(
  id: string,
  change: Partial<CloudInstance> = {},
  tagged: Readonly<Record<string, string>> = {},
): CloudInstance {
  return {
    id,
    state: "running",
    instanceType: "m5.large",
    zone: "us-east-1a",
    capacityType: "spot",
    launchedAtMs: t0,
    ...change,
    tags: { "timmerman/deployment": "prod", "timmerman/epoch": "e1", "timmerman/launch": "l9", ...tagged },
  };
}

const suspected = (sinceMs: number) => ({ "timmerman/orphan-since": String(sinceMs) });
const held = claim({ instance, registeredAtMs: t0 + minute, nodeName: "ip-1" });

describe("instances without a claim", () => {
  it.each<[string, CloudInstance, Partial<Knowledge>, object]>([
    ["are suspected at first", machine("i-9"), {}, { suspect: ["i-9"], terminate: [] }],
    [
      "are left alone until the second look is due",
      machine("i-9", {}, suspected(nowMs - 2 * minute + 1)),
      {},
      { suspect: [], terminate: [], nextChangeAtMs: nowMs + 1 },
    ],
    [
      "are terminated on the second look",
      machine("i-9", {}, suspected(nowMs - 2 * minute)),
      {},
      { suspect: [], terminate: ["i-9"] },
    ],
    [
      "are spared while young",
      machine("i-9", { launchedAtMs: nowMs - 5 * minute + 1 }),
      {},
      { suspect: [], terminate: [], nextChangeAtMs: nowMs + 1 },
    ],
    [
      "are no orphans while their launch is open",
      machine("i-9", {}, suspected(t0)),
      { launches: [{ id: "l9", version: 1, request: request([]), claims: ["a"], sealedAtMs: t0, sendBeforeMs: t0 }] },
      { suspect: [], terminate: [] },
    ],
    [
      "are no orphans if a claim holds them, whatever they were suspected of",
      machine("i-1", {}, suspected(t0)),
      { claims: [held] },
      { suspect: [], terminate: [] },
    ],
    [
      "of another deployment are nobody's business",
      machine("i-9", {}, { "timmerman/deployment": "test" }),
      {},
      { suspect: [], terminate: [] },
    ],
    ["that have ended are no orphans", machine("i-9", { state: "shutting-down" }), {}, { suspect: [], terminate: [] }],
  ])("%s", (_title, one, knowledge, expected) => {
    const orphans = findOrphans([one], { ...known, ...knowledge }, [node()], nowMs);
    expect(orphans).toMatchObject(expected);
    expect(orphans.refusal).toBeUndefined();
  });
});

describe("nothing is killed on missing knowledge", () => {
  const ripe = (id: string, tagged: Readonly<Record<string, string>> = {}) =>
    machine(id, {}, { ...suspected(t0), ...tagged });
  const many = (count: number) => Array.from({ length: count }, (_, i) => ripe(`i-${100 + i}`));

  it("without a head", () => {
    const { epoch: _, ...headless } = known;
    const orphans = findOrphans([ripe("i-9")], headless, [], nowMs);
    expect(orphans).toMatchObject({ terminate: [], suspect: [], ended: [] });
    expect(orphans.refusal).toContain("no head of their cluster");
    expect(findOrphans([], headless, [], nowMs).refusal).toBeUndefined();
  });

  it("beside instances of another epoch", () => {
    const orphans = findOrphans([ripe("i-8", { "timmerman/epoch": "e0" }), ripe("i-9")], known, [], nowMs);
    expect(orphans).toMatchObject({ terminate: [], suspect: [] });
    expect(orphans.refusal).toContain("another epoch");
  });

  it.each([
    [3, 3, true],
    [4, 4, false],
    [5, 100, true],
    [6, 100, false],
  ])("%i orphans among %i instances: %s", (orphanCount, total, allowed) => {
    const claims = Array.from({ length: total - orphanCount }, (_, i) =>
      claim({ name: `c${i}`, instance: { ...instance, id: `i-c${i}` } }),
    );
    const instances = [...many(orphanCount), ...claims.map((c) => machine(c.instance!.id))];
    const orphans = findOrphans(instances, { ...known, claims }, [], nowMs);
    expect(orphans.terminate).toHaveLength(allowed ? orphanCount : 0);
    expect(orphans.refusal === undefined).toBe(allowed);
  });
});

describe("claims without an instance or node", () => {
  it.each<[string, readonly CloudInstance[], object, object]>([
    [
      "an instance that was terminated ends its claim",
      [machine("i-1", { state: "terminated" })],
      {},
      { ended: [{ claim: "default-abc", message: "its instance i-1 is terminated" }] },
    ],
    ["one that was stopped as well", [machine("i-1", { state: "stopped" })], {}, { ended: [{ claim: "default-abc" }] }],
    ["one that is running does not", [machine("i-1")], {}, { ended: [], unseen: [], seenAgain: [] }],
    ["one that EC2 does not know is noted first", [], {}, { ended: [], unseen: ["default-abc"] }],
    [
      "and ends its claim on a second look",
      [],
      { notFoundAtMs: nowMs - 30 * second },
      { ended: [{ claim: "default-abc", message: "EC2 no longer knows its instance i-1" }], unseen: [] },
    ],
    ["not too soon", [], { notFoundAtMs: nowMs - 29 * second }, { ended: [], unseen: [] }],
    ["one that came back is noted", [machine("i-1")], { notFoundAtMs: t0 }, { ended: [], seenAgain: ["default-abc"] }],
    [
      "a claim on its way out is left to that",
      [machine("i-1", { state: "terminated" })],
      { deletion: { requestedAtMs: t0, reason: "empty" } },
      { ended: [], unseen: [] },
    ],
  ])("%s", (_title, instances, change, expected) => {
    expect(findOrphans(instances, { ...known, claims: [{ ...held, ...change }] }, [node()], nowMs)).toMatchObject(
      expected,
    );
  });

  it("an instance too young to be shown is not missed", () => {
    expect(findOrphans([], { ...known, claims: [held] }, [], instance.launchedAtMs + 2 * minute - 1).unseen).toEqual(
      [],
    );
  });

  it("a node that somebody took away ends its claim after ten minutes", () => {
    const look = (atMs: number) => findOrphans([machine("i-1")], { ...known, claims: [held] }, [], atMs).ended;
    expect(look(t0 + 11 * minute - 1)).toEqual([]);
    expect(look(t0 + 11 * minute)).toEqual([{ claim: "default-abc", message: "its node ip-1 is gone" }]);
  });
});
