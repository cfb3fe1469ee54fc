// Devices and claims on them, read where a pod claims some. Servers before Kubernetes 1.34 have none to show.
import { expect, it } from "vitest";
import { podManifest } from "./manifests.ts";
import type { ClusterSubject } from "./subject.ts";

export function deviceTests(get: () => ClusterSubject): void {
  it("are read where they are asked for and a pod claims some", async () => {
    const { cluster, create } = get();
    const pod = podManifest("claims-device");
    const { containers, ...spec } = pod.spec as { readonly containers: readonly object[] };
    const claiming = containers.map((container) => ({ ...container, resources: { claims: [{ name: "gpu" }] } }));
    const resourceClaims = [{ name: "gpu", resourceClaimTemplateName: "one-gpu" }];
    await create({ ...pod, spec: { ...spec, containers: claiming, resourceClaims } });

    const view = await cluster.read({ devices: true });
    expect(view.pods.find(({ name }) => name === "claims-device")?.resourceClaims).toMatchObject([{ name: "gpu" }]);
    const { resourceClaims: claims, resourceClaimTemplates, deviceClasses, resourceSlices } = view;
    expect([claims, resourceClaimTemplates, deviceClasses, resourceSlices]).toEqual([[], [], [], []]);
    expect(view.unreadable).toEqual([]);
  });
}
