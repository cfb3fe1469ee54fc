import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Pod, ProvisioningPlan, Snapshot, TopologySpread } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { asks, pods, snapshot } from "../core/scheduling/fixtures.ts";
import { company, host, selector, zone } from "./company.ts";
import { faults } from "./feasibility.ts";
import { neighbourFaultsAtScale } from "./feasibility-at-scale.ts";
import { neighbourFaults } from "./neighbours.ts";

const runs = { numRuns: Number(process.env.R ?? 300), seed: 20_261_202 };
describe("every plan for pods with rules about each other", () => {
  it("is feasible, and keeps the rules", () => {
    fc.assert(
      fc.property(company, (world) => {
        const plan = planProvisioning(world);
        expect([...faults(world, plan), ...neighbourFaults(world, plan)]).toEqual([]);
      }),
      runs,
    );
  });

  it("is the same for the same snapshot, whatever the order of its lists", () => {
    fc.assert(
      fc.property(company, (world) => {
        const turned = { ...world, pods: [...world.pods].reverse(), nodes: [...world.nodes].reverse() };
        expect(JSON.stringify(planProvisioning(turned))).toBe(JSON.stringify(planProvisioning(world)));
      }),
      { ...runs, numRuns: 80 },
    );
  });
});

describe("the judge of neighbours at scale", () => {
  /** Where something is wrong: both judges must find the same places, whatever they call it. */
  const spots = (faultsFound: string[]) => [...new Set(faultsFound.map((fault) => fault.split(":")[0]!))].sort();
  /** The plan with the pods of its nodes passed on to the next node: mostly wrong. */
  const turned = (plan: ProvisioningPlan): ProvisioningPlan => ({
    ...plan,
    claims: plan.claims.map((claim, at) => ({ ...claim, pods: plan.claims[(at + 1) % plan.claims.length]!.pods })),
  });
  const heaped = (plan: ProvisioningPlan): ProvisioningPlan => ({
    ...plan,
    claims: plan.claims.map((claim, at) => ({
      ...claim,
      pods: at === 0 ? plan.claims.flatMap(({ pods }) => pods) : [],
    })),
  });

  it("finds the same places wrong, in right plans and in spoilt ones", () => {
    fc.assert(
      fc.property(company, (world) => {
        const right = planProvisioning(world);
        for (const plan of [right, turned(right), heaped(right)]) {
          expect(spots(neighbourFaultsAtScale(world, plan))).toEqual(spots(neighbourFaults(world, plan)));
        }
      }),
      { ...runs, numRuns: 150 },
    );
  });
});

describe("the judge of neighbours", () => {
  const apart = {
    topologyKey: host,
    labelSelector: selector("a"),
    namespaces: [],
    matchLabelKeys: [],
    mismatchLabelKeys: [],
  };
  const near = { ...apart, topologyKey: zone };
  const even: TopologySpread = {
    topologyKey: host,
    maxSkew: 1,
    whenUnsatisfiable: "DoNotSchedule",
    labelSelector: selector("a"),
    matchLabelKeys: [],
    nodeAffinityPolicy: "Honor",
    nodeTaintsPolicy: "Ignore",
  };
  const port = { hostIp: "", protocol: "TCP", port: 80 };
  it.each<[string, Partial<Pod>, string]>([
    ["pods that want to be apart", { requiredPodAntiAffinity: [apart] }, "apart from"],
    ["pods that repel", { requiredPodAntiAffinity: [apart] }, "repels it"],
    ["pods that want a zone in common", { requiredPodAffinity: [near] }, "the node has no such label"],
    ["pods that want to be spread", { topologySpread: [even] }, "skew 3"],
    ["pods with one host port", { hostPorts: [port] }, "a host port of"],
  ])("finds %s together", (_, over, words) => {
    const rules = { labels: { app: "a" }, requests: asks(0.1, 0.1) };
    const plain = planProvisioning(snapshot({ pods: pods(3, rules) }));
    const world = snapshot({ pods: pods(3, { ...rules, ...over }) });
    const nodes = plan(world, plain.claims[0]!);
    expect(neighbourFaults(world, nodes).join("\n")).toContain(words);
  });

  /** All pods on one new node, beside an empty one. */
  function plan(world: Snapshot, claim: ReturnType<typeof planProvisioning>["claims"][number]) {
    const right = planProvisioning(world);
    const keys = world.pods.map(({ namespace, name }) => `${namespace}/${name}`);
    return {
      ...right,
      placements: [],
      claims: [
        { ...claim, pods: keys },
        { ...claim, name: "empty", pods: [] },
      ],
    };
  }
});
