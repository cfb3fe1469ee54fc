// What Karpenter's plans are known to do that ours must not: each with the words of the judge that it shows as, and the
// rule of Kubernetes, or of Karpenter's own API, that it breaks. A fault that no entry explains fails the suite.
import type { Scenario } from "./documents.ts";

export interface Exception {
  readonly name: string;
  readonly fault: RegExp;
  readonly rule: string;
  /** Without it the entry explains any scenario. */
  readonly applies?: (scenario: Scenario) => boolean;
}

const hasReservations = ({ catalog }: Scenario) => catalog.reserved.length > 0;

export const exceptions: readonly Exception[] = [
  {
    name: "limit of nodes",
    fault: /exceeds its limit of nodes$/,
    rule: "NodePool spec.limits bounds what a pool may grow to; a batch that passes limits.nodes breaks it",
  },
  {
    name: "types beyond the reservation",
    fault: /cannot be bought$/,
    rule: "a claim tied to a reservation can only become the types that the reservation holds; the others are never launched",
    applies: hasReservations,
  },
  {
    name: "daemons of the launched type",
    fault: /is overfull$/,
    rule: "a DaemonSet whose affinity names a type runs on nodes of that type, and its pods take room before others",
  },
  {
    name: "pool that contradicts itself",
    fault: /breaks team of its pool$/,
    rule: "a node gets all of its NodePool's labels and requirements; where they contradict each other there is none",
  },
  {
    name: "expressions that contradict each other",
    fault: /may not run on/,
    rule: "the expressions of one node selector term are ANDed: In and NotIn, or two Ins, may leave nothing, which is not DoesNotExist",
  },
  {
    name: "spread over a label of one's own",
    fault: /spread over (team|karpenter\.sh\/capacity-type)/,
    rule: "kube-scheduler counts every eligible node that carries the key as a domain, whoever made it",
  },
  {
    name: "label that the pool does not give",
    fault: /has a \S+ that its pool does not give$/,
    rule: "a NodePool that neither sets nor requires a label makes no nodes with it (Karpenter's own rule, which refuses the same pod alone); that another pod excludes some of its values does not give it one, or it would hang on who is planned together",
  },
  {
    name: "affinity to oneself begun twice",
    fault: /near others over/,
    rule: "only the first of a group that is drawn to itself may begin in a domain without company; the rest must join it",
  },
];

/** The entry that explains a fault, if any. */
export function explained(fault: string, scenario: Scenario): Exception | undefined {
  return exceptions.find(({ fault: shows, applies }) => shows.test(fault) && (applies?.(scenario) ?? true));
}
