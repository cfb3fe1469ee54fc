import type { NodeSelectorTerm, Pod } from "../model/index.ts";
import { Requirements } from "../requirements/index.ts";
import { type Selection, selectionOf } from "./asks.ts";
import { withoutDaemonPorts } from "./daemon-ports.ts";
import { someTypeHolds } from "./open-claim.ts";
import { ordered } from "./order-options.ts";
import { groupPods, type PodClass } from "./pod-class.ts";
import type { Pool } from "./pool.ts";
import { settledState } from "./settle-labels.ts";
import { isShunned, untoleratedTaint } from "./taints.ts";
import type { Membership } from "./topology/groups.ts";
import { type Pins, pinned, pinsText, shunnedDomains } from "./topology/pins.ts";
import { demandsAt, stagesOf } from "./topology/preferences.ts";
import type { Topology } from "./topology/topology.ts";
import type { PlannedPod } from "./volumes/volumes.ts";
import type { World } from "./world.ts";

/** A way for a class to get new nodes: a pool, and one of the class's alternatives. */
export interface Option {
  readonly pool: number;
  readonly ask: number;
  /** Only once all others have failed (PreferNoSchedule). */
  readonly shunned: boolean;
}

/** Where a class may go. */
export interface Ways {
  readonly selection: Selection;
  readonly options: readonly Option[];
}

export interface SolverClass extends PodClass, Ways {
  /** Whose rules about other pods it has, and whose it counts for. */
  readonly membership: Membership;
  /** It has given in on everything that it merely wishes for: only then does it go where it is asked not to. */
  readonly mayBeShunned: boolean;
}

/** Pods that are alike, at some point of giving in on what they wish for. */
export interface Cohort extends PodClass {
  readonly stage: number;
}

const alone: Membership = { owns: [], selectedBy: [] };

/** Pods that are alike, all their wishes still standing. */
export function cohortsOf(pods: readonly Pod[], topology: Topology | undefined): Cohort[] {
  const mark = (pod: Pod): string => topology?.mark(pod) ?? "";
  return groupPods(pods, mark).map((group) => ({ ...group, stage: 0 }));
}

/** A cohort's pods as a class, held to domains that they were given. */
export function classOf(
  world: World,
  topology: Topology | undefined,
  cohort: Cohort,
  pods: readonly Pod[],
  pins: Pins = new Map(),
): SolverClass {
  const { key, shape, sample, stage } = cohort;
  const respect = world.snapshot.settings.preferencePolicy === "Respect";
  const demands = demandsAt(sample, stage, respect);
  const mayBeShunned = stage + 1 >= stagesOf(sample, respect);
  const membership = topology?.membership(sample, demands) ?? alone;
  const shunned = topology === undefined ? Requirements.none : shunnedDomains(topology, membership);
  const ports = sample.hostPorts.length === 0 ? "" : JSON.stringify(sample.hostPorts);
  const several = pods.length > 1;
  const text = `${shape}/${stage}/${pinsText(pins)}/${ports}/${several}`;
  const known = shunned.size === 0 ? world.ways.get(text) : undefined;
  if (known !== undefined) return { key, shape, sample, pods, membership, mayBeShunned, ...known };
  const narrower = [pinned(pins), withoutDaemonPorts(world, sample.hostPorts), shunned].reduce((all, more) =>
    all.intersection(more),
  );
  const selection = selectionFor(world, sample, demands.nodeWish, narrower);
  const ways = { selection, options: optionsOf(world, sample, selection, mayBeShunned, several) };
  if (shunned.size === 0) world.ways.set(text, ways);
  return { key, shape, sample, pods, membership, mayBeShunned, ...ways };
}

/** What is asked for, wished for still, and left by rules about others; in each of it, from where volumes are reached. */
function selectionFor(
  world: World,
  sample: PlannedPod,
  wish: NodeSelectorTerm | undefined,
  narrower: Requirements,
): Selection {
  const { asks } = world;
  const selection = selectionOf(sample, asks, { anyHost: false });
  const wished = wish === undefined ? undefined : selectionOf(asSpec(wish), asks, { anyHost: false }).alternatives;
  const { reach } = sample;
  if (wished === undefined && narrower.size === 0 && reach === undefined) return selection;
  const held = reach === undefined ? [narrower] : reach.alternatives.map((one) => one.intersection(narrower));
  const more =
    wished === undefined ? held : wished.flatMap((ask) => held.map((one) => asks.get(ask).intersection(one)));
  const alternatives = selection.alternatives.flatMap((ask) =>
    more.map((other) => asks.intern(asks.get(ask).intersection(other))),
  );
  return { ...selection, alternatives: [...new Set(alternatives)] };
}

function asSpec(term: NodeSelectorTerm) {
  return { nodeSelector: {}, requiredNodeAffinity: [term] };
}

/** Each alternative in order, for each the pools by weight and price; places that ask to be avoided come last. */
function optionsOf(world: World, sample: Pod, selection: Selection, mayBeShunned: boolean, several: boolean): Option[] {
  const options: Option[] = [];
  const { tolerations, requests } = sample;
  const usage = new Float64Array(world.axis.size);
  world.axis.write(requests, usage, 0);
  for (const shunned of mayBeShunned ? [false, true] : [false]) {
    for (const ask of selection.alternatives) {
      const those: Option[] = [];
      world.pools.pools.forEach((pool, index) => {
        const { taints } = pool.nodePool;
        if (untoleratedTaint(tolerations, taints) !== undefined || isShunned(tolerations, taints) !== shunned) return;
        if (startsFor(pool, ask).some((state) => someTypeHolds(pool, state, usage, undefined))) {
          those.push({ pool: index, ask, shunned });
        }
      });
      options.push(...ordered(world, those, usage, several));
    }
  }
  return options;
}

/** States in which a node for just this ask may start: plain, or on a reservation; own labels open, or settled. */
export function startsFor(pool: Pool, ask: number): number[] {
  return [pool.states.root, ...pool.variants, ...pool.reservations.map(({ start }) => start)]
    .map((start) => pool.states.next(start, ask))
    .flatMap((state) => (state < 0 ? [] : [state, settledState(pool.states, state)]))
    .filter((state) => state >= 0);
}
