import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KeptPod } from "../../../relay/objects.ts";
import { PodTable } from "../../../relay/pods/table.ts";
import { keptPod } from "../objects.ts";

const uids = [
  "0d5f3c1e-8a4b-4c6d-9e2f-7b1a0c3d5e4f",
  "0d5f3c1e-8a4b-4c6d-9e2f-7b1a0c3d5e40",
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-4fff-bfff-ffffffffffff",
  "0D5F3C1E-8A4B-4C6D-9E2F-7B1A0C3D5E4F",
  "0d5f3c1e8a4b4c6d9e2f7b1a0c3d5e4f",
  "uid-of-a-mirror",
  "",
];

/** As a relay sees them after a start, one column at a time away from the usual. */
const odd: readonly Partial<KeptPod>[] = [
  {},
  { name: "web-7d9f-x2x4z", owner: { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-7d9f" } },
  { name: "web-", owner: { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web" } },
  { name: "web-a-name-of-its-own-that-is-longer", owner: { apiVersion: "v1", kind: "X", name: "web" } },
  { name: "other", owner: { apiVersion: "v1", kind: "X", name: "web" } },
  { name: "alone", owner: undefined },
  { nodeName: "node-1", isDaemon: true, phase: "Running", ready: true, readyAtMs: 3_000 },
  { isStatic: true, unschedulable: true, gated: true, nominated: true, phase: "Unknown" },
  { doNotDisrupt: "true", deletionAtMs: 9_000, phase: "Succeeded" },
  { doNotDisrupt: "", createdAtMs: 0, scheduledAtMs: 1_700_000_000_123, startedAtMs: 1_700_000_000_001 },
  { resources: { requests: { cpu: 1 }, limits: { cpu: 2 } }, namespace: "kube-system", phase: "Failed" },
];

describe("a table of pods", () => {
  it.each(odd)("gives back what was put: %j", (given) => {
    const table = new PodTable();
    for (const [index, uid] of uids.entries()) table.set(uid, keptPod({ uid, createdAtMs: index, ...given }));
    expect(uids.map((uid) => table.get(uid))).toEqual(
      uids.map((uid, index) => keptPod({ uid, createdAtMs: index, ...given })),
    );
    expect(table.size).toBe(uids.length);
  });

  it("shares what pods share, so that it may be compared by identity", () => {
    const { resources, owner } = keptPod();
    const table = new PodTable();
    table.set("a", keptPod({ uid: "a", resources, owner }));
    table.set("a", keptPod({ uid: "a", resources, owner, ready: true }));
    expect(table.get("a")?.resources).toBe(resources);
    expect(table.get("a")?.owner).toBe(owner);
  });

  it("is a Map, whatever comes and goes in whatever order", () => {
    const steps = fc.array(
      fc.record({
        seed: fc.nat(60),
        pod: fc.constantFrom(...odd),
        act: fc.constantFrom("set", "set", "delete"),
      }),
      { maxLength: 400 },
    );
    fc.assert(
      fc.property(steps, (given) => {
        const table = new PodTable();
        const map = new Map<string, KeptPod>();
        for (const { seed, pod, act } of given) {
          const uid = seed < uids.length ? uids[seed]! : uuidOf(seed);
          if (act === "delete") {
            table.delete(uid);
            map.delete(uid);
          } else {
            table.set(uid, keptPod({ uid, ...pod }));
            map.set(uid, keptPod({ uid, ...pod }));
          }
        }
        expect(table.size).toBe(map.size);
        const byUid = (a: KeptPod, b: KeptPod) => (a.uid < b.uid ? -1 : 1);
        expect([...table.values()].sort(byUid)).toEqual([...map.values()].sort(byUid));
        for (let seed = 0; seed < 60; seed++) expect(table.get(uuidOf(seed))).toEqual(map.get(uuidOf(seed)));
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it("grows, and takes the place of what has gone", () => {
    const table = new PodTable();
    const many = Array.from({ length: 5_000 }, (_, seed) => uuidOf(seed));
    for (const uid of many) table.set(uid, keptPod({ uid, name: `pod-${uid}` }));
    for (const uid of many.slice(0, 4_000)) table.delete(uid);
    for (const uid of many.slice(0, 3_000)) table.set(uid, keptPod({ uid, name: `again-${uid}` }));
    expect(table.size).toBe(4_000);
    expect(table.get(many[0]!)?.name).toBe(`again-${many[0]}`);
    expect(table.get(many[3_500]!)).toBeUndefined();
    expect(table.get(many[4_500]!)?.name).toBe(`pod-${many[4_500]}`);
  });

  it("can be gone through while pods come and go, each that stays once", () => {
    const table = new PodTable();
    for (let seed = 0; seed < 100; seed++) table.set(uuidOf(seed), keptPod({ uid: uuidOf(seed) }));
    const met: string[] = [];
    for (const { uid } of table.values()) {
      met.push(uid);
      if (met.length % 2 === 0) continue;
      table.delete(uuidOf(99 - met.length));
      table.set(uuidOf(1_000 + met.length), keptPod({ uid: uuidOf(1_000 + met.length) }));
    }
    expect(new Set(met).size).toBe(met.length);
    const stayed = [...table.values()].map(({ uid }) => uid).filter((uid) => uid < uuidOf(1_000));
    expect(met).toEqual(expect.arrayContaining(stayed));
  });

  it("knows what a list has not brought", () => {
    const table = new PodTable();
    for (const uid of uids) table.set(uid, keptPod({ uid }));
    table.startList();
    expect(table.see(uids[0]!)).toBe(true);
    expect(table.see(uids[0]!)).toBe(false);
    expect(table.see("nobody")).toBe(false);
    table.set(uids[0]!, keptPod({ uid: uids[0]!, ready: true }));
    expect(table.see(uids[6]!)).toBe(true);
    expect([...table.unseen()].sort()).toEqual(uids.filter((_, at) => at !== 0 && at !== 6).sort());
    table.startList();
    expect([...table.unseen()]).toHaveLength(uids.length);
  });
});

function uuidOf(seed: number): string {
  return `${seed.toString(16).padStart(8, "0")}-0000-4000-8000-${(seed % 7).toString(16).padStart(12, "0")}`;
}
