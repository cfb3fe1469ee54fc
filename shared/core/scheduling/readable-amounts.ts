import { isByteResource } from "../resources/index.ts";

type Round = (amount: number) => number;

const byteUnits: readonly (readonly [string, number])[] = [
  ["Gi", 2 ** 30],
  ["Mi", 2 ** 20],
  ["Ki", 2 ** 10],
];

/** An amount for people: cores with at most two decimals, bytes with at most one. What there is, is rounded down. */
export function atMost(amount: number, resource: string): string {
  return readable(amount, resource, Math.floor);
}

/** What is asked for, is rounded up, so that the two never look equal when they are not. */
export function atLeast(amount: number, resource: string): string {
  return readable(amount, resource, Math.ceil);
}

function readable(amount: number, resource: string, round: Round): string {
  if (resource === "cpu") return amount < 1000 ? (amount === 0 ? "0" : `${amount}m`) : decimal(round(amount / 10), 2);
  if (!isByteResource(resource)) return String(amount);
  const unit = byteUnits.find(([, bytes]) => amount >= bytes);
  return unit === undefined ? String(amount) : `${decimal(round((amount / unit[1]) * 10), 1)}${unit[0]}`;
}

/** An integer with so many digits behind the point, without trailing zeros. */
function decimal(scaled: number, digits: number): string {
  const text = String(scaled).padStart(digits + 1, "0");
  const fraction = text.slice(-digits).replace(/0+$/, "");
  const whole = text.slice(0, -digits);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
