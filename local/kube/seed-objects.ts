// What a new cluster holds before anyone has done anything.
import type { StoreContext } from "./store/context.ts";
import { create } from "./store/writes.ts";
import type { JsonObject } from "./types.ts";

const namespaces = ["default", "kube-node-lease", "kube-public", "kube-system"];

const systemPriorities: readonly (readonly [string, number, string])[] = [
  ["system-node-critical", 2_000_001_000, "For pods without which the node doesn't work."],
  ["system-cluster-critical", 2_000_000_000, "For pods without which the cluster doesn't work."],
];

function make(context: StoreContext, resource: string, namespace: string | undefined, body: JsonObject): void {
  create(context, context.registry.named(resource), body, namespace, { fieldManager: "kube-apiserver" });
}

/** Creates the standard namespaces, priority classes and the API's own Service. */
export function createSeedObjects(context: StoreContext): void {
  for (const name of namespaces) make(context, "namespaces", undefined, { metadata: { name } });
  for (const [name, value, description] of systemPriorities) {
    make(context, "priorityclasses.scheduling.k8s.io", undefined, { metadata: { name }, value, description });
  }
  make(context, "services", "default", {
    metadata: { name: "kubernetes", labels: { component: "apiserver", provider: "kubernetes" } },
    spec: { ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }] },
  });
}
