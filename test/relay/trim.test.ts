import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kinds } from "../../relay/objects.ts";
import { createTrim } from "../../relay/trim/index.ts";
import { UnreadableObjectError } from "../../shared/api/index.ts";

const pod = {
  metadata: {
    name: "web-1",
    namespace: "shop",
    uid: "u1",
    resourceVersion: "5",
    creationTimestamp: "2026-01-01T00:00:00Z",
    annotations: { "karpenter.sh/do-not-disrupt": "30m", other: "x" },
    ownerReferences: [
      { apiVersion: "v1", kind: "Thing", name: "by-the-way", uid: "t" },
      { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "r", controller: true },
    ],
  },
  spec: {
    nodeName: "node-1",
    overhead: { cpu: "10m", memory: "1Mi" },
    initContainers: [
      { name: "prepare", resources: { requests: { cpu: "2" }, limits: { cpu: "3" } } },
      { name: "sidecar", restartPolicy: "Always", resources: { requests: { cpu: "100m" } } },
    ],
    containers: [
      { name: "main", resources: { requests: { cpu: "500m", memory: "1Gi" }, limits: { memory: "2Gi" } } },
      { name: "proxy", resources: { limits: { cpu: "250m" } } },
    ],
  },
  status: {
    phase: "Running",
    startTime: "2026-01-01T00:00:03Z",
    conditions: [
      { type: "PodScheduled", status: "True", lastTransitionTime: "2026-01-01T00:00:02Z" },
      { type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:09Z", message: "long" },
    ],
  },
};

describe("a trimmed pod", () => {
  const midnightMs = Date.UTC(2026, 0, 1);

  it("keeps what wakes and metrics need, requests and limits summed as Kubernetes does", () => {
    expect(createTrim()("Pod", pod)).toEqual({
      uid: "u1",
      namespace: "shop",
      name: "web-1",
      owner: { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web" },
      isDaemon: false,
      isStatic: false,
      nodeName: "node-1",
      phase: "Running",
      ready: true,
      unschedulable: false,
      gated: false,
      nominated: false,
      doNotDisrupt: "30m",
      createdAtMs: midnightMs,
      scheduledAtMs: midnightMs + 2_000,
      startedAtMs: midnightMs + 3_000,
      readyAtMs: midnightMs + 9_000,
      deletionAtMs: undefined,
      resources: {
        // The init container's 2 CPUs are more than the others' 850m; its limit of 3 more than the others' 250m.
        requests: { cpu: 2_010, memory: 2 ** 30 + 2 ** 20, pods: 1 },
        limits: { cpu: 3_010, memory: 2 ** 31 + 2 ** 20 },
      },
    });
  });

  it("shares owners, names and sums with pods that are written alike", () => {
    const trim = createTrim();
    const [one, other] = [trim("Pod", pod), trim("Pod", structuredClone(pod))];
    expect(one.owner).toBe(other.owner);
    expect(one.resources).toBe(other.resources);
  });
});

describe("what keeps room", () => {
  const metadata = { name: "spare", namespace: "shop", uid: "b1", resourceVersion: "5", generation: 3 };
  const of = (spec: object) =>
    createTrim()("CapacityBuffer", { metadata, spec, status: { replicas: 2, conditions: [{ type: "Provisioning" }] } });

  it("is kept by whose pods it counts in, without its status", () => {
    const kept = { uid: "b1", namespace: "shop", name: "spare", generation: 3 };
    expect(of({ podTemplateRef: { name: "t" }, replicas: 2 })).toEqual({ ...kept, podTemplate: "t" });
    expect(of({ scalableRef: { kind: "Deployment", name: "d" }, percentage: 10 })).toEqual({
      ...kept,
      podTemplate: undefined,
    });
  });

  it("and overlays and templates by their generation alone", () => {
    const trim = createTrim();
    expect(trim("NodeOverlay", { metadata: { name: "o", uid: "o1", generation: 2 }, spec: { price: "1" } })).toEqual({
      uid: "o1",
      name: "o",
      generation: 2,
    });
    expect(trim("PodTemplate", { metadata, template: { spec: { containers: [] } } })).toEqual({
      uid: "b1",
      namespace: "shop",
      name: "spare",
      generation: 3,
    });
  });
});

describe("what cannot be read", () => {
  it("is named with its field", () => {
    const bad = { ...pod, spec: { containers: [{ resources: { requests: { cpu: "lots" } } }] } };
    expect(() => createTrim()("Pod", bad)).toThrow(
      /^Pod shop\/web-1: spec\.containers\[0\]\.resources\.requests\.cpu: /,
    );
  });

  it("is never anything but an unreadable object, whatever it looks like", () => {
    const trim = createTrim();
    const part = fc.dictionary(
      fc.constantFrom("conditions", "capacity", "taints", "template", "limits", "budgets"),
      fc.jsonValue(),
    );
    const document = fc.record(
      { metadata: fc.oneof(fc.constant({ name: "a", uid: "u" }), fc.jsonValue()), spec: part, status: part },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.oneof(document, fc.jsonValue()), (kind, given) => {
        try {
          expect(trim(kind, given)).toHaveProperty("uid");
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableObjectError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
