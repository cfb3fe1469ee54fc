// Makes schemas.json: the fields, merge keys and list keys of the built-in kinds, without descriptions.
//   npx node local/kube/generated/build-schemas.ts        (needs pip and python3)
// Source: PyPI kubernetes-validate 1.37.0 (Apache-2.0), file kubernetes-json-schema/v1.36.0-local/_definitions.json, which that
// package derives from the OpenAPI of kubernetes/kubernetes v1.36.0 (Apache-2.0).
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInKinds } from "../kinds.ts";

const version = "1.37.0";
const member = "kubernetes_validate/kubernetes-json-schema/v1.36.0-local/_definitions.json";
const extraRoots = ["policy.v1.Eviction", "core.v1.Binding", "autoscaling.v1.Scale"];

interface Source {
  [key: string]: unknown;
}

/** "io.k8s.api.core.v1.Pod" → "core.v1.Pod"; other prefixes stay. */
function shortName(reference: string): string {
  return reference.replace(/^#\/(definitions|\$defs)\//, "").replace(/^io\.k8s\.api\.(?=[a-z]+\.v\d)/, "");
}

function slim(schema: Source, meet: (name: string) => void): Source {
  if (typeof schema["$ref"] === "string") {
    const name = shortName(schema["$ref"]);
    meet(name);
    return { $ref: name };
  }
  const out: Source = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "type") out[key] = Array.isArray(value) ? value.find((t) => t !== "null") : value;
    else if (key === "properties") {
      const fields = Object.entries(value as Record<string, Source>);
      out[key] = Object.fromEntries(fields.map(([name, field]) => [name, slim(field, meet)]));
    } else if (key === "items" || key === "additionalProperties") {
      out[key] = typeof value === "object" && value !== null ? slim(value as Source, meet) : value;
    } else if (key === "required" || key === "format" || key === "oneOf" || /^x-kubernetes-(list|map|patch)/.test(key)) {
      out[key] = value;
    }
  }
  return out;
}

const folder = mkdtempSync(join(tmpdir(), "schemas-"));
try {
  const wheel = `kubernetes-validate==${version}`;
  execFileSync("pip", ["download", "--no-deps", "--quiet", "--dest", folder, wheel], { stdio: "inherit" });
  const file = join(folder, `kubernetes_validate-${version}-py3-none-any.whl`);
  execFileSync("python3", ["-m", "zipfile", "-e", file, folder]);
  const text = JSON.parse(readFileSync(join(folder, member), "utf8")) as { $defs: Record<string, Source> };
  const definitions = new Map(Object.entries(text.$defs).map(([name, schema]) => [shortName(name), schema]));

  const made: Record<string, Source> = {};
  const open = [...builtInKinds.map((kind) => kind.definition), ...extraRoots];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (made[name] !== undefined) continue;
    const schema = definitions.get(name);
    if (schema === undefined) throw new Error(`${member} has no definition ${name}: check local/kube/kinds.ts`);
    made[name] = slim(schema, (met) => open.push(met));
  }
  const sorted = Object.fromEntries(Object.entries(made).sort(([a], [b]) => (a < b ? -1 : 1)));
  const lines = Object.entries(sorted).map(([name, schema]) => `${JSON.stringify(name)}:${JSON.stringify(schema)}`);
  writeFileSync(new URL("schemas.json", import.meta.url), `{\n${lines.join(",\n")}\n}\n`);
  console.log(`schemas.json: ${lines.length} definitions`);
} finally {
  rmSync(folder, { recursive: true });
}
