import { describe, expect, it } from "vitest";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import { selects } from "../../../shared/core/scheduling/index.ts";
import { asks, claim, node, pod, pool, req, snapshot } from "./fixtures.ts";

const names = ["constructor", "hasOwnProperty", "toString", "valueOf", "isPrototypeOf"];

describe.each(names)("the name %s", (name) => {
  it("is a label that a node lacks", () => {
    const terms = [{ expressions: [req(name, "Exists")], fields: [] }];
    const world = { nodes: [node("n1")], claims: [claim("c1")], nodePools: [] };
    expect(
      planProvisioning(snapshot({ ...world, pods: [pod("p", { requiredNodeAffinity: terms })] })).placements,
    ).toEqual([]);
    expect(
      planProvisioning(snapshot({ ...world, pods: [pod("p", { nodeSelector: { [name]: "x" } })] })).placements,
    ).toEqual([]);
  });

  it("is a label that a pool may settle", () => {
    const nodePools = [pool("default", { requirements: [req(name, "Exists")] })];
    const plan = planProvisioning(snapshot({ nodePools, pods: [pod("p", { nodeSelector: { [name]: "x" } })] }));
    expect(plan.claims[0]?.labels).toMatchObject({ [name]: "x" });
  });

  it("is a resource that no node has", () => {
    const plan = planProvisioning(
      snapshot({ nodes: [node("n1")], pods: [pod("p", { requests: asks(1, 1, { [name]: 1 }) })] }),
    );
    expect(plan.unschedulable.map((verdict) => verdict.pod)).toEqual(["default/p"]);
  });

  it("is a label that a pod lacks", () => {
    expect(selects({ matchLabels: {}, matchExpressions: [req(name, "Exists")] }, {})).toBe(false);
    expect(selects({ matchLabels: {}, matchExpressions: [req(name, "DoesNotExist")] }, {})).toBe(true);
  });
});
