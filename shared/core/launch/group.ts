import { maxClaimsPerLaunch } from "../limits.ts";
import type { NodeClaim } from "../model/index.ts";

/** Claims whose instances are interchangeable before they are tagged: same types, places, template. Sorted by name. */
export function groupClaims(claims: readonly NodeClaim[]): readonly (readonly NodeClaim[])[] {
  const groups = new Map<string, NodeClaim[]>();
  for (const claim of [...claims].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const key = launchKey(claim);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [claim]);
    else group.push(claim);
  }
  return [...groups.values()].flatMap((group) => {
    const parts: NodeClaim[][] = [];
    for (let i = 0; i < group.length; i += maxClaimsPerLaunch) parts.push(group.slice(i, i + maxClaimsPerLaunch));
    return parts;
  });
}

function launchKey(claim: NodeClaim): string {
  const sorted = (record: Readonly<Record<string, string>>) =>
    Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    claim.nodePool,
    claim.nodeClass,
    claim.nodeClassHash,
    claim.requirements,
    claim.instanceTypes,
    sorted(claim.labels),
    claim.taints,
    claim.startupTaints,
  ]);
}
