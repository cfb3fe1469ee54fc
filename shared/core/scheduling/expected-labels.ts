import type { InstanceType, NodeClaim } from "../model/index.ts";
import { labels } from "../model/index.ts";
import type { Requirement } from "../requirements/index.ts";
import { normalizeLabels, Requirements } from "../requirements/index.ts";

/** What is known of a node's labels: enough to say whether it surely satisfies a requirement. */
export interface NodeLabels {
  satisfies(requirement: Requirement): boolean;
}

/** The labels of a node that is there. */
export function exactLabels(given: Readonly<Record<string, string>>): NodeLabels {
  const normalized = normalizeLabels(given);
  return { satisfies: (requirement) => requirement.matches(normalized[requirement.key]) };
}

/**
 * The labels that the node of a claim will have. What is still open (its type, its zone) must satisfy a requirement
 * whichever way it turns out: the claim is committed and can no longer be narrowed.
 */
export function expectedLabels(claim: NodeClaim, types: readonly InstanceType[]): NodeLabels {
  const requirements = requirementsOf(claim);
  const known = new Map<string, readonly (string | undefined)[] | undefined>();
  const valuesOf = (key: string): readonly (string | undefined)[] | undefined => {
    if (!known.has(key)) known.set(key, possibleValues(key, requirements, types));
    return known.get(key);
  };
  return {
    satisfies: (requirement) => {
      const values = valuesOf(requirement.key);
      return values === undefined ? false : values.every((value) => requirement.matches(value));
    },
  };
}

function requirementsOf({ requirements, labels: own, nodePool, nodeClass, instance }: NodeClaim): Requirements {
  let all = Requirements.of(requirements)
    .intersection(Requirements.fromLabels(own))
    .intersection(Requirements.fromLabels({ [labels.nodePool]: nodePool, [labels.nodeClass]: nodeClass }));
  if (instance !== undefined) {
    const { zone, zoneId, capacityType, instanceType } = instance;
    all = all.intersection(
      Requirements.fromLabels({
        [labels.zone]: zone,
        [labels.capacityType]: capacityType,
        [labels.instanceType]: instanceType,
        ...(zoneId === undefined ? {} : { [labels.zoneId]: zoneId }),
      }),
    );
  }
  return all;
}

/** Every value that the label may turn out to have (undefined: absent), or undefined where that is not known. */
function possibleValues(
  key: string,
  requirements: Requirements,
  types: readonly InstanceType[],
): readonly (string | undefined)[] | undefined {
  const requirement = requirements.get(key);
  if (requirement !== undefined && !requirement.complement) {
    return requirement.absent ? [...requirement.values, undefined] : [...requirement.values];
  }
  const given = new Set<string | undefined>();
  for (const type of types) {
    const values = (type.labels[key] ?? []).filter((value) => requirement?.has(value) ?? true);
    if (values.length === 0) given.add(undefined);
    for (const value of values) given.add(value);
  }
  const someTypeHasIt = [...given].some((value) => value !== undefined);
  if (someTypeHasIt) return [...given];
  return requirement === undefined || requirement.absent ? [undefined] : undefined;
}
