import { AppsV1Api, CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from "@kubernetes/client-node";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createSeededIds } from "../../../local/kube/ids.ts";
import { createApiServer } from "../../../local/kube/server.ts";

const server = createApiServer({ clock: { now: () => Date.UTC(2026, 0, 1) }, ids: createSeededIds(1) });
const config = new KubeConfig();

beforeAll(async () => {
  await server.listen();
  config.loadFromString(server.kubeconfig().yaml);
});

afterAll(() => server.close());

const namespace = "default";

describe("@kubernetes/client-node", () => {
  it("reads and writes typed objects", async () => {
    const apps = config.makeApiClient(AppsV1Api);
    const labels = { app: "web" };
    const containers = [{ name: "main", image: "registry.example/app:1" }];
    await apps.createNamespacedDeployment({
      namespace,
      body: {
        metadata: { name: "web" },
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
      },
    });
    const { items } = await apps.listNamespacedDeployment({ namespace, labelSelector: "" });
    expect(items.map((d) => [d.metadata?.name, d.spec?.replicas])).toEqual([["web", 1]]);
    const scale = await apps.readNamespacedDeploymentScale({ namespace, name: "web" });
    expect(scale.status?.selector).toBe("app=web");
  });

  it("gets its errors with code and reason", async () => {
    const core = config.makeApiClient(CoreV1Api);
    await expect(core.readNamespacedPod({ namespace, name: "none" })).rejects.toMatchObject({ code: 404 });
  });

  it("keeps an informer's cache in step", async () => {
    const core = config.makeApiClient(CoreV1Api);
    const seen: string[] = [];
    const informer = makeInformer<V1ConfigMap>(config, `/api/v1/namespaces/${namespace}/configmaps`, () =>
      core.listNamespacedConfigMap({ namespace }),
    );
    for (const verb of ["add", "update", "delete"] as const) {
      informer.on(verb, (object) => {
        seen.push(`${verb} ${object.metadata?.name}`);
      });
    }
    await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: "before" } } });
    await informer.start();
    await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: "after" } } });
    await core.replaceNamespacedConfigMap({
      namespace,
      name: "after",
      body: { metadata: { name: "after" }, data: { a: "b" } },
    });
    await core.deleteNamespacedConfigMap({ namespace, name: "before" });
    await vi.waitFor(() => expect(seen).toEqual(["add before", "add after", "update after", "delete before"]), 5_000);
    await informer.stop();
  });
});
