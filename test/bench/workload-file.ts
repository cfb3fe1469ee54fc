// Writes a named workload as a file of manifests, for `timmerman plan`, kubectl or another planner.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { InputError } from "../../cli/input-error.ts";
import { catalogOf, documentsOf } from "./input.ts";

export async function writeWorkload(argv: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      out: { type: "string" },
      catalog: { type: "string" },
      spot: { type: "boolean", default: false },
      daemonset: { type: "boolean", default: false },
    },
  });
  const [name] = positionals;
  if (name === undefined || values.out === undefined) throw new InputError("workload needs a name and --out");
  const options = { spot: values.spot, daemonSet: values.daemonset };
  writeManifests(values.out, documentsOf([name], catalogOf(values.catalog, undefined), options));
}

/** One List of everything. */
export function writeManifests(path: string, documents: ReturnType<typeof documentsOf>): void {
  const items = documents.map(({ document }) => document);
  writeFileSync(path, `${JSON.stringify({ apiVersion: "v1", kind: "List", items })}\n`);
}
