import type { Condition, KeptNode, KeptNodeClaim, KeptNodeClass, KeptNodePool } from "../objects.ts";
import type { ClusterView } from "../view.ts";
import {
  type ConditionDefinitions,
  type ConditionKind,
  conditionKinds,
  conditionSeries,
  genericConditionSeries,
  groups,
  objectLabels,
} from "./condition-series.ts";
import type { Family } from "./exposition.ts";
import { createCounter, createGauge, createHistogram, type LabelValues } from "./instruments.ts";
import { seconds } from "./seconds.ts";

type ConditionHolder = KeptNodeClaim | KeptNode | KeptNodePool | KeptNodeClass;

/** Values of the labels that the objects of a kind bear beyond their conditions. */
type OwnValues = (holder: ConditionHolder) => LabelValues;

/**
 * The series of AWS' operatorpkg about conditions and deletions, for the four kinds that Karpenter shows. Unlike there, what
 * the first list holds is no transition, so that a restart counts nothing twice.
 */
export function createConditionSeries(view: ClusterView, clock: { now(): number }): readonly Family[] {
  const ofKinds = conditionKinds.flatMap((kind) => {
    const own: OwnValues = (holder) => objectLabels[kind].map((key) => holder.labels[key] ?? "");
    return familiesOf(conditionSeries[kind], new Map([[kind, own]]), view, clock);
  });
  const generic = Object.entries(groups).map(([kind, group]) => [kind as ConditionKind, () => [group, kind]] as const);
  return [...ofKinds, ...familiesOf(genericConditionSeries, new Map(generic), view, clock)];
}

function familiesOf(
  definitions: ConditionDefinitions,
  kinds: ReadonlyMap<ConditionKind, OwnValues>,
  view: ClusterView,
  clock: { now(): number },
): readonly Family[] {
  return [...gaugesOf(definitions, kinds, view), ...countersOf(definitions, kinds, view, clock)];
}

function gaugesOf(
  { count, currentSeconds, terminating }: ConditionDefinitions,
  kinds: ReadonlyMap<ConditionKind, OwnValues>,
  view: ClusterView,
): readonly Family[] {
  function* perCondition(value: (condition: Condition) => number): Generator<readonly [LabelValues, number]> {
    for (const [kind, own] of kinds) {
      for (const holder of view.all(kind)) {
        for (const condition of holder.conditions) {
          const { type, status, reason } = condition;
          yield [["", holder.name, type, status, reason, ...own(holder)], value(condition)];
        }
      }
    }
  }
  function* perDeletion(nowMs: number): Generator<readonly [LabelValues, number]> {
    for (const [kind, own] of kinds) {
      for (const holder of view.all(kind)) {
        if (holder.deletionAtMs === undefined) continue;
        yield [["", holder.name, ...own(holder)], seconds(holder.deletionAtMs, nowMs)];
      }
    }
  }
  return [
    createGauge(count, () => perCondition(() => 1)),
    createGauge(currentSeconds, (nowMs) => perCondition(({ changedAtMs }) => seconds(changedAtMs, nowMs))),
    createGauge(terminating, perDeletion),
  ];
}

function countersOf(
  definitions: ConditionDefinitions,
  kinds: ReadonlyMap<ConditionKind, OwnValues>,
  view: ClusterView,
  clock: { now(): number },
): readonly Family[] {
  const transitions = createCounter(definitions.transitions);
  const transitionSeconds = createHistogram(definitions.transitionSeconds);
  const terminationSeconds = createHistogram(definitions.terminationSeconds);

  function follow(own: LabelValues, before: ConditionHolder | undefined, after: ConditionHolder): void {
    for (const { type, status, reason, changedAtMs } of after.conditions) {
      const former = before?.conditions.find((condition) => condition.type === type);
      if (former?.status === status) continue;
      transitions.add([type, status, reason, ...own]);
      if (former === undefined) continue;
      transitionSeconds.observe([type, former.status, ...own], seconds(former.changedAtMs, changedAtMs));
    }
  }

  for (const [kind, own] of kinds) {
    view.onChange(kind, (before: ConditionHolder | undefined, after: ConditionHolder | undefined) => {
      if (!view.isListed(kind)) return;
      if (after !== undefined) follow(own(after), before, after);
      else if (before?.deletionAtMs !== undefined) {
        terminationSeconds.observe(own(before), seconds(before.deletionAtMs, clock.now()));
      }
    });
  }
  return [transitions, transitionSeconds, terminationSeconds];
}
