import { describe, expect, it } from "vitest";
import type { NodeClaim, Snapshot } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import {
  asks,
  claim,
  daemonSet,
  definedOnly,
  gi,
  joined,
  node,
  pod,
  req,
  snapshot,
  taint,
  zone,
} from "../scheduling/fixtures.ts";

/** `target×pods` for each placement and `new×pods` for each new claim. */
function outcome(given: Partial<Snapshot>): string[] {
  const plan = planProvisioning(snapshot(given));
  return [
    ...plan.placements.map(({ target, pods: on }) => `${target}×${on.length}`),
    ...plan.claims.map(({ pods: on }) => `new×${on.length}`),
    ...plan.unschedulable.map(({ pod: key }) => `none:${key}`),
  ];
}

const n1 = node("n1");
const managed = { nodes: [n1], claims: [joined(n1)] };

describe("claims in flight", () => {
  const flexible = claim("c1", { instanceTypes: ["a1.medium", "a1.large"] });
  const pinned = claim("c1", { requirements: [...claim("x").requirements, req(zone, "In", "z-a")] });
  const cases: [string, Partial<Snapshot>, string[]][] = [
    ["take pods before they have an instance", { claims: [claim("c1")], pods: [pod("a")] }, ["c1×1"]],
    ["offer what their smallest type has", { claims: [flexible], pods: [pod("a", { requests: asks(5) })] }, ["new×1"]],
    [
      "keep room for daemons",
      {
        claims: [claim("c1")],
        daemonSets: [daemonSet("d", { requests: asks(1, 1) })],
        pods: [pod("a", { requests: asks(3.5, 1) })],
      },
      ["new×1"],
    ],
    [
      "cannot promise a zone that is still open",
      { claims: [claim("c1")], pods: [pod("a", { nodeSelector: { [zone]: "z-a" } })] },
      ["new×1"],
    ],
    [
      "promise the zone that they were planned for",
      { claims: [pinned], pods: [pod("a", { nodeSelector: { [zone]: "z-a" } })] },
      ["c1×1"],
    ],
    [
      "promise what all their types have",
      { claims: [claim("c1")], pods: [pod("a", { nodeSelector: { "karpenter.k8s.aws/instance-cpu": "4" } })] },
      ["c1×1"],
    ],
    [
      "cannot promise what only some have",
      { claims: [flexible], pods: [pod("a", { nodeSelector: { "karpenter.k8s.aws/instance-cpu": "4" } })] },
      ["new×1"],
    ],
    ["carry their taints", { claims: [claim("c1", { taints: [taint("x")] })], pods: [pod("a")] }, ["new×1"]],
    [
      "do not carry startup taints",
      { claims: [claim("c1", { startupTaints: [taint("x")] })], pods: [pod("a")] },
      ["c1×1"],
    ],
    [
      "are known once they have an instance",
      {
        claims: [definedOnly({ ...joined(n1), registeredAtMs: undefined, initializedAtMs: undefined } as never)],
        pods: [pod("a", { nodeSelector: { [zone]: "z-a" } })],
      },
      ["claim-n1×1"],
    ],
    ["that have lost their node are no capacity", { claims: [joined(n1)], pods: [pod("a")] }, ["new×1"]],
    [
      "of types that nobody knows are no capacity",
      { claims: [claim("c1", { instanceTypes: ["z9.huge"] })], pods: [pod("a")] },
      ["new×1"],
    ],
    [
      "come after nodes that are ready",
      { nodes: [n1], claims: [claim("aaa"), joined(n1)], pods: [pod("a")] },
      ["claim-n1×1"],
    ],
    [
      "hold the pods that were nominated to them",
      {
        claims: [claim("c1")],
        placements: [{ target: "c1", pods: ["default/a"] }],
        pods: [pod("a", { requests: asks(3) }), pod("b", { requests: asks(2) })],
      },
      ["new×1"],
    ],
    [
      "free the room of nominated pods that are gone",
      {
        claims: [claim("c1")],
        placements: [{ target: "c1", pods: ["default/gone"] }],
        pods: [pod("b", { requests: asks(4) })],
      },
      ["c1×1"],
    ],
    [
      "of a node that is joining show its devices already",
      {
        nodes: [node("n1", { allocatable: { cpu: 4000, memory: 8 * gi, pods: 20, "nvidia.com/gpu": 0 } })],
        claims: [
          definedOnly({
            ...joined(n1),
            initializedAtMs: undefined,
            instance: {
              ...joined(n1).instance!,
              allocatable: { cpu: 4000, memory: 8 * gi, pods: 20, "nvidia.com/gpu": 1 },
            },
          } as never),
        ],
        pods: [pod("a", { requests: asks(1, 1, { "nvidia.com/gpu": 1 }) })],
      },
      ["claim-n1×1"],
    ],
  ];
  it.each(cases)("%s", (_, given, expected) => {
    expect(outcome(given)).toEqual(expected);
  });
});

describe("nominations", () => {
  it("keep a pod from being planned again", () => {
    const plan = planProvisioning(
      snapshot({ ...managed, placements: [{ target: "claim-n1", pods: ["default/a"] }], pods: [pod("a")] }),
    );
    expect([plan.claims, plan.placements]).toEqual([[], []]);
    expect(plan.ignored).toEqual([{ pod: "default/a", reason: "it has a place on claim-n1 already" }]);
  });
  it.each<[string, Partial<NodeClaim>]>([
    ["to a claim that leaves", { deletion: { requestedAtMs: 1, reason: "spot_interrupted" } }],
    ["to a claim of an open command", { commandId: "c" }],
  ])("are void %s", (_, over) => {
    expect(
      outcome({
        nodes: [n1],
        claims: [joined(n1, over)],
        placements: [{ target: "claim-n1", pods: ["default/a"] }],
        pods: [pod("a")],
      }),
    ).toEqual(["new×1"]);
  });
  it("to a claim that is not there are void", () => {
    expect(outcome({ placements: [{ target: "no-such", pods: ["default/a"] }], pods: [pod("a")] })).toEqual(["new×1"]);
  });
});
