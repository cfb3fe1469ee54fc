import { describe, expect, it } from "vitest";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import { pod, pool, snapshot } from "./fixtures.ts";

describe("a pool of another provider", () => {
  it.each([
    ["eks.amazonaws.com", "NodeClass"],
    ["karpenter.azure.com", "AKSNodeClass"],
    ["karpenter.k8s.aws", "NodeClass"],
    ["", "EC2NodeClass"],
  ])("%s %s is passed over with the reason, though a class of ours has the same name", (group, kind) => {
    const other = pool("other", { weight: 50, nodeClassRef: { group, kind, name: "default" } });
    const pods = [pod("p")];
    expect(planProvisioning(snapshot({ pods, nodePools: [other, pool("default")] })).claims[0]?.nodePool).toBe(
      "default",
    );
    const alone = planProvisioning(snapshot({ pods, nodePools: [other] }));
    expect(alone.unschedulable[0]?.nodePools.other).toBe(
      `its nodeClassRef is a ${kind} of ${group || "no group"}; only karpenter.k8s.aws/EC2NodeClass is planned for`,
    );
  });
});
