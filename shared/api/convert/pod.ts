import type { HostPort, Pod, PodPhase, PodSpec, PodVolume, Toleration } from "../../core/model/index.ts";
import { affinityOf, topologySpreadOf } from "./affinity.ts";
import {
  choice,
  converting,
  type Document,
  each,
  FieldProblem,
  fieldsOf,
  given,
  isRecord,
  listOf,
  numberOr,
  text,
  textMap,
  textOr,
} from "./fields.ts";
import { metadataOf, taintEffects } from "./metadata.ts";
import { podRequests } from "./requests.ts";

const phases = ["Pending", "Running", "Succeeded", "Failed", "Unknown"] as const;

/** Priorities that every cluster has (Kubernetes: system priority classes). */
const systemPriorities: Readonly<Record<string, number>> = {
  "system-cluster-critical": 2_000_000_000,
  "system-node-critical": 2_000_001_000,
};

/** The marker of a static pod that the kubelet mirrors to the API server. */
const mirrorAnnotation = "kubernetes.io/config.mirror";

/**
 * A Pod document as the core sees it. What a manifest leaves out and the API server would fill in is filled in.
 * @throws UnreadableObjectError naming pod, field and what is wrong
 */
export function toPod(document: unknown): Pod {
  return converting("Pod", document, (pod) => {
    const metadata = metadataOf(pod);
    const spec = fieldsOf(pod.spec, "spec");
    const status = fieldsOf(pod.status, "status");
    return {
      ...podSpecOf(metadata.labels, metadata.annotations, spec, metadata.name),
      uid: metadata.uid,
      namespace: metadata.namespace ?? "default",
      name: metadata.name,
      resourceVersion: metadata.resourceVersion,
      createdAtMs: metadata.createdAtMs,
      ...given("deletionAtMs", metadata.deletionAtMs),
      phase: choice<readonly PodPhase[]>(status.phase, phases, "status.phase", "Pending"),
      ...given("nodeName", textOr(spec.nodeName, undefined, "spec.nodeName") || undefined),
      ...given(
        "nominatedNodeName",
        textOr(status.nominatedNodeName, undefined, "status.nominatedNodeName") || undefined,
      ),
      ...conditionsOf(status),
      ...given("owner", metadata.owner),
      mirror: metadata.annotations[mirrorAnnotation] !== undefined,
    };
  });
}

function conditionsOf(status: Document): { unschedulable: boolean; ready: boolean } {
  let [unschedulable, ready] = [true, false];
  for (const condition of listOf(status.conditions, "status.conditions")) {
    if (!isRecord(condition)) continue;
    if (condition.type === "Ready") ready = condition.status === "True";
    // The scheduler also says False while a gate holds the pod back; that is no question of nodes.
    if (condition.type === "PodScheduled") {
      unschedulable = condition.status === "False" && condition.reason === "Unschedulable";
    }
  }
  return { unschedulable, ready };
}

/**
 * The scheduling part of a pod or pod template. `podName` names the claims of generic ephemeral volumes.
 * Fails with a FieldProblem whose path begins at `spec`.
 */
export function podSpecOf(
  labels: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>>,
  spec: Document,
  podName: string,
): PodSpec {
  const priorityClassName = textOr(spec.priorityClassName, undefined, "spec.priorityClassName") || undefined;
  return {
    labels,
    annotations,
    requests: podRequests(spec),
    nodeSelector: textMap(spec.nodeSelector, "spec.nodeSelector"),
    ...affinityOf(spec.affinity),
    topologySpread: topologySpreadOf(spec.topologySpreadConstraints),
    tolerations: each(spec.tolerations, "spec.tolerations", tolerationOf),
    hostPorts: hostPortsOf(spec),
    volumes: volumesOf(spec.volumes, podName),
    resourceClaims: each(spec.resourceClaims, "spec.resourceClaims", (claim) => text(claim.name, "name")),
    schedulingGates: each(spec.schedulingGates, "spec.schedulingGates", (gate) => text(gate.name, "name")),
    priority: numberOr(spec.priority, systemPriorities[priorityClassName ?? ""] ?? 0, "spec.priority"),
    ...given("priorityClassName", priorityClassName),
    terminationGracePeriodMs:
      numberOr(spec.terminationGracePeriodSeconds, 30, "spec.terminationGracePeriodSeconds") * 1000,
  };
}

function tolerationOf(toleration: Document): Toleration {
  const operator = choice(toleration.operator || undefined, ["Equal", "Exists", "Lt", "Gt"], "operator", "Equal");
  const key = textOr(toleration.key, undefined, "key") || undefined;
  const value = textOr(toleration.value, undefined, "value");
  if (key === undefined && operator !== "Exists") {
    throw new FieldProblem("operator", "must be Exists when there is no key");
  }
  if (operator === "Exists" && value) throw new FieldProblem("value", "must be empty when the operator is Exists");
  return {
    ...given("key", key),
    operator,
    ...given("value", value),
    ...(toleration.effect ? { effect: choice(toleration.effect, taintEffects, "effect") } : {}),
    ...given("tolerationSeconds", numberOr(toleration.tolerationSeconds, undefined, "tolerationSeconds")),
  };
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
