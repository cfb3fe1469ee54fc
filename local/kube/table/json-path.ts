// The part of JSONPath that printer columns use: fields, quoted fields, indexes, [*] and filters on equality.
import { isObject } from "../json.ts";
import type { Json } from "../types.ts";

type Step = { field: string } | { index: number } | { each: true } | { filter: { path: Step[]; value: string } };

const compiled = new Map<string, Step[]>();

function parse(text: string): Step[] {
  const steps: Step[] = [];
  let rest = text.replace(/^\{|\}$/g, "").replace(/^\$/, "");
  while (rest !== "") {
    const filter = /^\[\?\(\s*@([^=!<>]+?)\s*==\s*["']?([^"')]*)["']?\s*\)\]/.exec(rest);
    const quoted = /^\[['"]([^'"]+)['"]\]/.exec(rest);
    const index = /^\[(-?\d+)\]/.exec(rest);
    const each = /^\[\*\]|^\.\*/.exec(rest);
    const field = /^\.((?:\\.|[^.[\\])+)/.exec(rest);
    const match = filter ?? quoted ?? index ?? each ?? field;
    if (match === null) return steps;
    if (filter !== null) steps.push({ filter: { path: parse(filter[1]!), value: filter[2]! } });
    else if (quoted !== null) steps.push({ field: quoted[1]! });
    else if (index !== null) steps.push({ index: Number(index[1]) });
    else if (each !== null) steps.push({ each: true });
    else steps.push({ field: field![1]!.replace(/\\(.)/g, "$1") });
    rest = rest.slice(match[0].length);
  }
  return steps;
}

function follow(values: Json[], step: Step): Json[] {
  return values.flatMap((value): Json[] => {
    if ("field" in step) return isObject(value) && value[step.field] !== undefined ? [value[step.field]!] : [];
    if ("each" in step) return Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
    if (!Array.isArray(value)) return [];
    if ("index" in step) return value.at(step.index) === undefined ? [] : [value.at(step.index)!];
    return value.filter((item) => step.filter.path.reduce(follow, [item]).some((v) => String(v) === step.filter.value));
  });
}

/** All values at a path such as `.status.conditions[?(@.type=="Ready")].status`. An unreadable path finds nothing. */
export function valuesAt(root: Json, path: string): Json[] {
  let steps = compiled.get(path);
  if (steps === undefined) {
    steps = parse(path);
    compiled.set(path, steps);
  }
  return steps.reduce(follow, [root]);
}
