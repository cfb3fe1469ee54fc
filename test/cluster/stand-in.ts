// A cluster that is there already may stand in for a control plane of our own: TIMMERMAN_KUBECONFIG names its kubeconfig.
// It should be one to throw away: suites leave CRDs and objects behind. Scheduler and controllers are taken to run on it.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openNursery } from "./children.ts";
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from "./control-plane.ts";

const proxyTimeoutMs = 60_000;

/** The cluster that stands in, or a control plane of our own. */
export async function openCluster(options: ControlPlaneOptions): Promise<ControlPlane> {
  const kubeconfigPath = process.env.TIMMERMAN_KUBECONFIG;
  return kubeconfigPath === undefined ? startControlPlane(options) : proxyTo(kubeconfigPath);
}

/** Through `kubectl proxy`, which knows every kind of credentials; it needs no token from us. */
async function proxyTo(kubeconfigPath: string): Promise<ControlPlane> {
  const nursery = openNursery("timmerman-proxy");
  const proxy = nursery.start("kubectl", "kubectl", ["--kubeconfig", kubeconfigPath, "proxy", "--port=0"]);
  const deadline = performance.now() + proxyTimeoutMs;
  while (performance.now() < deadline && proxy.running()) {
    const [, address] = /Starting to serve on (127\.0\.0\.1:\d+)/.exec(proxy.tail()) ?? [];
    if (address !== undefined) {
      return {
        url: `http://${address}`,
        token: "",
        ca: "",
        kubeconfigPath,
        kubectlPath: "kubectl",
        cacheFolder: join(nursery.folder, "cache"),
        stop: () => nursery.stop(),
      };
    }
    await sleep(50);
  }
  const words = proxy.tail();
  await nursery.stop();
  throw new Error(`kubectl proxy does not reach the cluster of ${kubeconfigPath}:\n${words}`);
}
