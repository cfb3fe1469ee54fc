import { describe, expect, it } from "vitest";
import type { NodePool, Pod, ProvisioningPlan, RequirementSpec, Snapshot } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import {
  arch,
  asks,
  capacityType,
  catalog,
  family,
  instanceType,
  pods,
  pool,
  req,
  snapshot,
  zone,
} from "../scheduling/fixtures.ts";

const relaxed = "karpenter.sh/nodeclaim-min-values-relaxed";
const floor = (key: string, minValues: number): RequirementSpec => ({ ...req(key, "Exists"), minValues });
const plain = [req(arch, "In", "amd64"), req(capacityType, "In", "on-demand")];

function plan(
  policy: "Strict" | "BestEffort",
  over: Partial<NodePool>,
  pending: readonly Pod[],
  more: Partial<Snapshot> = {},
) {
  const base = snapshot();
  return planProvisioning(
    snapshot({
      settings: { ...base.settings, minValuesPolicy: policy },
      nodePools: [pool("default", over)],
      pods: pending,
      ...more,
    }),
  );
}

/** How many types each claim has, the floor that its document states for a label, and what the annotation says. */
function shapes({ claims }: ProvisioningPlan, key = instanceType): [number, number | undefined, string | undefined][] {
  return claims.map(({ instanceTypes, requirements, annotations }) => [
    instanceTypes.length,
    requirements.find((one) => one.key === key)?.minValues,
    annotations[relaxed],
  ]);
}

const one = pods(1, { requests: asks(1, 0.5) });

describe("minValues by policy", () => {
  it.each<[string, "Strict" | "BestEffort", number, [number, number | undefined, string | undefined][]]>([
    ["a floor that is met stays as it is, strict", "Strict", 8, [[8, 8, "false"]]],
    ["a floor that is met stays as it is, at best effort", "BestEffort", 8, [[8, 8, "false"]]],
    ["a floor that cannot be met refuses, strict", "Strict", 9, []],
    ["a floor that cannot be met is lowered to what there is", "BestEffort", 9, [[8, 8, "true"]]],
  ])("%s", (_, policy, minValues, expected) => {
    expect(shapes(plan(policy, { requirements: [...plain, floor(instanceType, minValues)] }, one))).toEqual(expected);
  });

  it("a pool without floors says nothing of them", () => {
    expect(shapes(plan("BestEffort", {}, one))).toEqual([[8, undefined, undefined]]);
  });

  it("best effort lowers nothing for pods that smaller nodes can serve within the floor", () => {
    const requirements = [...plain, floor(instanceType, 5)];
    const many = pods(15, { requests: asks(1, 0.5) });
    const [strict, lax] = [plan("Strict", { requirements }, many), plan("BestEffort", { requirements }, many)];
    expect(lax).toEqual(strict);
    expect(lax.claims.every(({ annotations }) => annotations[relaxed] === "false")).toBe(true);
  });

  it("best effort packs pods that no floor allows as if there were none", () => {
    const requirements = [...plain, floor(instanceType, 5)];
    const large = pods(4, { requests: asks(15, 4) });
    const lax = plan("BestEffort", { requirements }, large);
    expect(lax.unschedulable).toEqual([]);
    expect(lax.claims).toHaveLength(4);
    expect(shapes(lax)[0]).toEqual([2, 2, "true"]);
    expect(plan("Strict", { requirements }, large).unschedulable).toHaveLength(4);
  });

  it("pods of both sorts get nodes of both sorts", () => {
    const requirements = [...plain, floor(instanceType, 5)];
    const lax = plan("BestEffort", { requirements }, [...one, ...pods(1, { requests: asks(30, 4) }, "large")]);
    expect(lax.unschedulable).toEqual([]);
    expect(
      shapes(lax)
        .map(([, , told]) => told)
        .sort(),
    ).toEqual(["false", "true"]);
  });

  it("limits may lower a floor at best effort, and refuse when it is strict", () => {
    const over = { requirements: [...plain, floor(instanceType, 3)], limits: { cpu: 2_000 } };
    expect(shapes(plan("BestEffort", over, one))).toEqual([[1, 1, "true"]]);
    expect(plan("Strict", over, one).unschedulable).toHaveLength(1);
  });
});

describe("minValues of several labels", () => {
  const requirements = [...plain, floor(instanceType, 4), floor(family, 3), floor(zone, 2)];
  it("all hold at once", () => {
    const strict = plan("Strict", { requirements }, one);
    expect(shapes(strict)).toEqual([[8, 4, "false"]]);
    expect(shapes(strict, family)).toEqual([[8, 3, "false"]]);
    expect(shapes(strict, zone)).toEqual([[8, 2, "false"]]);
  });

  it("the one that is missed is named, and it alone is lowered at best effort", () => {
    const zonal = pods(1, { requests: asks(1, 0.5), nodeSelector: { [zone]: "z-a" } });
    expect(plan("Strict", { requirements }, zonal).unschedulable[0]!.reason).toContain(`values of ${zone}`);
    const lax = plan("BestEffort", { requirements }, zonal);
    expect([shapes(lax, zone)[0]![1], shapes(lax, family)[0]![1], shapes(lax)[0]![1]]).toEqual([1, 3, 4]);
    expect(shapes(lax)[0]![2]).toBe("true");
  });
});

describe("minValues beside a reservation", () => {
  it("leave it usable: it is of one type, and paid for", () => {
    const requirements = [
      req(arch, "In", "amd64"),
      req(capacityType, "In", "on-demand", "reserved"),
      floor(instanceType, 3),
    ];
    const reserved = [{ id: "cr-1", instanceType: "a1.large", zone: "z-a", count: 1 }];
    const strict = plan("Strict", { requirements }, pods(1, { requests: asks(6, 4) }), {
      catalog: { ...catalog, reserved },
    });
    expect(strict.claims.map(({ cheapest }) => cheapest.capacityType)).toEqual(["reserved"]);
    expect(shapes(strict)).toEqual([[1, undefined, "false"]]);
  });
});
