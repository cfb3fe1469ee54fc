// Defaults of pod specs, as kube-apiserver's defaulting and its standard admission plugins write them.
import { isObject, listAt, objectAt, setDefault, stringAt } from "../json.ts";
import type { Json, JsonObject } from "../types.ts";

function objectsAt(root: unknown, ...path: string[]): JsonObject[] {
  return listAt(root, ...path).filter(isObject);
}

function pullPolicyFor(image: string): string {
  if (image.includes("@")) return "IfNotPresent";
  const tag = /:([^/:]+)$/.exec(image)?.[1] ?? "latest";
  return tag === "latest" ? "Always" : "IfNotPresent";
}

function defaultProbe(probe: Json | undefined): void {
  if (!isObject(probe)) return;
  setDefault(probe, "timeoutSeconds", 1);
  setDefault(probe, "periodSeconds", 10);
  setDefault(probe, "successThreshold", 1);
  setDefault(probe, "failureThreshold", 3);
  if (isObject(probe.grpc)) setDefault(probe.grpc, "service", "");
  defaultHttpGet(probe);
}

function defaultHttpGet(handler: Json | undefined): void {
  if (!isObject(handler) || !isObject(handler.httpGet)) return;
  setDefault(handler.httpGet, "path", "/");
  setDefault(handler.httpGet, "scheme", "HTTP");
}

function defaultContainer(container: JsonObject): void {
  setDefault(container, "resources", {});
  setDefault(container, "terminationMessagePath", "/dev/termination-log");
  setDefault(container, "terminationMessagePolicy", "File");
  setDefault(container, "imagePullPolicy", pullPolicyFor(stringAt(container, "image") ?? ""));
  for (const port of objectsAt(container, "ports")) setDefault(port, "protocol", "TCP");
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) defaultProbe(container[name]);
  for (const hook of ["preStop", "postStart"]) defaultHttpGet(objectAt(container, "lifecycle")[hook]);
  for (const env of objectsAt(container, "env")) {
    const reference = objectAt(env, "valueFrom").fieldRef;
    if (isObject(reference)) setDefault(reference, "apiVersion", "v1");
  }
}

const volumeSourcesWithMode = ["secret", "configMap", "downwardAPI", "projected"];

function defaultVolume(volume: JsonObject): void {
  if (Object.keys(volume).length === 1) volume.emptyDir = {};
  for (const source of volumeSourcesWithMode) {
    const there = volume[source];
    if (isObject(there)) setDefault(there, "defaultMode", 420);
  }
  if (isObject(volume.hostPath)) setDefault(volume.hostPath, "type", "");
  const claim = objectAt(volume, "ephemeral", "volumeClaimTemplate").spec;
  if (isObject(claim)) setDefault(claim, "volumeMode", "Filesystem");
  for (const source of objectsAt(volume, "projected", "sources")) {
    if (isObject(source.serviceAccountToken)) setDefault(source.serviceAccountToken, "expirationSeconds", 3600);
  }
}

/** Defaults of a pod spec, in a pod or in a template. Changes `spec` in place. */
export function defaultPodSpec(spec: JsonObject): void {
  setDefault(spec, "restartPolicy", "Always");
  setDefault(spec, "terminationGracePeriodSeconds", 30);
  if (Number(spec.terminationGracePeriodSeconds) < 0) spec.terminationGracePeriodSeconds = 1;
  setDefault(spec, "dnsPolicy", "ClusterFirst");
  setDefault(spec, "securityContext", {});
  setDefault(spec, "schedulerName", "default-scheduler");
  const account = stringAt(spec, "serviceAccountName") ?? stringAt(spec, "serviceAccount");
  if (account !== undefined) {
    spec.serviceAccountName = account;
    spec.serviceAccount = account;
  }
  for (const list of ["containers", "initContainers", "ephemeralContainers"]) {
    for (const container of objectsAt(spec, list)) defaultContainer(container);
  }
  for (const volume of objectsAt(spec, "volumes")) defaultVolume(volume);
  for (const constraint of objectsAt(spec, "topologySpreadConstraints")) {
    setDefault(constraint, "nodeAffinityPolicy", "Honor");
    setDefault(constraint, "nodeTaintsPolicy", "Ignore");
    if (constraint.nodeAffinityPolicy === "Honor") delete constraint.nodeAffinityPolicy;
    if (constraint.nodeTaintsPolicy === "Ignore") delete constraint.nodeTaintsPolicy;
  }
  if (spec.hostNetwork === true) {
    for (const container of objectsAt(spec, "containers")) {
      for (const port of objectsAt(container, "ports")) setDefault(port, "hostPort", port.containerPort ?? 0);
    }
  }
}

/** Defaults that only pods get, not templates: requests from limits. */
export function defaultPodOnly(spec: JsonObject): void {
  setDefault(spec, "enableServiceLinks", true);
  const pod = isObject(spec.resources) ? [spec] : [];
  for (const container of [...pod, ...objectsAt(spec, "containers"), ...objectsAt(spec, "initContainers")]) {
    const resources = objectAt(container, "resources");
    const limits = objectAt(resources, "limits");
    if (Object.keys(limits).length === 0) continue;
    const requests = { ...objectAt(resources, "requests") };
    for (const [name, amount] of Object.entries(limits)) setDefault(requests, name, amount);
    container.resources = { ...resources, requests };
  }
}

const defaultTolerationSeconds = 300;

/** The DefaultTolerationSeconds admission plugin: 300 s on not-ready and unreachable nodes, unless the pod says otherwise. */
export function addDefaultTolerations(spec: JsonObject): void {
  const tolerations = objectsAt(spec, "tolerations");
  for (const key of ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"]) {
    const there = tolerations.some(
      (t) => (t.key === key || (t.key ?? "") === "") && ((t.effect ?? "") === "" || t.effect === "NoExecute"),
    );
    if (there) continue;
    tolerations.push({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: defaultTolerationSeconds });
  }
  spec.tolerations = tolerations;
}

/** A pod's quality of service class: Guaranteed if every container's requests equal its limits, BestEffort if it has none. */
export function qosClassOf(spec: JsonObject): string {
  const asWhole = Object.keys(objectAt(spec, "resources")).length > 0;
  const containers = asWhole ? [spec] : [...objectsAt(spec, "containers"), ...objectsAt(spec, "initContainers")];
  const computeOf = (container: JsonObject, list: string): [string, Json][] =>
    Object.entries(objectAt(container, "resources", list)).filter(([name]) => name === "cpu" || name === "memory");
  const any = containers.some((c) => computeOf(c, "requests").length + computeOf(c, "limits").length > 0);
  if (!any) return "BestEffort";
  const guaranteed = containers.every((container) => {
    const requests = Object.fromEntries(computeOf(container, "requests"));
    const limits = computeOf(container, "limits");
    return (
      limits.length === 2 && limits.every(([name, amount]) => requests[name] === undefined || requests[name] === amount)
    );
  });
  return guaranteed ? "Guaranteed" : "Burstable";
}
