// Filters of the Describe actions: filters are AND'd, a filter's values OR'd; `*` and `?` are wildcards and a backslash escapes
// them; names and values are case-sensitive. https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_Filtering.html
import type { Filter } from "@aws-sdk/client-ec2";
import { Ec2Error } from "./ec2-error.ts";

/** What a filter's name looks at. An undefined value matches nothing. */
export type FilterTable<T> = Readonly<Record<string, (item: T) => readonly (string | undefined)[]>>;

/** The items that pass every filter. Throws InvalidParameterValue for a name that the table doesn't have. */
export function applyFilters<T>(
  items: readonly T[],
  filters: readonly Filter[] | undefined,
  table: FilterTable<T>,
  tagsOf?: (item: T) => ReadonlyMap<string, string>,
): readonly T[] {
  const tests = (filters ?? []).map((filter) => compile(filter, table, tagsOf));
  return items.filter((item) => tests.every((test) => test(item)));
}

function compile<T>(
  filter: Filter,
  table: FilterTable<T>,
  tagsOf: ((item: T) => ReadonlyMap<string, string>) | undefined,
): (item: T) => boolean {
  const name = filter.Name ?? "";
  const values = filter.Values ?? [];
  if (name === "" || values.length === 0) {
    throw new Ec2Error("InvalidParameterValue", `The filter '${name}' needs a name and at least one value`);
  }
  if (values.length > 200) {
    throw new Ec2Error("FilterLimitExceeded", `The maximum number of filter values specified on a single call is 200`);
  }
  const read = readerOf(name, table, tagsOf);
  if (read === undefined) throw new Ec2Error("InvalidParameterValue", `The filter '${name}' is invalid`);
  const exact = new Set(values.filter((value) => !/[*?\\]/.test(value)));
  const patterns = values.filter((value) => /[*?\\]/.test(value)).map(patternOf);
  return (item) =>
    read(item).some((value) => value !== undefined && (exact.has(value) || patterns.some((p) => p.test(value))));
}

function readerOf<T>(
  name: string,
  table: FilterTable<T>,
  tagsOf: ((item: T) => ReadonlyMap<string, string>) | undefined,
): ((item: T) => readonly (string | undefined)[]) | undefined {
  if (tagsOf !== undefined) {
    if (name === "tag-key") return (item) => [...tagsOf(item).keys()];
    if (name === "tag-value") return (item) => [...tagsOf(item).values()];
    if (name.startsWith("tag:")) {
      const key = name.slice("tag:".length);
      return (item) => [tagsOf(item).get(key)];
    }
  }
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function patternOf(value: string): RegExp {
  let source = "";
  for (let i = 0; i < value.length; i++) {
    const c = value[i]!;
    if (c === "\\" && i + 1 < value.length) source += escapePattern(value[++i]!);
    else if (c === "*") source += ".*";
    else if (c === "?") source += ".";
    else source += escapePattern(c);
  }
  return new RegExp(`^${source}$`, "s");
}

function escapePattern(c: string): string {
  return c.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&");
}
