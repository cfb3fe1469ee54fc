// What makes built-in objects invalid, by kind. Kinds that are not here are checked for metadata only.
import type { FieldError } from "../../../shared/api/schema/field-error.ts";
import { at, deepEqual, isObject, listAt, objectAt, stringAt } from "../json.ts";
import { matchesSelectorObject } from "../selectors.ts";
import type { Json, JsonObject, KubeObject } from "../types.ts";
import { crdErrors } from "./crd-validation.ts";
import { labelErrors } from "./names.ts";
import { required, unsupported } from "./placement-validation.ts";
import { podSpecErrors, podUpdateErrors } from "./pod-validation.ts";

type Check = (object: JsonObject, old: JsonObject | undefined) => FieldError[];

function immutable(path: string, value: Json | undefined): FieldError {
  return { path, type: "Invalid", ...(value === undefined ? {} : { badValue: value }), detail: "field is immutable" };
}

function changed(object: JsonObject, old: JsonObject | undefined, ...path: string[]): boolean {
  return old !== undefined && !deepEqual(at(object, ...path), at(old, ...path));
}

function replicaErrors(object: JsonObject): FieldError[] {
  const replicas = at(object, "spec", "replicas");
  if (typeof replicas !== "number" || replicas >= 0) return [];
  return [{ path: "spec.replicas", type: "Invalid", badValue: replicas, detail: "must be greater than or equal to 0" }];
}

/** Selector and template of a workload: both there, matching, the selector fixed. */
function workloadErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const errors = replicaErrors(object);
  const selector = at(object, "spec", "selector");
  const labels = objectAt(object, "spec", "template", "metadata", "labels") as Record<string, string>;
  const empty =
    !isObject(selector) ||
    (Object.keys(objectAt(selector, "matchLabels")).length === 0 && listAt(selector, "matchExpressions").length === 0);
  if (!isObject(selector)) errors.push(required("spec.selector"));
  else if (empty) {
    errors.push({
      path: "spec.selector",
      type: "Invalid",
      badValue: selector,
      detail: "empty selector is invalid for deployment",
    });
  }
  if ((!empty || selector === undefined) && !matchesSelectorObject(selector, labels)) {
    const detail = "`selector` does not match template `labels`";
    errors.push({ path: "spec.template.metadata.labels", type: "Invalid", badValue: labels, detail });
  }
  errors.push(...labelErrors(labels, "spec.template.metadata.labels"));
  const podSpec = objectAt(object, "spec", "template", "spec");
  errors.push(...podSpecErrors(podSpec, "spec.template.spec"));
  if (podSpec.restartPolicy !== undefined && podSpec.restartPolicy !== "Always") {
    errors.push(unsupported("spec.template.spec.restartPolicy", podSpec.restartPolicy, ["Always"]));
  }
  if (changed(object, old, "spec", "selector")) errors.push(immutable("spec.selector", selector));
  return errors;
}

function jobErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const podSpec = objectAt(object, "spec", "template", "spec");
  const errors = podSpecErrors(podSpec, "spec.template.spec");
  if (podSpec.restartPolicy === "Always") {
    errors.push(required("spec.template.spec.restartPolicy", 'valid values: "OnFailure", "Never"'));
  }
  for (const field of ["selector", "template", "completions", "completionMode"]) {
    if (changed(object, old, "spec", field) && field !== "completions")
      errors.push(immutable(`spec.${field}`, undefined));
  }
  return errors;
}

const taintEffects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

function nodeErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, raw] of listAt(object, "spec", "taints").entries()) {
    const taint = raw as JsonObject;
    const path = `metadata.taints[${i}]`;
    errors.push(...labelErrors({ [String(taint.key ?? "")]: taint.value ?? "" }, `${path}.key`));
    if (!taintEffects.includes(String(taint.effect)))
      errors.push(unsupported(`${path}.effect`, taint.effect, taintEffects));
    const id = `${String(taint.key)}:${String(taint.effect)}`;
    if (seen.has(id))
      errors.push({
        path,
        type: "Duplicate",
        badValue: taint,
        detail: "taints must be unique by key and effect pair",
      });
    seen.add(id);
  }
  const before = stringAt(old, "spec", "providerID") ?? "";
  if (before !== "" && before !== (stringAt(object, "spec", "providerID") ?? "")) {
    errors.push({
      path: "spec.providerID",
      type: "Forbidden",
      detail: 'node updates may not change providerID except from "" to valid',
    });
  }
  return errors;
}

function budgetErrors(object: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const spec = objectAt(object, "spec");
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    const detail = "minAvailable and maxUnavailable cannot be both set";
    errors.push({ path: "spec", type: "Invalid", badValue: spec, detail });
  }
  for (const field of ["minAvailable", "maxUnavailable"]) {
    const value = spec[field];
    if (typeof value === "number" && value < 0) {
      errors.push({
        path: `spec.${field}`,
        type: "Invalid",
        badValue: value,
        detail: "must be greater than or equal to 0",
      });
    }
    if (typeof value === "string" && !/^\d+%$/.test(value)) {
      const detail =
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
      errors.push({ path: `spec.${field}`, type: "Invalid", badValue: value, detail });
    }
  }
  const policies = ["IfHealthyBudget", "AlwaysAllow"];
  if (spec.unhealthyPodEvictionPolicy !== undefined && !policies.includes(String(spec.unhealthyPodEvictionPolicy))) {
    errors.push(unsupported("spec.unhealthyPodEvictionPolicy", spec.unhealthyPodEvictionPolicy, policies));
  }
  return errors;
}

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

function claimErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const modes = listAt(object, "spec", "accessModes");
  if (modes.length === 0) errors.push(required("spec.accessModes", "at least 1 access mode is required"));
  for (const mode of modes) {
    if (!accessModes.includes(String(mode))) errors.push(unsupported("spec.accessModes", mode, accessModes));
  }
  if (at(object, "spec", "resources", "requests", "storage") === undefined)
    errors.push(required("spec.resources[storage]"));
  if (changed(object, old, "spec", "storageClassName") && at(old, "spec", "storageClassName") !== undefined) {
    const detail =
      "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
    errors.push({ path: "spec", type: "Forbidden", detail });
  }
  return errors;
}

function fixedFields(...paths: string[][]): Check {
  return (object, old) =>
    paths
      .filter((path) => changed(object, old, ...path))
      .map((path): FieldError => {
        return { path: path.join("."), type: "Forbidden", detail: `updates to ${path.at(-1)} are forbidden.` };
      });
}

function configMapErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const errors: FieldError[] = [];
  for (const list of ["data", "binaryData"]) {
    for (const key of Object.keys(objectAt(object, list))) {
      if (/^[-._a-zA-Z0-9]+$/.test(key) && key.length <= 253) continue;
      const detail =
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
      errors.push({ path: `${list}[${key}]`, type: "Invalid", badValue: key, detail });
    }
  }
  if (old?.immutable === true && (changed(object, old, "data") || object.immutable !== true)) {
    errors.push({
      path: object.immutable === true ? "data" : "immutable",
      type: "Forbidden",
      detail: "field is immutable when `immutable` is set",
    });
  }
  if (old !== undefined && changed(object, old, "type")) errors.push(immutable("type", object.type));
  return errors;
}

function serviceErrors(object: JsonObject): FieldError[] {
  const type = stringAt(object, "spec", "type");
  const headless = stringAt(object, "spec", "clusterIP") === "None";
  const ports = listAt(object, "spec", "ports");
  if (ports.length === 0 && !headless && type !== "ExternalName") return [required("spec.ports")];
  return [];
}

function priorityClassErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const errors = fixedFields(["value"])(object, old);
  const name = stringAt(object, "metadata", "name") ?? "";
  const value = Number(object.value ?? 0);
  if (!name.startsWith("system-") && value > 1_000_000_000) {
    errors.push({
      path: "value",
      type: "Forbidden",
      detail: "maximum allowed value of a user defined priority is 1000000000",
    });
  }
  return errors;
}

function leaseErrors(object: JsonObject): FieldError[] {
  const seconds = at(object, "spec", "leaseDurationSeconds");
  if (typeof seconds !== "number" || seconds > 0) return [];
  return [{ path: "spec.leaseDurationSeconds", type: "Invalid", badValue: seconds, detail: "must be greater than 0" }];
}

/** How a deployment rolls: a known type, and some room to move. */
function deploymentErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const errors = workloadErrors(object, old);
  const strategy = objectAt(object, "spec", "strategy");
  const types = ["Recreate", "RollingUpdate"];
  if (!types.includes(String(strategy.type))) errors.push(unsupported("spec.strategy", strategy, types));
  const none = (field: string): boolean => [0, "0%"].includes(at(strategy, "rollingUpdate", field) as number | string);
  if (none("maxUnavailable") && none("maxSurge")) {
    const path = "spec.strategy.rollingUpdate.maxUnavailable";
    errors.push({ path, type: "Invalid", badValue: 0, detail: "may not be 0 when `maxSurge` is 0" });
  }
  return errors;
}

function secretErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const errors = configMapErrors(object, old);
  const wanted = object.type === "kubernetes.io/tls" ? ["tls.crt", "tls.key"] : [];
  for (const key of wanted) if (at(object, "data", key) === undefined) errors.push(required(`data[${key}]`));
  return errors;
}

/** An event lies in the namespace of what it is about; events about cluster-scoped objects lie in "default". */
function eventErrors(object: JsonObject): FieldError[] {
  const isNewStyle = stringAt(object, "apiVersion") === "events.k8s.io/v1";
  const field = isNewStyle ? "regarding" : "involvedObject";
  const about = stringAt(object, field, "namespace") ?? "";
  const own = stringAt(object, "metadata", "namespace") ?? "";
  const errors: FieldError[] = [];
  if (about === "" ? own !== "default" : about !== own) {
    const detail = "does not match event.namespace";
    errors.push({ path: "involvedObject.namespace", type: "Invalid", badValue: about, detail });
  }
  if (!isNewStyle) return errors;
  if (at(object, "eventTime") === undefined || object.eventTime === null) errors.push(required("eventTime"));
  if (!["Normal", "Warning"].includes(stringAt(object, "type") ?? "")) {
    const type = stringAt(object, "type") ?? "";
    errors.push({ path: "type", type: "Invalid", badValue: type, detail: `has invalid value: ${type}` });
  }
  return errors;
}

const checks: Record<string, Check> = {
  pods: (object, old) => {
    const spec = objectAt(object, "spec");
    return [...podSpecErrors(spec, "spec"), ...(old === undefined ? [] : podUpdateErrors(objectAt(old, "spec"), spec))];
  },
  nodes: nodeErrors,
  "deployments.apps": deploymentErrors,
  events: (object, old) => (old === undefined ? eventErrors(object) : []),
  "replicasets.apps": workloadErrors,
  "statefulsets.apps": workloadErrors,
  "daemonsets.apps": workloadErrors,
  "jobs.batch": jobErrors,
  "poddisruptionbudgets.policy": budgetErrors,
  persistentvolumeclaims: claimErrors,
  configmaps: configMapErrors,
  secrets: secretErrors,
  services: serviceErrors,
  "priorityclasses.scheduling.k8s.io": priorityClassErrors,
  "storageclasses.storage.k8s.io": (object, old) => [
    ...((object.provisioner ?? "") === "" ? [required("provisioner")] : []),
    ...fixedFields(["provisioner"], ["parameters"], ["volumeBindingMode"])(object, old),
  ],
  "leases.coordination.k8s.io": leaseErrors,
  "customresourcedefinitions.apiextensions.k8s.io": crdErrors,
};

/** Everything that is wrong with a built-in object besides its metadata. */
export function builtInErrors(storage: string, object: KubeObject, old: KubeObject | undefined): FieldError[] {
  return checks[storage]?.(object as unknown as JsonObject, old as unknown as JsonObject | undefined) ?? [];
}
