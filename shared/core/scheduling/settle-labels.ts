import { Requirement, type Requirements, wellKnownLabels } from "../requirements/index.ts";
import type { StateTable } from "./pool-space.ts";

const otherwise = "any";

/**
 * Labels of our own that are still open get a value: the node must carry one for kube-scheduler to see, and every node of
 * a claim the same. Well-known labels stay open: the launched instance settles them.
 */
export function settleOwnLabels(requirements: Requirements): Requirements {
  const open = [...requirements].filter(
    ({ key, absent, complement, values }) => !wellKnownLabels.has(key) && !absent && (complement || values.size > 1),
  );
  return open.reduce((settled, requirement) => {
    const value = firstValue(requirement);
    return value === undefined ? settled : settled.with(Requirement.in(requirement.key, [value]));
  }, requirements);
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

/** The state with its own labels settled, or −1 where that changes nothing. Fewer daemons may run there. */
export function settledState(states: StateTable, state: number): number {
  const requirements = states.requirements(state);
  const settled = settleOwnLabels(requirements);
  return settled === requirements ? -1 : states.start(settled);
}
