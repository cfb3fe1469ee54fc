import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { planOf } from "../../cli/commands/plan.ts";
import { parseDocuments } from "../../cli/input/documents.ts";
import { sortByKind } from "../../cli/input/objects.ts";
import { defaultSettings } from "../../cli/input/settings.ts";
import { admittedPods, readSnapshot } from "../../cli/input/snapshot.ts";
import { readDefaultCatalog } from "../../shared/adapters/catalog/index.ts";
import { buildInstanceTypes } from "../../shared/core/catalog/index.ts";
import { fits, sumResources } from "../../shared/core/resources/index.ts";
import { boundPerHour } from "./bound.ts";
import { tracePods } from "./trace-pods.ts";

const trace = new URL("../../../shared/data/traces/openb_pod_list_default.csv", import.meta.url);
const context = { catalog: readDefaultCatalog(), settings: defaultSettings, nowMs: Date.parse("2026-12-01T00:00:00Z") };

function snapshotOf(csv: string) {
  const objects = sortByKind(parseDocuments(JSON.stringify(tracePods(csv)), "trace"));
  return readSnapshot(objects, admittedPods(objects), context).snapshot;
}

describe("the trace's rows as pods", () => {
  const header =
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time";

  it("ask for whole GPUs only, and tolerate the GPU pool's taint then", () => {
    const { items } = tracePods(
      `${header}\np-0,12000,16384,2,1000,,LS,Running,0,1,0\np-1,6000,12288,1,460,,BE,Running,0,1,0\n`,
    );
    expect(items.slice(2)).toEqual([
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "p-0", namespace: "default", labels: { qos: "ls" } },
        spec: {
          containers: [
            {
              name: "app",
              image: "app",
              resources: {
                requests: { cpu: "12000m", memory: "16384Mi", "nvidia.com/gpu": "2" },
                limits: { "nvidia.com/gpu": "2" },
              },
            },
          ],
          tolerations: [{ key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" }],
        },
      },
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "p-1", namespace: "default", labels: { qos: "be" } },
        spec: {
          containers: [{ name: "app", image: "app", resources: { requests: { cpu: "6000m", memory: "12288Mi" } } }],
        },
      },
    ]);
  });

  it("need the columns that are read", () => {
    expect(() => tracePods("name,cpu_milli\na,1\n")).toThrow("the trace has no column memory_mib");
  });
});

describe.skipIf(!existsSync(trace))("8,152 pods of a GPU cluster (skipped where ../shared/data is absent)", () => {
  const snapshot = existsSync(trace)
    ? snapshotOf(readFileSync(trace, "utf8"))
    : snapshotOf("name,cpu_milli,memory_mib,num_gpu,gpu_milli,qos\n");
  const plan = planOf(snapshot, "provisioning");

  it("all get a place, each one", () => {
    const placed = plan.nodeClaims.flatMap((claim) => claim.pods);
    expect(plan.unschedulable).toEqual([]);
    expect(placed.length).toBe(8152);
    expect(new Set(placed).size).toBe(8152);
  });

  it("on nodes that hold them, whichever of the claim's types EC2 gives", () => {
    const requests = new Map(snapshot.pods.map((pod) => [`${pod.namespace}/${pod.name}`, pod.requests]));
    const types = new Map(
      snapshot.nodeClasses.flatMap((nodeClass) =>
        buildInstanceTypes(snapshot.catalog, nodeClass, snapshot.settings).map((type) => [type.name, type] as const),
      ),
    );
    const overfull = plan.nodeClaims.flatMap((claim) => {
      const total = sumResources(claim.pods.map((pod) => requests.get(pod)!));
      return claim.instanceTypes
        .filter((name) => !fits(total, types.get(name)!.allocatable))
        .map((name) => `${claim.name} on ${name}`);
    });
    expect(overfull).toEqual([]);
    expect(plan.nodeClaims.every((claim) => claim.instanceTypes.length <= 60)).toBe(true);
  });

  it("at most a tenth above the lower bound on cost", async () => {
    const bound = await boundPerHour(snapshot);
    expect(bound).toBeGreaterThan(1000);
    expect(plan.cost.plannedPerHour).toBeGreaterThanOrEqual(bound!);
    expect(plan.cost.plannedPerHour).toBeLessThanOrEqual(1.1 * bound!);
  });
});
