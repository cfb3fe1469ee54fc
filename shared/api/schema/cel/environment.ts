// CEL as CustomResourceDefinitions have it: the language itself from a library, Kubernetes' extra functions from here.
import { Environment } from "@marcbachmann/cel-js";
import { patternOf } from "../patterns.ts";
import { registerQuantities } from "./quantity.ts";

const maxInt = 2n ** 63n - 1n;

/** The environment in which every rule is compiled. `self` and `oldSelf` are dynamic: the schema has typed the values. */
export function ruleEnvironment(): Environment {
  const env = new Environment({
    unlistedVariablesAreDyn: false,
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
  });
  env.registerVariable("self", "dyn").registerVariable("oldSelf", "dyn");
  registerConversions(env);
  registerStrings(env);
  registerLists(env);
  registerQuantities(env);
  return env;
}

/** The library's own `int("")` is 0; Go's is an error. Rules are rewritten to call this one (see `rewrite`). */
const strictInt = "__int__";

function registerConversions(env: Environment): void {
  env.registerFunction(`${strictInt}(int): int`, (n: bigint) => n);
  env.registerFunction(`${strictInt}(double): int`, (n: number) => {
    if (!Number.isFinite(n) || Math.abs(n) >= 2 ** 63) throw new Error("integer overflow");
    return BigInt(Math.trunc(n));
  });
  env.registerFunction(`${strictInt}(google.protobuf.Timestamp): int`, (t: Date) =>
    BigInt(Math.floor(t.getTime() / 1000)),
  );
  env.registerFunction(`${strictInt}(string): int`, (text: string) => {
    const n = /^[+-]?[0-9]+$/.test(text) ? BigInt(text.replace("+", "")) : undefined;
    if (n === undefined || n > maxInt || n < -maxInt - 1n) {
      throw new Error("type conversion error from 'string' to 'int'");
    }
    return n;
  });
}

/** Replaces calls of the library's functions that differ from Kubernetes' by our own, outside of text literals. */
export function rewrite(rule: string): string {
  return rule.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?<![\w.])int(?=\s*\()/g, (token) =>
    token === "int" ? strictInt : token,
  );
}

function registerStrings(env: Environment): void {
  env.registerFunction("string.find(string): string", (s: string, p: string) => patternOf(p).exec(s)?.[0] ?? "");
  env.registerFunction("string.findAll(string): list<string>", (s: string, p: string) => findAll(s, p, -1n));
  env.registerFunction("string.findAll(string, int): list<string>", findAll);
  env.registerFunction("string.replace(string, string): string", (s: string, from: string, to: string) =>
    s.split(from).join(to),
  );
  env.registerFunction("string.charAt(int): string", (s: string, at: bigint) => {
    const characters = [...s];
    if (at < 0n || at > BigInt(characters.length)) throw new Error(`index out of range: ${at}`);
    return characters[Number(at)] ?? "";
  });
}

function findAll(text: string, pattern: string, limit: bigint): string[] {
  const regexp = patternOf(pattern);
  const all = [...text.matchAll(new RegExp(regexp.source, `${regexp.flags}g`))].map((match) => match[0]);
  return limit < 0n ? all : all.slice(0, Number(limit));
}

type Ordered = bigint | number | string;

function registerLists(env: Environment): void {
  env.registerFunction("list<dyn>.isSorted(): bool", (list: Ordered[]) =>
    list.every((item, index) => index === 0 || list[index - 1]! <= item),
  );
  env.registerFunction("list<dyn>.sum(): dyn", (list: Ordered[]) =>
    list.length === 0 ? 0n : list.reduce((a, b) => (a as number) + (b as number)),
  );
  env.registerFunction("list<dyn>.min(): dyn", (list: Ordered[]) => extreme(list, (a, b) => a < b));
  env.registerFunction("list<dyn>.max(): dyn", (list: Ordered[]) => extreme(list, (a, b) => a > b));
  env.registerFunction("list<dyn>.indexOf(dyn): int", (list: Ordered[], item: Ordered) => BigInt(list.indexOf(item)));
  env.registerFunction("list<dyn>.lastIndexOf(dyn): int", (list: Ordered[], item: Ordered) =>
    BigInt(list.lastIndexOf(item)),
  );
}

function extreme(list: Ordered[], better: (a: Ordered, b: Ordered) => boolean): Ordered {
  if (list.length === 0) throw new Error("min/max called on empty list");
  return list.reduce((best, item) => (better(item, best) ? item : best));
}
