import { describe, expect, it } from "vitest";
import { expandInstanceFamilies } from "../../../shared/core/catalog/index.ts";
import type { InstanceType, RequirementSpec } from "../../../shared/core/model/index.ts";

const family = "karpenter.k8s.aws/instance-family";
const type = (category: string, name: string): InstanceType => ({
  name: `${name}.large`,
  labels: { "karpenter.k8s.aws/instance-category": [category], [family]: [name] },
  capacity: {},
  allocatable: {},
  offerings: [],
});
const types = [type("m", "m5"), type("m", "m6g"), type("c", "c5"), type("m", "m5"), type("inf", "inf1")];
const requirement = (operator: "In" | "NotIn", ...values: string[]): RequirementSpec => ({
  key: family,
  operator,
  values,
});

describe("a category where a family belongs", () => {
  it.each([
    [requirement("In", "m", "c"), ["c5", "m5", "m6g"], '"m", "c" are categories'],
    [requirement("In", "m", "c5"), ["c5", "m5", "m6g"], '"m" is a category'],
    [requirement("NotIn", "inf"), ["inf1"], '"inf" is a category'],
    [requirement("In", "m5"), ["m5"], undefined],
    [requirement("In", "z"), ["z"], undefined],
  ])("%j", (given, values, warned) => {
    const pool = { name: "default", requirements: [{ key: "a", operator: "Exists" as const, values: [] }, given] };
    const { requirements, warnings } = expandInstanceFamilies(pool, types);
    expect(requirements).toEqual([pool.requirements[0], { ...given, values }]);
    expect(warnings.length).toBe(warned === undefined ? 0 : 1);
    if (warned === undefined) return;
    expect(warnings[0]).toMatchObject({
      object: "NodePool/default",
      field: "spec.template.spec.requirements[1].values",
    });
    expect(warnings[0]!.message).toContain(warned);
    expect(warnings[0]!.message).toContain("karpenter.k8s.aws/instance-category");
  });

  it("keeps minValues", () => {
    const given = { ...requirement("In", "m"), minValues: 2 };
    expect(expandInstanceFamilies({ name: "p", requirements: [given] }, types).requirements).toEqual([
      { key: family, operator: "In", values: ["m5", "m6g"], minValues: 2 },
    ]);
  });
});
