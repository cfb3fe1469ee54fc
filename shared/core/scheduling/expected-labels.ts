import type { InstanceType, NodeClaim } from "../model/index.ts";
import { labels, own } from "../model/index.ts";
import type { Requirement } from "../requirements/index.ts";
import { normalizeLabels, RequirementError, Requirements } from "../requirements/index.ts";

/** What is known of a node's labels. */
export interface NodeLabels {
  /** Whichever way what is open turns out: asked for pods. */
  surely(requirement: Requirement): boolean;
  /** It may turn out so: asked for daemons, whose share must then be kept. */
  perhaps(requirement: Requirement): boolean;
  /** The label's value; undefined: it has none, or more than one is possible. */
  valueOf(key: string): string | undefined;
}

/** The labels of a node that is there, read when first asked for. */
export function exactLabels(given: () => Readonly<Record<string, string>>): NodeLabels {
  let normalized: Readonly<Record<string, string>> | undefined;
  const labelOf = (key: string): string | undefined => {
    normalized ??= normalizeLabels(given());
    return own(normalized, key);
  };
  const matches = (requirement: Requirement): boolean => requirement.matches(labelOf(requirement.key));
  return { surely: matches, perhaps: matches, valueOf: labelOf };
}

/**
 * The labels that the node of a claim will have if it becomes one of this type. The claim is committed and can no longer be
 * narrowed: what is open (its zone) stays open.
 */
export function expectedLabels(claim: NodeClaim, type: InstanceType | undefined): NodeLabels {
  let requirements: Requirements | undefined | "unread" = "unread";
  const known = new Map<string, readonly (string | undefined)[] | undefined>();
  const valuesOf = (key: string): readonly (string | undefined)[] | undefined => {
    if (requirements === "unread") requirements = readableRequirements(claim);
    if (!known.has(key)) known.set(key, requirements && possibleValues(key, requirements, type));
    return known.get(key);
  };
  return {
    surely: (requirement) => valuesOf(requirement.key)?.every((value) => requirement.matches(value)) ?? false,
    perhaps: (requirement) => valuesOf(requirement.key)?.some((value) => requirement.matches(value)) ?? true,
    valueOf: (key) => {
      const values = valuesOf(key);
      return values?.length === 1 ? values[0] : undefined;
    },
  };
}

/** Undefined for a claim whose requirements cannot be read (a standalone one): then nothing is known of its labels. */
export function readableRequirements(claim: NodeClaim): Requirements | undefined {
  try {
    return requirementsOf(claim);
  } catch (cause) {
    if (cause instanceof RequirementError) return undefined;
    throw cause;
  }
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
  type: InstanceType | undefined,
): readonly (string | undefined)[] | undefined {
  const requirement = requirements.get(key);
  const given = (own(type?.labels ?? {}, key) ?? []).filter((value) => requirement?.has(value) ?? true);
  if (given.length > 0) return given;
  if (requirement === undefined) return [undefined];
  if (!requirement.complement) return requirement.absent ? [...requirement.values, undefined] : [...requirement.values];
  return requirement.absent ? [undefined] : undefined;
}
