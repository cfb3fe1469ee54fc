// Quantities in the canonical form in which the API server stores them: "0.5" becomes "500m", "1024Mi" becomes "1Gi".
// The rule is that of apimachinery's resource.Quantity: no fraction, the largest suffix that loses nothing, nano at the least.

const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const decimalExponents: Record<string, number> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const syntax = /^([+-]?)(\d+\.?\d*|\.\d+)(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d+)?$/;
const nano = 1_000_000_000n;

interface Parsed {
  nanos: bigint;
  format: "binary" | "decimal" | "exponent";
}

function parse(text: string): Parsed | undefined {
  const match = syntax.exec(text);
  if (match === null) return undefined;
  const [, sign, digits = "", suffix = ""] = match;
  const [whole = "", fraction = ""] = digits.split(".");
  let mantissa = BigInt(`${whole}${fraction}` || "0");
  let format: Parsed["format"] = "decimal";
  let power = 9 - fraction.length;
  const binary = binarySuffixes.indexOf(suffix);
  if (binary > 0) {
    format = "binary";
    mantissa *= 1024n ** BigInt(binary);
  } else if (/^[eE]./.test(suffix)) {
    format = "exponent";
    power += Number(suffix.slice(1));
  } else {
    power += decimalExponents[suffix] ?? 0;
  }
  if (power > 40) return undefined;
  let nanos = mantissa;
  if (power >= 0) nanos *= 10n ** BigInt(power);
  else {
    const divisor = 10n ** BigInt(-power);
    nanos = (nanos + divisor - 1n) / divisor;
  }
  return { nanos: sign === "-" ? -nanos : nanos, format };
}

function decimalText(nanos: bigint, exponentForm: boolean): string {
  let mantissa = nanos;
  let exponent = -9;
  while (mantissa % 1000n === 0n && exponent < 18) {
    mantissa /= 1000n;
    exponent += 3;
  }
  if (exponentForm) return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`;
  const suffix = Object.keys(decimalExponents).find((s) => decimalExponents[s] === exponent) ?? "";
  return `${mantissa}${suffix}`;
}

/** Resource lists are kept in thousandths, rounded up. */
const milli = 1_000_000n;

function roundUpToMilli(nanos: bigint): bigint {
  const rest = ((nanos % milli) + milli) % milli;
  return rest === 0n ? nanos : nanos - rest + milli;
}

/** The canonical text, or undefined if `value` is no quantity. */
export function canonicalQuantity(value: string | number): string | undefined {
  const exact = parse(String(value).trim());
  if (exact === undefined) return undefined;
  const parsed: Parsed = { ...exact, nanos: roundUpToMilli(exact.nanos) };
  if (parsed.nanos === 0n) return "0";
  const small = parsed.nanos > -1024n * nano && parsed.nanos < 1024n * nano;
  if (parsed.format === "binary" && !small && parsed.nanos % nano === 0n) {
    let mantissa = parsed.nanos / nano;
    let step = 0;
    while (mantissa % 1024n === 0n && step < 6) {
      mantissa /= 1024n;
      step++;
    }
    return `${mantissa}${binarySuffixes[step]}`;
  }
  return decimalText(parsed.nanos, parsed.format === "exponent");
}

/** The value in billionths, undefined if `value` is no quantity. */
export function quantityNanos(value: string | number): bigint | undefined {
  return parse(String(value).trim())?.nanos;
}
