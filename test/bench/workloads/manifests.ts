// Manifests as literals, as short as a bench needs them.

export type Manifest = { readonly apiVersion: string; readonly kind: string; readonly [field: string]: unknown };

/** Milli-CPU and MiB. */
export interface Size {
  readonly milliCpu: number;
  readonly memoryMiB: number;
}

export const zoneKey = "topology.kubernetes.io/zone";
export const hostKey = "kubernetes.io/hostname";
export const gpuTaint = { key: "nvidia.com/gpu", value: "true", effect: "NoSchedule" };

/** Three zones, as most clusters have. */
const threeZones = { key: zoneKey, operator: "In", values: ["us-east-1a", "us-east-1b", "us-east-1c"] };

export interface PoolOptions {
  readonly name?: string;
  readonly categories?: readonly string[];
  /** Only generations above this one; undefined: all. */
  readonly generationAbove?: string | undefined;
  readonly spot?: boolean;
  readonly inThreeZones?: boolean;
  readonly taints?: readonly object[];
}

/** A pool of amd64 machines, of general kinds unless said otherwise. */
export function nodePool(options: PoolOptions = {}): Manifest {
  const { name = "default", categories = ["c", "m", "r"], spot = false, inThreeZones = false, taints } = options;
  const generationAbove = "generationAbove" in options ? options.generationAbove : "4";
  const requirements = [
    { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
    { key: "karpenter.sh/capacity-type", operator: "In", values: spot ? ["spot", "on-demand"] : ["on-demand"] },
    { key: "karpenter.k8s.aws/instance-category", operator: "In", values: categories },
    ...(generationAbove === undefined
      ? []
      : [{ key: "karpenter.k8s.aws/instance-generation", operator: "Gt", values: [generationAbove] }]),
    ...(inThreeZones ? [threeZones] : []),
  ];
  const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
  return {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name },
    spec: {
      template: { spec: { nodeClassRef, requirements, expireAfter: "720h", ...(taints && { taints }) } },
      disruption: { consolidationPolicy: "WhenEmptyOrUnderutilized", consolidateAfter: "1m" },
    },
  };
}

function containers({ milliCpu, memoryMiB }: Size, gpus = 0): object[] {
  const devices = gpus === 0 ? {} : { "nvidia.com/gpu": String(gpus) };
  const requests = { cpu: `${milliCpu}m`, memory: `${memoryMiB}Mi`, ...devices };
  return [{ name: "app", image: "app", resources: gpus === 0 ? { requests } : { requests, limits: devices } }];
}

export function pod(name: string, labels: Readonly<Record<string, string>>, size: Size, spec: object = {}): Manifest {
  const metadata = { name, namespace: "default", labels };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: containers(size), ...spec } };
}

export function deployment(name: string, replicas: number, size: Size, gpus = 0): Manifest {
  const labels = { app: name };
  const tolerations = gpus === 0 ? {} : { tolerations: [{ key: gpuTaint.key, operator: "Exists" }] };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "default" },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: containers(size, gpus), ...tolerations } },
    },
  };
}

/** A daemon of 250m and 512 MiB on every node. */
export const everyNodesDaemon: Manifest = {
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name: "agent", namespace: "kube-system" },
  spec: {
    selector: { matchLabels: { app: "agent" } },
    template: {
      metadata: { labels: { app: "agent" } },
      spec: { containers: containers({ milliCpu: 250, memoryMiB: 512 }), tolerations: [{ operator: "Exists" }] },
    },
  },
};
