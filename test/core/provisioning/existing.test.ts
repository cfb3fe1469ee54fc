import { describe, expect, it } from "vitest";
import type { NodeClaim, Snapshot, Taint } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import {
  asks,
  bound,
  daemonPod,
  daemonSet,
  definedOnly,
  gi,
  joined,
  node,
  nowMs,
  pod,
  pods,
  pool,
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

describe("nodes that are there", () => {
  const full = bound("full", "n1", { requests: asks(3.5, 1) });
  const cases: [string, Partial<Snapshot>, string[]][] = [
    ["take what fits", { ...managed, pods: [pod("a")] }, ["claim-n1×1"]],
    ["of others take what fits", { nodes: [n1], pods: [pod("a")] }, ["n1×1"]],
    ["are full by the pods that are bound", { ...managed, pods: [pod("a"), full] }, ["new×1"]],
    [
      "are not full of pods that have ended",
      { ...managed, pods: [pod("a"), { ...full, phase: "Succeeded" as const }] },
      ["claim-n1×1"],
    ],
    [
      "are full of pods that are still ending",
      { ...managed, pods: [pod("a"), { ...full, deletionAtMs: nowMs + 1 }] },
      ["new×1"],
    ],
    [
      "run out of pod slots",
      { nodes: [node("n1", { allocatable: { cpu: 4000, memory: 8 * gi, pods: 1 } })], pods: pods(2) },
      ["n1×1", "new×1"],
    ],
    [
      "keep room for a daemon that is still to come",
      {
        ...managed,
        daemonSets: [daemonSet("d", { requests: asks(1, 1) })],
        pods: [pod("a", { requests: asks(3.5, 1) })],
      },
      ["new×1"],
    ],
    [
      "keep no room for a daemon that is there",
      {
        ...managed,
        daemonSets: [daemonSet("d", { requests: asks(1, 1) })],
        pods: [pod("a", { requests: asks(3, 1) }), daemonPod(daemonSet("d", { requests: asks(1, 1) }), "n1")],
      },
      ["claim-n1×1"],
    ],
    [
      "keep no room for a daemon that cannot run there",
      {
        ...managed,
        daemonSets: [daemonSet("d", { requests: asks(1, 1), nodeSelector: { [zone]: "z-b" } })],
        pods: [pod("a", { requests: asks(3.5, 1) })],
      },
      ["claim-n1×1"],
    ],
    ["must have the labels", { ...managed, pods: [pod("a", { nodeSelector: { [zone]: "z-b" } })] }, ["new×1"]],
    [
      "may be asked for by name",
      {
        ...managed,
        pods: [pod("a", { requiredNodeAffinity: [{ expressions: [], fields: [req("metadata.name", "In", "n1")] }] })],
      },
      ["claim-n1×1"],
    ],
    [
      "may be asked for by host",
      { ...managed, pods: [pod("a", { nodeSelector: { "kubernetes.io/hostname": "n1" } })] },
      ["claim-n1×1"],
    ],
    [
      "satisfy any of the OR'd terms",
      {
        ...managed,
        pods: [
          pod("a", {
            requiredNodeAffinity: [
              { expressions: [req(zone, "In", "z-b")], fields: [] },
              { expressions: [req(zone, "In", "z-a")], fields: [] },
            ],
          }),
        ],
      },
      ["claim-n1×1"],
    ],
    [
      "that are cordoned take nothing",
      { nodes: [node("n1", { cordoned: true })], claims: [joined(n1)], pods: [pod("a")] },
      ["new×1"],
    ],
    [
      "that are being deleted take nothing",
      { nodes: [node("n1", { deletionAtMs: nowMs })], claims: [joined(n1)], pods: [pod("a")] },
      ["new×1"],
    ],
    [
      "of a claim that is being deleted take nothing",
      { nodes: [n1], claims: [joined(n1, { deletion: { requestedAtMs: 1, reason: "empty" } })], pods: [pod("a")] },
      ["new×1"],
    ],
    [
      "of an open command take nothing",
      { nodes: [n1], claims: [joined(n1, { commandId: "c" })], pods: [pod("a")] },
      ["new×1"],
    ],
    [
      "with PreferNoSchedule come after new nodes",
      { nodes: [node("n1", { taints: [taint("x", "", "PreferNoSchedule")] })], pods: [pod("a")] },
      ["new×1"],
    ],
    [
      "with PreferNoSchedule come before nothing",
      { nodes: [node("n1", { taints: [taint("x", "", "PreferNoSchedule")] })], nodePools: [], pods: [pod("a")] },
      ["n1×1"],
    ],
    [
      "are left alone where the pod's own pool would be lighter",
      { ...managed, nodePools: [pool("default"), pool("heavy", { weight: 99 })], pods: [pod("a")] },
      ["claim-n1×1"],
    ],
  ];
  it.each(cases)("%s", (_, given, expected) => {
    expect(outcome(given)).toEqual(expected);
  });
});

describe("taints of nodes", () => {
  const notReady = taint("node.kubernetes.io/not-ready");
  const cases: [string, Taint, Partial<NodeClaim> | "unmanaged", string][] = [
    ["not-ready counts on an initialised node", notReady, {}, "new×1"],
    ["not-ready counts on a node of others", notReady, "unmanaged", "new×1"],
    ["not-ready goes by itself before that", notReady, { initializedAtMs: undefined } as never, "claim-n1×1"],
    [
      "uninitialized of the cloud provider likewise",
      taint("node.cloudprovider.kubernetes.io/uninitialized", "true"),
      { initializedAtMs: undefined } as never,
      "claim-n1×1",
    ],
    [
      "unregistered likewise",
      taint("karpenter.sh/unregistered", "", "NoExecute"),
      { initializedAtMs: undefined } as never,
      "claim-n1×1",
    ],
    [
      "readiness gates likewise",
      taint("readiness.k8s.io/network"),
      { initializedAtMs: undefined } as never,
      "claim-n1×1",
    ],
    [
      "startup taints go too",
      taint("cni", "wait"),
      { initializedAtMs: undefined, startupTaints: [taint("cni", "wait")] } as never,
      "claim-n1×1",
    ],
    ["startup taints count once initialised", taint("cni", "wait"), { startupTaints: [taint("cni", "wait")] }, "new×1"],
    [
      "an unknown taint counts at any time (2.J.101)",
      taint("node.cilium.io/agent-not-ready"),
      { initializedAtMs: undefined } as never,
      "new×1",
    ],
    ["disrupted counts", taint("karpenter.sh/disrupted"), {}, "new×1"],
  ];
  it.each(cases)("%s", (_, on, over, expected) => {
    const tainted = node("n1", { taints: [on] });
    const claims = over === "unmanaged" ? [] : [definedOnly(joined(tainted, over))];
    expect(outcome({ nodes: [tainted], claims, pods: [pod("a")] })).toEqual([expected]);
  });
});
