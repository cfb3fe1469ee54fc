// What a bench runs on: files as `timmerman plan` reads them, or workloads of the repository by name.
import { existsSync } from "node:fs";
import { parseDocuments, readDocuments, type SourceDocument } from "../../cli/input/documents.ts";
import { InputError } from "../../cli/input-error.ts";
import { readCatalogFile, readDefaultCatalog } from "../../shared/adapters/catalog/index.ts";
import type { Catalog } from "../../shared/core/model/index.ts";
import { AbsentTrace, thinned, type WorkloadOptions, workload, workloadNames } from "./workloads/index.ts";
import { everyNodesDaemon } from "./workloads/manifests.ts";

/** The catalog of a file, or the shipped one, with all types or so many of them. Throws InputError. */
export function catalogOf(path: string | undefined, types: string | undefined): Catalog {
  const catalog = path === undefined ? readDefaultCatalog() : readCatalogFile(path);
  if (types === undefined) return catalog;
  if (!/^[1-9]\d{0,4}$/.test(types)) throw new InputError(`--types: "${types}" is not a count from 1 to 99999`);
  return thinned(catalog, Number(types));
}

/** Documents of each workload, a file's or a named one's. Throws InputError where there is none, AbsentTrace for a trace. */
export function documentsOf(
  workloads: readonly string[],
  catalog: Catalog,
  options: WorkloadOptions,
): readonly SourceDocument[] {
  return workloads.flatMap((name) => {
    const items = existsSync(name) ? undefined : workload(name, options, catalog);
    if (items !== undefined) return parseDocuments(JSON.stringify({ apiVersion: "v1", kind: "List", items }), name);
    if (!existsSync(name) && /^[a-z0-9-]+$/.test(name))
      throw new InputError(`--workload: "${name}" is neither a file nor one of ${workloadNames.join(", ")}`);
    const documents = readDocuments([name]);
    return [...(options.spot ? documents.map(allowingSpot) : documents), ...(options.daemonSet ? daemon() : [])];
  });
}

export { AbsentTrace };

function daemon(): readonly SourceDocument[] {
  return parseDocuments(JSON.stringify(everyNodesDaemon), "--daemonset");
}

/** A pool that buys on demand may buy spot as well. */
function allowingSpot(source: SourceDocument): SourceDocument {
  if (source.kind !== "NodePool") return source;
  const text = JSON.stringify(source.document);
  const both = text.replaceAll(
    /\{"key":"karpenter\.sh\/capacity-type","operator":"In","values":\["on-demand"\]\}/g,
    '{"key":"karpenter.sh/capacity-type","operator":"In","values":["spot","on-demand"]}',
  );
  return { ...source, document: JSON.parse(both) as SourceDocument["document"] };
}
