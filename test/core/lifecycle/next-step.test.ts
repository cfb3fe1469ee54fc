import { describe, expect, it } from "vitest";
import { nextStep, type Observed, type Step } from "../../../shared/core/lifecycle/index.ts";
import type { CloudInstance, NodeClaim } from "../../../shared/core/model/index.ts";
import { claim, instance, minute, node, nodeClass, pod, second, t0 } from "./literals.ts";

const nothing: Observed = { nodes: [], mirrorDeleted: false, nodeClass };
const unregistered = { key: "karpenter.sh/unregistered", value: "", effect: "NoExecute" } as const;
const disrupted = { key: "karpenter.sh/disrupted", value: "", effect: "NoSchedule" } as const;
const launched = claim({ instance, launch: { id: "l1", sealedAtMs: t0 } });
const registered = claim({ instance, registeredAtMs: t0 + minute, nodeName: "ip-1" });
const deletion = { requestedAtMs: t0 + minute, reason: "empty" } as const;
const cloud = (state: CloudInstance["state"]): CloudInstance => ({
  id: "i-1",
  state,
  instanceType: "m5.large",
  zone: "us-east-1a",
  capacityType: "spot",
  launchedAtMs: t0,
  tags: {},
});

type Expected =
  | Partial<Extract<Step, { kind: "wait" }>>
  | { readonly kind: Step["kind"]; readonly [field: string]: unknown };

function table(rows: readonly (readonly [string, NodeClaim, Partial<Observed>, number, Expected])[]): void {
  it.each(rows)("%s", (_title, record, seen, nowMs, expected) => {
    expect(nextStep(record, { ...nothing, ...seen }, nowMs)).toMatchObject(expected);
  });
}

describe("a pending claim", () => {
  const failed = claim({ launchFailure: { reason: "Unauthorized", message: "not allowed", atMs: t0 + 10 * second } });
  table([
    ["is launched", claim(), {}, t0, { kind: "launch" }],
    [
      "waits for its class to be ready",
      claim(),
      { nodeClass: { ...nodeClass, ready: false, readyMessage: "SubnetsReady: none" } },
      t0,
      {
        kind: "wait",
        reason: "NodeClassNotReady",
        message: "EC2NodeClass default is not ready: SubnetsReady: none",
        untilMs: t0 + 5 * minute,
      },
    ],
    [
      "waits half a minute after a failed launch",
      failed,
      {},
      t0 + 39 * second,
      { kind: "wait", reason: "Unauthorized", untilMs: t0 + 40 * second },
    ],
    ["is launched again then", failed, {}, t0 + 40 * second, { kind: "launch" }],
    ["is still launched a moment before five minutes", claim(), {}, t0 + 5 * minute - 1, { kind: "launch" }],
    [
      "goes at five minutes",
      claim(),
      {},
      t0 + 5 * minute,
      { kind: "request-deletion", reason: "launch_timeout", message: "no instance within 5 minutes" },
    ],
    [
      "goes at five minutes with what EC2 said",
      failed,
      {},
      t0 + 5 * minute,
      { kind: "request-deletion", reason: "launch_timeout", message: "no instance within 5 minutes: not allowed" },
    ],
    [
      "goes at five minutes for its deleted class",
      claim(),
      { nodeClass: { ...nodeClass, deletionAtMs: t0 } },
      t0 + 5 * minute,
      { kind: "request-deletion", reason: "nodeclass_not_ready" },
    ],
    [
      "that a person deleted goes",
      claim(),
      { mirrorDeleted: true },
      t0,
      { kind: "request-deletion", reason: "deleted" },
    ],
    ["that is to go is finished without an instance", claim({ deletion }), {}, t0, { kind: "finish" }],
  ]);
});

describe("a claim in an open launch", () => {
  const launching = claim({ launch: { id: "l1", sealedAtMs: t0 } });
  table([
    ["waits for the launch, however long", launching, {}, t0 + 20 * minute, { kind: "wait", reason: "Launching" }],
    [
      "waits for it also when it is to go",
      { ...launching, deletion },
      { mirrorDeleted: true },
      t0,
      { kind: "wait", reason: "Launching" },
    ],
  ]);
});

describe("a launched claim", () => {
  const joined = node({ taints: [unregistered, { key: "team", value: "a", effect: "NoSchedule" }] });
  const timeoutMs = instance.launchedAtMs + 15 * minute;
  table([
    ["waits for its node", launched, {}, t0 + minute, { kind: "wait", reason: "NodeNotFound", untilMs: timeoutMs }],
    [
      "goes after fifteen minutes",
      launched,
      {},
      timeoutMs,
      { kind: "request-deletion", reason: "registration_timeout" },
    ],
    [
      "on Windows has thirty",
      claim({ instance, labels: { "kubernetes.io/os": "windows" } }),
      {},
      timeoutMs,
      { kind: "wait", untilMs: instance.launchedAtMs + 30 * minute },
    ],
    [
      "with two nodes takes neither",
      launched,
      { nodes: [joined, node({ name: "ip-2", uid: "node-2" })] },
      t0,
      { kind: "wait", reason: "MultipleNodesFound" },
    ],
    [
      "is registered: labels, taints, finalizer, and the unregistered taint goes",
      {
        ...launched,
        taints: [{ key: "dedicated", value: "x", effect: "NoSchedule" }],
        startupTaints: [{ key: "cni", value: "", effect: "NoExecute" }],
      },
      { nodes: [joined] },
      t0 + minute,
      {
        kind: "register",
        taintMissing: false,
        patch: {
          labels: { team: "platform", "karpenter.sh/registered": "true" },
          taints: [
            { key: "team", value: "a", effect: "NoSchedule" },
            { key: "dedicated", value: "x", effect: "NoSchedule" },
            { key: "cni", value: "", effect: "NoExecute" },
          ],
          finalizers: ["karpenter.sh/termination"],
        },
      },
    ],
    [
      "leaves the taints to a node that brings its own",
      { ...launched, startupTaints: [{ key: "cni", value: "", effect: "NoExecute" }] },
      { nodes: [node({ labels: { "karpenter.sh/do-not-sync-taints": "true" }, taints: [unregistered] })] },
      t0,
      { kind: "register", patch: { taints: [] } },
    ],
    [
      "says when the unregistered taint is missing",
      launched,
      { nodes: [node()] },
      t0,
      { kind: "register", taintMissing: true },
    ],
  ]);

  it("does not sync a second time after a crash: startup taints are others' to remove", () => {
    const synced = node({ labels: { "karpenter.sh/registered": "true" } });
    expect(nextStep(launched, { ...nothing, nodes: [synced] }, t0)).toEqual({
      kind: "register",
      node: synced,
      taintMissing: false,
    });
  });
});

describe("a registered claim", () => {
  const startup = { key: "cni", value: "", effect: "NoExecute" } as const;
  table([
    [
      "waits for Ready",
      registered,
      { nodes: [node({ conditions: [{ type: "Ready", status: "False", changedAtMs: t0 }] })] },
      t0,
      { kind: "wait", reason: "NodeNotReady" },
    ],
    [
      "waits for startup taints",
      { ...registered, startupTaints: [startup] },
      { nodes: [node({ taints: [startup] })] },
      t0,
      { kind: "wait", reason: "StartupTaintsExist" },
    ],
    [
      "waits for ephemeral taints",
      registered,
      {
        nodes: [
          node({
            taints: [{ key: "node.cloudprovider.kubernetes.io/uninitialized", value: "true", effect: "NoSchedule" }],
          }),
        ],
      },
      t0,
      { kind: "wait", reason: "KnownEphemeralTaintsExist" },
    ],
    [
      "waits for readiness gates of other controllers",
      registered,
      { nodes: [node({ taints: [{ key: "readiness.k8s.io/storage", value: "", effect: "NoSchedule" }] })] },
      t0,
      { kind: "wait", reason: "KnownEphemeralTaintsExist" },
    ],
    [
      "waits for requested resources",
      { ...registered, requests: { "nvidia.com/gpu": 1 } },
      { nodes: [node()] },
      t0,
      { kind: "wait", reason: "ResourceNotRegistered" },
    ],
    ["is initialized", registered, { nodes: [node()] }, t0, { kind: "initialize" }],
    [
      "whose Node was deleted goes",
      registered,
      { nodes: [node({ deletionAtMs: t0, finalizers: ["karpenter.sh/termination"] })] },
      t0,
      { kind: "request-deletion", reason: "deleted", message: "the Node was deleted" },
    ],
  ]);
});

describe("a draining claim", () => {
  const draining = claim({ instance, registeredAtMs: t0, deletion });
  const tainted = node({ taints: [disrupted] });
  table([
    ["is tainted first", draining, { nodes: [node()], pods: [] }, t0, { kind: "taint" }],
    [
      "evicts",
      draining,
      { nodes: [tainted], pods: [pod("a")] },
      t0,
      { kind: "drain", step: { drained: false, evict: [{ name: "a" }] } },
    ],
    ["is drained without pods", draining, { nodes: [tainted], pods: [] }, t0, { kind: "note-drained" }],
    [
      "is drained at its deadline",
      { ...draining, deletion: { ...deletion, deadlineMs: t0 + minute } },
      { nodes: [tainted], pods: [pod("a")] },
      t0 + minute,
      { kind: "note-drained", message: "the deadline passed with 1 pods left" },
    ],
    ["without a node has nothing to drain", draining, {}, t0, { kind: "note-drained", message: "it has no node" }],
    [
      "whose instance is over has nothing to drain",
      draining,
      { nodes: [node()], pods: [pod("a")], instance: cloud("shutting-down") },
      t0,
      { kind: "note-drained", message: "its instance is gone" },
    ],
    ["looks again when its pods were not read", draining, { nodes: [tainted] }, t0, { kind: "wait", untilMs: t0 }],
    [
      "that is drained is terminated",
      { ...draining, drainedAtMs: t0 },
      { nodes: [tainted] },
      t0,
      { kind: "terminate" },
    ],
  ]);
});

describe("a terminating claim", () => {
  const calledAtMs = t0 + 10 * minute;
  const terminating = claim({ instance, deletion, drainedAtMs: calledAtMs, terminateCalledAtMs: calledAtMs });
  const lost = { ...terminating, notFoundAtMs: calledAtMs };
  table([
    [
      "waits while EC2 shuts it down",
      terminating,
      { instance: cloud("shutting-down") },
      calledAtMs,
      { kind: "wait", untilMs: calledAtMs + 5 * second },
    ],
    [
      "waits while EC2 does not show it yet",
      terminating,
      { instance: cloud("running") },
      calledAtMs + 29 * second,
      { kind: "wait" },
    ],
    [
      "is terminated again after half a minute",
      terminating,
      { instance: cloud("running") },
      calledAtMs + 30 * second,
      { kind: "terminate" },
    ],
    [
      "is finished with its node",
      terminating,
      { instance: cloud("terminated"), nodes: [node()] },
      calledAtMs,
      { kind: "finish", node: { name: "ip-1" } },
    ],
    ["is looked up again when it was not", terminating, {}, calledAtMs, { kind: "wait" }],
    ["not found once is noted", terminating, { instance: "not-found" }, calledAtMs, { kind: "note-not-found" }],
    [
      "not found twice too soon waits",
      lost,
      { instance: "not-found" },
      calledAtMs + 29 * second,
      { kind: "wait", untilMs: calledAtMs + 30 * second },
    ],
    ["not found twice is finished", lost, { instance: "not-found" }, calledAtMs + 30 * second, { kind: "finish" }],
    [
      "too young to be shown is not taken for gone",
      { ...lost, notFoundAtMs: t0 + 5 * second },
      { instance: "not-found" },
      t0 + minute,
      { kind: "wait", untilMs: instance.launchedAtMs + 2 * minute },
    ],
  ]);
});
