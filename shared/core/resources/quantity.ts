import type { Resources } from "../model/index.ts";

/** Requests are rounded up and capacities down, so that rounding never makes something fit that does not. */
export type Rounding = "up" | "down";

/** A quantity that cannot be read. `text` is what was written. */
export class QuantityError extends Error {
  readonly text: string;

  constructor(text: string, why: string) {
    super(`"${text}" is not a quantity: ${why}`);
    this.name = "QuantityError";
    this.text = text;
  }
}

/** Decimal suffixes as powers of ten. */
const decimalExponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  "": 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};

const binaryShifts: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

const grammar = /^([+-]?)(\d+\.?\d*|\.\d+)(?:([KMGTPE]i)|([numkMGTPE]?)|[eE]([+-]?\d+))$/;

/** Amounts beyond these powers of ten are next to nothing or far above every capacity; the cap keeps BigInt small. */
const maxExponent = 60;

/** Memory, storage and hugepages are counted in bytes and written with binary suffixes. */
export function isByteResource(resource: string): boolean {
  return (
    resource === "memory" ||
    resource === "ephemeral-storage" ||
    resource === "storage" ||
    resource.startsWith("hugepages-")
  );
}

/** ⌈a / b⌉ for integers, b > 0. */
export function ceilDiv(a: number, b: number): number {
  return Math.floor((a + b - 1) / b);
}

/**
 * Reads a Kubernetes quantity ("1500m", "2Gi", "1e3", 0.5) as an integer in the base unit of `resource`. What is not
 * whole in that unit is rounded as told; what is above 2^53 − 1 becomes 2^53 − 1, which is above every capacity.
 * Throws QuantityError with the offending text, also for negative amounts, which no field that we read may hold.
 */
export function parseQuantity(quantity: string | number, resource: string, rounding: Rounding): number {
  const plain = typeof quantity === "number" ? quantity : parsePlain(quantity);
  if (Number.isSafeInteger(plain) && plain >= 0) {
    if (resource !== "cpu") return plain;
    if (plain <= 9_007_199_254_740) return plain * 1000;
  }
  const text = String(quantity);
  const match = grammar.exec(text);
  if (match === null)
    throw new QuantityError(text, 'expected a number with an optional suffix, such as "1500m" or "2Gi"');
  const [, sign, digits, binary, decimal, exponent] = match;
  if (sign === "-" && /[1-9]/.test(digits!)) throw new QuantityError(text, "it must not be negative");
  const point = digits!.indexOf(".");
  const fraction = point < 0 ? 0 : digits!.length - point - 1;
  const mantissa = BigInt(digits!.replace(".", "") || "0");
  let tens = -fraction + (resource === "cpu" ? 3 : 0);
  let shift = 0;
  if (binary !== undefined) shift = binaryShifts[binary]!;
  else tens += exponent === undefined ? decimalExponents[decimal ?? ""]! : clampExponent(Number(exponent));
  return toInteger(mantissa, tens, shift, rounding);
}

/** Whole numbers without suffix, and Mi and Gi: nearly everything that pods ask for. NaN: take the long way. */
function parsePlain(text: string): number {
  const length = text.length;
  if (length === 0 || length > 16) return Number.NaN;
  let value = 0;
  for (let i = 0; i < length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      continue;
    }
    if (i === 0 || i !== length - 2 || text.charCodeAt(i + 1) !== 105) return Number.NaN;
    const suffix = text.charCodeAt(i);
    if (suffix === 77) return value * 1_048_576;
    if (suffix === 71) return value * 1_073_741_824;
    return Number.NaN;
  }
  return value;
}

function clampExponent(exponent: number): number {
  return Math.max(-maxExponent, Math.min(maxExponent, exponent));
}

function toInteger(mantissa: bigint, tens: number, shift: number, rounding: Rounding): number {
  let numerator = mantissa << BigInt(shift);
  if (tens >= 0) numerator *= 10n ** BigInt(tens);
  const denominator = tens < 0 ? 10n ** BigInt(-tens) : 1n;
  let whole = numerator / denominator;
  if (rounding === "up" && whole * denominator !== numerator) whole += 1n;
  return whole > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(whole);
}

/** Reads a resource list. Throws QuantityError, its message led by the resource's name. */
export function parseResources(quantities: Readonly<Record<string, string | number>>, rounding: Rounding): Resources {
  const parsed: Record<string, number> = {};
  for (const resource of Object.keys(quantities)) {
    parsed[resource] = parseQuantity(quantities[resource]!, resource, rounding);
  }
  return parsed;
}
