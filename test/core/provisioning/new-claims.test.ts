import { describe, expect, it } from "vitest";
import type { NodePool, Pod, RequirementSpec, Snapshot } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import {
  arch,
  asks,
  capacityType,
  cpuLabel,
  instanceType,
  pod,
  pods,
  pool,
  req,
  snapshot,
  zone,
} from "../scheduling/fixtures.ts";

/** `pool:cheapest type@zone×pods` for every claim, sorted, and the pods that got nothing. */
function outcome(given: Partial<Snapshot>): { claims: string[]; unschedulable: string[] } {
  const plan = planProvisioning(snapshot(given));
  return {
    claims: plan.claims
      .map(({ nodePool, cheapest, pods: on }) => `${nodePool}:${cheapest.instanceType}×${on.length}`)
      .sort(),
    unschedulable: plan.unschedulable.map(({ pod: key }) => key.slice("default/".length)),
  };
}

const placed = (...claims: string[]) => ({ claims, unschedulable: [] as string[] });
const refused = (...names: string[]) => ({ claims: [] as string[], unschedulable: names });

function withPool(over: Partial<NodePool>, pending: Pod[]): Partial<Snapshot> {
  return { nodePools: [pool("default", over)], pods: pending };
}

describe("resources decide the type", () => {
  it.each<[string, Pod[], ReturnType<typeof placed>]>([
    ["the cheapest that holds one small pod", [pod("a")], placed("default:a1.small×1")],
    ["all of a type's cpu may be asked for", [pod("a", { requests: asks(16) })], placed("default:a1.xlarge×1")],
    [
      "one milli-core more than a type has needs the next",
      [pod("a", { requests: asks(2.001) })],
      placed("default:a1.medium×1"),
    ],
    ["memory may be what is scarce", [pod("a", { requests: asks(1, 12) })], placed("default:b2.medium×1")],
    ["pods share a node", pods(2), placed("default:a1.small×2")],
    ["as many as are cheapest together", pods(4), placed("default:a1.medium×4")],
    ["a GPU", [pod("a", { requests: asks(1, 1, { "nvidia.com/gpu": 1 }) })], placed("default:g4.large×1")],
    ["several GPUs", [pod("a", { requests: asks(1, 1, { "nvidia.com/gpu": 2 }) })], placed("default:g4.xlarge×1")],
    [
      "pod slots run out",
      pods(21, { requests: asks(0.01, 0.01) }),
      placed("default:a1.small×1", "default:a1.small×20"),
    ],
    ["more cpu than any type", [pod("a", { requests: asks(33) })], refused("a")],
    ["a resource that no type has", [pod("a", { requests: asks(1, 1, { "example.com/dongle": 1 }) })], refused("a")],
    [
      "a request of 0 of an unknown resource",
      [pod("a", { requests: asks(1, 1, { "example.com/dongle": 0 }) })],
      placed("default:a1.small×1"),
    ],
  ])("%s", (_, pending, expected) => {
    expect(outcome({ pods: pending })).toEqual(expected);
  });
});

describe("what the pod asks of the node", () => {
  const term = (...expressions: RequirementSpec[]) => ({ expressions, fields: [] });
  it.each<[string, Partial<NodePool>, Partial<Pod>, ReturnType<typeof placed>]>([
    ["a zone", {}, { nodeSelector: { [zone]: "z-c" } }, placed("default:a1.small×1")],
    ["an unknown zone", {}, { nodeSelector: { [zone]: "z-z" } }, refused("a")],
    ["a type", {}, { nodeSelector: { [instanceType]: "b2.large" } }, placed("default:b2.large×1")],
    [
      "a type by its old label",
      {},
      { nodeSelector: { "beta.kubernetes.io/instance-type": "b2.large" } },
      placed("default:b2.large×1"),
    ],
    ["an architecture that the pool excludes", {}, { nodeSelector: { [arch]: "arm64" } }, refused("a")],
    [
      "an architecture that the pool leaves open",
      { requirements: [req(capacityType, "In", "on-demand")] },
      { nodeSelector: { [arch]: "arm64" } },
      placed("default:c3.medium×1"),
    ],
    [
      "more than 4 cores by label",
      {},
      { requiredNodeAffinity: [term(req(cpuLabel, "Gt", "4"))] },
      placed("default:a1.large×1"),
    ],
    [
      "at most 2 cores by label",
      {},
      { requiredNodeAffinity: [term(req(cpuLabel, "Lt", "3"))] },
      placed("default:a1.small×1"),
    ],
    [
      "a label that CPU types lack",
      {},
      { requiredNodeAffinity: [term(req("karpenter.k8s.aws/instance-gpu-count", "Exists"))] },
      placed("default:g4.large×1"),
    ],
    [
      "the absence of a label that GPU types have",
      {},
      { requiredNodeAffinity: [term(req("karpenter.k8s.aws/instance-gpu-count", "DoesNotExist"))] },
      placed("default:a1.small×1"),
    ],
    [
      "the first term that works",
      {},
      { requiredNodeAffinity: [term(req(zone, "In", "z-z")), term(req(instanceType, "In", "b2.medium"))] },
      placed("default:b2.medium×1"),
    ],
    [
      "terms in their order, not by price",
      {},
      { requiredNodeAffinity: [term(req(instanceType, "In", "b2.large")), term(req(instanceType, "In", "a1.small"))] },
      placed("default:b2.large×1"),
    ],
    ["a term without expressions matches nothing", {}, { requiredNodeAffinity: [term()] }, refused("a")],
    ["no terms at all match nothing", {}, { requiredNodeAffinity: [] }, refused("a")],
    [
      "a node by name is none that is to be made",
      {},
      { requiredNodeAffinity: [{ expressions: [], fields: [req("metadata.name", "In", "n1")] }] },
      refused("a"),
    ],
    [
      "not one node by name",
      {},
      { requiredNodeAffinity: [{ expressions: [], fields: [req("metadata.name", "NotIn", "n1")] }] },
      placed("default:a1.small×1"),
    ],
    ["a host by label", {}, { nodeSelector: { "kubernetes.io/hostname": "n1" } }, refused("a")],
    [
      "selector and term both hold",
      {},
      { nodeSelector: { [zone]: "z-a" }, requiredNodeAffinity: [term(req(zone, "In", "z-b"))] },
      refused("a"),
    ],
    [
      "a bound that is no number leaves its term out",
      {},
      { requiredNodeAffinity: [term(req(cpuLabel, "Gt", "many")), term(req(zone, "In", "z-a"))] },
      placed("default:a1.small×1"),
    ],
    ["a label that the pool does not know (2.A.4)", {}, { nodeSelector: { team: "a" } }, refused("a")],
    [
      "the absence of a label that the pool does not know (2.A.4)",
      {},
      { requiredNodeAffinity: [term(req("team", "DoesNotExist"))] },
      placed("default:a1.small×1"),
    ],
    [
      "NotIn on a label that the pool does not know (2.A.2)",
      {},
      { requiredNodeAffinity: [term(req("foo", "NotIn", "bar"))] },
      placed("default:a1.small×1"),
    ],
    ["a template label", { labels: { team: "a" } }, { nodeSelector: { team: "a" } }, placed("default:a1.small×1")],
    ["another value than the template's", { labels: { team: "b" } }, { nodeSelector: { team: "a" } }, refused("a")],
    [
      "one of a pool requirement's values",
      { requirements: [req(capacityType, "In", "on-demand"), req("team", "In", "a", "b")] },
      { nodeSelector: { team: "b" } },
      placed("default:a1.small×1"),
    ],
    ["the pool by name", {}, { nodeSelector: { "karpenter.sh/nodepool": "default" } }, placed("default:a1.small×1")],
    ["another pool by name", {}, { nodeSelector: { "karpenter.sh/nodepool": "other" } }, refused("a")],
    [
      "the node class by label",
      {},
      { nodeSelector: { "karpenter.k8s.aws/ec2nodeclass": "default" } },
      placed("default:a1.small×1"),
    ],
    ["spot where the pool has none", {}, { nodeSelector: { [capacityType]: "spot" } }, refused("a")],
  ])("%s", (_, over, of, expected) => {
    expect(outcome(withPool(over, [pod("a", of)]))).toEqual(expected);
  });

  it("keeps pods apart that ask for different values of one label", () => {
    const requirements = [req(capacityType, "In", "on-demand"), req("team", "In", "a", "b")];
    const pending = [pod("a", { nodeSelector: { team: "a" } }), pod("b", { nodeSelector: { team: "b" } })];
    expect(outcome(withPool({ requirements }, pending))).toEqual(placed("default:a1.small×1", "default:a1.small×1"));
  });

  it("keeps pods apart that ask for different zones, and lets others join them", () => {
    const pending = [
      pod("a", { nodeSelector: { [zone]: "z-a" } }),
      pod("b", { nodeSelector: { [zone]: "z-b" } }),
      pod("c"),
    ];
    expect(outcome({ pods: pending }).claims).toHaveLength(2);
  });
});
