import { labels } from "../../shared/core/model/index.ts";
import { counter, doublingBuckets, gauge, histogram, perObject, type SeriesDefinition } from "./definition.ts";

export type ConditionKind = "NodeClaim" | "Node" | "NodePool" | "EC2NodeClass";

export const conditionKinds: readonly ConditionKind[] = ["NodeClaim", "Node", "NodePool", "EC2NodeClass"];

/** Labels of the object that its series bear too, under names that Prometheus takes. */
export const objectLabels: Readonly<Record<ConditionKind, readonly string[]>> = {
  NodeClaim: [labels.nodeClass, labels.nodePool],
  Node: [labels.nodeClass, labels.nodePool, labels.initialized],
  NodePool: [],
  EC2NodeClass: [],
};

/** Kinds that are shown also by the series without a kind in their name, and their API groups. */
export const groups: Readonly<Partial<Record<ConditionKind, string>>> = {
  NodeClaim: "karpenter.sh",
  NodePool: "karpenter.sh",
  EC2NodeClass: "karpenter.k8s.aws",
};

/** Prometheus' default bounds. */
const defaultBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const kindBuckets = doublingBuckets(0.5, 15);

export interface ConditionDefinitions {
  readonly count: SeriesDefinition;
  readonly currentSeconds: SeriesDefinition;
  readonly transitions: SeriesDefinition;
  readonly transitionSeconds: SeriesDefinition;
  readonly terminating: SeriesDefinition;
  readonly terminationSeconds: SeriesDefinition;
}

function definitionsOf(
  prefix: string,
  what: string,
  buckets: readonly number[],
  extra: readonly string[],
): ConditionDefinitions {
  const one = ["namespace", "name", "type", "status", "reason", ...extra];
  const count = gauge(`${prefix}status_condition_count`, one, `1 for each condition of ${what}.`);
  const currentSeconds = gauge(
    `${prefix}status_condition_current_status_seconds`,
    one,
    `For how long a condition of ${what} has been as it is.`,
  );
  const transitions = counter(
    `${prefix}status_condition_transitions_total`,
    ["type", "status", "reason", ...extra],
    `Changes of conditions of ${what}, by what they changed to.`,
  );
  const transitionSeconds = histogram(
    `${prefix}status_condition_transition_seconds`,
    ["type", "status", ...extra],
    buckets,
    `For how long a condition of ${what} had been as it was when it changed.`,
  );
  const terminating = gauge(
    `${prefix}termination_current_time_seconds`,
    ["namespace", "name", ...extra],
    `For how long ${what} has been being deleted.`,
  );
  const terminationSeconds = histogram(
    `${prefix}termination_duration_seconds`,
    extra,
    buckets,
    `How long it took until ${what}, once deleted, was gone.`,
  );
  return {
    count: perObject(count),
    currentSeconds: perObject(currentSeconds),
    transitions: perObject(transitions),
    transitionSeconds: perObject(transitionSeconds),
    terminating: perObject(terminating),
    terminationSeconds: perObject(terminationSeconds),
  };
}

function ofKind(kind: ConditionKind): ConditionDefinitions {
  const extra = objectLabels[kind].map((key) => key.replace(/[/.-]/g, "_"));
  // Karpenter keeps the default bounds for EC2NodeClasses.
  const buckets = kind === "EC2NodeClass" ? defaultBuckets : kindBuckets;
  const article = /^[AEIO]/.test(kind) ? "an" : "a";
  return definitionsOf(`operator_${kind.toLowerCase()}_`, `${article} ${kind}`, buckets, extra);
}

export const conditionSeries: Readonly<Record<ConditionKind, ConditionDefinitions>> = {
  NodeClaim: ofKind("NodeClaim"),
  Node: ofKind("Node"),
  NodePool: ofKind("NodePool"),
  EC2NodeClass: ofKind("EC2NodeClass"),
};

/** The older series for all kinds at once, which Karpenter still makes. */
export const genericConditionSeries = definitionsOf("operator_", "an object", defaultBuckets, ["group", "kind"]);
