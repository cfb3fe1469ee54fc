import { Requirement, Requirements, wellKnownLabels } from "../requirements/index.ts";

const otherwise = "any";

/**
 * Labels of our own that are still open get a value: the node must carry one for kube-scheduler to see, and every node of
 * a claim the same. Well-known labels stay open: the launched instance settles them.
 */
export function settleOwnLabels(requirements: Requirements): Requirements {
  return Requirements.from(
    [...requirements].map((requirement) => {
      if (wellKnownLabels.has(requirement.key) || requirement.absent) return requirement;
      const value = firstValue(requirement);
      return value === undefined ? requirement : requirement.intersection(Requirement.in(requirement.key, [value]));
    }),
  );
}

/** The first value in a fixed order that the requirement allows. */
function firstValue(requirement: Requirement): string | undefined {
  if (!requirement.complement) return [...requirement.values].sort()[0];
  const from = Number.isFinite(requirement.gte) ? requirement.gte : 0;
  const bounded = Number.isFinite(requirement.gte) || Number.isFinite(requirement.lte);
  if (!bounded && requirement.has(otherwise)) return otherwise;
  for (let n = from; n <= from + requirement.values.size; n++) if (requirement.has(String(n))) return String(n);
  return undefined;
}
