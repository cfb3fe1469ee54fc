import type { Pod, Settings } from "../model/index.ts";

/** One rule: what a pod asks for that the solver does not plan for yet, in words that complete "the pod …". */
type Rule = (pod: Pod, settings: Settings) => string | undefined;

const respects = (settings: Settings): boolean => settings.preferencePolicy === "Respect";

const rules: readonly Rule[] = [
  ({ topologySpread }) =>
    topologySpread.some(({ whenUnsatisfiable }) => whenUnsatisfiable === "DoNotSchedule")
      ? "has a topology spread constraint"
      : undefined,
  ({ requiredPodAffinity }) => (requiredPodAffinity.length > 0 ? "requires pod affinity" : undefined),
  ({ requiredPodAntiAffinity }) => (requiredPodAntiAffinity.length > 0 ? "requires pod anti-affinity" : undefined),
  ({ volumes }) => (volumes.length > 0 ? `uses the volume claim of "${volumes[0]!.name}"` : undefined),
  ({ hostPorts }) => (hostPorts.length > 0 ? `binds host port ${hostPorts[0]!.port}` : undefined),
  ({ resourceClaims }) =>
    resourceClaims.length > 0 ? `uses the dynamic resource claim "${resourceClaims[0]!}"` : undefined,
  ({ preferredNodeAffinity }, settings) =>
    respects(settings) && preferredNodeAffinity.length > 0 ? "prefers nodes (preferred node affinity)" : undefined,
  ({ preferredPodAffinity, preferredPodAntiAffinity }, settings) =>
    respects(settings) && preferredPodAffinity.length + preferredPodAntiAffinity.length > 0
      ? "prefers to be near or far from pods (preferred pod affinity or anti-affinity)"
      : undefined,
  ({ topologySpread }, settings) =>
    respects(settings) && topologySpread.length > 0 ? "prefers to be spread (ScheduleAnyway)" : undefined,
];

const preferenceRules = new Set(rules.slice(6));

/** Why this pod is not planned at all: refused with the reason rather than placed wrongly. Undefined: it is planned. */
export function unsupportedReason(pod: Pod, settings: Settings): string | undefined {
  for (const rule of rules) {
    const what = rule(pod, settings);
    if (what === undefined) continue;
    const remedy = preferenceRules.has(rule) ? "; the setting preference-policy=Ignore plans it without" : "";
    return `the pod ${what}, which is not planned for yet${remedy}`;
  }
  return undefined;
}
