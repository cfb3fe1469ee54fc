import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type {
  Catalog,
  NodePool,
  Pod,
  PodSpec,
  RequirementSpec,
  Snapshot,
  Taint,
  Toleration,
} from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { parseQuantity } from "../../shared/core/resources/index.ts";
import { nodeClass, podSpec, pool, snapshot } from "../core/scheduling/fixtures.ts";
import { keyOf, sum, typesFor, within } from "./feasibility.ts";

const oracle = fileURLToPath(new URL("../../../shared/oracle/", import.meta.url));
const isThere = existsSync(oracle);

/** The manifests' fields that these workloads use. */
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Record<string, string> };
  readonly spec: {
    readonly replicas?: number;
    readonly template?: { readonly spec: ManifestPod & ManifestPool };
  } & ManifestPod;
}
interface ManifestPod {
  readonly containers?: readonly { readonly resources: { readonly requests: Record<string, string> } }[];
  readonly tolerations?: readonly Toleration[];
}
interface ManifestPool {
  readonly requirements?: readonly RequirementSpec[];
  readonly taints?: readonly Taint[];
}

function specOf({ containers, tolerations }: ManifestPod): PodSpec {
  const requests: Record<string, number> = { pods: 1 };
  for (const { resources } of containers!) {
    for (const [name, text] of Object.entries(resources.requests)) {
      requests[name] = (requests[name] ?? 0) + parseQuantity(text, name, "up");
    }
  }
  return podSpec({
    requests,
    tolerations: (tolerations ?? []).map((t) => ({ ...t, operator: t.operator ?? "Equal" })),
  });
}

function read(workload: string, catalogName: string): Snapshot {
  const json = (path: string): unknown => JSON.parse(readFileSync(`${oracle}${path}`, "utf8"));
  const { items } = json(`workloads/${workload}.json`) as { items: Manifest[] };
  const catalog = json(catalogName) as Catalog;
  const pods: Pod[] = [];
  const nodePools: NodePool[] = [];
  for (const { kind, metadata, spec } of items) {
    if (kind === "NodePool") {
      const { requirements = [], taints = [] } = spec.template!.spec;
      nodePools.push(
        pool(metadata.name, { requirements, taints: taints.map((t) => ({ ...t, value: t.value ?? "" })) }),
      );
      continue;
    }
    const own = specOf(kind === "Pod" ? spec : spec.template!.spec);
    for (let i = 0; i < (kind === "Pod" ? 1 : spec.replicas!); i++) {
      const name = kind === "Pod" ? metadata.name : `${metadata.name}-${i}`;
      pods.push({
        ...own,
        uid: name,
        namespace: "default",
        name,
        resourceVersion: "1",
        createdAtMs: 0,
        phase: "Pending",
        unschedulable: true,
        ready: false,
        mirror: false,
      });
    }
  }
  const subnets = catalog.zones.map(({ name, id }) => ({ id: `subnet-${name}`, zone: name, zoneId: id }));
  const ours = nodeClass({
    kubelet: {},
    resolved: { amis: [], subnets, securityGroupIds: [], capacityReservations: [] },
  });
  const settings = { ...snapshot().settings, vmMemoryOverheadPpm: 75_000 };
  return snapshot({ catalog, pods, nodePools, nodeClasses: [ours], settings });
}

describe.skipIf(!isThere)("measured workloads (skipped where the reference workloads are absent)", () => {
  // Lower bounds in USD an hour: the linear programme over whole nodes, as measured for these files.
  it.each([
    ["generic-20000", "catalog.json", 664.36, 1.02, 15],
    ["generic-20000", "catalog-small.json", 664.36, 1.02, 15],
    ["azure-mix", "catalog.json", 313.27, 1.01, 15],
    ["azure-mix", "catalog-small.json", 313.27, 1.01, 15],
    ["openb", "catalog.json", 5_773.26, 1.03, 6],
    ["openb", "catalog-small.json", 6_014.55, 1.03, 2],
  ])(
    "%s on %s: near the bound of %d, at most %d ×, with %d types a claim or more",
    (workload, catalogName, bound, most, fewest) => {
      const world = read(workload, catalogName);
      const plan = planProvisioning(world);
      expect(plan.unschedulable).toEqual([]);
      const requests = new Map(world.pods.map((pod) => [keyOf(pod), pod.requests]));
      const types = new Map(typesFor(world, "default").map((type) => [type.name, type]));
      const seen = new Set<string>();
      let cost = 0;
      for (const claim of plan.claims) {
        for (const key of claim.pods) seen.add(key);
        const total = sum(claim.pods.map((key) => requests.get(key)!));
        for (const name of claim.instanceTypes) expect(within(total, types.get(name)!.allocatable)).toBe(true);
        cost += world.catalog.onDemand[claim.cheapest.instanceType]!;
      }
      expect(seen.size).toBe(world.pods.length);
      expect(cost / bound).toBeLessThanOrEqual(most);
      expect(cost / bound).toBeGreaterThanOrEqual(1);
      expect(Math.min(...plan.claims.map(({ instanceTypes }) => instanceTypes.length))).toBeGreaterThanOrEqual(fewest);
    },
  );
});
