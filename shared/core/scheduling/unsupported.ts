import type { Pod } from "../model/index.ts";

/** One rule: what a pod asks for that the solver does not plan for yet, in words that complete "the pod …". */
type Rule = (pod: Pod) => string | undefined;

const rules: readonly Rule[] = [
  ({ resourceClaims }) =>
    resourceClaims.length > 0 ? `uses the dynamic resource claim "${resourceClaims[0]!}"` : undefined,
];

/** Why this pod is not planned at all: refused with the reason rather than placed wrongly. Undefined: it is planned. */
export function unsupportedReason(pod: Pod): string | undefined {
  for (const rule of rules) {
    const what = rule(pod);
    if (what !== undefined) return `the pod ${what}, which is not planned for yet`;
  }
  return undefined;
}
