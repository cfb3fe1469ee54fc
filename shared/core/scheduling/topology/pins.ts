import { Requirement, Requirements } from "../../requirements/index.ts";
import type { Membership } from "./groups.ts";
import type { Topology } from "./topology.ts";

/** Labels with the value that nodes must have; undefined: they must not have the label. */
export type Pins = ReadonlyMap<string, string | undefined>;

export function pinsText(pins: Pins): string {
  return [...pins].map(([key, domain]) => (domain === undefined ? `!${key}` : `${key}=${domain}`)).join(",");
}

export function pinned(pins: Pins): Requirements {
  return Requirements.from([...pins].map(([key, domain]) => pin(key, domain)));
}

export function pin(key: string, domain: string | undefined): Requirement {
  return domain === undefined
    ? Requirement.of({ key, operator: "DoesNotExist", values: [] })
    : Requirement.in(key, [domain]);
}

/** Its pods must be on nodes with the label: spreads and wants for company need a domain, others only mind theirs. */
export function needsLabel(topology: Topology, { owns }: Membership, key: string): boolean {
  return owns.some((index) => {
    const group = topology.group(index);
    return !group.perHost && group.key === key && (group.kind === "spread" || group.kind === "together");
  });
}

/** Labels whose values the class must be given: its own rules', and those of others that count it. */
export function pinnedKeys(topology: Topology, { owns, selectedBy }: Membership): readonly string[] {
  const keys = new Set<string>();
  for (const index of owns) if (!topology.group(index).perHost) keys.add(topology.group(index).key);
  for (const index of selectedBy) {
    const group = topology.group(index);
    if (!group.perHost && topology.isOwnedHere(index)) keys.add(group.key);
  }
  return [...keys].sort();
}

/** Domains where pods run that want none of the class beside them, where it is enough to stay out of these. */
export function shunnedDomains(topology: Topology, { selectedBy }: Membership): Requirements {
  const requirements = selectedBy.flatMap((index) => {
    const group = topology.group(index);
    if (group.perHost || group.kind !== "apart" || topology.isOwnedHere(index)) return [];
    const domains = topology.holderDomains(index);
    return domains.length === 0 ? [] : [Requirement.of({ key: group.key, operator: "NotIn", values: domains })];
  });
  return Requirements.from(requirements);
}
