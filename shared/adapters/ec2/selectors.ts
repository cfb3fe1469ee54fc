// Selector terms as EC2 filters.
import type { Filter } from "@aws-sdk/client-ec2";

/** A filter value that matches itself only: EC2's wildcards are escaped. */
export function exactValue(value: string): string {
  return value.replace(/[\\*?]/g, "\\$&");
}

/**
 * A term's tags. `*` means that the key is there; other wildcards are EC2's own, as people use them with Karpenter
 * (`Name: "*Public*"`).
 */
export function tagFilters(tags: Readonly<Record<string, string>> = {}): Filter[] {
  return Object.entries(tags).map(([key, value]) =>
    value === "*" ? { Name: "tag-key", Values: [exactValue(key)] } : { Name: `tag:${key}`, Values: [value] },
  );
}
