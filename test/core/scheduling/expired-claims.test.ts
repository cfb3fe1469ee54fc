import { describe, expect, it } from "vitest";
import { planDisruption } from "../../../shared/core/disruption/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import { asks, bound, claim, joined, node, nowMs, pod, pool, snapshot } from "./fixtures.ts";

const hour = 3_600_000;
const aged = (ageMs: number, expireAfterMs: number | null) =>
  joined(node("n1"), { createdAtMs: ageMs === nowMs ? 0 : nowMs - ageMs, expireAfterMs });
const world = (of: ReturnType<typeof joined>, over: Parameters<typeof snapshot>[0] = {}) =>
  snapshot({ claims: [of], nodes: [node("n1")], pods: [pod("p", { requests: asks(1, 1) })], ...over });

describe("a claim whose time is over", () => {
  it.each<[string, number, number | null, boolean]>([
    ["that has had its time", hour, hour, false],
    ["with a millisecond left", hour - 1, hour, true],
    ["that never expires", hour, null, true],
    ["of unknown age", nowMs, hour, true],
  ])("one %s", (_, ageMs, expireAfterMs, takes) => {
    const snapshotNow = world(aged(ageMs, expireAfterMs));
    expect(planProvisioning(snapshotNow).placements).toHaveLength(takes ? 1 : 0);
    const expired = planDisruption(snapshotNow).commands.some(({ reason }) => reason === "Expired");
    expect(expired).toBe(!takes);
  });

  it("has its pods planned elsewhere, and its share of the limits back", () => {
    const pods = [bound("b", "n1", { requests: asks(1, 1) })];
    const nodePools = [pool("default", { limits: { cpu: 4_000 } })];
    const plan = planProvisioning(world(aged(hour, hour), { pods, nodePools }));
    expect(plan.claims.map((planned) => planned.pods)).toEqual([["default/b"]]);
  });

  it("takes no pods in flight either", () => {
    const claims = [claim("c", { createdAtMs: nowMs - hour, expireAfterMs: hour })];
    expect(planProvisioning(snapshot({ claims, pods: [pod("p")] })).placements).toEqual([]);
  });

  it("is awaited: the plan says when it will be another", () => {
    expect(planProvisioning(world(aged(hour - 5, hour))).nextChangeAtMs).toBe(nowMs + 5);
    expect(planProvisioning(world(aged(hour, hour))).nextChangeAtMs).toBe(null);
  });
});
