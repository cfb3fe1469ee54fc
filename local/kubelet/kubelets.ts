// Fake kubelets: one for each running instance. They join after a delay with what their user data says, become ready, run
// the pods that are bound to them, end those that are deleted, and fall silent with their instance. They also play the
// cloud controller's part for nodes: zone, region and type labels, and removing the node of an instance that is gone.
import type { WorldClock } from "../clock.ts";
import type { KubeObject } from "../kube/types.ts";
import { KubeHttpError, type KubeletApi } from "./api-client.ts";
import { type HostInstance, newNode, nodeStatus, runningStatus } from "./documents.ts";
import { type KubeletConfig, readUserData } from "./user-data.ts";

/** Delays in the world's time. */
export interface KubeletTiming {
  /** From running to the node's registration: boot and bootstrap. */
  readonly joinMs: number;
  /** From registration to Ready. */
  readonly readyMs: number;
  /** From bound to running: image pull and start. */
  readonly podStartMs: number;
  /** From deletion to gone, unless the grace period is shorter. */
  readonly podStopMs: number;
}

export const defaultTiming: KubeletTiming = { joinMs: 20_000, readyMs: 5_000, podStartMs: 3_000, podStopMs: 2_000 };

export interface KubeletOptions {
  readonly api: KubeletApi;
  readonly clock: WorldClock;
  readonly clusterName: string;
  readonly timing: KubeletTiming;
  /** Node leases are renewed this often (real time's worth of the world's clock); a real control plane needs them. */
  readonly heartbeatMs?: number;
  onError(what: string, error: unknown): void;
  /** Pods that were on a node when its instance stopped. */
  onPodsLost(node: string, pods: readonly string[]): void;
}

export interface Kubelets {
  /** Tells of an instance's state, as often as wanted. */
  observe(instance: HostInstance): void;
  stop(): void;
}

interface Kubelet {
  readonly instance: HostInstance;
  readonly config: KubeletConfig;
  node?: { name: string; uid: string };
  stopped: boolean;
}

export function startKubelets(options: KubeletOptions): Kubelets {
  const { api, clock, timing } = options;
  const kubelets = new Map<string, Kubelet>();
  const byNode = new Map<string, Kubelet>();
  const pods = new Map<string, KubeObject>();
  const busy = new Set<string>();

  const attempt = async (
    what: string,
    work: () => Promise<unknown>,
    accepted: readonly number[] = [],
  ): Promise<void> => {
    for (let tries = 0; tries < 5; tries++) {
      try {
        await work();
        return;
      } catch (error) {
        if (error instanceof KubeHttpError && accepted.includes(error.code)) return;
        if (tries === 4) options.onError(what, error);
        else await clock.sleep(1_000);
      }
    }
  };

  const join = async (kubelet: Kubelet) => {
    await clock.sleep(timing.joinMs);
    if (kubelet.stopped) return;
    const name = kubelet.instance.privateDnsName;
    const node = newNode(kubelet.instance, kubelet.config, clock.now());
    await attempt(`register ${name}`, async () => {
      const made = await api.call("POST", "/api/v1/nodes", node).catch((error: unknown) => {
        if (error instanceof KubeHttpError && error.code === 409) return api.call("GET", `/api/v1/nodes/${name}`);
        throw error;
      });
      kubelet.node = { name, uid: made.metadata.uid! };
      byNode.set(name, kubelet);
    });
    await setReady(kubelet, false);
    await clock.sleep(timing.readyMs);
    if (!kubelet.stopped) await setReady(kubelet, true);
    for (const pod of pods.values()) if (pod.spec.nodeName === name) void syncPod(pod);
    while (options.heartbeatMs !== undefined && !kubelet.stopped) {
      await renewLease(kubelet);
      await clock.sleep(options.heartbeatMs);
    }
  };

  const setReady = (kubelet: Kubelet, ready: boolean) =>
    attempt(
      `status of ${kubelet.node?.name}`,
      () =>
        api.call(
          "PATCH",
          `/api/v1/nodes/${kubelet.node!.name}/status`,
          { status: nodeStatus(kubelet.instance, kubelet.config, ready, clock.now()) },
          "application/merge-patch+json",
        ),
      [404],
    );

  const renewLease = (kubelet: Kubelet) => {
    const name = kubelet.node!.name;
    const path = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
    const renewTime = new Date(clock.now()).toISOString().replace("Z", "000Z");
    const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime };
    return attempt(`lease of ${name}`, () =>
      api.call("PATCH", `${path}/${name}`, { spec }, "application/merge-patch+json").catch((error: unknown) => {
        if (!(error instanceof KubeHttpError) || error.code !== 404) throw error;
        const lease = {
          apiVersion: "coordination.k8s.io/v1",
          kind: "Lease",
          metadata: { name, namespace: "kube-node-lease" },
          spec,
        };
        return api.call("POST", path, lease);
      }),
    );
  };

  const syncPod = async (pod: KubeObject) => {
    const kubelet = pod.spec.nodeName === undefined ? undefined : byNode.get(pod.spec.nodeName);
    const uid = pod.metadata.uid!;
    if (kubelet === undefined || kubelet.stopped || busy.has(uid)) return;
    const path = `/api/v1/namespaces/${pod.metadata.namespace}/pods/${pod.metadata.name}`;
    busy.add(uid);
    try {
      if (pod.metadata.deletionTimestamp !== undefined) {
        await clock.sleep(Math.min(timing.podStopMs, (pod.metadata.deletionGracePeriodSeconds ?? 30) * 1000));
        if (kubelet.stopped) return;
        await attempt(
          `end ${path}`,
          () => api.call("DELETE", path, { gracePeriodSeconds: 0, preconditions: { uid } }),
          [404, 409],
        );
      } else if (pod.status?.phase === "Pending") {
        await clock.sleep(timing.podStartMs);
        if (kubelet.stopped || pods.get(uid)?.metadata.deletionTimestamp !== undefined) return;
        const status = runningStatus(pod, kubelet.instance, clock.now());
        await attempt(
          `start ${path}`,
          () => api.call("PATCH", `${path}/status`, { status }, "application/merge-patch+json"),
          [404, 409],
        );
      }
    } finally {
      busy.delete(uid);
      const latest = pods.get(uid);
      if (latest !== undefined && latest.metadata.resourceVersion !== pod.metadata.resourceVersion)
        void syncPod(latest);
    }
  };

  const endFollowing = api.follow("/api/v1/pods", ({ type, object }) => {
    if (type === "DELETED") pods.delete(object.metadata.uid!);
    else {
      pods.set(object.metadata.uid!, object);
      void syncPod(object);
    }
  });

  const fallSilent = (kubelet: Kubelet) => {
    if (kubelet.stopped) return;
    kubelet.stopped = true;
    const name = kubelet.node?.name;
    if (name === undefined) return;
    const left = [...pods.values()]
      .filter((p) => p.spec.nodeName === name && !isDaemon(p))
      .map((p) => `${p.metadata.namespace}/${p.metadata.name}`);
    if (left.length > 0) options.onPodsLost(name, left);
  };

  const removeNode = async (kubelet: Kubelet) => {
    if (kubelet.node === undefined) return;
    const { name, uid } = kubelet.node;
    byNode.delete(name);
    await attempt(
      `remove ${name}`,
      () => api.call("DELETE", `/api/v1/nodes/${name}`, { preconditions: { uid } }),
      [404, 409],
    );
  };

  return {
    observe(instance) {
      const known = kubelets.get(instance.id);
      if (instance.state === "running" && known === undefined) {
        const config = readUserData(instance.userData);
        if (config?.clusterName !== options.clusterName) return;
        const kubelet: Kubelet = { instance, config, stopped: false };
        kubelets.set(instance.id, kubelet);
        void join(kubelet);
      } else if (known !== undefined && (instance.state === "shutting-down" || instance.state === "terminated")) {
        fallSilent(known);
        if (instance.state === "terminated") {
          kubelets.delete(instance.id);
          void removeNode(known);
        }
      }
    },
    stop() {
      endFollowing();
      for (const kubelet of kubelets.values()) kubelet.stopped = true;
    },
  };
}

function isDaemon(pod: KubeObject): boolean {
  return pod.metadata.ownerReferences?.some((o) => o.kind === "DaemonSet") ?? false;
}
