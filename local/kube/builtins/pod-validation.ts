// What makes a pod spec invalid: the essentials, with the API server's wording where clients are known to show it.
import type { FieldError } from "../../../shared/api/schema/field-error.ts";
import { deepEqual, isObject, listAt, objectAt, stringAt } from "../json.ts";
import { quantityNanos } from "../quantity.ts";
import type { JsonObject } from "../types.ts";
import { qualifiedNameProblem } from "./names.ts";
import { hostPortErrors, isPort, placementErrors, portRule, required, unsupported } from "./placement-validation.ts";

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const restartPolicies = ["Always", "OnFailure", "Never"];
const dnsPolicies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const pullPolicies = ["Always", "IfNotPresent", "Never"];

function isStandard(name: string): boolean {
  return ["cpu", "memory", "ephemeral-storage", "storage"].includes(name) || name.startsWith("hugepages-");
}

/** Resources outside Kubernetes' own domain (devices, mostly) cannot be overcommitted. */
function isExtended(name: string): boolean {
  return name.includes("/") && !name.split("/")[0]!.endsWith("kubernetes.io");
}

function resourceErrors(resources: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const limits = objectAt(resources, "limits");
  for (const list of ["limits", "requests"]) {
    for (const [name, amount] of Object.entries(objectAt(resources, list))) {
      const problem = qualifiedNameProblem(name);
      if (problem !== undefined)
        errors.push({ path: `${path}.${list}`, type: "Invalid", badValue: name, detail: problem });
      if (!name.includes("/") && !isStandard(name)) {
        const detail = "must be a standard resource type or fully qualified";
        errors.push({ path: `${path}.${list}[${name}]`, type: "Invalid", badValue: name, detail });
      }
      if ((quantityNanos(String(amount)) ?? 0n) < 0n) {
        const detail = "must be greater than or equal to 0";
        errors.push({ path: `${path}.${list}[${name}]`, type: "Invalid", badValue: amount, detail });
      }
    }
  }
  for (const [name, amount] of Object.entries(objectAt(resources, "requests"))) {
    const limit = limits[name];
    if (limit === undefined) {
      if (isExtended(name))
        errors.push(required(`${path}.limits`, "Limit must be set for non overcommitable resources"));
      continue;
    }
    if (isExtended(name) && limit !== amount) {
      const detail = `must be equal to ${name} limit of ${String(limit)}`;
      errors.push({ path: `${path}.requests`, type: "Invalid", badValue: amount, detail });
    }
    if ((quantityNanos(String(amount)) ?? 0n) > (quantityNanos(String(limit)) ?? 0n)) {
      const detail = `must be less than or equal to ${name} limit of ${String(limit)}`;
      errors.push({ path: `${path}.requests`, type: "Invalid", badValue: amount, detail });
    }
  }
  return errors;
}

function containerErrors(container: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const name = stringAt(container, "name") ?? "";
  if (name === "") errors.push(required(`${path}.name`));
  else if (!dnsLabel.test(name) || name.length > 63) {
    const detail =
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    errors.push({ path: `${path}.name`, type: "Invalid", badValue: name, detail });
  }
  if ((stringAt(container, "image") ?? "") === "") errors.push(required(`${path}.image`));
  for (const [i, port] of listAt(container, "ports").filter(isObject).entries()) {
    const at = `${path}.ports[${i}].containerPort`;
    const { containerPort = 0 } = port;
    if (containerPort === 0) errors.push(required(at));
    else if (!isPort(containerPort))
      errors.push({ path: at, type: "Invalid", badValue: containerPort, detail: portRule });
  }
  errors.push(...resourceErrors(objectAt(container, "resources"), `${path}.resources`));
  if (!pullPolicies.includes(String(container.imagePullPolicy))) {
    errors.push(unsupported(`${path}.imagePullPolicy`, container.imagePullPolicy, pullPolicies));
  }
  return errors;
}

/** Volumes have names of their own, and mounts name volumes that there are. */
function volumeErrors(spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, volume] of listAt(spec, "volumes").entries()) {
    const name = stringAt(volume, "name") ?? "";
    if (names.has(name))
      errors.push({ path: `${path}.volumes[${i}].name`, type: "Duplicate", badValue: name, detail: "" });
    names.add(name);
  }
  for (const list of ["containers", "initContainers"]) {
    for (const [i, container] of listAt(spec, list).entries()) {
      for (const [j, mount] of listAt(container, "volumeMounts").entries()) {
        const name = stringAt(mount, "name") ?? "";
        const at = `${path}.${list}[${i}].volumeMounts[${j}].name`;
        if (!names.has(name))
          errors.push({ path: at, type: "Invalid", badValue: name, detail: "names no volume of the pod" });
      }
    }
  }
  return errors;
}

/** Everything that is wrong with a pod spec at `path`. */
export function podSpecErrors(spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const containers = listAt(spec, "containers");
  if (containers.length === 0) errors.push(required(`${path}.containers`));
  const seen = new Set<string>();
  const hostPorts = new Set<string>();
  for (const list of ["containers", "initContainers"]) {
    for (const [i, container] of listAt(spec, list).entries()) {
      if (!isObject(container)) continue;
      const at = `${path}.${list}[${i}]`;
      errors.push(...containerErrors(container, at));
      // Init containers run one after the other, and may have one port each in turn.
      errors.push(...hostPortErrors(container, at, list === "containers" ? hostPorts : new Set()));
      const name = String(container.name);
      if (seen.has(name))
        errors.push({ path: `${path}.${list}[${i}].name`, type: "Duplicate", badValue: name, detail: "" });
      seen.add(name);
    }
  }
  if (!restartPolicies.includes(String(spec.restartPolicy))) {
    errors.push(unsupported(`${path}.restartPolicy`, spec.restartPolicy, restartPolicies));
  }
  if (!dnsPolicies.includes(String(spec.dnsPolicy)))
    errors.push(unsupported(`${path}.dnsPolicy`, spec.dnsPolicy, dnsPolicies));
  return [...errors, ...volumeErrors(spec, path), ...placementErrors(spec, path)];
}

const changeableWhenRunning = [
  "activeDeadlineSeconds",
  "tolerations",
  "terminationGracePeriodSeconds",
  "schedulingGates",
];

function comparable(spec: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const [field, value] of Object.entries(spec)) {
    if (changeableWhenRunning.includes(field)) continue;
    const isList = field === "containers" || field === "initContainers";
    out[field] = isList ? listAt(spec, field).map((c) => ({ ...(c as JsonObject), image: "" })) : value;
  }
  return out;
}

/** A pod's spec is fixed but for a few fields; a pod that scheduling gates hold may still narrow where it may go. */
export function podUpdateErrors(before: JsonObject, after: JsonObject): FieldError[] {
  const gated = listAt(before, "schedulingGates").length > 0;
  const old = comparable(before);
  const now = comparable(after);
  if (gated) {
    for (const field of ["nodeSelector", "affinity"]) {
      delete old[field];
      delete now[field];
    }
  }
  const errors: FieldError[] = [];
  if (!deepEqual(old, now)) {
    const detail =
      "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";
    errors.push({ path: "spec", type: "Forbidden", detail });
  }
  const kept = listAt(before, "tolerations").every((t) => listAt(after, "tolerations").some((n) => deepEqual(t, n)));
  if (!kept) {
    errors.push({
      path: "spec.tolerations",
      type: "Forbidden",
      detail: "existing toleration can not be modified except its tolerationSeconds",
    });
  }
  return errors;
}
