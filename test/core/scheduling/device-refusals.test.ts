import { describe, expect, it } from "vitest";
import type { DeviceAsk, DeviceDemand, DeviceRequest, Pod, Snapshot } from "../../../shared/core/model/index.ts";
import { explainPods, type PodExplanation, planProvisioning } from "../../../shared/core/provisioning/index.ts";
import {
  ask,
  claiming,
  demand,
  deviceWorld,
  exactly,
  fromTemplate,
  named,
  resourceClaim,
  template,
} from "./device-fixtures.ts";
import { nowMs, pod, snapshot } from "./fixtures.ts";

/** The first verdict; or how many pods the new nodes get, by type. */
function outcome(over: Partial<Snapshot>): string {
  const { claims, unschedulable } = planProvisioning(deviceWorld(over));
  return (
    unschedulable[0]?.reason ?? claims.map(({ instanceTypes, pods: on }) => `${instanceTypes[0]} ${on.length}`).join()
  );
}

const pods = (count: number): Pod[] =>
  Array.from({ length: count }, (_, at) => claiming(`p-${at}`, [fromTemplate("t")]));
const asking = (of: DeviceDemand): Partial<Snapshot> => ({
  pods: pods(1),
  resourceClaimTemplates: [template("t", of)],
});

describe("what cannot be planned is refused in words", () => {
  const one = (over: Partial<DeviceAsk>, request: Partial<DeviceRequest> = {}): Partial<Snapshot> =>
    asking(demand({ ...exactly("r", ask(1, over)), ...request }));
  it.each<[string, Partial<Snapshot>]>([
    [
      'the pod\'s resource claim "gpu" leads to no ResourceClaimTemplate: there is no "t" in namespace "default"',
      { pods: pods(1) },
    ],
    [
      'the pod\'s resource claim "gpu" leads to no ResourceClaim: there is no "x" in namespace "default"',
      { pods: [claiming("p", [named("x")])] },
    ],
    ["names neither a ResourceClaim nor a ResourceClaimTemplate", { pods: [claiming("p", [{ name: "gpu" }])] }],
    [
      'leads to the ResourceClaim "x", which is being deleted',
      {
        pods: [claiming("p", [named("x")])],
        resourceClaims: [resourceClaim("x", demand(exactly("r")), { deletionAtMs: nowMs })],
      },
    ],
    [
      'leads to the ResourceClaim "x", which was made for another pod',
      {
        pods: [claiming("p", [fromTemplate("t", { claimName: "x" })])],
        resourceClaims: [resourceClaim("x", demand(exactly("r")), { ownerUid: "uid-q" })],
      },
    ],
    ['has the request "r", which wants the DeviceClass "efa": there is none of that name', one({ deviceClass: "efa" })],
    [
      'has the request "r", which asks for devices that others may have too (adminAccess): that is not planned with',
      one({ unplanned: "asks for devices that others may have too (adminAccess)" }),
    ],
    ['which has the selector "device.driver ==" that cannot be read: ', one({ selectors: ["device.driver =="] })],
    ['which has the selector "model(1)" that cannot be read: ', one({ selectors: ["model(1)"] })],
    [
      "that cannot be read: the pattern of matches() may repeat no group, and nothing more than 3 times",
      one({ selectors: ["device.driver.matches('^(a+)+$')"] }),
    ],
    [
      "that cannot be read: the pattern of matches() may repeat no group",
      one({ selectors: ['device.driver.matches(".*a.*b.*c.*d")'] }),
    ],
    [
      "that cannot be read: the pattern of matches() must be a text",
      one({ selectors: ["device.driver.matches('a' + 'b')"] }),
    ],
  ])("%s", (words, given) => {
    expect(outcome(given)).toContain(words);
  });

  it("for as long as devices are not planned with, whatever the pod asks for", () => {
    const { unschedulable, claims } = planProvisioning(
      snapshot({ ...asking(demand(exactly("gpu"))), pods: [...pods(1), pod("q")] }),
    );
    expect(unschedulable[0]!.reason).toBe(
      'the pod has the resource claim "gpu" (Dynamic Resource Allocation), and devices are planned with only where the setting ignore-dra-requests is false: set it so (its default is true)',
    );
    expect(claims.flatMap(({ pods: on }) => on)).toEqual(["default/q"]);
  });

  it("and explained by what the claims ask for, not by how that is counted", () => {
    const [{ asks: told, outcome: ends }] = explainPods(deviceWorld(asking(demand(exactly("gpu", ask(2))))), [
      "default/p-0",
    ]) as [PodExplanation];
    expect([told, ends]).toEqual([
      ["requests: cpu 100m, devices (2 × gpu.nvidia.com), memory 102.4Mi, pods 1"],
      "new-node",
    ]);
  });

  it("but not a claim that the control plane says is not needed", () => {
    expect(outcome({ pods: [claiming("p", [fromTemplate("t", { isUnneeded: true })])] })).toBe("a1.small 1");
  });
});
