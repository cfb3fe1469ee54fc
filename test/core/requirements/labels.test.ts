import { describe, expect, it } from "vitest";
import {
  normalizeLabels,
  restrictedLabelReason,
  wellKnownLabels,
  wellKnownValues,
} from "../../../shared/core/requirements/index.ts";

describe("restricted labels", () => {
  it.each([
    ["kubernetes.io/hostname", "requirement", true],
    ["karpenter.sh/registered", "requirement", true],
    ["x.karpenter.sh/y", "template", true],
    ["karpenter.k8s.aws/whatever", "requirement", true],
    ["karpenter.sh/nodepool", "template", true],
    ["karpenter.sh/nodepool", "requirement", false],
    ["karpenter.sh/capacity-type", "template", false],
    ["karpenter.k8s.aws/instance-family", "requirement", false],
    ["node-restriction.kubernetes.io/x", "template", false],
    ["foo.k8s.io/x", "template", false],
    ["notkarpenter.sh/x", "template", false],
    ["team", "template", false],
  ] as const)("%s in a %s: %s", (key, where, restricted) => {
    const reason = restrictedLabelReason(key, where);
    expect(reason !== undefined).toBe(restricted);
    if (restricted) expect(reason).toContain(`label "${key}" is restricted`);
  });
});

describe("labels under stable names", () => {
  it.each([
    [{ "beta.kubernetes.io/os": "linux" }, { "kubernetes.io/os": "linux" }],
    [{ "topology.ebs.csi.aws.com/zone": "a" }, { "topology.kubernetes.io/zone": "a" }],
    [{ "beta.kubernetes.io/arch": "old", "kubernetes.io/arch": "new" }, { "kubernetes.io/arch": "new" }],
    [{ team: "a" }, { team: "a" }],
  ])("%j are %j", (given, normalized) => {
    expect(normalizeLabels(given)).toEqual(normalized);
  });
});

it("knows Karpenter's well-known labels and closed values", () => {
  expect(wellKnownLabels.size).toBe(36);
  expect(wellKnownLabels.has("karpenter.k8s.aws/instance-tenancy")).toBe(true);
  expect(wellKnownValues["karpenter.sh/capacity-type"]).toEqual(["on-demand", "reserved", "spot"]);
});
