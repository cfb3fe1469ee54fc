// Which kinds are served: the built-in ones, and those of the CustomResourceDefinitions that are established.
import type { JsonSchemaProps } from "../../shared/api/schema/types.ts";
import { builtInKinds, type Kind, resourceName } from "./kinds.ts";
import { definition, type Schema } from "./schema.ts";
import { ApiError } from "./status.ts";
import type { ResourceName } from "./types.ts";

export interface PrinterColumn {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath: string;
}

export interface ScalePaths {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

/** What a custom kind has beyond a built-in one. */
export interface CustomKind {
  structural: JsonSchemaProps;
  columns: readonly PrinterColumn[];
  scale: ScalePaths | undefined;
  /** The version that objects are kept in. Versions differ in apiVersion only (conversion None). */
  storageVersion: string;
  deprecationWarning: string | undefined;
}

export interface ServedKind extends Kind {
  schema: Schema;
  /** Under which name the objects are kept; events.k8s.io shares the core group's events. */
  storage: ResourceName;
  custom?: CustomKind;
  selectableFields?: readonly string[];
}

function served(kind: Kind): ServedKind {
  const storage = kind.group === "events.k8s.io" ? "events" : resourceName(kind);
  return { ...kind, schema: definition(kind.definition), storage };
}

export class Registry {
  readonly #byPath = new Map<string, ServedKind>();
  /** The kind that in-process callers mean by a resource name: the storage version. */
  readonly #byName = new Map<ResourceName, ServedKind>();

  constructor() {
    for (const kind of builtInKinds) this.#add(served(kind), true);
  }

  #add(kind: ServedKind, named: boolean): void {
    this.#byPath.set(`${kind.group}/${kind.version}/${kind.plural}`, kind);
    if (named) this.#byName.set(resourceName(kind), kind);
  }

  /** Serves the versions of a custom resource, in place of what was served before. */
  setCustom(name: ResourceName, kinds: readonly ServedKind[]): void {
    this.removeCustom(name);
    for (const kind of kinds) this.#add(kind, kind.version === kind.custom?.storageVersion);
    const first = kinds[0];
    if (first !== undefined && !this.#byName.has(name)) this.#byName.set(name, first);
  }

  removeCustom(name: ResourceName): void {
    for (const [path, kind] of this.#byPath) {
      if (kind.custom !== undefined && resourceName(kind) === name) this.#byPath.delete(path);
    }
    if (this.#byName.get(name)?.custom !== undefined) this.#byName.delete(name);
  }

  at(group: string, version: string, plural: string): ServedKind | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`);
  }

  /** @throws NotFound for a resource that is not served. */
  named(name: ResourceName): ServedKind {
    const kind = this.#byName.get(name);
    if (kind === undefined)
      throw new ApiError(404, "NotFound", `the server could not find the requested resource (${name})`);
    return kind;
  }

  byKind(apiVersion: string, kindName: string): ServedKind | undefined {
    const slash = apiVersion.indexOf("/");
    const group = slash < 0 ? "" : apiVersion.slice(0, slash);
    const version = apiVersion.slice(slash + 1);
    return [...this.#byPath.values()].find((k) => k.group === group && k.version === version && k.kind === kindName);
  }

  all(): ServedKind[] {
    return [...this.#byPath.values()];
  }
}
