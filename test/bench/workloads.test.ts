import { describe, expect, it } from "vitest";
import { parseDocuments } from "../../cli/input/documents.ts";
import { sortByKind } from "../../cli/input/objects.ts";
import { defaultSettings } from "../../cli/input/settings.ts";
import { admittedPods, readSnapshot } from "../../cli/input/snapshot.ts";
import { planDocument } from "../../cli/output/plan-document.ts";
import { readDefaultCatalog } from "../../shared/adapters/catalog/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { batchesReport } from "./batches.ts";
import { readBench } from "./flags.ts";
import { judged } from "./judged.ts";
import { thinned, workload, workloadNames } from "./workloads/index.ts";

const plain = { spot: false, daemonSet: false };
const nowMs = Date.parse("2026-12-01T00:00:00Z");

function snapshotOf(name: string, options = plain) {
  const catalog = thinned(readDefaultCatalog(), 120);
  const items = workload(name, options, readDefaultCatalog())!;
  const objects = sortByKind(parseDocuments(JSON.stringify({ apiVersion: "v1", kind: "List", items }), name));
  return readSnapshot(objects, admittedPods(objects), { catalog, settings: defaultSettings, nowMs }).snapshot;
}

describe("workloads", () => {
  it.each(["diverse-100", "preferences-10", "unconstrained-1000", "gpu-200", "cluster-5"])(
    "%s is the same every time",
    (name) => {
      expect(workload(name, plain)).toEqual(workload(name, plain));
    },
  );

  it.each([
    ["diverse-203", 203],
    ["preferences-10", 10],
    ["unconstrained-1000", 1000],
  ])("%s has %d pods", (name, count) => {
    expect(snapshotOf(name).pods).toHaveLength(count);
  });

  it("a fifth of diverse each has no rules, spread over zones and hosts, near and apart", () => {
    const { pods } = snapshotOf("diverse-100");
    const spread = (key: string) => pods.filter(({ topologySpread: [one] }) => one?.topologyKey.endsWith(key)).length;
    const near = pods.filter(({ requiredPodAffinity }) => requiredPodAffinity.length > 0).length;
    const apart = pods.filter(({ requiredPodAntiAffinity }) => requiredPodAntiAffinity.length > 0).length;
    expect([spread("/zone"), spread("/hostname"), near, apart]).toEqual([20, 20, 20, 20]);
  });

  it("twenty pods wait in a cluster of so many nodes, none of them overfull", () => {
    const world = snapshotOf("cluster-5");
    expect(world.nodes).toHaveLength(5);
    expect(world.pods.filter(({ nodeName }) => nodeName === undefined)).toHaveLength(20);
    expect(world.pods.length).toBeGreaterThan(40);
  });

  it("no other name is one", () => {
    expect(workload("singing", plain)).toBeUndefined();
    expect(workload("openb-5", plain)).toBeUndefined();
    expect(workloadNames).toContain("diverse-1000");
  });

  it("spot and a DaemonSet are added on demand", () => {
    const world = snapshotOf("diverse-10", { spot: true, daemonSet: true });
    expect(world.daemonSets[0]?.template.requests).toMatchObject({ cpu: 250, memory: 512 * 2 ** 20 });
    expect(JSON.stringify(world.nodePools[0]?.requirements)).toContain('"spot"');
  });

  it("a thinned catalog has so many types", () => {
    const catalog = readDefaultCatalog();
    expect(thinned(catalog, 120).instanceTypes).toHaveLength(120);
    expect(thinned(catalog, 99_999).instanceTypes.length).toBeLessThanOrEqual(catalog.instanceTypes.length);
  });
});

describe("a judged plan", () => {
  const world = snapshotOf("diverse-50");
  const document = planDocument(world, planProvisioning(world), undefined);
  const found = judged(world, document);

  it("has the judge's cost, which is the planner's", () => {
    expect(found).toMatchObject({ placed: 50, unplaced: 0, faults: [], nodes: document.nodeClaims.length });
    expect(found.costPerHour).toBeCloseTo(document.cost.plannedPerHour, 6);
  });

  it("is found out if all pods are heaped on one node", () => {
    const pods = document.nodeClaims.flatMap((claim) => claim.pods);
    const heaped = { ...document, nodeClaims: [{ ...document.nodeClaims[0]!, pods }] };
    const { faultCount, faults } = judged(world, heaped);
    expect(faultCount).toBeGreaterThan(10);
    expect(faults).toHaveLength(10);
  });

  it("has no more than a needless few types where a claim names one of many", () => {
    const few = document.nodeClaims.map((claim) => ({ ...claim, instanceTypes: claim.instanceTypes.slice(0, 1) }));
    expect(judged(world, { ...document, nodeClaims: few }).typesPerClaim).toMatchObject({ min: 1, median: 1 });
    expect(judged(world, { ...document, nodeClaims: few }).typesPerClaim.needlesslyFew).toBe(few.length);
  });
});

describe("batches", () => {
  it("leave earlier nodes alone, fill them up, and cost no less than the bound", async () => {
    const flags = ["--workload", "unconstrained-400", "--batch", "100", "--types", "120"];
    const report = await batchesReport(readBench(flags));
    expect(report).toMatchObject({ pods: 400, batches: 4, unschedulable: 0, faults: [] });
    expect(report.overBound).toBeGreaterThanOrEqual(1);
    expect(report.overBound).toBeLessThan(1.5);
  });
});
