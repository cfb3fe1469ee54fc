// Defaults by kind, applied whenever an object is read from a client (create, update, patch, apply).
import { ensureObject, isObject, listAt, objectAt, setDefault } from "../json.ts";
import type { Json, JsonObject } from "../types.ts";
import { defaultPodOnly, defaultPodSpec } from "./pod-defaults.ts";

type Defaults = (object: JsonObject, spec: JsonObject) => void;

function template(spec: JsonObject): void {
  const pod = ensureObject(spec, "template");
  defaultPodSpec(ensureObject(pod, "spec"));
}

function zeroes(object: JsonObject, ...fields: string[]): void {
  const status = ensureObject(object, "status");
  for (const field of fields) setDefault(status, field, 0);
}

function rollingUpdate(strategy: JsonObject, values: JsonObject): void {
  setDefault(strategy, "type", "RollingUpdate");
  if (strategy.type !== "RollingUpdate") return;
  const rolling = ensureObject(strategy, "rollingUpdate");
  for (const [field, value] of Object.entries(values)) setDefault(rolling, field, value);
}

function job(spec: JsonObject): void {
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  setDefault(spec, "parallelism", 1);
  setDefault(spec, "backoffLimit", 6);
  setDefault(spec, "completionMode", "NonIndexed");
  setDefault(spec, "suspend", false);
  setDefault(spec, "podReplacementPolicy", "TerminatingOrFailed");
  template(spec);
}

function customResourceDefinition(_: JsonObject, spec: JsonObject): void {
  const names = ensureObject(spec, "names");
  const kind = typeof names.kind === "string" ? names.kind : "";
  setDefault(names, "singular", kind.toLowerCase());
  setDefault(names, "listKind", `${kind}List`);
  setDefault(spec, "conversion", { strategy: "None" });
}

function service(_: JsonObject, spec: JsonObject): void {
  setDefault(spec, "type", "ClusterIP");
  setDefault(spec, "sessionAffinity", "None");
  if (spec.clusterIP === "None" && Object.keys(objectAt(spec, "selector")).length === 0) {
    setDefault(spec, "ipFamilies", ["IPv4", "IPv6"]);
    setDefault(spec, "ipFamilyPolicy", "RequireDualStack");
  }
  if (spec.type === "NodePort" || spec.type === "LoadBalancer") setDefault(spec, "externalTrafficPolicy", "Cluster");
  if (spec.type === "LoadBalancer") setDefault(spec, "allocateLoadBalancerNodePorts", true);
  if (spec.type !== "ExternalName") {
    setDefault(spec, "internalTrafficPolicy", "Cluster");
    setDefault(spec, "ipFamilies", ["IPv4"]);
    setDefault(spec, "ipFamilyPolicy", "SingleStack");
  }
  for (const port of listAt(spec, "ports").filter(isObject)) {
    setDefault(port, "protocol", "TCP");
    if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === "")
      port.targetPort = port.port ?? 0;
  }
}

function secret(object: JsonObject): void {
  setDefault(object, "type", "Opaque");
  const texts = objectAt(object, "stringData");
  if (Object.keys(texts).length === 0) return;
  const data = ensureObject(object, "data");
  for (const [key, text] of Object.entries(texts)) data[key] = Buffer.from(String(text), "utf8").toString("base64");
  delete object.stringData;
}

function protocols(owner: Json): void {
  for (const port of listAt(owner, "ports").filter(isObject)) setDefault(port, "protocol", "TCP");
}

function subjects(object: JsonObject): void {
  for (const subject of listAt(object, "subjects").filter(isObject)) {
    if (subject.kind !== "ServiceAccount") setDefault(subject, "apiGroup", "rbac.authorization.k8s.io");
  }
}

const defaultsByResource: Record<string, Defaults> = {
  pods: (object, spec) => {
    defaultPodSpec(spec);
    defaultPodOnly(spec);
    setDefault(ensureObject(object, "status"), "phase", "Pending");
  },
  podtemplates: (object) => template(object),
  replicationcontrollers: (object, spec) => {
    const pod = ensureObject(spec, "template");
    const labels = objectAt(pod, "metadata", "labels");
    setDefault(spec, "replicas", 1);
    const own = ensureObject(ensureObject(object, "metadata"), "labels");
    if (Object.keys(own).length === 0) Object.assign(own, labels);
    if (Object.keys(labels).length > 0) setDefault(spec, "selector", { ...labels });
    template(spec);
    zeroes(object, "replicas");
  },
  "deployments.apps": (object, spec) => {
    setDefault(spec, "replicas", 1);
    rollingUpdate(ensureObject(spec, "strategy"), { maxUnavailable: "25%", maxSurge: "25%" });
    setDefault(spec, "revisionHistoryLimit", 10);
    setDefault(spec, "progressDeadlineSeconds", 600);
    template(spec);
    ensureObject(object, "status");
  },
  "replicasets.apps": (object, spec) => {
    setDefault(spec, "replicas", 1);
    template(spec);
    zeroes(object, "replicas");
  },
  "statefulsets.apps": (object, spec) => {
    setDefault(spec, "podManagementPolicy", "OrderedReady");
    rollingUpdate(ensureObject(spec, "updateStrategy"), { partition: 0 });
    const retention = ensureObject(spec, "persistentVolumeClaimRetentionPolicy");
    setDefault(retention, "whenDeleted", "Retain");
    setDefault(retention, "whenScaled", "Retain");
    setDefault(spec, "replicas", 1);
    setDefault(spec, "revisionHistoryLimit", 10);
    template(spec);
    zeroes(object, "replicas", "availableReplicas");
    for (const claim of listAt(spec, "volumeClaimTemplates").filter(isObject)) {
      setDefault(claim, "kind", "PersistentVolumeClaim");
      setDefault(claim, "apiVersion", "v1");
      setDefault(ensureObject(claim, "spec"), "volumeMode", "Filesystem");
      setDefault(ensureObject(claim, "status"), "phase", "Pending");
    }
  },
  "daemonsets.apps": (object, spec) => {
    rollingUpdate(ensureObject(spec, "updateStrategy"), { maxUnavailable: 1, maxSurge: 0 });
    setDefault(spec, "revisionHistoryLimit", 10);
    template(spec);
    zeroes(object, "currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady");
  },
  "jobs.batch": (object, spec) => {
    job(spec);
    ensureObject(object, "status");
  },
  "cronjobs.batch": (object, spec) => {
    setDefault(spec, "concurrencyPolicy", "Allow");
    setDefault(spec, "suspend", false);
    setDefault(spec, "successfulJobsHistoryLimit", 3);
    setDefault(spec, "failedJobsHistoryLimit", 1);
    const jobSpec = ensureObject(ensureObject(spec, "jobTemplate"), "spec");
    if (isObject(jobSpec.template)) defaultPodSpec(ensureObject(jobSpec.template, "spec"));
    ensureObject(object, "status");
  },
  namespaces: (object) => {
    setDefault(ensureObject(object, "status"), "phase", "Active");
    const metadata = ensureObject(object, "metadata");
    if (typeof metadata.name === "string")
      ensureObject(metadata, "labels")["kubernetes.io/metadata.name"] = metadata.name;
  },
  nodes: (object) => {
    ensureObject(object, "status");
  },
  services: (object, spec) => {
    service(object, spec);
    const status = ensureObject(object, "status");
    setDefault(status, "loadBalancer", {});
  },
  secrets: (object) => secret(object),
  persistentvolumeclaims: (object, spec) => {
    setDefault(spec, "volumeMode", "Filesystem");
    setDefault(spec, "resources", {});
    setDefault(ensureObject(object, "status"), "phase", "Pending");
  },
  persistentvolumes: (object, spec) => {
    setDefault(spec, "volumeMode", "Filesystem");
    setDefault(spec, "persistentVolumeReclaimPolicy", "Retain");
    setDefault(ensureObject(object, "status"), "phase", "Pending");
  },
  "storageclasses.storage.k8s.io": (object) => {
    setDefault(object, "reclaimPolicy", "Delete");
    setDefault(object, "volumeBindingMode", "Immediate");
  },
  "csidrivers.storage.k8s.io": (_, spec) => {
    setDefault(spec, "attachRequired", true);
    setDefault(spec, "podInfoOnMount", false);
    setDefault(spec, "storageCapacity", false);
    setDefault(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
    setDefault(spec, "volumeLifecycleModes", ["Persistent"]);
    setDefault(spec, "requiresRepublish", false);
    setDefault(spec, "seLinuxMount", false);
  },
  "poddisruptionbudgets.policy": (object) => {
    zeroes(object, "currentHealthy", "desiredHealthy", "disruptionsAllowed", "expectedPods");
  },
  "networkpolicies.networking.k8s.io": (_, spec) => {
    setDefault(spec, "policyTypes", listAt(spec, "egress").length > 0 ? ["Ingress", "Egress"] : ["Ingress"]);
  },
  "horizontalpodautoscalers.autoscaling": (_, spec) => {
    setDefault(spec, "minReplicas", 1);
    const target = { type: "Utilization", averageUtilization: 80 };
    setDefault(spec, "metrics", [{ type: "Resource", resource: { name: "cpu", target } }]);
  },
  "rolebindings.rbac.authorization.k8s.io": subjects,
  "clusterrolebindings.rbac.authorization.k8s.io": subjects,
  endpoints: (object) => {
    for (const subset of listAt(object, "subsets")) protocols(subset);
  },
  "endpointslices.discovery.k8s.io": (object) => {
    protocols(object);
    for (const port of listAt(object, "ports").filter(isObject)) setDefault(port, "name", "");
  },
  "priorityclasses.scheduling.k8s.io": (object) => setDefault(object, "preemptionPolicy", "PreemptLowerPriority"),
  "customresourcedefinitions.apiextensions.k8s.io": customResourceDefinition,
  events: (object) => {
    setDefault(object, "source", {});
    setDefault(object, "reportingComponent", "");
    setDefault(object, "reportingInstance", "");
  },
};

const withoutSpec = new Set([
  ...["secrets", "events", "endpoints", "storageclasses.storage.k8s.io", "priorityclasses.scheduling.k8s.io"],
  ...["rolebindings.rbac.authorization.k8s.io", "clusterrolebindings.rbac.authorization.k8s.io"],
  "endpointslices.discovery.k8s.io",
]);

/** Fills in what the API server would. Changes the object in place. */
export function applyBuiltInDefaults(storage: string, object: JsonObject): void {
  const defaults = defaultsByResource[storage];
  if (defaults === undefined) return;
  const spec: Json = withoutSpec.has(storage) ? {} : ensureObject(object, "spec");
  defaults(object, spec as JsonObject);
}
