// Makes protobuf.json: the numbers, names and types of the fields of built-in kinds, for clients that write in protobuf
// (`kubectl create`, and any Go client by default).
//   npx node local/kube/generated/build-protobuf.ts       (needs go)
// Source: the Go modules k8s.io/api v0.36.3 and k8s.io/apimachinery v0.36.3 (Apache-2.0): the struct tags of their types.go files.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInKinds } from "../kinds.ts";

const version = "v0.36.3";
const scalars: Record<string, string> = {
  string: "s",
  bool: "b",
  int: "i",
  int32: "i",
  int64: "i",
  uint32: "i",
  float64: "d",
  byte: "y",
};
/** Types whose JSON is not their structure; protobuf.ts knows them. */
const special: Record<string, string> = {
  "resource.Quantity": "Quantity",
  "intstr.IntOrString": "IntOrString",
  "metav1.Time": "Time",
  "metav1.MicroTime": "MicroTime",
  "metav1.Duration": "Duration",
  "metav1.FieldsV1": "Raw",
  "runtime.RawExtension": "Raw",
};

interface Field {
  number: string;
  name: string;
  goType: string;
  /** "~" inline, "!" a pointer, "" left out when zero, "?" left out when zero unless it is a struct, "=" always written. */
  mark: string;
}

interface Package {
  name: string;
  structs: Map<string, Field[]>;
  /** type A B, type A []B, type A map[B]C */
  names: Map<string, string>;
  /** What the package calls the packages that it imports. */
  imports: Map<string, string>;
}

function moduleFolder(path: string): string {
  const text = execFileSync("go", ["mod", "download", "-json", `${path}@${version}`], { cwd: tmpdir(), encoding: "utf8" });
  return (JSON.parse(text) as { Dir: string }).Dir;
}

function markOf(jsonName: string, flags: readonly string[], goType: string): string {
  if (jsonName === "") return "~";
  if (goType.startsWith("*")) return "!";
  if (flags.includes("omitzero")) return "";
  return flags.includes("omitempty") ? "?" : "=";
}

function readPackage(name: string, folder: string): Package {
  const files = readdirSync(folder).filter((f) => f.endsWith(".go") && !/(_test|generated.*|zz_.*|fields_proto|time_proto)\.go$/.test(f));
  const text = files.map((f) => readFileSync(join(folder, f), "utf8")).join("\n");
  const structs = new Map<string, Field[]>();
  const names = new Map<string, string>();
  for (const [, type, body] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
    const fields: Field[] = [];
    for (const line of body!.split("\n")) {
      const match = /^\s*(?:(\w+)\s+)?([\w.*[\]]+)\s+`(.*)`/.exec(line);
      const number = /protobuf:"\w+,(\d+),/.exec(match?.[3] ?? "")?.[1];
      const json = /json:"([^"]*)"/.exec(match?.[3] ?? "")?.[1];
      if (match === null || number === undefined || json === undefined) continue;
      const [jsonName = "", ...flags] = json.split(",");
      const mark = markOf(jsonName, flags, match[2]!);
      fields.push({ number, name: jsonName, goType: match[2]!, mark });
    }
    structs.set(type!, fields);
  }
  for (const [, type, target] of text.matchAll(/^type (\w+) ((?:\[\]|map\[[\w.]+\])*[\w.]+)$/gm)) names.set(type!, target!);
  const imports = new Map<string, string>();
  for (const [, alias, path] of text.matchAll(/^\s*(?:(\w+)\s+)?"k8s\.io\/(?:api|apimachinery\/pkg\/apis)\/([\w/]+)"$/gm)) {
    imports.set(alias ?? path!.split("/").at(-1)!, path!.replace("/", "."));
  }
  return { name, structs, names, imports };
}

const api = moduleFolder("k8s.io/api");
const machinery = moduleFolder("k8s.io/apimachinery");
const packages = new Map<string, Package>();

function packageNamed(name: string): Package | undefined {
  const there = packages.get(name);
  if (there !== undefined) return there;
  const folder = name === "meta.v1" ? join(machinery, "pkg/apis/meta/v1") : join(api, ...name.split("."));
  if (!existsSync(folder)) return undefined;
  const made = readPackage(name, folder);
  packages.set(name, made);
  return made;
}

const made: Record<string, string> = {};

/** The compact type: a scalar letter, a message's name, "[]T" or "{}T" with T the value type of a string-keyed map. */
function compact(goType: string, home: Package): string {
  const type = goType.replace(/^\*/, "");
  if (type === "[]byte") return "y";
  if (type.startsWith("[]")) return `[]${compact(type.slice(2), home)}`;
  const map = /^map\[[\w.]+\](.*)$/.exec(type);
  if (map !== null) return `{}${compact(map[1]!, home)}`;
  if (scalars[type] !== undefined) return scalars[type];
  const qualified = type.includes(".") ? type : home.name === "meta.v1" ? `metav1.${type}` : type;
  if (special[qualified] !== undefined) return special[qualified];
  const [prefix, base] = type.includes(".") ? (type.split(".") as [string, string]) : ["", type];
  if (prefix === "types") return "s";
  const owner = prefix === "" ? home : packageNamed(home.imports.get(prefix) ?? "");
  if (owner === undefined) throw new Error(`${home.name}: no package for ${type}`);
  const target = owner.names.get(base);
  if (target !== undefined) return compact(target, owner);
  return message(owner, base);
}

/** Go's encoder writes a struct that is no pointer whatever its value, "omitempty" or not. */
function printed(field: Field, type: string): string {
  const isStruct = type.includes(".") && !/^(\[\]|\{\})/.test(type);
  const isValueStruct = ["Time", "MicroTime", "Quantity", "IntOrString", "Duration"].includes(type);
  const mark = field.mark === "?" ? (isStruct || isValueStruct ? "=" : "") : field.mark;
  return `${field.number} ${field.name}${mark} ${type}`;
}

function message(owner: Package, base: string): string {
  const name = `${owner.name}.${base}`;
  if (made[name] !== undefined) return name;
  const fields = owner.structs.get(base);
  if (fields === undefined) throw new Error(`${name} has no struct`);
  made[name] = "";
  made[name] = fields.map((f) => printed(f, compact(f.goType, owner))).join(";");
  return name;
}

const roots = builtInKinds.map((kind) => kind.definition).filter((name) => !name.startsWith("io.k8s."));
const more = ["policy.v1.Eviction", "core.v1.Binding", "autoscaling.v1.Scale", "authorization.v1.SelfSubjectAccessReview"];
for (const root of [...roots, ...more, "meta.v1.DeleteOptions"]) {
  const dot = root.lastIndexOf(".");
  const owner = packageNamed(root.slice(0, dot));
  if (owner === undefined) throw new Error(`no package for ${root}`);
  message(owner, root.slice(dot + 1));
}
const lines = Object.entries(made)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, fields]) => `${JSON.stringify(name)}:${JSON.stringify(fields)}`);
writeFileSync(new URL("protobuf.json", import.meta.url), `{\n${lines.join(",\n")}\n}\n`);
console.log(`protobuf.json: ${lines.length} messages`);
