import { describe, expect, it } from "vitest";
import type { NodeClaim } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import { asks, claim, gi, joined, node, pod, pods, pool, req, snapshot } from "./fixtures.ts";

const size = "karpenter.k8s.aws/instance-size";
const family = "karpenter.k8s.aws/instance-family";
const bare = (over: Partial<NodeClaim> = {}) =>
  claim("c", { instanceTypes: [], requirements: [req(family, "In", "a1"), req(size, "In", "medium")], ...over });
const limited = (cpu: number) => [pool("default", { limits: { cpu } })];

describe("a claim in flight without a list of types", () => {
  it("takes pods by what its requirements let it become", () => {
    const plan = planProvisioning(snapshot({ claims: [bare()], pods: pods(3, { requests: asks(1, 1) }) }));
    expect(plan.placements.map(({ target }) => target)).toEqual(["c"]);
    expect(plan.claims).toEqual([]);
  });

  it("holds no more than the smallest of them, but that is one that holds what it was asked for", () => {
    const requirements = [req(family, "In", "a1")];
    const wanting = [pod("p", { requests: asks(6, 1) })];
    const small = bare({ requirements });
    const large = bare({ requirements, requests: asks(7, 1) });
    expect(planProvisioning(snapshot({ claims: [small], pods: wanting, nodePools: [] })).placements).toEqual([]);
    expect(planProvisioning(snapshot({ claims: [large], pods: wanting, nodePools: [] })).placements).toHaveLength(1);
  });

  it("counts for its pool's limits as the largest of them", () => {
    const claimsFor = (cpu: number) => {
      const wanting = [pod("p", { requests: asks(7, 1) })];
      return planProvisioning(snapshot({ claims: [bare()], nodePools: limited(cpu), pods: wanting })).claims;
    };
    expect(claimsFor(11_999)).toEqual([]);
    expect(claimsFor(12_000)).toHaveLength(1);
  });

  it("is nobody's concern where its pool is another provider's", () => {
    const nodeClassRef = { group: "karpenter.azure.com", kind: "AKSNodeClass", name: "default" };
    const plan = planProvisioning(
      snapshot({ claims: [bare()], nodePools: [pool("default", { nodeClassRef })], pods: [pod("p")] }),
    );
    expect(plan.placements).toEqual([]);
  });
});

describe("an instance whose record does not say what it has", () => {
  const base = joined(node("n1"));
  const silent = { ...base, instance: { ...base.instance!, capacity: {}, allocatable: {} } };
  const asking = [pod("p", { requests: asks(1, 1) })];
  const busy = node("n1", { allocatable: { cpu: 100, memory: gi, pods: 20 } });

  it("counts as its node", () => {
    const world = { claims: [silent], nodes: [busy], pods: asking };
    expect(planProvisioning(snapshot({ ...world, nodePools: limited(4_000) })).claims).toEqual([]);
    expect(planProvisioning(snapshot({ ...world, nodePools: limited(8_000) })).claims).toHaveLength(1);
  });

  it("counts, and holds pods, as its type before the node is there", () => {
    const { registeredAtMs: _, initializedAtMs: __, nodeName: ___, ...launched } = silent;
    const plan = planProvisioning(snapshot({ claims: [launched], nodePools: limited(4_000), pods: pods(9) }));
    expect(plan.claims).toEqual([]);
    expect(plan.placements[0]?.pods).toHaveLength(4);
  });
});
