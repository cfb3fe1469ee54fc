import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse, parseAllDocuments } from "yaml";
import { applyDefaults, type Json, type JsonSchemaProps, prune, validate } from "../../shared/api/schema/index.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Crd {
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; schema: { openAPIV3Schema: JsonSchemaProps } }[];
  };
}

/** The CRD files of a folder, given from the repository's root, by `group/version/kind`. */
export function readSchemas(folder: string): Map<string, JsonSchemaProps> {
  const schemas = new Map<string, JsonSchemaProps>();
  for (const file of readdirSync(`${root}${folder}`)) {
    const { spec } = parse(readFileSync(`${root}${folder}/${file}`, "utf8")) as Crd;
    for (const { name, schema } of spec.versions) {
      schemas.set(`${spec.group}/${name}/${spec.names.kind}`, schema.openAPIV3Schema);
    }
  }
  return schemas;
}

export type Judge = (object: object, old?: object) => "accepted" | "refused";

/** How an API server with these schemas would judge documents. */
export function judgeBy(schemas: ReadonlyMap<string, JsonSchemaProps>): Judge {
  return (object, old) => {
    const { apiVersion, kind } = object as { apiVersion: string; kind: string };
    const schema = schemas.get(`${apiVersion}/${kind}`);
    if (schema === undefined) throw new Error(`no schema for ${apiVersion} ${kind}`);
    const stored = (given: object) => {
      const value = structuredClone(given) as Json;
      prune(schema, value);
      return applyDefaults(schema, value);
    };
    const errors = validate(schema, stored(object), old === undefined ? undefined : stored(old));
    return errors.length === 0 ? "accepted" : "refused";
  };
}

/** The judge of a folder that may be absent; `why` goes into the title of what is then skipped. */
export function crdKinds(folder: string): { reference: Judge | undefined; why: string } {
  if (!existsSync(`${root}${folder}`)) return { reference: undefined, why: ` (skipped: ${folder} is absent)` };
  return { reference: judgeBy(readSchemas(folder)), why: "" };
}

/** Every document of the YAML files of a folder, with the file that it is from. Empty if the folder is absent. */
export function readDocuments(folder: string): { file: string; document: { apiVersion: string; kind: string } }[] {
  if (!existsSync(`${root}${folder}`)) return [];
  return readdirSync(`${root}${folder}`)
    .filter((file) => file.endsWith(".yaml"))
    .flatMap((file) =>
      parseAllDocuments(readFileSync(`${root}${folder}/${file}`, "utf8"))
        .map((parsed) => parsed.toJS() as { apiVersion: string; kind: string } | null)
        .filter((document) => document !== null)
        .map((document) => ({ file, document })),
    );
}
