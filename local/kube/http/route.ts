// From a path to what it names: /api/v1/namespaces/<ns>/<plural>/<name>/<subresource>, /apis/<group>/<version>/… alike.
import type { Registry, ServedKind } from "../registry.ts";
import { ApiError } from "../status.ts";

export interface Target {
  kind: ServedKind;
  namespace: string | undefined;
  name: string | undefined;
  subresource: string | undefined;
}

export function unknownResource(): ApiError {
  return new ApiError(404, "NotFound", "the server could not find the requested resource");
}

/** @param path the segments after the group's version. @throws NotFound for what is not served. */
export function targetOf(registry: Registry, group: string, version: string, path: readonly string[]): Target {
  let rest = [...path];
  let namespace: string | undefined;
  if (rest[0] === "namespaces" && rest.length >= 3 && !isNamespaceSubresource(rest)) {
    namespace = rest[1];
    rest = rest.slice(2);
  }
  const [plural = "", name, subresource, ...more] = rest;
  const kind = registry.at(group, version, plural);
  if (kind === undefined || more.length > 0 || kind.namespaced !== (namespace !== undefined)) {
    const allNamespaces = kind?.namespaced === true && namespace === undefined && name === undefined;
    if (kind === undefined || !allNamespaces) throw unknownResource();
  }
  if (subresource !== undefined && !kind.subresources.includes(subresource)) throw unknownResource();
  return { kind, namespace, name, subresource };
}

function isNamespaceSubresource(path: readonly string[]): boolean {
  return path.length === 3 && (path[2] === "status" || path[2] === "finalize");
}
