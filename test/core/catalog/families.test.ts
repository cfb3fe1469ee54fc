import { describe, expect, it } from "vitest";
import { expandInstanceFamilies } from "../../../shared/core/catalog/index.ts";
import type { InstanceType, RequirementSpec } from "../../../shared/core/model/index.ts";

const family = "karpenter.k8s.aws/instance-family";
const category = "karpenter.k8s.aws/instance-category";
const type = (ofCategory: string, name: string): InstanceType => ({
  name: `${name}.large`,
  labels: { [category]: [ofCategory], [family]: [name] },
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
    [requirement("In", "m", "c"), category, ["m", "c"], '"m", "c" are categories'],
    [requirement("NotIn", "inf"), category, ["inf"], '"inf" is a category'],
    [requirement("In", "m", "c5"), family, ["c5", "m5", "m6g"], '"m" is a category'],
    [requirement("NotIn", "inf", "m5"), family, ["inf1", "m5"], '"inf" is a category'],
    [requirement("In", "m", "z"), family, ["m5", "m6g", "z"], '"m" is a category'],
    [requirement("In", "m5"), family, ["m5"], undefined],
    [requirement("In", "z"), family, ["z"], undefined],
  ])("%j", (given, key, values, warned) => {
    const pool = { name: "default", requirements: [{ key: "a", operator: "Exists" as const, values: [] }, given] };
    const { requirements, warnings } = expandInstanceFamilies(pool, types);
    expect(requirements).toEqual([pool.requirements[0], { ...given, key, values }]);
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
