import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Pod, PodAffinityTerm, ProvisioningPlan } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { asks, pod, pods, req, snapshot } from "../core/scheduling/fixtures.ts";
import { orderFaults } from "./binding-order.ts";
import { companies } from "./companies.ts";
import { host, selector, zone } from "./company.ts";
import { faults } from "./feasibility.ts";
import { neighbourFaults } from "./neighbours.ts";

describe("every plan for pods of one company", () => {
  it("is feasible, keeps the rules, and its pods can be bound one after the other", () => {
    fc.assert(
      fc.property(companies, (world) => {
        const plan = planProvisioning(world);
        expect([...faults(world, plan), ...neighbourFaults(world, plan), ...orderFaults(world, plan)]).toEqual([]);
      }),
      { seed: 17, numRuns: Number(process.env.R ?? 30) },
    );
  });
});

describe("the judge of order", () => {
  const near = (app: string, topologyKey = zone): PodAffinityTerm => ({
    topologyKey,
    labelSelector: selector(app),
    namespaces: [],
    matchLabelKeys: [],
    mismatchLabelKeys: [],
  });
  const of = (app: string, over: Partial<Pod> = {}) => ({ labels: { app }, requests: asks(0.1, 0.1), ...over });

  /** A plan that puts pods on new nodes of these zones. */
  function planOf(byZone: Readonly<Record<string, readonly string[]>>): ProvisioningPlan {
    const right = planProvisioning(snapshot({ pods: pods(1) }));
    const [claim] = right.claims;
    return {
      ...right,
      claims: Object.entries(byZone).map(([where, names]) => ({
        ...claim!,
        name: where,
        requirements: [...claim!.requirements.filter(({ key }) => key !== zone), req(zone, "In", where)],
        pods: names.map((name) => `default/${name}`),
      })),
    };
  }

  const self = of("a", { requiredPodAffinity: [near("a")] });
  it.each<[string, Pod[], Record<string, string[]>, number]>([
    [
      "finds pods that have only each other",
      [
        pod("a", of("a", { requiredPodAffinity: [near("c")] })),
        pod("c", of("c", { requiredPodAffinity: [near("a", host)] })),
      ],
      { "z-a": ["a", "c"] },
      2,
    ],
    [
      "lets them come after one who waits for nobody",
      [
        pod("a", of("a", { requiredPodAffinity: [near("c")] })),
        pod("c", of("c", { requiredPodAffinity: [near("a", host)] })),
        pod("x", of("a")),
      ],
      { "z-a": ["a", "c", "x"] },
      0,
    ],
    [
      "finds pods that begin their kind a second time",
      ["s0", "s1", "s2", "s3", "s4"].map((name) => pod(name, self)),
      { "z-a": ["s0", "s1"], "z-b": ["s2", "s3", "s4"] },
      2,
    ],
    ["lets the first of a kind come first", [pod("s", self), pod("x", of("a"))], { "z-a": ["s"], "z-b": ["x"] }, 0],
  ])("%s", (_, all, byZone, left) => {
    const world = snapshot({ pods: all });
    expect(orderFaults(world, planOf(byZone))).toHaveLength(left);
  });

  it("leaves it to the judge of neighbours that the first of a kind has to come first", () => {
    const world = snapshot({ pods: [pod("s", self), pod("x", of("a"))] });
    expect(neighbourFaults(world, planOf({ "z-a": ["s"], "z-b": ["x"] })).join("\n")).toContain("none is there");
  });

  it("lets pods that are spread and their company take turns", () => {
    const even = { topologySpread: [{ topologyKey: zone, maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" as const }] };
    const rest = { matchLabelKeys: [], nodeAffinityPolicy: "Honor" as const, nodeTaintsPolicy: "Ignore" as const };
    const spread = even.topologySpread.map((one) => ({ ...one, ...rest, labelSelector: selector("a") }));
    const owner = of("a", { topologySpread: spread });
    const follower = (n: number) => pod(`f${n}`, of("a", { requiredPodAffinity: [near("a", host)] }));
    const world = snapshot({ pods: [pod("o0", owner), pod("o1", owner), pod("o2", owner), follower(0), follower(1)] });
    expect(orderFaults(world, planOf({ "z-a": ["o0", "o1", "f0"], "z-b": ["o2", "f1"] }))).toEqual([]);
  });
});
