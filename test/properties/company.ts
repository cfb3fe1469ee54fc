// Random worlds whose pods know each other: spread, affinity, anti-affinity, host ports.
import fc from "fast-check";
import type { Pod, PodAffinityTerm, Snapshot, TopologySpread } from "../../shared/core/model/index.ts";
import { worlds } from "./worlds.ts";

export const zone = "topology.kubernetes.io/zone";
export const host = "kubernetes.io/hostname";

export const selector = (app: string) => ({ matchLabels: { app }, matchExpressions: [] });
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
export const company: fc.Arbitrary<Snapshot> = fc
  .tuple(worlds, fc.array(rules, { minLength: 4, maxLength: 4 }))
  .map(([world, all]) => ({
    ...world,
    pods: world.pods.map((one, at) => {
      const group = /^g(\d+)-/.exec(one.name);
      const rule = all[(group === null ? at : Number(group[1])) % all.length]!;
      return { ...one, ...rule };
    }),
  }));
