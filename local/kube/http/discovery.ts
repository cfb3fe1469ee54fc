// Discovery: which groups, versions and resources there are, in the old form and the aggregated one (apidiscovery.k8s.io/v2).
import { apiVersionOf } from "../kinds.ts";
import type { Registry, ServedKind } from "../registry.ts";
import type { JsonObject } from "../types.ts";

const allVerbs = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

interface Subresource {
  name: string;
  kind: string;
  group: string;
  version: string;
  verbs: string[];
}

function verbsOf(kind: ServedKind): string[] {
  return kind.storage === "namespaces" ? allVerbs.filter((verb) => verb !== "deletecollection") : allVerbs;
}

function subresourcesOf(kind: ServedKind): Subresource[] {
  return kind.subresources.map((name) => {
    const own = { group: kind.group, version: kind.version };
    if (name === "scale")
      return { name, kind: "Scale", group: "autoscaling", version: "v1", verbs: ["get", "patch", "update"] };
    if (name === "eviction") return { name, kind: "Eviction", group: "policy", version: "v1", verbs: ["create"] };
    if (name === "binding") return { name, kind: "Binding", ...own, verbs: ["create"] };
    if (name === "finalize") return { name, kind: kind.kind, ...own, verbs: ["update"] };
    return { name, kind: kind.kind, ...own, verbs: ["get", "patch", "update"] };
  });
}

/** The built-in kinds' groups in their own order, then the custom ones by name; each with its versions. */
export function groupsOf(registry: Registry): Map<string, Map<string, ServedKind[]>> {
  const groups = new Map<string, Map<string, ServedKind[]>>();
  for (const kind of registry.all()) {
    const versions = groups.get(kind.group) ?? new Map<string, ServedKind[]>();
    groups.set(kind.group, versions);
    versions.set(kind.version, [...(versions.get(kind.version) ?? []), kind]);
  }
  return groups;
}

export function apiVersions(address: string): JsonObject {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: address }],
  };
}

function groupDocument(group: string, versions: readonly string[]): JsonObject {
  const list = versions.map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: list, preferredVersion: list[0] ?? {} };
}

export function apiGroupList(registry: Registry): JsonObject {
  const groups = [...groupsOf(registry)].filter(([group]) => group !== "");
  return {
    kind: "APIGroupList",
    apiVersion: "v1",
    groups: groups.map(([group, versions]) => groupDocument(group, [...versions.keys()])),
  };
}

/** undefined for a group that is not served. */
export function apiGroup(registry: Registry, group: string): JsonObject | undefined {
  const versions = groupsOf(registry).get(group);
  if (versions === undefined) return undefined;
  return { kind: "APIGroup", apiVersion: "v1", ...groupDocument(group, [...versions.keys()]) };
}

/** undefined for a group and version that is not served. */
export function apiResourceList(registry: Registry, group: string, version: string): JsonObject | undefined {
  const kinds = groupsOf(registry).get(group)?.get(version);
  if (kinds === undefined) return undefined;
  const resources = kinds.flatMap((kind) => [
    {
      name: kind.plural,
      singularName: kind.singular,
      namespaced: kind.namespaced,
      kind: kind.kind,
      verbs: verbsOf(kind),
      ...(kind.shortNames.length > 0 ? { shortNames: [...kind.shortNames] } : {}),
      ...(kind.categories.length > 0 ? { categories: [...kind.categories] } : {}),
    },
    ...subresourcesOf(kind).map((sub) => ({
      name: `${kind.plural}/${sub.name}`,
      singularName: "",
      namespaced: kind.namespaced,
      ...(sub.group === kind.group && sub.version === kind.version ? {} : { group: sub.group, version: sub.version }),
      kind: sub.kind,
      verbs: sub.verbs,
    })),
  ]);
  return { kind: "APIResourceList", apiVersion: "v1", groupVersion: apiVersionOf({ group, version }), resources };
}

function discoveredResource(kind: ServedKind): JsonObject {
  return {
    resource: kind.plural,
    responseKind: { group: kind.group, version: kind.version, kind: kind.kind },
    scope: kind.namespaced ? "Namespaced" : "Cluster",
    singularResource: kind.singular,
    verbs: verbsOf(kind),
    ...(kind.shortNames.length > 0 ? { shortNames: [...kind.shortNames] } : {}),
    ...(kind.categories.length > 0 ? { categories: [...kind.categories] } : {}),
    ...(kind.subresources.length === 0
      ? {}
      : {
          subresources: subresourcesOf(kind).map((sub) => ({
            subresource: sub.name,
            responseKind: { group: sub.group, version: sub.version, kind: sub.kind },
            verbs: sub.verbs,
          })),
        }),
  };
}

/** Aggregated discovery of the core group (`legacy`) or of all others. */
export function aggregated(registry: Registry, legacy: boolean): JsonObject {
  const groups = [...groupsOf(registry)].filter(([group]) => (group === "") === legacy);
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: groups.map(([group, versions]) => ({
      metadata: { ...(group === "" ? {} : { name: group }), creationTimestamp: null },
      versions: [...versions].map(([version, kinds]) => ({
        version,
        resources: kinds.map(discoveredResource),
        freshness: "Current",
      })),
    })),
  };
}
