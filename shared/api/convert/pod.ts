import { type HostPort, own, type Pod, type PodPhase, type PodSpec, type PodVolume } from "../../core/model/index.ts";
import { affinityOf, topologySpreadOf } from "./affinity.ts";
import { podResourceClaimsOf } from "./devices.ts";
import {
  choice,
  converting,
  type Document,
  each,
  fieldsOf,
  given,
  isRecord,
  listOf,
  numberOr,
  text,
  textMap,
  textOr,
} from "./fields.ts";
import { metadataOf } from "./metadata.ts";
import { podRequests } from "./requests.ts";
import { tolerationOf } from "./tolerations.ts";

const phases = ["Pending", "Running", "Succeeded", "Failed", "Unknown"] as const;

/** Priorities that every cluster has (Kubernetes: system priority classes). */
const systemPriorities: Readonly<Record<string, number>> = {
  "system-cluster-critical": 2_000_000_000,
  "system-node-critical": 2_000_001_000,
};

/** The marker of a static pod that the kubelet mirrors to the API server. */
const mirrorAnnotation = "kubernetes.io/config.mirror";

/** A pod under construction. Written field by field and never spread: pods are converted by the ten thousand. */
type Draft = { -readonly [K in keyof Pod]: Pod[K] };

/**
 * A Pod document as the core sees it. What a manifest leaves out and the API server would fill in is filled in.
 * @throws UnreadableObjectError naming pod, field and what is wrong
 */
export function toPod(document: unknown): Pod {
  return converting("Pod", document, podOf);
}

function podOf(document: Document): Pod {
  const metadata = metadataOf(document);
  const spec = fieldsOf(document.spec, "spec");
  const status = fieldsOf(document.status, "status");
  const pod = podSpecOf(metadata.labels, metadata.annotations, spec, metadata.name, status) as Draft;
  pod.uid = metadata.uid;
  pod.namespace = metadata.namespace ?? "default";
  pod.name = metadata.name;
  pod.resourceVersion = metadata.resourceVersion;
  pod.createdAtMs = metadata.createdAtMs;
  pod.phase = choice<readonly PodPhase[]>(status.phase, phases, "status.phase", "Pending");
  pod.mirror = metadata.annotations[mirrorAnnotation] !== undefined;
  applyConditions(pod, status.conditions);
  if (metadata.deletionAtMs !== undefined) pod.deletionAtMs = metadata.deletionAtMs;
  if (metadata.owner !== undefined) pod.owner = metadata.owner;
  const nodeName = textOr(spec.nodeName, "", "spec.nodeName");
  if (nodeName !== "") pod.nodeName = nodeName;
  const nominated = textOr(status.nominatedNodeName, "", "status.nominatedNodeName");
  if (nominated !== "") pod.nominatedNodeName = nominated;
  return pod;
}

function applyConditions(pod: Draft, conditions: unknown): void {
  pod.unschedulable = true;
  pod.ready = false;
  for (const condition of listOf(conditions, "status.conditions")) {
    if (!isRecord(condition)) continue;
    if (condition.type === "Ready") pod.ready = condition.status === "True";
    // The scheduler also says False while a gate holds the pod back; that is no question of nodes.
    if (condition.type === "PodScheduled") {
      pod.unschedulable = condition.status === "False" && condition.reason === "Unschedulable";
    }
  }
}

/**
 * The scheduling part of a pod or pod template. `podName` names the claims of generic ephemeral volumes; `status` is that of
 * a pod, whose containers may be on their way to other sizes.
 * Fails with a FieldProblem whose path begins at `spec`.
 */
export function podSpecOf(
  labels: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>>,
  spec: Document,
  podName: string,
  status?: Document,
): PodSpec {
  const priorityClassName = textOr(spec.priorityClassName, "", "spec.priorityClassName");
  const affinity = affinityOf(spec.affinity);
  const grace = numberOr(spec.terminationGracePeriodSeconds, 30, "spec.terminationGracePeriodSeconds");
  const result: { -readonly [K in keyof PodSpec]: PodSpec[K] } = {
    labels,
    annotations,
    requests: podRequests(spec, status),
    nodeSelector: textMap(spec.nodeSelector, "spec.nodeSelector"),
    preferredNodeAffinity: affinity.preferredNodeAffinity,
    requiredPodAffinity: affinity.requiredPodAffinity,
    requiredPodAntiAffinity: affinity.requiredPodAntiAffinity,
    preferredPodAffinity: affinity.preferredPodAffinity,
    preferredPodAntiAffinity: affinity.preferredPodAntiAffinity,
    topologySpread: topologySpreadOf(spec.topologySpreadConstraints),
    tolerations: each(spec.tolerations, "spec.tolerations", tolerationOf),
    hostPorts: hostPortsOf(spec),
    volumes: volumesOf(spec.volumes, podName),
    resourceClaims: podResourceClaimsOf(spec, status),
    schedulingGates: each(spec.schedulingGates, "spec.schedulingGates", (gate) => text(gate.name, "name")),
    priority: numberOr(spec.priority, own(systemPriorities, priorityClassName) ?? 0, "spec.priority"),
    terminationGracePeriodMs: grace * 1000,
  };
  if (spec.hostNetwork === true) result.hostNetwork = true;
  if (affinity.requiredNodeAffinity !== undefined) result.requiredNodeAffinity = affinity.requiredNodeAffinity;
  if (priorityClassName !== "") result.priorityClassName = priorityClassName;
  return result;
}

const noPorts: readonly HostPort[] = Object.freeze([]);

/** Ports that the pod takes on its node: of containers and of sidecars. On the host's network every port is one. */
function hostPortsOf(spec: Document): readonly HostPort[] {
  let ports: HostPort[] | undefined;
  const collect = (container: Document) => {
    if (container.ports === undefined) return;
    each(container.ports, "ports", (port) => {
      const declared = numberOr(port.hostPort, 0, "hostPort");
      const hostPort =
        declared === 0 && spec.hostNetwork === true ? numberOr(port.containerPort, 0, "containerPort") : declared;
      if (hostPort === 0) return;
      ports ??= [];
      ports.push({
        hostIp: textOr(port.hostIP, "", "hostIP") || "0.0.0.0",
        protocol: textOr(port.protocol, "TCP", "protocol"),
        port: hostPort,
      });
    });
  };
  each(spec.containers, "spec.containers", collect);
  each(spec.initContainers, "spec.initContainers", (container) => {
    if (container.restartPolicy === "Always") collect(container);
  });
  return ports ?? noPorts;
}

const noVolumes: readonly PodVolume[] = Object.freeze([]);

/** Volumes that hang on a PersistentVolumeClaim; all others bind a pod to no place. */
function volumesOf(value: unknown, podName: string): readonly PodVolume[] {
  const list = listOf(value, "spec.volumes");
  if (list.length === 0) return noVolumes;
  return each(list, "spec.volumes", (volume): PodVolume[] => {
    if (isRecord(volume.persistentVolumeClaim)) {
      const claimName = text(volume.persistentVolumeClaim.claimName, "persistentVolumeClaim.claimName");
      return [{ name: text(volume.name, "name"), claimName, ephemeral: false }];
    }
    if (!isRecord(volume.ephemeral)) return [];
    const name = text(volume.name, "name");
    const template = fieldsOf(volume.ephemeral.volumeClaimTemplate, "ephemeral.volumeClaimTemplate");
    const claimSpec = fieldsOf(template.spec, "ephemeral.volumeClaimTemplate.spec");
    const storageClassName = textOr(
      claimSpec.storageClassName,
      undefined,
      "ephemeral.volumeClaimTemplate.spec.storageClassName",
    );
    return [{ name, claimName: `${podName}-${name}`, ephemeral: true, ...given("storageClassName", storageClassName) }];
  }).flat();
}
