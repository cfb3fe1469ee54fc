import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type {
  Pod,
  PodAffinityTerm,
  ProvisioningPlan,
  Snapshot,
  TopologySpread,
} from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { asks, pods, snapshot } from "../core/scheduling/fixtures.ts";
import { faults } from "./feasibility.ts";
import { neighbourFaultsAtScale } from "./feasibility-at-scale.ts";
import { neighbourFaults } from "./neighbours.ts";
import { worlds } from "./worlds.ts";

const runs = { numRuns: Number(process.env.R ?? 300), seed: 20_261_202 };
const zone = "topology.kubernetes.io/zone";
const host = "kubernetes.io/hostname";

const selector = (app: string) => ({ matchLabels: { app }, matchExpressions: [] });
const app = fc.constantFrom("a", "b");
const key = fc.constantFrom(zone, zone, host, host, "karpenter.sh/capacity-type", "team");

const spread: fc.Arbitrary<TopologySpread> = fc
  .record({
    topologyKey: key,
    maxSkew: fc.constantFrom(1, 1, 2),
    whenUnsatisfiable: fc.constantFrom("DoNotSchedule" as const, "DoNotSchedule" as const, "ScheduleAnyway" as const),
    labelSelector: app.map(selector),
    nodeAffinityPolicy: fc.constantFrom("Honor" as const, "Ignore" as const),
    nodeTaintsPolicy: fc.constantFrom("Honor" as const, "Ignore" as const),
    minDomains: fc.constantFrom(undefined, undefined, 2),
  })
  .map(({ minDomains, ...one }) => ({
    ...one,
    matchLabelKeys: [],
    ...(minDomains === undefined ? {} : { minDomains }),
  }));

const term: fc.Arbitrary<PodAffinityTerm> = fc
  .record({ topologyKey: key, labelSelector: app.map(selector) })
  .map((one) => ({ ...one, namespaces: [], matchLabelKeys: [], mismatchLabelKeys: [] }));

const some = <T>(one: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.tuple(one) });
const weighted = (one: fc.Arbitrary<PodAffinityTerm>) => one.map((of) => ({ weight: 1, term: of }));

const rules: fc.Arbitrary<Partial<Pod>> = fc.record({
  labels: fc.constantFrom({ app: "a" }, { app: "b" }, {}),
  topologySpread: some(spread),
  requiredPodAffinity: some(term),
  requiredPodAntiAffinity: some(term),
  preferredPodAffinity: some(weighted(term)),
  preferredPodAntiAffinity: some(weighted(term)),
  hostPorts: some(
    fc.record({
      hostIp: fc.constantFrom("", "10.0.0.1", "10.0.0.2"),
      protocol: fc.constant("TCP"),
      port: fc.constantFrom(80, 81),
    }),
  ),
}) as fc.Arbitrary<Partial<Pod>>;

/** The worlds of the other properties, whose pods know each other; alike in a group, as in a Deployment. */
const company: fc.Arbitrary<Snapshot> = fc
  .tuple(worlds, fc.array(rules, { minLength: 4, maxLength: 4 }))
  .map(([world, all]) => ({
    ...world,
    pods: world.pods.map((one, at) => {
      const group = /^g(\d+)-/.exec(one.name);
      const rule = all[(group === null ? at : Number(group[1])) % all.length]!;
      return { ...one, ...rule };
    }),
  }));

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
