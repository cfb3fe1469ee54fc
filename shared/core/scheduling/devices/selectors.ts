import type { Environment } from "@marcbachmann/cel-js";
import type { Device, DeviceAttribute } from "../../model/index.ts";
import { Version } from "./versions.ts";

/** What a selector looks at. */
export type Selectable = Pick<Device, "attributes" | "capacity"> & { readonly driver: string };

type Program = (context: { readonly device: unknown }) => unknown;

/** A capacity, in base units. */
export class Amount {
  readonly units: number;
  constructor(units: number) {
    this.units = units;
  }
}

let environment: Environment | undefined;

/** Called once, by `language.ts`, which is loaded only where some pod's devices are selected: it is large. */
export function provideLanguage(language: Environment): void {
  environment = language;
}

/** Expressions are few, and the same in every plan: at most so many are kept. */
const maxKept = 1_000;
const programs = new Map<string, Program | string>();

/** Why an expression cannot be read; undefined: it can. */
export function selectorFault(expression: string): string | undefined {
  const program = programOf(expression);
  return typeof program === "string" ? program : undefined;
}

/**
 * Whether a CEL selector takes a device. One that asks for an attribute that the device does not have takes it not:
 * for kube-scheduler that is an error, which gives the pod no node either.
 */
export function isSelected(expression: string, device: Selectable): boolean {
  const program = programOf(expression);
  if (typeof program === "string") return false;
  try {
    return program({ device: celDevice(device) }) === true;
  } catch (cause) {
    // Only the library's own errors have a code: they say that the expression means nothing for this device.
    if (cause instanceof Error && "code" in cause) return false;
    throw cause;
  }
}

function programOf(expression: string): Program | string {
  let program = programs.get(expression);
  if (program === undefined) {
    if (programs.size >= maxKept) programs.clear();
    program = compiled(expression);
    programs.set(expression, program);
  }
  return program;
}

/** The library's `has` knows no fields of what is in brackets; asking whether the key is in there is the same. */
const hasField = /\bhas\(\s*(device\.(?:attributes|capacity)\s*\[[^\]]+\])\.(\w+)\s*\)/g;

/** Repetitions in a pattern: each multiplies the work on a text that does not match, which has 64 characters at most. */
const maxRepetitions = 3;
const literalMatch = /\.matches\(\s*r?("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*\)/g;

/**
 * Kubernetes matches patterns in linear time, JavaScript does not, and whoever may write claims must not hold up plans: a
 * pattern has to be written out, with few repetitions and no group repeated.
 */
function patternFault(expression: string): string | undefined {
  const patterns = [...expression.matchAll(literalMatch)].map(([, pattern]) => pattern!);
  if (patterns.length < expression.split(/\bmatches\b/).length - 1) return "the pattern of matches() must be a text";
  const isCostly = (pattern: string): boolean =>
    /\)[*+{?]/.test(pattern) || (pattern.match(/[*+{]/g) ?? []).length > maxRepetitions;
  return patterns.some(isCostly)
    ? `the pattern of matches() may repeat no group, and nothing more than ${maxRepetitions} times`
    : undefined;
}

function compiled(expression: string): Program | string {
  const fault = patternFault(expression);
  if (fault !== undefined) return fault;
  if (environment === undefined) throw new Error("selectors of devices are read before language.ts is loaded");
  try {
    const program = environment.parse(expression.replace(hasField, '("$2" in $1)'));
    const { valid, error } = program.check();
    return valid ? program : firstLine(error);
  } catch (cause) {
    return firstLine(cause);
  }
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split("\n")[0]!;
}

/** Of each domain a map; a domain that a device knows nothing of is an empty one, as in Kubernetes. */
function celDevice({ driver, attributes, capacity }: Selectable): unknown {
  return {
    driver,
    attributes: byDomain(attributes, celAttribute),
    capacity: byDomain(capacity, (units) => new Amount(units)),
    allowMultipleAllocations: false,
  };
}

function byDomain<T>(values: Readonly<Record<string, T>>, convert: (value: T) => unknown): Map<string, unknown> {
  const domains = new Map<string, Map<string, unknown>>();
  for (const [name, value] of Object.entries(values)) {
    const slash = name.indexOf("/");
    const domain = name.slice(0, slash);
    const known = domains.get(domain) ?? new Map<string, unknown>();
    domains.set(domain, known.set(name.slice(slash + 1), convert(value)));
  }
  // The evaluator asks a Map by `get` alone, and takes no subclass of it for one.
  return Object.assign(new Map<string, unknown>(domains), {
    get: (domain: string): unknown => domains.get(domain) ?? new Map<string, unknown>(),
  });
}

function celAttribute(attribute: DeviceAttribute): unknown {
  if ("string" in attribute) return attribute.string;
  if ("bool" in attribute) return attribute.bool;
  if ("int" in attribute) return BigInt(attribute.int);
  return Version.parse(attribute.version) ?? attribute.version;
}
