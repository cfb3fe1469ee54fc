// What rules between pods must not do to pods that have none, and to plans of many pods.
import { describe, expect, it } from "vitest";
import type { Pod, PodAffinityTerm, TopologySpread } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import { asks, capacityType, pod, pods, pool, req, snapshot, zone } from "./fixtures.ts";

const everyone = { matchLabels: {}, matchExpressions: [] };
const term = (over: Partial<PodAffinityTerm> = {}): PodAffinityTerm => ({
  topologyKey: "nokey",
  labelSelector: everyone,
  namespaces: [],
  namespaceSelector: everyone,
  matchLabelKeys: [],
  mismatchLabelKeys: [],
  ...over,
});
const spread = (over: Partial<TopologySpread> = {}): TopologySpread => ({
  topologyKey: "nokey",
  maxSkew: 1,
  whenUnsatisfiable: "DoNotSchedule",
  labelSelector: everyone,
  matchLabelKeys: [],
  nodeAffinityPolicy: "Honor",
  nodeTaintsPolicy: "Ignore",
  ...over,
});
const unplaced = (all: readonly Pod[], more = {}): string[] =>
  planProvisioning(snapshot({ pods: all, ...more })).unschedulable.map(({ pod: key }) => key);

describe("a rule over a label that no node has", () => {
  it.each<[string, Partial<Pod>, string[]]>([
    ["anti-affinity", { requiredPodAntiAffinity: [term()] }, []],
    ["affinity", { requiredPodAffinity: [term()] }, ["default/bad"]],
    ["a spread", { topologySpread: [spread()] }, ["default/bad"]],
    ["a wish to be near", { preferredPodAffinity: [{ weight: 1, term: term() }] }, []],
    ["a wish to be spread", { topologySpread: [spread({ whenUnsatisfiable: "ScheduleAnyway" })] }, []],
  ])("keeps nobody else from a node: %s", (_, over, expected) => {
    const others = pods(6).map((one, i) => ({ ...one, namespace: i % 2 === 0 ? "default" : "other" }));
    expect(unplaced([...others, pod("bad", over)])).toEqual(expected);
  });

  it("is no matter to those that it counts where only some nodes have it", () => {
    const pools = [
      pool("default", { weight: 10 }),
      pool("racks", { requirements: [...pool("x").requirements, req("my/rack", "In", "r1")], limits: { nodes: 1 } }),
    ];
    const owner = pod("owner", { topologySpread: [spread({ topologyKey: "my/rack" })] });
    expect(unplaced([...pods(20, { requests: asks(6, 1) }), owner], { nodePools: pools })).toEqual([]);
  });
});

describe("labels by other names", () => {
  it.each(["failure-domain.beta.kubernetes.io/zone", "karpenter.sh/nodepool", zone, capacityType])(
    "are domains of a spread: %s",
    (topologyKey) => {
      expect(unplaced(pods(1, { labels: { app: "a" }, topologySpread: [spread({ topologyKey })] }))).toEqual([]);
    },
  );
});

describe("a plan for pods with rules", () => {
  const kinds: readonly Partial<Pod>[] = [
    {
      topologySpread: [
        spread({ topologyKey: zone, labelSelector: { matchLabels: { app: "a" }, matchExpressions: [] } }),
      ],
    },
    {
      requiredPodAntiAffinity: [
        term({
          topologyKey: "kubernetes.io/hostname",
          labelSelector: { matchLabels: { app: "b" }, matchExpressions: [] },
        }),
      ],
    },
    {
      preferredPodAntiAffinity: [
        {
          weight: 1,
          term: term({ topologyKey: zone, labelSelector: { matchLabels: { app: "c" }, matchExpressions: [] } }),
        },
      ],
    },
    {},
  ];
  const all = Array.from({ length: 24 }, (_, i) =>
    pod(`p${String(i).padStart(2, "0")}`, {
      labels: { app: "abc"[i % 3]! },
      requests: asks(1 + (i % 4), 1),
      ...kinds[i % 4],
    }),
  );

  it("is the same for every order of the pods", () => {
    const plan = JSON.stringify(planProvisioning(snapshot({ pods: all })));
    for (const step of [5, 7, 11]) {
      const turned = all.map((_, i) => all[(i * step) % all.length]!);
      expect(JSON.stringify(planProvisioning(snapshot({ pods: turned })))).toBe(plan);
    }
  });

  it("takes single pods that keep only their like off their node for alike", () => {
    const alone = Array.from({ length: 1_000 }, (_, i) => {
      const selector = { matchLabels: { app: `a${i}` }, matchExpressions: [] };
      return pod(`p${i}`, {
        labels: { app: `a${i}` },
        requests: asks(0.5, 0.5),
        topologySpread: [spread({ topologyKey: "kubernetes.io/hostname", labelSelector: selector })],
        requiredPodAntiAffinity: [term({ topologyKey: "kubernetes.io/hostname", labelSelector: selector })],
      });
    });
    const plan = planProvisioning(snapshot({ pods: alone }));
    const plain = planProvisioning(
      snapshot({ pods: alone.map((one) => ({ ...one, topologySpread: [], requiredPodAntiAffinity: [] })) }),
    );
    expect(plan.claims.map((claim) => [claim.instanceTypes, claim.pods])).toEqual(
      plain.claims.map((claim) => [claim.instanceTypes, claim.pods]),
    );
  });
});
