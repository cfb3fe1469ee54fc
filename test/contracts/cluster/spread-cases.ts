// The cluster's default topology spread: shown on pods that have none, counted by what selects them.
import { expect, it } from "vitest";
import { podManifest } from "./manifests.ts";
import type { ClusterSubject, Manifest } from "./subject.ts";

const byZone = {
  topologyKey: "topology.kubernetes.io/zone",
  maxSkew: 1,
  whenUnsatisfiable: "DoNotSchedule",
} as const;

const service: Manifest = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "spread", namespace: "default" },
  spec: { selector: { app: "spread" }, ports: [{ port: 80 }] },
};

const replicaSet: Manifest = {
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { name: "spread", namespace: "default" },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: "spread", hash: "1" } },
    template: {
      metadata: { labels: { app: "spread", hash: "1" } },
      spec: { containers: [{ name: "main", image: "registry.example/app:1" }] },
    },
  },
};

export function spreadTests(get: () => ClusterSubject): void {
  it("is shown on pods that something selects, where there is one", async () => {
    const { cluster, create } = get();
    await create(service);
    await create(replicaSet);
    await create(podManifest("spread-of-set", { labels: { app: "spread", hash: "1" } }));
    await create(podManifest("spread-of-service", { labels: { app: "spread" } }));
    await create(podManifest("spread-of-none", { labels: { app: "lonely" } }));

    const { pods } = await cluster.read({ defaultSpread: [byZone] });
    const spreadOf = (name: string) => pods.find((pod) => pod.name === name)?.topologySpread;
    expect(spreadOf("spread-of-set")).toMatchObject([
      { ...byZone, labelSelector: { matchLabels: { app: "spread", hash: "1" } } },
    ]);
    expect(spreadOf("spread-of-service")).toMatchObject([{ labelSelector: { matchLabels: { app: "spread" } } }]);
    expect(spreadOf("spread-of-none")).toEqual([]);
    const without = (await cluster.read()).pods.find(({ name }) => name === "spread-of-set");
    expect(without?.topologySpread).toEqual([]);
  });
}
