import { describe, expect, it } from "vitest";
import type { NodeSelectorTerm } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import { arch, cpuLabel, node, pod, pool, req, snapshot } from "./fixtures.ts";

const plan = (term: Partial<NodeSelectorTerm>, over: Parameters<typeof snapshot>[0] = {}) =>
  planProvisioning(
    snapshot({ pods: [pod("p", { requiredNodeAffinity: [{ expressions: [], fields: [], ...term }] })], ...over }),
  );
const nodes = [node("n1"), node("n2")];

describe("matchFields", () => {
  it("selects nodes by their own names", () => {
    const found = plan({ fields: [req("metadata.name", "In", "n2")] }, { nodes });
    expect(found.placements).toEqual([{ target: "n2", pods: ["default/p"] }]);
  });

  it("knows no label", () => {
    const found = plan({ fields: [req(arch, "In", "amd64")] }, { nodes });
    expect([found.placements, found.claims]).toEqual([[], []]);
    expect(found.unschedulable[0]?.nodePools.default).toContain("matchFields knows only metadata.name");
  });

  it("is why no new node will do", () => {
    const found = plan({ fields: [req("metadata.name", "In", "n9")] });
    expect(found.unschedulable[0]?.nodePools.default).toBe(
      "the pod asks for a node by its name, which no new node has",
    );
  });
});

describe("the label metadata.name", () => {
  const asking = [pod("p", { nodeSelector: { "metadata.name": "n1" } })];

  it("is not the node's name", () => {
    expect(planProvisioning(snapshot({ nodes, pods: asking, nodePools: [] })).placements).toEqual([]);
  });

  it("is a label like any other", () => {
    const labelled = [node("n3", { labels: { ...node("n3").labels, "metadata.name": "n1" } })];
    expect(planProvisioning(snapshot({ nodes: labelled, pods: asking })).placements).toHaveLength(1);
    const nodePools = [pool("default", { labels: { "metadata.name": "n1" } })];
    expect(planProvisioning(snapshot({ pods: asking, nodePools })).claims).toHaveLength(1);
  });
});

describe("bounds with a sign", () => {
  it.each<[string, "Gt" | "Lt", string, boolean]>([
    ["every number is greater than a negative one", "Gt", "-1", true],
    ["a plus changes nothing", "Lt", "+999", true],
    ["no label is less than zero", "Lt", "0", false],
    ["nor than less", "Lt", "-5", false],
  ])("%s", (_, operator, bound, holds) => {
    expect(plan({ expressions: [req(cpuLabel, operator, bound)] }).claims).toHaveLength(holds ? 1 : 0);
  });

  it("leave none on the claim, whose schema has no signs", () => {
    const nodePools = [pool("default", { requirements: [req("rank", "Exists")] })];
    const [claim] = plan({ expressions: [req("rank", "Gt", "-9")] }, { nodePools }).claims;
    expect(JSON.stringify(claim?.requirements)).not.toMatch(/"-\d/);
  });
});
