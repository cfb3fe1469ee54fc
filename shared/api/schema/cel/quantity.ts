import type { Environment } from "@marcbachmann/cel-js";

/** An amount such as "1500m" or "2Gi", held exactly in billionths: quantities have no finer step. */
class Quantity {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

const form = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?[0-9]+))?$/;
const binary = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const decimal: Record<string, number> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const unit = 1_000_000_000n;

/** Reads a quantity. Finer than a billionth is rounded away from zero, as Kubernetes does. */
function parseQuantity(text: string): Quantity | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = "", fraction = "", binarySuffix, decimalSuffix, exponent] = match;
  if (whole === "" && fraction === "") return undefined;
  const power = decimalSuffix === undefined ? Number(exponent ?? 0) : decimal[decimalSuffix]!;
  if (Math.abs(power) > 30) return undefined;
  let top = BigInt(whole + fraction) * unit;
  if (binarySuffix !== undefined) top *= 1024n ** BigInt(binary.indexOf(binarySuffix) + 1);
  let bottom = 10n ** BigInt(fraction.length);
  if (power >= 0) top *= 10n ** BigInt(power);
  else bottom *= 10n ** BigInt(-power);
  const nanos = (top + bottom - 1n) / bottom;
  return new Quantity(sign === "-" ? -nanos : nanos);
}

function must(text: string): Quantity {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new Error(`${JSON.stringify(text)} is not a quantity`);
  return quantity;
}

/** Adds Kubernetes' quantity library to a CEL environment. */
export function registerQuantities(env: Environment): void {
  const name = "kubernetes.Quantity";
  env.registerType(name, { ctor: Quantity, fields: {} });
  env.registerFunction("isQuantity(string): bool", (text: string) => parseQuantity(text) !== undefined);
  env.registerFunction(`quantity(string): ${name}`, must);
  env.registerFunction(`${name}.sign(): int`, (q: Quantity) => (q.nanos > 0n ? 1n : q.nanos < 0n ? -1n : 0n));
  env.registerFunction(`${name}.isInteger(): bool`, (q: Quantity) => q.nanos % unit === 0n);
  env.registerFunction(`${name}.asInteger(): int`, (q: Quantity) => {
    if (q.nanos % unit !== 0n) throw new Error("cannot convert value to integer");
    return q.nanos / unit;
  });
  env.registerFunction(`${name}.asApproximateFloat(): double`, (q: Quantity) => Number(q.nanos) / 1e9);
  env.registerFunction(`${name}.compareTo(${name}): int`, (a: Quantity, b: Quantity) =>
    a.nanos > b.nanos ? 1n : a.nanos < b.nanos ? -1n : 0n,
  );
  env.registerFunction(`${name}.isGreaterThan(${name}): bool`, (a: Quantity, b: Quantity) => a.nanos > b.nanos);
  env.registerFunction(`${name}.isLessThan(${name}): bool`, (a: Quantity, b: Quantity) => a.nanos < b.nanos);
  env.registerFunction(`${name}.add(${name}): ${name}`, (a: Quantity, b: Quantity) => new Quantity(a.nanos + b.nanos));
  env.registerFunction(`${name}.sub(${name}): ${name}`, (a: Quantity, b: Quantity) => new Quantity(a.nanos - b.nanos));
  env.registerFunction(`${name}.add(int): ${name}`, (a: Quantity, b: bigint) => new Quantity(a.nanos + b * unit));
  env.registerFunction(`${name}.sub(int): ${name}`, (a: Quantity, b: bigint) => new Quantity(a.nanos - b * unit));
}
