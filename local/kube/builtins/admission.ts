// What kube-apiserver's default admission plugins and per-kind strategies do when an object is created.
import { ensureObject, isObject, listAt, objectAt, setDefault, stringAt, timestamp } from "../json.ts";
import { forbidden } from "../status.ts";
import type { StoreContext } from "../store/context.ts";
import type { JsonObject, KubeObject } from "../types.ts";
import { addDefaultTolerations, qosClassOf } from "./pod-defaults.ts";

function gatedCondition(context: StoreContext, spec: JsonObject): JsonObject {
  if (listAt(spec, "schedulingGates").length === 0) return {};
  const condition = {
    type: "PodScheduled",
    status: "False",
    lastProbeTime: null,
    lastTransitionTime: timestamp(context.clock.now()),
    reason: "SchedulingGated",
    message: "Scheduling is blocked due to non-empty scheduling gates",
  };
  return { conditions: [condition] };
}

/** The Priority plugin: the class's number on the pod, and the global default where the pod names no class. */
function resolvePriority(context: StoreContext, object: JsonObject, spec: JsonObject): void {
  const classes = context.objects.list("priorityclasses.scheduling.k8s.io");
  const name = stringAt(spec, "priorityClassName") ?? "";
  const found =
    name === "" ? classes.find((c) => c.globalDefault === true) : classes.find((c) => c.metadata.name === name);
  if (found === undefined && name !== "") {
    const pod = { plural: "pods", group: "", kind: "Pod" };
    throw forbidden(pod, stringAt(object, "metadata", "name") ?? "", `no PriorityClass with name ${name} was found`);
  }
  if (found?.metadata.name !== undefined) spec.priorityClassName = found.metadata.name;
  spec.priority = found === undefined ? 0 : Number(found.value ?? 0);
  setDefault(spec, "preemptionPolicy", String(found?.preemptionPolicy ?? "PreemptLowerPriority"));
}

/** The TaintNodesByCondition plugin: a node starts out not ready, until the node lifecycle controller has seen it. */
function taintNewNode(spec: JsonObject): void {
  const key = "node.kubernetes.io/not-ready";
  const taints = listAt(spec, "taints").filter(isObject);
  if (taints.some((taint) => taint.key === key && taint.effect === "NoSchedule")) return;
  spec.taints = [...taints, { key, effect: "NoSchedule" }];
}

/** The Job strategy: a selector by the job's uid, unless the user brings one. */
function labelJob(object: JsonObject, spec: JsonObject): void {
  if (isObject(spec.selector) && spec.manualSelector === true) return;
  const metadata = objectAt(object, "metadata");
  const uid = String(metadata.uid);
  const labels = ensureObject(ensureObject(ensureObject(spec, "template"), "metadata"), "labels");
  const name = String(metadata.name);
  Object.assign(labels, {
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
    "controller-uid": uid,
    "job-name": name,
  });
  spec.selector = { matchLabels: { "batch.kubernetes.io/controller-uid": uid } };
  setDefault(spec, "manualSelector", false);
  const own = ensureObject(metadata, "labels");
  if (Object.keys(own).length === 0) Object.assign(own, labels);
}

const clusterIpsPerOctet = 254;

function assignClusterIp(context: StoreContext, spec: JsonObject): void {
  if (spec.type === "ExternalName") return;
  if (spec.clusterIP === undefined || spec.clusterIP === "") {
    const taken = new Set(context.objects.list("services").map((service) => stringAt(service, "spec", "clusterIP")));
    let index = 1;
    while (taken.has(clusterIp(index))) index++;
    spec.clusterIP = clusterIp(index);
  }
  setDefault(spec, "clusterIPs", [spec.clusterIP ?? ""]);
}

function clusterIp(index: number): string {
  return `10.96.${Math.floor(index / clusterIpsPerOctet)}.${(index % clusterIpsPerOctet) + 1}`;
}

const eventLifetimeMs = 3_600_000;

/** Events go after an hour, as kube-apiserver's --event-ttl has it; here the oldest are looked at whenever one is made. */
function forgetOldEvents(context: StoreContext): void {
  const before = context.clock.now() - eventLifetimeMs;
  for (const event of context.objects.list("events")) {
    const last = stringAt(event, "lastTimestamp") ?? event.metadata.creationTimestamp ?? "";
    if (Date.parse(last) >= before) continue;
    const { name = "", namespace = "" } = event.metadata;
    context.objects.remove("events", { name, namespace });
  }
}

/** Looking costs a walk over all events, so only one write in so many does it. */
const revisionsBetweenLooks = 200;

/** Completes an object that is about to be created. Changes it in place. @throws Forbidden */
export function admitCreate(context: StoreContext, storage: string, object: KubeObject): void {
  const value = object as unknown as JsonObject;
  const spec = isObject(value.spec) ? value.spec : {};
  switch (storage) {
    case "pods":
      addDefaultTolerations(spec);
      resolvePriority(context, value, spec);
      value.status = { phase: "Pending", ...gatedCondition(context, spec), qosClass: qosClassOf(spec) };
      break;
    case "nodes":
      value.spec = spec;
      taintNewNode(spec);
      if (typeof spec.podCIDR === "string" && spec.podCIDR !== "") setDefault(spec, "podCIDRs", [spec.podCIDR]);
      break;
    case "namespaces":
      value.spec = { ...spec, finalizers: ["kubernetes"] };
      break;
    case "jobs.batch":
      labelJob(value, spec);
      break;
    case "daemonsets.apps":
      ensureObject(objectAt(value, "metadata"), "annotations")["deprecated.daemonset.template.generation"] = "1";
      break;
    case "persistentvolumes":
      ensureObject(value, "status").lastPhaseTransitionTime = timestamp(context.clock.now());
      break;
    case "services":
      assignClusterIp(context, spec);
      break;
    case "events":
      if (context.objects.revision % revisionsBetweenLooks === 0) forgetOldEvents(context);
      break;
  }
}

/** What a plain update keeps although the client left it out. Changes `object` in place. */
export function admitUpdate(storage: string, object: KubeObject, old: KubeObject): void {
  const spec = (object as unknown as JsonObject).spec;
  const before = objectAt(old, "spec");
  if (!isObject(spec)) return;
  const keep = (...fields: string[]): void => {
    for (const field of fields) if (before[field] !== undefined) setDefault(spec, field, before[field]);
  };
  if (storage === "pods") {
    addDefaultTolerations(spec);
    keep("priority", "preemptionPolicy");
  }
  if (storage === "services") keep("clusterIP", "clusterIPs");
  if (storage === "namespaces" && before.finalizers !== undefined) spec.finalizers = before.finalizers;
}
