import { describe, expect, it } from "vitest";
import { blockingPods, planDisruption } from "../../../shared/core/disruption/index.ts";
import type { Command, Snapshot } from "../../../shared/core/model/index.ts";
import { hour, minute, pod, second, t0 } from "../lifecycle/literals.ts";
import { held, nodeOf, pool, snapshot } from "./literals.ts";

const daemon = { owner: { kind: "DaemonSet", name: "agent", uid: "ds" } } as const;
const nowMs = t0 + 60 * minute;
const guarded = { "karpenter.sh/do-not-disrupt": "true" };
const open: Command = {
  id: "c",
  reason: "Empty",
  decision: "delete",
  candidates: ["default-1"],
  replacements: [],
  savingsMicroUsdPerHour: 0,
};

const taken = (change: Partial<Snapshot>) =>
  planDisruption(snapshot(change)).commands.flatMap((command) => command.candidates);
const reasons = (change: Partial<Snapshot>) => planDisruption(snapshot(change)).blocked;

describe("an empty node", () => {
  it("goes, with what it saves", () => {
    const plan = planDisruption(snapshot());
    expect(plan).toEqual({
      commands: [
        {
          id: "empty-default-1-5",
          reason: "Empty",
          decision: "delete",
          consolidationType: "empty",
          candidates: ["default-1"],
          replacements: [],
          savingsMicroUsdPerHour: 1_000,
        },
      ],
      blocked: [],
      eligible: { Empty: 1 },
      warnings: [],
      nextChangeAtMs: null,
    });
  });

  it("counts as one that could go also where no budget lets it", () => {
    const plan = planDisruption(snapshot({ nodePools: [pool({ budgets: [{ nodes: "0" }] })] }));
    expect(plan).toMatchObject({ commands: [], eligible: { Empty: 1 } });
    expect(planDisruption(snapshot({ pods: [pod("web")] })).eligible).toEqual({ Empty: 0 });
  });

  it.each<[string, Partial<Snapshot>]>([
    ["with daemon pods only", { pods: [pod("agent", daemon)] }],
    ["with static pods only", { pods: [pod("proxy", { mirror: true, nodeName: "ip-1" })] }],
    ["with ended pods only", { pods: [pod("job", { phase: "Succeeded" })] }],
    ["with pods that are leaving", { pods: [pod("web", { deletionAtMs: nowMs })] }],
    ["of a pool that consolidates only empty nodes", { nodePools: [pool({ consolidationPolicy: "WhenEmpty" })] }],
    [
      "while a pod waits that fits nowhere (aws#4533)",
      { pods: [pod("big", { nodeName: undefined as never, phase: "Pending" })] },
    ],
    [
      "whose protection has ended",
      { pods: [pod("agent", { ...daemon, annotations: { "karpenter.sh/do-not-disrupt": "30m" } })] },
    ],
    [
      "whose protection cannot be read",
      { claims: [held(1, { annotations: { "karpenter.sh/do-not-disrupt": "soon" } })] },
    ],
  ])("goes %s", (_title, change) => {
    expect(taken(change)).toEqual(["default-1"]);
  });

  it.each<[string, Partial<Snapshot>, RegExp]>([
    ["a pod that would need another node", { pods: [pod("web")] }, /1 of its pods would need another node/],
    ["a pool that never consolidates", { nodePools: [pool({ consolidateAfterMs: null })] }, /never consolidates/],
    ["a pool of fixed size", { nodePools: [pool({ replicas: 3 })] }, /fixed number/],
    ["a pool that is gone", { nodePools: [] }, /NodePool default is not in the cluster/],
    [
      "do-not-disrupt on the node",
      { nodes: [nodeOf(1, { annotations: guarded })] },
      /the node has karpenter.sh\/do-not-disrupt/,
    ],
    ["do-not-disrupt on the claim", { claims: [held(1, { annotations: guarded })] }, /the NodeClaim has/],
    [
      "do-not-disrupt on a daemon's pod",
      { pods: [pod("agent", { ...daemon, annotations: guarded })] },
      /pod default\/agent has/,
    ],
    ["pods on their way to the claim", { placements: [{ target: "default-1", pods: ["default/a"] }] }, /on their way/],
    ["pods on their way to the node", { placements: [{ target: "ip-1", pods: ["default/a"] }] }, /on their way/],
    ["an open command", { commands: [open] }, /being disrupted already/],
    ["a node not initialized", { claims: [held(1, { initializedAtMs: undefined as never })] }, /not initialized/],
    ["a node that is missing", { nodes: [] }, /not initialized/],
    [
      "two nodes with its provider id",
      { nodes: [nodeOf(1), nodeOf(1, { name: "ip-x", uid: "x" })] },
      /not initialized/,
    ],
    ["a node being deleted", { nodes: [nodeOf(1, { deletionAtMs: nowMs })] }, /being deleted/],
  ])("stays for %s", (_title, change, reason) => {
    expect(taken(change)).toEqual([]);
    expect(reasons(change)).toHaveLength(1);
    expect(reasons(change)[0]!.reasons.join("; ")).toMatch(reason);
  });

  it("that is on its way out already is not spoken of", () => {
    expect(
      planDisruption(snapshot({ claims: [held(1, { deletion: { requestedAtMs: t0, reason: "empty" } })] })),
    ).toMatchObject({ commands: [], blocked: [] });
  });
});

describe("consolidateAfter", () => {
  it.each<[string, Partial<Parameters<typeof held>[1] & object>, number]>([
    ["counts from Initialized", {}, t0 + 3 * minute],
    [
      "counts from the last pod event where there was one (status.lastPodEventTime)",
      { lastPodEventAtMs: t0 + 10 * minute },
      t0 + 11 * minute,
    ],
  ])("%s", (_title, change, dueAtMs) => {
    const claims = [held(1, change)];
    const before = planDisruption(snapshot({ claims, nowMs: dueAtMs - 1 }));
    expect(before.commands).toEqual([]);
    expect(before.nextChangeAtMs).toBe(dueAtMs);
    expect(before.blocked).toEqual([
      { node: "ip-1", reasons: ["consolidateAfter (60 s) has not passed since its last pod event"] },
    ]);
    expect(taken({ claims, nowMs: dueAtMs })).toEqual(["default-1"]);
  });
});

describe("budgets", () => {
  const four = { claims: [held(1), held(2), held(3), held(4)], nodes: [nodeOf(1), nodeOf(2), nodeOf(3), nodeOf(4)] };

  it("let the dearest go first", () => {
    expect(taken({ ...four, nodePools: [pool({ budgets: [{ nodes: "50%" }] })] })).toEqual(["default-4", "default-3"]);
    expect(reasons({ ...four, nodePools: [pool({ budgets: [{ nodes: "50%" }] })] })).toEqual([
      { node: "ip-1", reasons: ["the budget of NodePool default allows no more empty nodes to go now"] },
      { node: "ip-2", reasons: ["the budget of NodePool default allows no more empty nodes to go now"] },
    ]);
  });

  it.each<[string, Partial<Snapshot>]>([
    [
      "a node that is not ready",
      {
        nodes: [
          nodeOf(1, { conditions: [{ type: "Ready", status: "Unknown", changedAtMs: t0 }] }),
          nodeOf(2),
          nodeOf(3),
          nodeOf(4),
        ],
        pods: [pod("web")],
      },
    ],
    [
      "a node on its way out",
      { claims: [held(1, { deletion: { requestedAtMs: t0, reason: "empty" } }), held(2), held(3), held(4)] },
    ],
    ["a candidate of an open command", { commands: [open] }],
    [
      "a node with the disrupted taint",
      {
        nodes: [
          nodeOf(1, { taints: [{ key: "karpenter.sh/disrupted", value: "", effect: "NoSchedule" }] }),
          nodeOf(2),
          nodeOf(3),
          nodeOf(4),
        ],
        pods: [pod("web")],
      },
    ],
  ])("count %s", (_title, change) => {
    expect(taken({ ...four, ...change, nodePools: [pool({ budgets: [{ nodes: "2" }] })] })).toEqual(["default-4"]);
  });

  it("count only initialized nodes that are not terminating", () => {
    const claims = [
      held(1),
      held(2, { initializedAtMs: undefined as never }),
      held(3, { deletion: { requestedAtMs: t0, reason: "empty" }, terminateCalledAtMs: t0 }),
    ];
    expect(
      taken({ claims, nodes: [nodeOf(1), nodeOf(2), nodeOf(3)], nodePools: [pool({ budgets: [{ nodes: "34%" }] })] }),
    ).toEqual(["default-1"]);
  });

  it("of one pool are not another's", () => {
    const claims = [held(1), held(2, { nodePool: "other" })];
    const nodePools = [pool({ budgets: [{ nodes: "0" }] }), pool({ name: "other", uid: "p2" })];
    expect(taken({ claims, nodes: [nodeOf(1), nodeOf(2)], nodePools })).toEqual(["default-2"]);
  });

  it("that cannot be read are warned of, and let nothing go", () => {
    const plan = planDisruption(
      snapshot({ nodePools: [pool({ budgets: [{ nodes: "5", schedule: "99 * * * *", durationMs: hour }] })] }),
    );
    expect(plan.commands).toEqual([]);
    expect(plan.warnings).toEqual([
      { object: "NodePool/default", field: "spec.disruption.budgets", message: expect.stringContaining("99 * * * *") },
    ]);
  });

  it("change with the clock, and the plan says when", () => {
    const budgets = [{ nodes: "0", schedule: "0 9 * * *", durationMs: 2 * hour }];
    expect(planDisruption(snapshot({ nodePools: [pool({ budgets })] })).nextChangeAtMs).toBe(t0 + 2 * hour);
    expect(taken({ nodePools: [pool({ budgets })], nowMs: t0 + 2 * hour })).toEqual(["default-1"]);
  });
});

describe("expiry", () => {
  const expiring = (change: Parameters<typeof held>[1] = {}) => held(1, { expireAfterMs: hour, ...change });

  it.each<[string, Partial<Snapshot>]>([
    ["with pods that need a place", { pods: [pod("web")] }],
    ["protected", { nodes: [nodeOf(1, { annotations: guarded })], pods: [pod("web", { annotations: guarded })] }],
    ["without a budget left", { nodePools: [pool({ budgets: [{ nodes: "0" }] })] }],
    ["nominated", { placements: [{ target: "default-1", pods: ["default/a"] }] }],
    ["without its pool", { nodePools: [] }],
  ])("takes a claim whatever it is: %s", (_title, change) => {
    const plan = planDisruption(snapshot({ claims: [expiring()], ...change }));
    expect(plan.commands).toMatchObject([
      { id: "expired-default-1", reason: "Expired", decision: "delete", candidates: ["default-1"] },
    ]);
  });

  it("leaves a claim alone whose creation nobody has told", () => {
    const plan = planDisruption(snapshot({ claims: [expiring({ createdAtMs: 0 })], pods: [pod("web")] }));
    expect([plan.commands, plan.nextChangeAtMs]).toEqual([[], null]);
  });

  it("counts from the claim's creation, by the claim's own time", () => {
    const claims = [expiring({ createdAtMs: t0 + minute })];
    const early = planDisruption(snapshot({ claims, pods: [pod("web")] }));
    expect(early.commands).toEqual([]);
    expect(early.nextChangeAtMs).toBe(t0 + hour + minute);
    expect(
      planDisruption(snapshot({ claims: [expiring({ expireAfterMs: null })], pods: [pod("web")] })).nextChangeAtMs,
    ).toBeNull();
  });
});

it("before nextChangeAt the plan is the same, at every moment tried", () => {
  const state = {
    claims: [held(1, { lastPodEventAtMs: t0 + 70 * minute }), held(2, { expireAfterMs: 3 * hour }), held(3)],
    nodes: [nodeOf(1), nodeOf(2), nodeOf(3)],
    pods: [
      pod("web", { nodeName: "ip-2" }),
      pod("agent", { ...daemon, nodeName: "ip-3", annotations: { "karpenter.sh/do-not-disrupt": "90m" } }),
    ],
    nodePools: [pool({ budgets: [{ nodes: "1", schedule: "30 9 * * *", durationMs: hour }] })],
  };
  let at: number | null = t0 + 5 * minute;
  let changes = 0;
  while (at !== null) {
    const plan = planDisruption(snapshot({ ...state, nowMs: at }));
    const until: number = plan.nextChangeAtMs ?? at + 24 * hour;
    expect(until).toBeGreaterThan(at);
    for (const moment of [at + 1, Math.floor((at + until) / 2), until - second, until - 1]) {
      if (moment < at || moment >= until) continue;
      const later = planDisruption(snapshot({ ...state, nowMs: moment }));
      expect([later.commands, later.blocked]).toEqual([plan.commands, plan.blocked]);
      expect(later.nextChangeAtMs).toBe(plan.nextChangeAtMs);
    }
    at = plan.nextChangeAtMs;
    changes++;
    if (changes > 8) break;
  }
  expect(changes).toBeGreaterThan(4);
});

it("pods that came after the taint stand against it; daemons, static and leaving ones don't", () => {
  const pods = [
    pod("web"),
    pod("agent", daemon),
    pod("guarded-agent", { ...daemon, annotations: guarded }),
    pod("static", { mirror: true }),
    pod("done", { phase: "Succeeded", annotations: guarded }),
    pod("leaving", { deletionAtMs: nowMs }),
  ];
  expect(blockingPods(pods, nowMs)).toEqual(["default/guarded-agent", "default/web"]);
});
