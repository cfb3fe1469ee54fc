// What makes a CustomResourceDefinition invalid: names, versions, and a schema that is structural.
import type { FieldError } from "../../../shared/api/schema/field-error.ts";
import { at, isObject, listAt, objectAt, stringAt } from "../json.ts";
import type { Json, JsonObject } from "../types.ts";

function schemaErrors(schema: Json | undefined, path: string): FieldError[] {
  if (!isObject(schema)) return [];
  const errors: FieldError[] = [];
  const loose =
    schema["x-kubernetes-int-or-string"] === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (schema.type === undefined && !loose) {
    errors.push({ path: `${path}.type`, type: "Required", detail: "must not be empty for specified object fields" });
  }
  for (const [name, property] of Object.entries(objectAt(schema, "properties"))) {
    errors.push(...schemaErrors(property, `${path}.properties[${name}]`));
  }
  if (schema.type === "array" && !isObject(schema.items))
    errors.push({ path: `${path}.items`, type: "Required", detail: "must be specified" });
  errors.push(
    ...schemaErrors(schema.items, `${path}.items`),
    ...schemaErrors(schema.additionalProperties, `${path}.additionalProperties`),
  );
  return errors;
}

function versionErrors(versions: Json[]): FieldError[] {
  const errors: FieldError[] = [];
  const stored = versions.filter((version) => at(version, "storage") === true).length;
  if (stored !== 1) {
    const detail = "must have exactly one version marked as storage version";
    errors.push({
      path: "spec.versions",
      type: "Invalid",
      badValue: versions.map((v) => String(at(v, "name"))),
      detail,
    });
  }
  for (const [i, version] of versions.entries()) {
    const schema = at(version, "schema", "openAPIV3Schema");
    const path = `spec.versions[${i}].schema.openAPIV3Schema`;
    if (!isObject(schema)) errors.push({ path, type: "Required", detail: "" });
    else errors.push(...schemaErrors(schema, path));
  }
  return errors;
}

/** Checks a definition; `old` makes scope and names fixed. */
export function crdErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const group = stringAt(object, "spec", "group") ?? "";
  const plural = stringAt(object, "spec", "names", "plural") ?? "";
  const name = stringAt(object, "metadata", "name") ?? "";
  if (group === "") errors.push({ path: "spec.group", type: "Required", detail: "" });
  if (plural === "") errors.push({ path: "spec.names.plural", type: "Required", detail: "" });
  if ((stringAt(object, "spec", "names", "kind") ?? "") === "")
    errors.push({ path: "spec.names.kind", type: "Required", detail: "" });
  if (name !== `${plural}.${group}`) {
    errors.push({
      path: "metadata.name",
      type: "Invalid",
      badValue: name,
      detail: 'must be spec.names.plural+"."+spec.group',
    });
  }
  const scope = stringAt(object, "spec", "scope") ?? "";
  if (scope === "") errors.push({ path: "spec.scope", type: "Required", detail: "" });
  else if (scope !== "Cluster" && scope !== "Namespaced") {
    errors.push({
      path: "spec.scope",
      type: "NotSupported",
      badValue: scope,
      detail: 'supported values: "Cluster", "Namespaced"',
    });
  }
  errors.push(...versionErrors(listAt(object, "spec", "versions")));
  for (const path of [["scope"], ["names", "plural"], ["names", "kind"], ["group"]]) {
    const before = at(old, "spec", ...path);
    if (old !== undefined && before !== at(object, "spec", ...path)) {
      errors.push({
        path: `spec.${path.join(".")}`,
        type: "Invalid",
        badValue: at(object, "spec", ...path) ?? "",
        detail: "field is immutable",
      });
    }
  }
  return errors;
}
