// Which zone, or value of another label, pods get that rules about other pods tie to one, where the rules leave a choice.
import { describe, expect, it } from "vitest";
import type {
  Pod,
  PodAffinityTerm,
  RefusedOffering,
  Snapshot,
  TopologySpread,
} from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import { asks, capacityType, nowMs, pod, pods, pool, req, snapshot, zone } from "./fixtures.ts";

const selector = (app: string) => ({ matchLabels: { app }, matchExpressions: [] });
const term = (app: string, topologyKey = zone): PodAffinityTerm => ({
  topologyKey,
  labelSelector: selector(app),
  namespaces: [],
  matchLabelKeys: [],
  mismatchLabelKeys: [],
});
const spread = (app: string, over: Partial<TopologySpread> = {}): TopologySpread => ({
  topologyKey: zone,
  maxSkew: 1,
  whenUnsatisfiable: "DoNotSchedule",
  labelSelector: selector(app),
  matchLabelKeys: [],
  nodeAffinityPolicy: "Honor",
  nodeTaintsPolicy: "Ignore",
  ...over,
});
const small = asks(0.5, 0.5);
const labels = (app: string) => ({ labels: { app } });
const refused = (instanceType: string, zoneName: string, type: "on-demand" | "spot"): RefusedOffering => ({
  instanceType,
  zone: zoneName,
  capacityType: type,
  untilMs: nowMs + 60_000,
});
const anywhere = pool("default", { requirements: [req(capacityType, "In", "spot", "on-demand")] });

/** Pods by new node, with the node's zone and price in thousandths an hour. */
function nodes(given: Partial<Snapshot>): readonly string[] {
  const { claims, unschedulable } = planProvisioning(snapshot({ nodePools: [pool("default")], ...given }));
  expect(unschedulable).toEqual([]);
  return claims
    .map(({ pods: on, cheapest }) => {
      const names = on.map((key) => key.slice("default/".length)).sort();
      return `${names.join(" ")}: ${cheapest.zone} ${cheapest.priceMicroUsd / 1_000}`;
    })
    .sort();
}

describe("the zone of pods with a choice", () => {
  it.each<[string, Partial<Snapshot>, readonly string[]]>([
    [
      "is where the cheapest type that holds them is sold, not the cheapest of all",
      {
        nodePools: [anywhere],
        // In z-b only spot of the small types is cheap: what this pod needs costs more there.
        refusals: [refused("b2.large", "z-b", "on-demand")],
        pods: [
          pod("a", {
            ...labels("a"),
            requests: asks(1, 20),
            preferredPodAntiAffinity: [{ weight: 1, term: term("a") }],
          }),
        ],
      },
      ["a: z-a 500"],
    ],
    [
      "is one for all that a spread does not count",
      { pods: pods(2, { requests: small, ...labels("b"), topologySpread: [spread("a")] }) },
      ["p-000 p-001: z-a 100"],
    ],
    [
      "is one where a pod that wants to be near them can go too",
      {
        pods: [
          pod("web", { requests: small, ...labels("web") }),
          pod("cache", {
            requests: small,
            requiredPodAffinity: [term("web")],
            requiredNodeAffinity: [{ expressions: [req(zone, "In", "z-c")], fields: [] }],
          }),
        ],
      },
      ["cache web: z-c 100"],
    ],
    [
      "is a capacity type that one which insists on their company can have, though it costs more",
      {
        nodePools: [anywhere],
        pods: [
          pod("web", { requests: small, ...labels("web") }),
          pod("cache", {
            requests: small,
            requiredPodAffinity: [term("web", capacityType)],
            nodeSelector: { [capacityType]: "on-demand" },
          }),
        ],
      },
      ["cache web: z-a 100"],
    ],
    [
      "is not what one that merely wishes for their company can have, if that costs more",
      {
        nodePools: [anywhere],
        pods: [
          pod("web", { requests: small, ...labels("web") }),
          pod("cache", {
            requests: asks(15, 15),
            preferredPodAffinity: [{ weight: 1, term: term("web", capacityType) }],
            nodeSelector: { [capacityType]: "on-demand", "node.kubernetes.io/instance-type": "a1.xlarge" },
            requiredPodAntiAffinity: [term("web", "kubernetes.io/hostname")],
          }),
        ],
      },
      ["cache: z-a 800", "web: z-b 30"],
    ],
    [
      "stays the emptiest that the spread knows, for several",
      {
        nodePools: [anywhere],
        pods: pods(3, { requests: small, ...labels("web"), topologySpread: [spread("web", { maxSkew: 3 })] }),
      },
      ["p-000: z-a 40", "p-001: z-b 30", "p-002: z-c 100"],
    ],
  ])("%s", (_, given, expected) => {
    expect(nodes(given)).toEqual(expected);
  });

  it("changes when one has had its share", () => {
    const many: Partial<Pod> = { requests: small, ...labels("b"), topologySpread: [spread("a")] };
    expect(nodes({ pods: pods(24, many) }).map((text) => text.replace(/^.*: (\S+) .*$/, "$1"))).toEqual(
      expect.arrayContaining(["z-a", "z-b", "z-c"]),
    );
  });
});
