// NodeOverlays and CapacityBuffers: read where they are asked for, with what buffers refer to, and told how they fare.
import { expect, it } from "vitest";
import type { ClusterSubject, Manifest } from "./subject.ts";

const template = {
  metadata: { labels: { app: "spare" } },
  spec: {
    restartPolicy: "Always",
    containers: [
      { name: "main", image: "registry.example/app:1", resources: { requests: { cpu: "500m", memory: "256Mi" } } },
    ],
  },
};

const overlay: Manifest = {
  apiVersion: "karpenter.sh/v1alpha1",
  kind: "NodeOverlay",
  metadata: { name: "cheaper-arm" },
  spec: {
    weight: 9,
    requirements: [{ key: "kubernetes.io/arch", operator: "In", values: ["arm64"] }],
    priceAdjustment: "-10%",
    capacity: { "example.com/licence": "4" },
  },
};

const podTemplate: Manifest & { readonly [field: string]: unknown } = {
  apiVersion: "v1",
  kind: "PodTemplate",
  metadata: { name: "spare", namespace: "default" },
  template,
};

const workload = (kind: string): Manifest => ({
  apiVersion: "apps/v1",
  kind,
  metadata: { name: `spare-${kind.toLowerCase()}`, namespace: "default" },
  spec: {
    replicas: 4,
    selector: { matchLabels: { app: "spare" } },
    template,
    ...(kind === "StatefulSet" ? { serviceName: "spare" } : {}),
  },
});

const buffer = (name: string, spec: object): Manifest => ({
  apiVersion: "autoscaling.x-k8s.io/v1beta1",
  kind: "CapacityBuffer",
  metadata: { name, namespace: "default" },
  spec,
});

export function poolTests(get: () => ClusterSubject): void {
  const bufferNamed = async (name: string) =>
    (await get().cluster.read({ pods: false, buffers: true })).capacityBuffers.find((one) => one.name === name);

  it("shows NodeOverlays where they are asked for", async () => {
    const { cluster, create } = get();
    const { uid } = await create(overlay);
    const { nodeOverlays } = await cluster.read({ pods: false, overlays: true });
    expect(nodeOverlays.find(({ name }) => name === "cheaper-arm")).toMatchObject({
      uid,
      weight: 9,
      requirements: [{ key: "kubernetes.io/arch", operator: "In", values: ["arm64"] }],
      price: { kind: "share", ppm: -100_000 },
      capacity: { "example.com/licence": 4 },
    });
    expect((await cluster.read({ pods: false })).nodeOverlays).toEqual([]);
  });

  it("shows CapacityBuffers with the template or workload that they refer to", async () => {
    const { cluster, create } = get();
    await create(podTemplate);
    await create(buffer("of-template", { podTemplateRef: { name: "spare" }, replicas: 3 }));
    for (const kind of ["Deployment", "ReplicaSet", "StatefulSet"]) {
      await create(workload(kind));
      const scalableRef = { apiGroup: "apps", kind, name: `spare-${kind.toLowerCase()}` };
      await create(buffer(`of-${kind.toLowerCase()}`, { scalableRef, percentage: 50 }));
    }
    await create(buffer("of-nothing", { podTemplateRef: { name: "nowhere" }, replicas: 3 }));

    const requests = { cpu: 500, memory: 2 ** 28, pods: 1 };
    expect(await bufferNamed("of-template")).toMatchObject({
      namespace: "default",
      strategy: "buffer.x-k8s.io/active-capacity",
      replicas: 3,
      podTemplate: { name: "spare", generation: expect.any(Number) },
      template: { labels: { app: "spare" }, requests },
    });
    for (const kind of ["deployment", "replicaset", "statefulset"]) {
      expect(await bufferNamed(`of-${kind}`)).toMatchObject({ replicas: 2, template: { requests } });
    }
    expect(await bufferNamed("of-nothing")).toMatchObject({ replicas: 0, fault: { reason: "PodTemplateNotFound" } });
    expect((await cluster.read({ pods: false })).capacityBuffers).toEqual([]);
  });

  it("tells an overlay whether it is in use", async () => {
    const { cluster, create, conditions } = get();
    const { uid } = await create({ ...overlay, metadata: { name: "told-overlay" } });
    const object = { kind: "NodeOverlay", name: "told-overlay", uid } as const;
    const ready = { type: "Ready", status: "True", reason: "Ready", message: "" } as const;
    expect(await cluster.setConditions(object, [ready])).toBe("done");
    expect(await conditions(object)).toMatchObject([{ type: "Ready", status: "True" }]);
  });

  it("tells a buffer in its namespace how it fares, takes fields away, and writes nothing twice", async () => {
    const { cluster, create, conditions, statusField } = get();
    const { uid } = await create(buffer("told-buffer", { podTemplateRef: { name: "nowhere" }, replicas: 2 }));
    const object = { kind: "CapacityBuffer", namespace: "default", name: "told-buffer", uid } as const;
    const ready = { type: "ReadyForProvisioning", status: "True", reason: "Resolved", message: "" } as const;
    const fields = { replicas: 2, podTemplateRef: { name: "spare" }, podTemplateGeneration: 1 };
    expect(await cluster.setConditions(object, [ready], fields)).toBe("done");
    expect(await conditions(object)).toMatchObject([
      { type: "ReadyForProvisioning", status: "True", reason: "Resolved" },
    ]);
    expect(await statusField(object, "podTemplateRef")).toEqual({ name: "spare" });

    const without = { replicas: 0, podTemplateRef: null, podTemplateGeneration: null };
    expect(await cluster.setConditions(object, [ready], without)).toBe("done");
    expect(await statusField(object, "podTemplateRef")).toBeUndefined();
    expect(await statusField(object, "replicas")).toBe(0);
    const written = (await bufferNamed("told-buffer"))?.resourceVersion;
    expect(await cluster.setConditions(object, [ready], without)).toBe("done");
    expect((await bufferNamed("told-buffer"))?.resourceVersion).toBe(written);
    expect(await cluster.setConditions({ ...object, name: "no-buffer" }, [ready])).toBe("gone");
  });
}
