import { describe, expect, it } from "vitest";
import { claimName, doNotDisruptUntil } from "../../../shared/core/provisioning/index.ts";

const head = { clusterUid: "8d3f0c1e-cluster", epoch: "e1", seq: 41 };

describe("claimName", () => {
  it("is the pool and a hash, the same for ever", () => {
    expect(claimName("default", head, 0)).toMatch(/^default-[a-z2-7]{10}$/);
    expect(claimName("default", head, 0)).toBe(claimName("default", { ...head }, 0));
  });
  it("differs by everything that makes a claim unique", () => {
    const names = [
      claimName("default", head, 0),
      claimName("default", head, 1),
      claimName("default", { ...head, seq: 42 }, 0),
      claimName("default", { ...head, epoch: "e2" }, 0),
      claimName("default", { ...head, clusterUid: "other" }, 0),
    ];
    expect(new Set(names).size).toBe(5);
  });
  it("does not repeat over many plans", () => {
    const names = new Set<string>();
    for (let seq = 0; seq < 1_000; seq++) for (let i = 0; i < 100; i++) names.add(claimName("p", { ...head, seq }, i));
    expect(names.size).toBe(100_000);
  });
  it("stays within a label value, and ends its pool part well", () => {
    const name = claimName(`${"a".repeat(51)}-.${"b".repeat(80)}`, head, 0);
    expect(name.length).toBeLessThanOrEqual(63);
    expect(name).toMatch(/^a{51}-[a-z2-7]{10}$/);
  });
});

describe("durations of do-not-disrupt", () => {
  it.each<[string | undefined, number | null | undefined]>([
    [undefined, undefined],
    ["true", null],
    ["false", undefined],
    ["0s", undefined],
    ["1m", 61_000],
  ])("hold until: %s", (value, expected) => {
    expect(doNotDisruptUntil(value, 1_000)).toBe(expected);
  });
});
