import { describe, expect, it } from "vitest";
import { readSettings } from "../../cli/input/settings.ts";
import { toWorkloadSelector } from "../../shared/api/index.ts";
import type { DefaultSpread, Pod, WorkloadSelector } from "../../shared/core/model/index.ts";
import { planProvisioning, withDefaultSpread } from "../../shared/core/provisioning/index.ts";
import { pod, pods, snapshot, zone } from "../core/scheduling/fixtures.ts";

const byZone: DefaultSpread = { topologyKey: zone, maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" };
const selecting = (kind: string, selector: unknown, namespace = "default"): WorkloadSelector =>
  toWorkloadSelector({ kind, metadata: { name: "x", namespace }, spec: { selector } });
const service = selecting("Service", { app: "web" });
const set = selecting("ReplicaSet", { matchLabels: { app: "web", hash: "1" } });
const web = (over: Partial<Pod> = {}) => pod("a", { labels: { app: "web", hash: "1" }, ...over });

/** What the pod's first spread counts; undefined: it has none. */
function counted(one: Pod, selectors: readonly WorkloadSelector[]): Readonly<Record<string, string>> | undefined {
  return withDefaultSpread([one], [byZone], selectors)[0]!.topologySpread[0]?.labelSelector?.matchLabels;
}

describe("20. the cluster's default topology spread (core#3183, core#3205)", () => {
  it.each<[string, Pod, readonly WorkloadSelector[], Record<string, string> | undefined]>([
    ["counts what the pod's Service selects", web(), [service], { app: "web" }],
    ["counts what Service and ReplicaSet both select", web(), [service, set], { app: "web", hash: "1" }],
    ["by a StatefulSet", web(), [selecting("StatefulSet", { matchLabels: { app: "web" } })], { app: "web" }],
    ["by a ReplicationController", web(), [selecting("ReplicationController", { app: "web" })], { app: "web" }],
    ["not by one that selects other pods", web(), [selecting("Service", { app: "db" })], undefined],
    ["not by one of another namespace", web(), [selecting("Service", { app: "web" }, "other")], undefined],
    ["not by a Service without a selector", web(), [selecting("Service", undefined)], undefined],
    ["is nothing to a pod that nothing selects", web({ labels: {} }), [service], undefined],
  ])("%s", (_, one, selectors, expected) => {
    expect(counted(one, selectors)).toEqual(expected);
  });

  it("leaves a pod's own spread alone, and all pods where there is no default", () => {
    const own = [
      { ...byZone, maxSkew: 5, matchLabelKeys: [], nodeAffinityPolicy: "Honor", nodeTaintsPolicy: "Ignore" },
    ] as const;
    expect(withDefaultSpread([web({ topologySpread: own })], [byZone], [service])[0]!.topologySpread).toBe(own);
    const all = [web()];
    expect(withDefaultSpread(all, [], [service])).toBe(all);
  });

  it("puts six pods of a Service evenly into three zones", () => {
    const spread = withDefaultSpread(pods(6, { labels: { app: "web" } }), [byZone], [service]);
    const { claims } = planProvisioning(snapshot({ pods: spread }));
    const perZone = new Map<string, number>();
    for (const { requirements, pods: on } of claims) {
      const [only, ...more] = requirements.find(({ key }) => key === zone)!.values;
      expect(more).toEqual([]);
      perZone.set(only!, (perZone.get(only!) ?? 0) + on.length);
    }
    expect([...perZone.values()]).toEqual([2, 2, 2]);
  });
});

describe("--setting scheduler-config", () => {
  const read = (value: unknown) =>
    readSettings([`scheduler-config=${typeof value === "string" ? value : JSON.stringify(value)}`]);
  const config = (...defaultConstraints: unknown[]) => ({ podTopologySpread: { defaultConstraints } });

  it("is read as kube-scheduler's defaultConstraints", () => {
    expect(read(config(byZone)).defaultSpread).toEqual([byZone]);
    expect(readSettings([]).defaultSpread).toBeUndefined();
  });

  it.each<[string, unknown, string]>([
    ["no JSON", "zone", "is not JSON"],
    ["another form", { a: 1 }, "is not of the form"],
    ["a selector", config({ ...byZone, labelSelector: {} }), "defaultConstraints[0].labelSelector"],
    ["no key", config({ ...byZone, topologyKey: "" }), "topologyKey"],
    ["no skew", config({ ...byZone, maxSkew: 0 }), "maxSkew"],
    ["an unknown wish", config({ ...byZone, whenUnsatisfiable: "Never" }), "whenUnsatisfiable"],
  ])("refuses %s by its field", (_, value, message) => {
    expect(() => read(value)).toThrow(message);
  });
});
