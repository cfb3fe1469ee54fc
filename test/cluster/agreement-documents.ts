// Nodes and pods of the model as documents that the API server takes: all that kube-scheduler's filters look at.
import type {
  LabelSelector,
  NodeSelectorTerm,
  Pod,
  PodAffinityTerm,
  PodVolume,
  RequirementSpec,
  Resources,
  TopologySpread,
} from "../../shared/core/model/index.ts";
import type { Seen } from "../properties/feasibility.ts";
import { claimSpec, given } from "./storage-documents.ts";

function quantity(resource: string, amount: number): string {
  return resource === "cpu" ? `${amount}m` : String(amount);
}

function quantities(amounts: Resources): Record<string, string> {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, quantity(name, amount)]));
}

/** A node that is ready, as its kubelet reports it. Every node is a host of its own. */
export function nodeDocument({ name, labels, taints, allocatable }: Seen): object {
  const amounts = quantities(allocatable as Resources);
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { ...labels, "kubernetes.io/hostname": name } },
    spec: { taints },
    status: { capacity: amounts, allocatable: amounts, conditions: [{ type: "Ready", status: "True" }] },
  };
}

const expression = ({ key, operator, values }: RequirementSpec) =>
  values.length === 0 ? { key, operator } : { key, operator, values };

function selector(of: LabelSelector | undefined): object {
  if (of === undefined) return {};
  return { labelSelector: { matchLabels: of.matchLabels, matchExpressions: of.matchExpressions.map(expression) } };
}

const listed = (name: string, values: readonly string[]) => (values.length === 0 ? {} : { [name]: values });

function podTerm(term: PodAffinityTerm): object {
  const { labelSelector: spaces } = selector(term.namespaceSelector) as { labelSelector?: object };
  return {
    topologyKey: term.topologyKey,
    ...selector(term.labelSelector),
    ...listed("namespaces", term.namespaces),
    ...(spaces === undefined ? {} : { namespaceSelector: spaces }),
    ...listed("matchLabelKeys", term.matchLabelKeys),
    ...listed("mismatchLabelKeys", term.mismatchLabelKeys),
  };
}

const nodeTerm = ({ expressions, fields }: NodeSelectorTerm) => ({
  matchExpressions: expressions.map(expression),
  matchFields: fields.map(expression),
});

function spread({ labelSelector, matchLabelKeys, ...rest }: TopologySpread): object {
  return { ...rest, ...selector(labelSelector), ...listed("matchLabelKeys", matchLabelKeys) };
}

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

function affinity(pod: Pod): object {
  return {
    nodeAffinity: {
      ...(pod.requiredNodeAffinity === undefined
        ? {}
        : { [required]: { nodeSelectorTerms: pod.requiredNodeAffinity.map(nodeTerm) } }),
      [preferred]: pod.preferredNodeAffinity.map(({ weight, term }) => ({ weight, preference: nodeTerm(term) })),
    },
    podAffinity: {
      [required]: pod.requiredPodAffinity.map(podTerm),
      [preferred]: pod.preferredPodAffinity.map(({ weight, term }) => ({ weight, podAffinityTerm: podTerm(term) })),
    },
    podAntiAffinity: {
      [required]: pod.requiredPodAntiAffinity.map(podTerm),
      [preferred]: pod.preferredPodAntiAffinity.map(({ weight, term }) => ({ weight, podAffinityTerm: podTerm(term) })),
    },
  };
}

const volume = ({ name, claimName, ephemeral, storageClassName }: PodVolume) => ({
  name,
  ...(ephemeral
    ? { ephemeral: { volumeClaimTemplate: { spec: { ...claimSpec, ...given("storageClassName", storageClassName) } } } }
    : { persistentVolumeClaim: { claimName } }),
});

/** The pod, bound from the start if a node is named. */
export function podDocument(pod: Pod, nodeName?: string): object {
  const { pods: _, ...requests } = pod.requests;
  const extended = Object.fromEntries(Object.entries(requests).filter(([name]) => name.includes("/")));
  const ports = pod.hostPorts.map(({ hostIp, protocol, port }) => ({
    containerPort: port,
    hostPort: port,
    protocol,
    ...(hostIp === "" ? {} : { hostIP: hostIp }),
  }));
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: pod.namespace, name: pod.name, labels: pod.labels },
    spec: {
      ...(nodeName === undefined ? {} : { nodeName }),
      containers: [
        {
          name: "c",
          image: "registry.example/c:1",
          // Devices cannot be overcommitted, so that the API server wants them as limits.
          resources: { requests: quantities(requests as Resources), limits: quantities(extended as Resources) },
          ports,
        },
      ],
      volumes: pod.volumes.map(volume),
      nodeSelector: pod.nodeSelector,
      tolerations: pod.tolerations,
      affinity: affinity(pod),
      topologySpreadConstraints: pod.topologySpread.map(spread),
      terminationGracePeriodSeconds: 0,
    },
  };
}
