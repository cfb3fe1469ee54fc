// Names, labels and annotations: Kubernetes' own syntax rules for metadata.
import type { FieldError } from "../../../shared/api/schema/field-error.ts";
import type { KubeObject } from "../types.ts";

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const qualifiedName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const annotationsLimitBytes = 256 * 1024;

const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const labelRule =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

const labelKeyRule =
  "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";

/** Kinds whose names are single DNS labels; RBAC's may hold anything that fits a path. */
const labelNamed = new Set(["namespaces", "services"]);

export function nameErrors(storage: string, name: string, path = "metadata.name"): FieldError[] {
  if (storage.endsWith(".rbac.authorization.k8s.io")) {
    return name.includes("/") || name.includes("%")
      ? [{ path, type: "Invalid", badValue: name, detail: "may not contain '/'" }]
      : [];
  }
  if (labelNamed.has(storage)) {
    if (name.includes(".")) return [{ path, type: "Invalid", badValue: name, detail: "must not contain dots" }];
    if (name.length > 63)
      return [{ path, type: "Invalid", badValue: name, detail: "must be no more than 63 characters" }];
    return label.test(name) ? [] : [{ path, type: "Invalid", badValue: name, detail: labelRule }];
  }
  if (name.length > 253)
    return [{ path, type: "Invalid", badValue: name, detail: "must be no more than 253 characters" }];
  return subdomain.test(name) ? [] : [{ path, type: "Invalid", badValue: name, detail: subdomainRule }];
}

/** What is wrong with a label key or any other qualified name, or undefined. */
export function qualifiedNameProblem(key: string): string | undefined {
  const parts = key.split("/");
  const name = parts.at(-1) ?? "";
  if (parts.length > 2) return "a qualified name must consist of a name and at most one prefix, separated by '/'";
  if (parts.length === 2 && parts[0] === "") return "prefix part must be non-empty";
  if (parts.length === 2 && !subdomain.test(parts[0]!)) return `prefix part ${subdomainRule}`;
  if (name === "") return "name part must be non-empty";
  if (name.length > 63) return "name part must be no more than 63 bytes";
  if (!qualifiedName.test(name)) {
    return "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  }
  return undefined;
}

export function labelErrors(labels: Record<string, unknown> | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels ?? {})) {
    const problem = key.split("/").length > 2 ? labelKeyRule : qualifiedNameProblem(key);
    if (problem !== undefined) errors.push({ path, type: "Invalid", badValue: key, detail: problem });
    const text = String(value);
    if (text.length > 63)
      errors.push({ path, type: "Invalid", badValue: text, detail: "must be no more than 63 bytes" });
    if (!labelValue.test(text)) {
      const detail =
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
      errors.push({ path, type: "Invalid", badValue: text, detail });
    }
  }
  return errors;
}

function finalizerErrors(finalizers: readonly string[] | undefined, builtIn: boolean): FieldError[] {
  return (finalizers ?? []).flatMap((name): FieldError[] => {
    const problem = qualifiedNameProblem(name);
    if (problem !== undefined)
      return [{ path: "metadata.finalizers", type: "Invalid", badValue: name, detail: problem }];
    const standard = ["orphan", "foregroundDeletion", "kubernetes"].includes(name);
    if (builtIn && !standard && !name.includes("/")) {
      const detail = "name is neither a standard finalizer name nor is it fully qualified";
      return [{ path: "metadata.finalizers[0]", type: "Invalid", badValue: name, detail }];
    }
    return [];
  });
}

function ownerErrors(object: KubeObject): FieldError[] {
  const owners = object.metadata.ownerReferences ?? [];
  const errors: FieldError[] = [];
  for (const owner of owners) {
    for (const field of ["apiVersion", "kind", "name", "uid"] as const) {
      if ((owner[field] ?? "") !== "") continue;
      errors.push({
        path: `metadata.ownerReferences.${field}`,
        type: "Invalid",
        badValue: "",
        detail: "must not be empty",
      });
    }
  }
  if (owners.filter((owner) => owner.controller === true).length > 1) {
    const detail = "Only one reference can have Controller set to true";
    errors.push({ path: "metadata.ownerReferences", type: "Invalid", detail });
  }
  return errors;
}

/** Everything that is wrong with an object's metadata. */
export function metadataErrors(storage: string, builtIn: boolean, object: KubeObject): FieldError[] {
  const { metadata } = object;
  const errors = metadata.name === undefined ? [] : nameErrors(storage, metadata.name);
  errors.push(...labelErrors(metadata.labels, "metadata.labels"));
  let sizeBytes = 0;
  for (const [key, value] of Object.entries(metadata.annotations ?? {})) {
    const problem = qualifiedNameProblem(key.toLowerCase());
    if (problem !== undefined)
      errors.push({ path: "metadata.annotations", type: "Invalid", badValue: key, detail: problem });
    sizeBytes += key.length + String(value).length;
  }
  if (sizeBytes > annotationsLimitBytes) {
    errors.push({
      path: "metadata.annotations",
      type: "TooLong",
      detail: `may not be more than ${annotationsLimitBytes} bytes`,
    });
  }
  return [...errors, ...finalizerErrors(metadata.finalizers, builtIn), ...ownerErrors(object)];
}
