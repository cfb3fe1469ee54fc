// What a plan says of CapacityBuffers, and what their status makes of it.
import { describe, expect, it } from "vitest";
import { toCapacityBuffer } from "../../../shared/api/index.ts";
import { bufferConditions } from "../../../shared/controllers/conditions.ts";
import { activeCapacity, type CapacityBuffer, type Snapshot } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import { asks, claim, instanceType, joined, node, podSpec, pods, pool, req, snapshot } from "../scheduling/fixtures.ts";

const spare: CapacityBuffer = {
  uid: "uid-spare",
  namespace: "default",
  name: "spare",
  resourceVersion: "1",
  generation: 1,
  strategy: activeCapacity,
  replicas: 2,
  template: podSpec({ requests: asks(1.5, 1) }),
};

function told(over: Partial<Snapshot>, buffer: CapacityBuffer = spare): readonly string[] {
  const base = snapshot();
  const settings = { ...base.settings, featureGates: { ...base.settings.featureGates, capacityBuffer: true } };
  const plan = planProvisioning(snapshot({ settings, capacityBuffers: [buffer], ...over }));
  const room = plan.buffers.find(({ namespace, name }) => namespace === "default" && name === buffer.name);
  return bufferConditions(buffer, room).map(({ type, status, reason, message }) =>
    [type, status, reason, message].join("|").replace(/\|$/, ""),
  );
}

const nodePools = [pool("default", { requirements: [req(instanceType, "In", "a1.medium")] })];
const ready = "ReadyForProvisioning|True|Resolved";

describe("a CapacityBuffer is told that its room", () => {
  it("is still to come, as long as the plan makes claims for it", () => {
    expect(told({ nodePools })).toEqual([
      ready,
      "Provisioning|False|RequiresNewCapacity|of 2 pods 0 have room, 2 get it on new nodes, 0 have none",
    ]);
  });

  it("is there, on nodes or on claims in flight", () => {
    const fits = "Provisioning|True|FitsExistingCapacity|nodes that are there or on their way have room for all 2 pods";
    const n = node("n");
    expect(told({ nodePools, nodes: [n], claims: [joined(n)] })).toEqual([ready, fits]);
    expect(told({ nodePools, claims: [claim("f", { instanceTypes: ["a1.medium"] })] })).toEqual([ready, fits]);
  });

  it("is missing where nothing may be made for it, and how much of it", () => {
    const n = node("n");
    const there = { nodes: [n], claims: [joined(n)], pods: pods(1, { requests: asks(1.5, 1) }) };
    expect(told({ ...there, nodePools: [pool("default", { limits: { nodes: 1 } })] })[1]).toBe(
      "Provisioning|False|RequiresNewCapacity|of 2 pods 1 have room, 0 get it on new nodes, 1 have none",
    );
  });

  it("is none, where it asks for none or cannot be understood", () => {
    expect(told({ nodePools }, { ...spare, replicas: 0 })).toEqual([
      ready,
      "Provisioning|False|BufferEmpty|it asks for room for no pod",
    ]);
    const { template: _, ...bare } = spare;
    const fault = { reason: "PodTemplateNotFound", message: "there is no PodTemplate default/t" };
    expect(told({ nodePools }, { ...bare, replicas: 0, fault })).toEqual([
      "ReadyForProvisioning|False|PodTemplateNotFound|there is no PodTemplate default/t",
      "Provisioning|False|NotReadyForProvisioning|see ReadyForProvisioning",
    ]);
  });
});

describe("a CapacityBuffer's reference", () => {
  const template = { spec: { containers: [{ name: "c", resources: { requests: { cpu: "500m" } } }] } };
  const read = (spec: Record<string, unknown>, found: unknown) =>
    toCapacityBuffer(
      {
        apiVersion: "autoscaling.x-k8s.io/v1beta1",
        kind: "CapacityBuffer",
        metadata: { name: "b", namespace: "default" },
        spec,
      },
      () => found,
    );

  it("to a PodTemplate is known by name and generation", () => {
    const metadata = { name: "t", generation: 4 };
    const written = { apiVersion: "v1", kind: "PodTemplate", metadata, template };
    const buffer = read({ podTemplateRef: { name: "t" }, replicas: 1 }, written);
    expect(buffer).toMatchObject({ strategy: activeCapacity, podTemplate: metadata, replicas: 1 });
  });

  it("to a workload has no template of its own", () => {
    const written = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "d" },
      spec: { replicas: 4, template },
    };
    const buffer = read({ scalableRef: { apiGroup: "apps", kind: "Deployment", name: "d" }, percentage: 50 }, written);
    expect(buffer.replicas).toBe(2);
    expect(buffer).not.toHaveProperty("podTemplate");
  });

  it.each([
    [{ kind: "DaemonSet", name: "d" }, "spec.scalableRef: no room can be counted in a DaemonSet; name a Deployment"],
    [{ apiGroup: "x.y", kind: "Deployment", name: "d" }, "no room can be counted in a Deployment of x.y"],
  ])("to what has no pods that we know is refused: %j", (scalableRef, message) => {
    const buffer = read({ scalableRef, replicas: 1 }, {});
    expect(buffer).toMatchObject({ replicas: 0, fault: { reason: "ResolutionFailed" } });
    expect(buffer.fault?.message).toContain(message);
  });
});
