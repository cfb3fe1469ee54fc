import type { Resources } from "../model/index.ts";
import { isByteResource } from "./quantity.ts";

const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"] as const;

/**
 * Writes an amount in base units as Kubernetes would: cpu "1500m" or "2", bytes with the largest binary suffix that
 * divides them ("2Gi", "1536Mi", "1000"), everything else as a plain number. parseQuantity reads it back exactly.
 */
export function formatQuantity(amount: number, resource: string): string {
  if (resource === "cpu") return amount % 1000 === 0 ? String(amount / 1000) : `${amount}m`;
  if (!isByteResource(resource)) return String(amount);
  let rest = amount;
  let suffix = 0;
  while (rest !== 0 && rest % 1024 === 0 && suffix < binarySuffixes.length - 1) {
    rest /= 1024;
    suffix++;
  }
  return `${rest}${binarySuffixes[suffix]!}`;
}

/** A resource list in sorted order of names; zero amounts stay. */
export function formatResources(resources: Resources): Record<string, string> {
  const formatted: Record<string, string> = {};
  for (const resource of Object.keys(resources).sort()) {
    formatted[resource] = formatQuantity(resources[resource]!, resource);
  }
  return formatted;
}
