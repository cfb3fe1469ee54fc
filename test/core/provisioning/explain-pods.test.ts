import { describe, expect, it } from "vitest";
import { explainPods } from "../../../shared/core/provisioning/index.ts";
import { capacityType, instanceType, pod, pool, req, snapshot } from "../scheduling/fixtures.ts";

const only = (name: string, type: string, weight = 1) =>
  pool(name, { weight, requirements: [req(capacityType, "In", "on-demand"), req(instanceType, "In", type)] });

describe("what pools say of a pod that gets a new node", () => {
  it("is told of those of one weight by what pods cost there, not by their names", () => {
    const nodePools = [only("aaa-dear", "b2.large"), only("zzz-cheap", "a1.small")];
    const [told] = explainPods(snapshot({ pods: [pod("p")], nodePools }), ["default/p"]);
    expect(told!.nodePools).toEqual([
      {
        nodePool: "aaa-dear",
        weight: 1,
        says: "not asked: pods cost less on nodes of zzz-cheap, which has the same weight",
      },
      { nodePool: "zzz-cheap", weight: 1, says: "gives the node" },
    ]);
  });

  it("is told of lighter ones that another came first, and of heavier ones why they don't", () => {
    const nodePools = [only("light", "a1.small"), only("tiny", "a1.small", 20), only("big", "b2.large", 10)];
    const [told] = explainPods(snapshot({ pods: [pod("p", { requests: { cpu: 6000, pods: 1 } })], nodePools }), [
      "default/p",
    ]);
    const says = new Map(told!.nodePools.map((one) => [one.nodePool, one.says]));
    expect(says.get("big")).toBe("gives the node");
    expect(says.get("light")).toBe("not asked: another pool came first");
    expect(says.get("tiny")).toMatch(/cpu/);
  });
});
