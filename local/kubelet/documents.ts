// The documents that kubelets write: Nodes, their status, and the status of running pods.
import type { KubeObject } from "../kube/types.ts";
import { type InstanceDescription, reportCapacity } from "./capacity.ts";
import type { KubeletConfig } from "./user-data.ts";

/** An instance as the kubelets' host sees it. */
export interface HostInstance {
  readonly id: string;
  readonly state: "pending" | "running" | "shutting-down" | "terminated";
  readonly instanceType: string;
  readonly zone: string;
  readonly zoneId: string;
  readonly region: string;
  readonly privateIp: string;
  readonly privateDnsName: string;
  readonly architecture: string;
  /** Decoded. */
  readonly userData: string;
  readonly volumeGiB: number;
  readonly description: InstanceDescription;
}

const timestamp = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

/** The Node that a kubelet registers, with the labels that a cloud controller would add. */
export function newNode(instance: HostInstance, config: KubeletConfig, nowMs: number): unknown {
  const name = instance.privateDnsName;
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        ...config.labels,
        "beta.kubernetes.io/arch": instance.architecture === "arm64" ? "arm64" : "amd64",
        "beta.kubernetes.io/instance-type": instance.instanceType,
        "beta.kubernetes.io/os": "linux",
        "kubernetes.io/hostname": name,
        "kubernetes.io/arch": instance.architecture === "arm64" ? "arm64" : "amd64",
        "kubernetes.io/os": "linux",
        "node.kubernetes.io/instance-type": instance.instanceType,
        "topology.kubernetes.io/zone": instance.zone,
        "topology.kubernetes.io/region": instance.region,
        "topology.k8s.aws/zone-id": instance.zoneId,
      },
    },
    spec: {
      providerID: `aws:///${instance.zone}/${instance.id}`,
      taints: [...config.taints, { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }],
    },
    status: nodeStatus(instance, config, false, nowMs),
  };
}

export function nodeStatus(instance: HostInstance, config: KubeletConfig, ready: boolean, nowMs: number): unknown {
  const at = timestamp(nowMs);
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: at,
    lastTransitionTime: at,
  });
  return {
    ...reportCapacity(instance.description, {
      volumeGiB: instance.volumeGiB,
      ...(config.maxPods === undefined ? {} : { maxPods: config.maxPods }),
    }),
    addresses: [
      { type: "InternalIP", address: instance.privateIp },
      { type: "Hostname", address: instance.privateDnsName },
    ],
    nodeInfo: {
      architecture: instance.architecture === "arm64" ? "arm64" : "amd64",
      bootID: instance.id,
      machineID: instance.id,
      systemUUID: instance.id,
      containerRuntimeVersion: "fake://1",
      kernelVersion: "6.12",
      kubeProxyVersion: "",
      kubeletVersion: "v1.36.3",
      operatingSystem: "linux",
      osImage: "fake",
    },
    conditions: [
      condition(
        "Ready",
        ready ? "True" : "False",
        ready ? "KubeletReady" : "KubeletNotReady",
        ready ? "the kubelet is ready" : "the kubelet is starting",
      ),
      condition("MemoryPressure", "False", "KubeletHasSufficientMemory", "memory suffices"),
      condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "disk suffices"),
      condition("PIDPressure", "False", "KubeletHasSufficientPID", "process ids suffice"),
    ],
  };
}

export function runningStatus(pod: KubeObject, instance: HostInstance, nowMs: number): unknown {
  const at = timestamp(nowMs);
  const condition = (type: string) => ({ type, status: "True", lastProbeTime: null, lastTransitionTime: at });
  return {
    phase: "Running",
    startTime: at,
    hostIP: instance.privateIp,
    podIP: instance.privateIp,
    conditions: ["Initialized", "Ready", "ContainersReady", "PodScheduled"].map(condition),
    containerStatuses: pod.spec.containers.map((c: { name: string; image: string }) => ({
      name: c.name,
      image: c.image,
      imageID: "",
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: at } },
      lastState: {},
    })),
  };
}
