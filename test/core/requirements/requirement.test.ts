import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RequirementSpec } from "../../../shared/core/model/index.ts";
import { Requirement, RequirementError, Requirements } from "../../../shared/core/requirements/index.ts";

const one = (operator: RequirementSpec["operator"], ...values: string[]): RequirementSpec => ({
  key: "k",
  operator,
  values,
});

/** Kubernetes' own meaning of one node selector requirement, with Karpenter's Gte and Lte; undefined: no such label. */
function kubernetesMatches(spec: RequirementSpec, value: string | undefined): boolean {
  const n = value !== undefined && /^\d+$/.test(value) ? Number.parseInt(value, 10) : Number.NaN;
  const limit = Number(spec.values[0]);
  switch (spec.operator) {
    case "In":
      return value !== undefined && spec.values.includes(value);
    case "NotIn":
      return value === undefined || !spec.values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return n > limit;
    case "Lt":
      return n < limit;
    case "Gte":
      return n >= limit;
    case "Lte":
      return n <= limit;
  }
}

const universe = [undefined, "", "a", "b", "c", "0", "1", "2", "3", "4", "5", "04", "-1", "99"];
const words = fc.constantFrom("a", "b", "c", "1", "2", "3", "04");
const specs: fc.Arbitrary<RequirementSpec> = fc.oneof(
  fc.record({
    key: fc.constant("k"),
    operator: fc.constantFrom("In" as const, "NotIn" as const),
    values: fc.uniqueArray(words, { maxLength: 4 }),
  }),
  fc.record({
    key: fc.constant("k"),
    operator: fc.constantFrom("Exists" as const, "DoesNotExist" as const),
    values: fc.constant([]),
  }),
  fc.record({
    key: fc.constant("k"),
    operator: fc.constantFrom("Gt" as const, "Lt" as const, "Gte" as const, "Lte" as const),
    values: fc.integer({ min: 0, max: 6 }).map((n) => [String(n)]),
  }),
);
const conjunctions = fc.array(specs, { minLength: 1, maxLength: 5 });
const meet = (list: readonly RequirementSpec[]): Requirement =>
  list.map((spec) => Requirement.of(spec)).reduce((a, b) => a.intersection(b));

describe("the algebra's laws", () => {
  it("a conjunction matches what every part matches, by enumeration", () => {
    fc.assert(
      fc.property(conjunctions, (list) => {
        for (const value of universe) {
          expect(meet(list).matches(value)).toBe(list.every((spec) => kubernetesMatches(spec, value)));
        }
      }),
    );
  });

  it("intersection commutes, associates and repeats without effect", () => {
    fc.assert(
      fc.property(conjunctions, conjunctions, conjunctions, (p, q, r) => {
        const [a, b, c] = [meet(p), meet(q), meet(r)];
        expect(a.intersection(b).equals(b.intersection(a))).toBe(true);
        expect(
          a
            .intersection(b)
            .intersection(c)
            .equals(a.intersection(b.intersection(c))),
        ).toBe(true);
        expect(a.intersection(a).equals(a)).toBe(true);
      }),
    );
  });

  it("intersects says whether the intersection is possible", () => {
    fc.assert(
      fc.property(conjunctions, conjunctions, (p, q) => {
        const [a, b] = [meet(p), meet(q)];
        expect(a.intersects(b)).toBe(!a.intersection(b).impossible);
        expect(a.intersects(b)).toBe(b.intersects(a));
      }),
    );
  });

  it("written down and read back, it is the same", () => {
    fc.assert(
      fc.property(conjunctions, (list) => {
        const requirement = meet(list);
        expect(meet(requirement.toSpecs()).equals(requirement)).toBe(true);
      }),
    );
  });
});

describe("Requirement", () => {
  it.each([
    [[one("Gt", "3"), one("Lt", "9")], ["4", "8"], ["3", "9", "x", ""], '["Gte 4","Lte 8"]'],
    [[one("Gt", "5")], ["6"], ["5"], '["Gte 6"]'],
    [[one("Gte", "5")], ["5"], ["4"], '["Gte 5"]'],
    [[one("Lt", "1")], ["0"], ["1"], '["Lte 0"]'],
    [[one("Lt", "0")], [], ["0", "1", undefined], '["In"]'],
    [[one("Gte", "0")], ["0", "7"], ["a", undefined], '["Gte 0"]'],
    [[one("Gte", "0"), one("Lte", "5")], ["0", "5"], ["6", "a", undefined], '["Lte 5"]'],
    [[one("Exists"), one("NotIn", "a")], ["b"], ["a", undefined], '["NotIn a","Exists"]'],
    [[one("NotIn", "b", "a")], ["c", undefined], ["a", "b"], '["NotIn a,b"]'],
    [[one("DoesNotExist"), one("NotIn", "a")], [undefined], ["a", "b"], '["DoesNotExist"]'],
    [[one("Exists"), one("DoesNotExist")], [], ["a", undefined], '["In"]'],
    [[one("In", "a"), one("In", "b")], [], ["a", "b", undefined], '["In"]'],
    [[one("In", "2", "4", "16"), one("Gt", "2"), one("Lt", "16")], ["4"], ["2", "16", undefined], '["In 4"]'],
    [[one("Gt", "4"), one("Lt", "5")], [], ["4", "5", undefined], '["In"]'],
    [[one("Gte", "4"), one("NotIn", "5", "a")], ["4", "6"], ["5", "3", "a", undefined], '["Gte 4","NotIn 5"]'],
  ] as const)("%j", (list, allowed, refused, written) => {
    const requirement = meet(list);
    for (const value of allowed) expect(requirement.matches(value), String(value)).toBe(true);
    for (const value of refused) expect(requirement.matches(value), String(value)).toBe(false);
    const text = requirement
      .toSpecs()
      .map((s) => (s.values.length ? `${s.operator} ${s.values.join(",")}` : s.operator));
    expect(JSON.stringify(text)).toBe(written);
  });

  it("keeps the larger minValues, also when it is written down", () => {
    const a = Requirement.of({ ...one("In", "x", "y"), minValues: 2 });
    const b = Requirement.of({ ...one("Exists"), minValues: 5 });
    expect(a.intersection(b).toSpecs()).toEqual([{ key: "k", operator: "In", values: ["x", "y"], minValues: 5 }]);
  });

  it.each([
    [one("Gt"), "operator Gt needs one whole number, not []"],
    [one("Lt", "1", "2"), "operator Lt needs one whole number, not [1, 2]"],
    [one("Gte", "4Gi"), "operator Gte needs one whole number, not [4Gi]"],
    [one("Lte", "-1"), "operator Lte needs one whole number, not [-1]"],
    [one("Gt", "99999999999999999999"), "operator Gt needs one whole number"],
    [one("in" as "In", "a"), 'operator "in" is not known'],
  ])("refuses %j", (spec, message) => {
    expect(() => Requirement.of(spec)).toThrow(RequirementError);
    expect(() => Requirement.of(spec)).toThrow(`requirement on "k": ${message}`);
  });

  it("reads well for people, long lists cut", () => {
    expect(String(Requirement.of(one("In", "b", "a")))).toBe('k In ["a", "b"]');
    expect(String(Requirement.of(one("Exists")))).toBe("k Exists");
    expect(String(Requirement.of(one("In", "a", "b", "c", "d", "e", "f", "g")))).toBe(
      'k In ["a", "b", "c", "d", "e", and 2 more]',
    );
  });
});

describe("Requirements", () => {
  const wellKnown = new Set(["topology.kubernetes.io/zone"]);
  it.each([
    // pool, pod, compatible (undefined custom labels are absent; undefined well-known ones are open)
    [[], [{ key: "foo", operator: "NotIn", values: ["bar"] }], undefined],
    [[], [{ key: "foo", operator: "DoesNotExist", values: [] }], undefined],
    [[], [{ key: "team", operator: "In", values: ["a"] }], 'label "team" does not have known values'],
    [[], [{ key: "team", operator: "Exists", values: [] }], 'label "team" does not have known values'],
    [[], [{ key: "team", operator: "Gt", values: ["1"] }], 'label "team" does not have known values'],
    [[], [{ key: "topology.kubernetes.io/zone", operator: "In", values: ["z"] }], undefined],
    [[], [{ key: "failure-domain.beta.kubernetes.io/zone", operator: "In", values: ["z"] }], undefined],
    [[{ key: "team", operator: "Exists", values: [] }], [{ key: "team", operator: "In", values: ["a"] }], undefined],
    [
      [{ key: "team", operator: "In", values: ["a", "b"] }],
      [{ key: "team", operator: "In", values: ["c"] }],
      'team In ["c"] conflicts with team In ["a", "b"]',
    ],
    [
      [{ key: "team", operator: "DoesNotExist", values: [] }],
      [{ key: "team", operator: "NotIn", values: ["c"] }],
      undefined,
    ],
    [
      [{ key: "team", operator: "DoesNotExist", values: [] }],
      [{ key: "team", operator: "Exists", values: [] }],
      "team Exists conflicts with team DoesNotExist",
    ],
  ] as const)("%j takes %j: %s", (pool, pod, reason) => {
    const [a, b] = [Requirements.of(pool), Requirements.of(pod)];
    expect(a.compatible(b, { allowUndefined: wellKnown })).toBe(reason === undefined);
    expect(a.incompatibility(b, { allowUndefined: wellKnown })).toBe(reason);
  });

  it("are written in the order of their keys, whatever order they came in", () => {
    const b: RequirementSpec = { key: "b", operator: "Exists", values: [] };
    const a: RequirementSpec = { key: "beta.kubernetes.io/arch", operator: "In", values: ["arm64", "amd64"] };
    const written = [
      { key: "b", operator: "Exists", values: [] },
      { key: "kubernetes.io/arch", operator: "In", values: ["amd64", "arm64"] },
    ];
    expect(Requirements.of([a, b]).toSpecs()).toEqual(written);
    expect(
      Requirements.of([b])
        .intersection(Requirements.of([a]))
        .toSpecs(),
    ).toEqual(written);
  });

  it("match labels under stable names and settle what has one value", () => {
    const requirements = Requirements.of([
      { key: "topology.kubernetes.io/zone", operator: "In", values: ["z"] },
      { key: "team", operator: "NotIn", values: ["x"] },
    ]);
    expect(requirements.matchesLabels({ "failure-domain.beta.kubernetes.io/zone": "z" })).toBe(true);
    expect(requirements.matchesLabels({ "topology.kubernetes.io/zone": "z", team: "x" })).toBe(false);
    expect(requirements.matchesLabels({ team: "y" })).toBe(false);
    expect(requirements.settledLabels()).toEqual({ "topology.kubernetes.io/zone": "z" });
  });

  it("know when nothing can satisfy them", () => {
    const never = Requirements.of([one("In", "a"), one("NotIn", "a")]);
    expect(never.impossible).toBe(true);
    expect(never.without("k").impossible).toBe(false);
    expect(
      Requirements.fromLabels({ k: "a" })
        .with(Requirement.in("k", ["a", "b"]))
        .toSpecs(),
    ).toEqual([one("In", "a")]);
  });
});
