// Worlds whose pods know each other: those of the other properties, with rules between pods of one group, as a Deployment
// has them. Every feature of Kubernetes' spread, pod affinity, anti-affinity and host ports comes up, namespaces included.
import fc from "fast-check";
import type { LabelSelector, Pod, PodAffinityTerm, Snapshot, TopologySpread } from "../../shared/core/model/index.ts";
import { asks, pod } from "../core/scheduling/fixtures.ts";
import { worlds } from "./worlds.ts";

const zone = "topology.kubernetes.io/zone";
const host = "kubernetes.io/hostname";

const app = fc.constantFrom("a", "b", "c");
const key = fc.constantFrom(zone, zone, zone, host, host, host, "karpenter.sh/capacity-type", "team");

const selector: fc.Arbitrary<LabelSelector> = fc.oneof(
  { weight: 5, arbitrary: app.map((value) => ({ matchLabels: { app: value }, matchExpressions: [] })) },
  {
    weight: 1,
    arbitrary: app.map((value) => ({
      matchLabels: {},
      matchExpressions: [{ key: "app", operator: "NotIn" as const, values: [value] }],
    })),
  },
  {
    weight: 1,
    arbitrary: fc.constant({
      matchLabels: {},
      matchExpressions: [{ key: "app", operator: "Exists" as const, values: [] }],
    }),
  },
);

const revision = fc.constantFrom<readonly string[]>([], [], [], ["rev"]);

const spread: fc.Arbitrary<TopologySpread> = fc
  .record({
    topologyKey: key,
    maxSkew: fc.constantFrom(1, 1, 1, 2),
    whenUnsatisfiable: fc.constantFrom("DoNotSchedule" as const, "DoNotSchedule" as const, "ScheduleAnyway" as const),
    labelSelector: selector,
    matchLabelKeys: revision,
    nodeAffinityPolicy: fc.constantFrom("Honor" as const, "Honor" as const, "Ignore" as const),
    nodeTaintsPolicy: fc.constantFrom("Honor" as const, "Ignore" as const, "Ignore" as const),
    minDomains: fc.constantFrom<(number | undefined)[]>(undefined, undefined, undefined, 2, 3),
  })
  .map(
    ({ minDomains, ...one }): TopologySpread => ({
      ...one,
      ...(minDomains === undefined || one.whenUnsatisfiable === "ScheduleAnyway" ? {} : { minDomains }),
    }),
  );

const both: LabelSelector = {
  matchLabels: {},
  matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "In", values: ["default", "other"] }],
};

/** Where a term looks: the pod's own namespace mostly, named ones, or those with a label. */
const spaces = fc.constantFrom<Pick<PodAffinityTerm, "namespaces" | "namespaceSelector">>(
  { namespaces: [] },
  { namespaces: [] },
  { namespaces: [] },
  { namespaces: ["other"] },
  { namespaces: [], namespaceSelector: both },
  { namespaces: ["default"], namespaceSelector: { matchLabels: { tier: "back" }, matchExpressions: [] } },
);

const term: fc.Arbitrary<PodAffinityTerm> = fc
  .record({ topologyKey: key, labelSelector: selector, where: spaces, keys: fc.constantFrom("", "", "", "rev", "not") })
  .map(({ topologyKey, labelSelector, where, keys }) => ({
    topologyKey,
    labelSelector,
    ...where,
    matchLabelKeys: keys === "rev" ? ["rev"] : [],
    mismatchLabelKeys: keys === "not" ? ["rev"] : [],
  }));

const weighted = (one: fc.Arbitrary<PodAffinityTerm>) => one.map((of) => ({ weight: 1, term: of }));

const port = fc.record({
  hostIp: fc.constantFrom("", "", "10.0.0.1", "10.0.0.2"),
  protocol: fc.constantFrom("TCP", "TCP", "UDP"),
  port: fc.constantFrom(80, 81),
});

/** One rule or two of a group. */
const rule: fc.Arbitrary<Partial<Pod>> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Partial<Pod>>({}) },
  { weight: 4, arbitrary: fc.array(spread, { minLength: 1, maxLength: 2 }).map((all) => ({ topologySpread: all })) },
  { weight: 2, arbitrary: fc.array(term, { minLength: 1, maxLength: 2 }).map((all) => ({ requiredPodAffinity: all })) },
  {
    weight: 2,
    arbitrary: fc.array(term, { minLength: 1, maxLength: 2 }).map((all) => ({ requiredPodAntiAffinity: all })),
  },
  { weight: 1, arbitrary: fc.tuple(weighted(term)).map((all) => ({ preferredPodAffinity: all })) },
  { weight: 1, arbitrary: fc.tuple(weighted(term)).map((all) => ({ preferredPodAntiAffinity: all })) },
  { weight: 1, arbitrary: fc.tuple(port).map((all) => ({ hostPorts: all })) },
) as fc.Arbitrary<Partial<Pod>>;

const group: fc.Arbitrary<Partial<Pod>> = fc
  .record({
    first: rule,
    second: rule,
    labels: fc.constantFrom<Record<string, string>>(
      { app: "a" },
      { app: "a", rev: "1" },
      { app: "b" },
      { app: "b", rev: "2" },
      { app: "c" },
      {},
    ),
    namespace: fc.constantFrom("default", "default", "default", "other"),
  })
  .map(({ first, second, labels, namespace }) => {
    const { topologySpread = [], ...rest } = { ...first, ...second };
    // The API server takes a key with an action once.
    const once = new Map(topologySpread.map((one) => [`${one.topologyKey} ${one.whenUnsatisfiable}`, one]));
    return { ...rest, labels, namespace, topologySpread: [...once.values()] };
  });

const namespaces = [
  { name: "default", labels: { "kubernetes.io/metadata.name": "default" } },
  { name: "other", labels: { "kubernetes.io/metadata.name": "other", tier: "back" } },
];

/** Deployments of small pods that ask for nothing but their rules. */
const easy: fc.Arbitrary<Pod[]> = fc
  .array(fc.tuple(fc.constantFrom(0.1, 0.5, 1), fc.integer({ min: 2, max: 7 })), { minLength: 3, maxLength: 3 })
  .map((sizes) =>
    sizes.flatMap(([cores, count], at) =>
      Array.from({ length: count }, (_, i) => pod(`g${6 + at}-${i}`, { requests: asks(cores, cores) })),
    ),
  );

/** Worlds of two namespaces, whose pods of one group are alike. */
export const companies: fc.Arbitrary<Snapshot> = fc
  .tuple(worlds, easy, fc.array(group, { minLength: 9, maxLength: 9 }))
  .map(([world, more, groups]) => ({
    ...world,
    namespaces,
    // Which zone a claim will be in that was launched for pods without rules, no plan knows; here all were for pods with some.
    claims: world.claims.map((claim) =>
      claim.instance === undefined
        ? { ...claim, requirements: [...claim.requirements, { key: zone, operator: "In" as const, values: ["z-b"] }] }
        : claim,
    ),
    pods: [...world.pods, ...more].map((one, at) => {
      const ordinal = /^g(\d+)-/.exec(one.name)?.[1];
      return { ...one, ...groups[(ordinal === undefined ? at : Number(ordinal)) % groups.length]! };
    }),
  }));
