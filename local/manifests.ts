// Reads manifests and applies them to the embedded API, as `kubectl apply` would.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { UsageError } from "./flags.ts";
import { builtInKinds, resourceName } from "./kube/kinds.ts";
import { ApiError } from "./kube/status.ts";
import type { KubeObject, ObjectStore } from "./kube/types.ts";

/** A document and where it came from. */
export interface Manifest {
  readonly object: KubeObject;
  readonly source: string;
}

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

function filesOf(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
  } catch {
    throw new UsageError(`${path}: no such file or folder`);
  }
  const names = readdirSync(path).filter((name) => /\.(ya?ml|json)$/.test(name));
  return names.sort().map((name) => join(path, name));
}

/** All documents of these files and folders, `List`s taken apart. Throws a UsageError that names file and document. */
export function readManifests(paths: readonly string[]): Manifest[] {
  return paths.flatMap(filesOf).flatMap((file) =>
    parseAllDocuments(readFileSync(file, "utf8")).flatMap((document, index) => {
      const source = `${file}, document ${index + 1}`;
      const [mistake] = document.errors;
      if (mistake !== undefined) throw new UsageError(`${source}: ${mistake.message.split("\n")[0]}`);
      const object = document.toJS() as KubeObject | null;
      if (object === null) return [];
      const items = Array.isArray(object.items) ? (object.items as KubeObject[]) : [object];
      for (const { apiVersion, kind, metadata } of items) {
        if (!apiVersion || !kind || !metadata?.name)
          throw new UsageError(`${source}: apiVersion, kind and metadata.name are needed`);
      }
      return items.map((item) => ({ object: item, source }));
    }),
  );
}

function resourceOf(
  store: ObjectStore,
  { apiVersion, kind }: KubeObject,
): { name: string; namespaced: boolean } | undefined {
  const builtIn = builtInKinds.find(
    (k) => k.kind === kind && (k.group === "" ? k.version : `${k.group}/${k.version}`) === apiVersion,
  );
  if (builtIn !== undefined) return { name: resourceName(builtIn), namespaced: builtIn.namespaced };
  const group = apiVersion.split("/")[0];
  const crds = store.list("customresourcedefinitions.apiextensions.k8s.io").items;
  const crd = crds.find((c) => c.spec.names.kind === kind && c.spec.group === group);
  return crd && { name: crd.metadata.name!, namespaced: crd.spec.scope === "Namespaced" };
}

/** Creates the object, or brings the one that is there to it. Throws a UsageError with the API's words. */
export function applyManifest(store: ObjectStore, { object, source }: Manifest): void {
  const resource = resourceOf(store, object);
  const label = `${source}: ${object.kind} ${object.metadata.name}`;
  if (resource === undefined)
    throw new UsageError(`${label}: the embedded API has no kind ${object.kind} in ${object.apiVersion}`);
  const namespace = resource.namespaced ? { namespace: object.metadata.namespace ?? "default" } : {};
  const metadata = {
    ...object.metadata,
    ...namespace,
    annotations: { ...object.metadata.annotations, [lastApplied]: `${JSON.stringify(object)}\n` },
  };
  const wanted = { ...object, metadata };
  const options = { fieldManager: "kubectl-client-side-apply", fieldValidation: "Strict" } as const;
  try {
    const key = { name: object.metadata.name!, ...namespace };
    if (store.find(resource.name, key) === undefined) store.create(resource.name, wanted, options);
    else store.patch(resource.name, key, "merge", wanted as never, options);
  } catch (error) {
    if (error instanceof ApiError) throw new UsageError(`${label}: ${error.message}`);
    throw error;
  }
}
