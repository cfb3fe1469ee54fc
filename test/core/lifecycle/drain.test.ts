import { describe, expect, it } from "vitest";
import { planDrain, tolerates } from "../../../shared/core/lifecycle/index.ts";
import type { Pod, Taint, Toleration } from "../../../shared/core/model/index.ts";
import { minute, pod, second, t0 } from "./literals.ts";

const daemon = { owner: { kind: "DaemonSet", name: "agent", uid: "ds" } } as const;
const critical = { priorityClassName: "system-cluster-critical" } as const;
const tolerant = { tolerations: [{ key: "karpenter.sh/disrupted", operator: "Exists" }] } as const;
const names = (pods: readonly Pod[]) => pods.map(({ name }) => name);

describe("the order of a drain (core#1478)", () => {
  const all = [pod("web"), pod("agent", daemon), pod("dns", critical), pod("proxy", { ...daemon, ...critical })];
  it.each<[string, readonly Pod[], readonly string[]]>([
    ["non-critical pods first", all, ["web"]],
    ["then non-critical daemons", all.slice(1), ["agent"]],
    ["then critical pods", all.slice(2), ["dns"]],
    ["then critical daemons", all.slice(3), ["proxy"]],
    ["a group that still ends is waited for", [pod("web", { deletionAtMs: t0 + 10 * second }), ...all.slice(1)], []],
  ])("%s", (_title, pods, evicted) => {
    expect(names(planDrain(pods, t0).evict)).toEqual(evicted);
  });
});

describe("pods that don't hold up a drain", () => {
  it.each<[string, Pod]>([
    ["ended", pod("a", { phase: "Succeeded" })],
    ["failed", pod("a", { phase: "Failed" })],
    ["static", pod("a", { mirror: true })],
    ["the node's own", pod("a", { owner: { kind: "Node", name: "ip-1", uid: "n" } })],
    ["tolerating the disrupted taint", pod("a", tolerant)],
    ["tolerating every taint", pod("a", { tolerations: [{ operator: "Exists" }] })],
    ["stuck a minute past its end", pod("a", { deletionAtMs: t0 - minute })],
  ])("%s", (_title, one) => {
    expect(planDrain([one], t0)).toMatchObject({ drained: true, evict: [], waitingFor: [] });
  });

  it("but one that ended its time less than a minute ago does", () => {
    expect(planDrain([pod("a", { deletionAtMs: t0 - minute + 1 })], t0)).toMatchObject({
      drained: false,
      evict: [],
      waitingFor: ["default/a"],
      nextChangeAtMs: t0 + 1,
    });
  });
});

describe("protection and deadlines", () => {
  const guarded = pod("a", { annotations: { "karpenter.sh/do-not-disrupt": "true" } });
  const timed = pod("a", { annotations: { "karpenter.sh/do-not-disrupt": "10m" } });
  it("do-not-disrupt is waited for, for ever or for its time", () => {
    expect(planDrain([guarded], t0)).toMatchObject({ drained: false, evict: [], nextChangeAtMs: null });
    expect(planDrain([timed], t0 + minute)).toMatchObject({ evict: [], nextChangeAtMs: t0 + 10 * minute });
    expect(names(planDrain([timed], t0 + 10 * minute).evict)).toEqual(["a"]);
  });

  it("a deadline ends every pod in time for its own grace period, whatever protects it and whatever its turn", () => {
    const deadlineMs = t0 + minute;
    const pods = [guarded, pod("b", critical), pod("c", { terminationGracePeriodMs: 5 * minute })];
    const early = planDrain(pods, t0, deadlineMs);
    expect(early.remove).toEqual([{ pod: pods[2], gracePeriodMs: minute }]);
    expect(early.nextChangeAtMs).toBe(t0 + 30 * second);
    const late = planDrain(pods, t0 + 30 * second, deadlineMs);
    expect(late.remove.map(({ pod: one, gracePeriodMs }) => [one.name, gracePeriodMs])).toEqual([
      ["a", 30 * second],
      ["b", 30 * second],
      ["c", 30 * second],
    ]);
    expect(planDrain(pods, deadlineMs, deadlineMs)).toMatchObject({ drained: true, remove: [] });
  });

  it("a pod that will be gone by the deadline is left alone, one that will not is shortened", () => {
    const deadlineMs = t0 + 20 * second;
    const ending = pod("a", { deletionAtMs: t0 + 10 * second });
    const slow = pod("b", { deletionAtMs: t0 + 5 * minute });
    expect(planDrain([ending, slow], t0, deadlineMs).remove.map(({ pod: one }) => one.name)).toEqual(["b"]);
  });

  it("asks for at most twenty evictions in one step, in the order of names", () => {
    const many = Array.from({ length: 45 }, (_, i) => pod(`p${String(44 - i).padStart(2, "0")}`));
    expect(names(planDrain(many, t0).evict)).toEqual(
      Array.from({ length: 20 }, (_, i) => `p${String(i).padStart(2, "0")}`),
    );
  });
});

describe("tolerates", () => {
  const taint: Taint = { key: "dedicated", value: "gpu", effect: "NoSchedule" };
  it.each<[boolean, Toleration]>([
    [true, { operator: "Exists" }],
    [true, { operator: "Exists", effect: "NoSchedule" }],
    [false, { operator: "Exists", effect: "NoExecute" }],
    [true, { key: "dedicated", operator: "Exists" }],
    [true, { key: "dedicated", operator: "Equal", value: "gpu" }],
    [false, { key: "dedicated", operator: "Equal", value: "cpu" }],
    [false, { key: "dedicated", operator: "Equal" }],
    [false, { key: "other", operator: "Exists" }],
    [false, { operator: "Equal", value: "gpu" }],
  ])("%s: %j", (expected, toleration) => {
    expect(tolerates([toleration], taint)).toBe(expected);
  });

  it.each<[boolean, string, "Gt" | "Lt", string]>([
    [true, "5", "Gt", "4"],
    [false, "4", "Gt", "4"],
    [true, "3", "Lt", "4"],
    [false, "x", "Lt", "4"],
    [false, "", "Lt", "4"],
  ])("%s: value %s %s %s", (expected, value, operator, bound) => {
    expect(tolerates([{ key: "k", operator, value: bound }], { key: "k", value, effect: "NoSchedule" })).toBe(expected);
  });
});
