import type {
  LabelSelector,
  NodeSelectorTerm,
  Pod,
  PodAffinityTerm,
  PreferredTerm,
  RequirementSpec,
  Toleration,
  TopologySpread,
} from "../../model/index.ts";
import type { Selection } from "../asks.ts";
import { atLeast } from "../readable-amounts.ts";
import { type PlannedPod, volumeWords } from "../volumes/volumes.ts";
import type { World } from "../world.ts";

/** What a pod asks for, as it was understood: a line for each constraint, the required ones first. */
export function podLines(world: World, pod: PlannedPod, selection: Selection): readonly string[] {
  return [
    `requests: ${amountsOf(pod)}`,
    ...nodeLines(world, selection),
    ...(volumeWords(pod) === undefined ? [] : [volumeWords(pod)!]),
    ...pod.tolerations.map((toleration) => `tolerates ${tolerationWords(toleration)}`),
    ...pod.hostPorts.map(({ protocol, port, hostIp }) => `needs host port ${protocol} ${port} on ${hostIp}`),
    ...pod.topologySpread.map(spreadWords),
    ...pod.requiredPodAffinity.map((term) => `must be near ${termWords(term)}`),
    ...pod.requiredPodAntiAffinity.map((term) => `must be far from ${termWords(term)}`),
    ...pod.preferredNodeAffinity.map(
      ({ weight, term }) => `prefers nodes with ${nodeTermWords(term)} (weight ${weight})`,
    ),
    ...wishes("prefers to be near", pod.preferredPodAffinity),
    ...wishes("prefers to be far from", pod.preferredPodAntiAffinity),
    ...(pod.priority === 0 ? [] : [`priority ${pod.priority}`]),
  ];
}

/** Columns of devices, of which those for what claims share with others say nothing more. */
const devices = "devices (";
const sharedDevices = `${devices}any `;

function amountsOf({ requests }: Pod): string {
  return Object.keys(requests)
    .filter((name) => requests[name]! > 0 && !name.startsWith(sharedDevices))
    .sort()
    .map((name) => (name.startsWith(devices) ? name : `${name} ${atLeast(requests[name]!, name)}`))
    .join(", ");
}

function nodeLines({ asks }: World, { alternatives, error }: Selection): readonly string[] {
  const unreadable = error === undefined ? [] : [`a term of its node affinity cannot be read: ${error}`];
  if (alternatives.length === 0) return ["its node affinity selects no node", ...unreadable];
  if (alternatives.includes(0)) return unreadable;
  return [`must be on nodes with ${alternatives.map((ask) => String(asks.get(ask))).join("; or ")}`, ...unreadable];
}

function tolerationWords({ key = "", operator, value = "", effect }: Toleration): string {
  const what =
    key === "" ? "every taint" : operator === "Exists" ? `taints ${key}` : `taints ${key} ${operator} ${value}`;
  return `${what}${effect === undefined ? "" : ` of effect ${effect}`}`;
}

function spreadWords(spread: TopologySpread): string {
  const { topologyKey, maxSkew, minDomains, whenUnsatisfiable, matchLabelKeys } = spread;
  const strictness = whenUnsatisfiable === "DoNotSchedule" ? "must" : "should";
  const domains = minDomains === undefined ? "" : `, minDomains ${minDomains}`;
  const keys = matchLabelKeys.length === 0 ? "" : `, each ${matchLabelKeys.join(" and ")} by itself`;
  return `${strictness} be spread over ${topologyKey} with pods ${selectorWords(spread.labelSelector)} (maxSkew ${maxSkew}${domains}${keys})`;
}

function termWords({ topologyKey, labelSelector, namespaces, namespaceSelector }: PodAffinityTerm): string {
  const places = [
    ...(namespaces.length === 0 ? [] : [`in ${namespaces.join(", ")}`]),
    ...(namespaceSelector === undefined ? [] : [`in namespaces ${selectorWords(namespaceSelector)}`]),
  ];
  const where = places.length === 0 ? "" : ` ${places.join(" or ")}`;
  return `pods ${selectorWords(labelSelector)}${where}, by ${topologyKey}`;
}

function wishes(what: string, terms: readonly PreferredTerm<PodAffinityTerm>[]): readonly string[] {
  return terms.map(({ weight, term }) => `${what} ${termWords(term)} (weight ${weight})`);
}

/** An absent selector selects nothing, an empty one everything (Kubernetes). */
function selectorWords(selector: LabelSelector | undefined): string {
  if (selector === undefined) return "of no kind (there is no selector)";
  const labels = Object.entries(selector.matchLabels).map(([key, value]) => `${key}=${value}`);
  const all = [...labels, ...selector.matchExpressions.map(expressionWords)];
  return all.length === 0 ? "of every kind" : all.join(", ");
}

function nodeTermWords({ expressions, fields }: NodeSelectorTerm): string {
  return [...expressions, ...fields].map(expressionWords).join(" and ");
}

function expressionWords({ key, operator, values }: RequirementSpec): string {
  return values.length === 0 ? `${key} ${operator}` : `${key} ${operator} [${values.join(", ")}]`;
}
