import type { InstanceType, Pod, RefusedOffering, Resources } from "../../model/index.ts";
import { own } from "../../model/index.ts";
import { type Requirements, wellKnownLabels } from "../../requirements/index.ts";
import { nodeNameKey } from "../asks.ts";
import { missedFloor } from "../choose-types.ts";
import { isEverywhere } from "../daemon-ports.ts";
import type { Pool } from "../pool.ts";
import { formatTaint, untoleratedTaint } from "../taints.ts";
import { portsClash } from "../topology/groups.ts";
import type { World } from "../world.ts";
import { amountObstacles, type Obstacle, type TypeView, weightEach, weightFor } from "./obstacles.ts";

/** A type, and all that stands between it and a pod. */
export interface Fit extends TypeView {
  readonly shortage: number;
}

export type MissedFloor = NonNullable<ReturnType<typeof missedFloor>>;

/** What keeps a pool from giving a node for a pod: the fewest things that would have to be lifted. */
export interface PoolMiss {
  readonly pool: Pool;
  readonly pod: Pod;
  readonly wanted: Requirements;
  /** What the pool's limits leave after the plan, and what they left before it. */
  readonly remaining: Resources;
  readonly before: Resources;
  /** Empty: a node would hold the pod, so that it is a floor, or what the pod asks of other pods, that is in the way. */
  readonly obstacles: readonly Obstacle[];
  /** Types that exactly these obstacles keep off, the nearest first. */
  readonly nearest: readonly Fit[];
  /** As near: types with as many obstacles, but others. */
  readonly instead: readonly Fit[];
  /** The nearest of the types that the pool's own requirements alone keep out. */
  readonly keptOut?: Fit;
  readonly floor?: MissedFloor;
  /** How many types the pool has, and how many have the labels that the pod asks for. */
  readonly types: number;
  readonly meeting: number;
  /** When the first of the refusals that are in the way ends; undefined: nobody knows. */
  readonly refusedUntilMs?: number;
}

interface Asking {
  readonly world: World;
  readonly pool: Pool;
  readonly pod: Pod;
  readonly ask: number;
  readonly remaining: Resources;
  readonly views: readonly TypeView[];
  readonly outside: () => readonly TypeView[];
}

/** The nearest miss of a pool for pods like this one with this ask. */
export function poolMiss({ world, pool, pod, ask, remaining, views, outside }: Asking): PoolMiss {
  const wanted = world.asks.get(ask);
  const fixed = fixedObstacles(world, pool, pod, wanted);
  const judge = (view: TypeView): Fit => {
    const amounts = amountObstacles(view, pod.requests, remaining);
    return { ...view, obstacles: [...fixed, ...view.obstacles, ...amounts], shortage: shortageOf(view, pod, amounts) };
  };
  const [best, fits] = nearestOf(views, pod, remaining, judge);
  const obstacles = best?.obstacles ?? fixed;
  const text = textOf(obstacles);
  const nearest = fits.filter((one) => textOf(one.obstacles) === text);
  const isFree = obstacles.length === 0;
  const floor = isFree ? floorOf(pool, wanted, nearest) : undefined;
  const keptOut = isFree || fixed.length > 0 ? undefined : nearestOutside(outside(), pod, remaining, judge, best);
  const refusedUntilMs = obstacles.some(({ kind }) => kind === "refused")
    ? untilOf(world.snapshot.refusals, nearest)
    : undefined;
  return {
    pool,
    pod,
    wanted,
    remaining,
    before: world.limits.get(pool.nodePool.name) ?? {},
    obstacles,
    nearest,
    instead: fits.filter((one) => textOf(one.obstacles) !== text),
    types: views.length,
    meeting: views.filter((view) => !view.obstacles.some(({ kind }) => kind === "label")).length,
    ...(keptOut === undefined ? {} : { keptOut }),
    ...(floor === undefined ? {} : { floor }),
    ...(refusedUntilMs === undefined ? {} : { refusedUntilMs }),
  };
}

export function textOf(obstacles: readonly Obstacle[]): string {
  return obstacles.map(({ kind, what }) => `${kind} ${what}`).join("\n");
}

/** The same for every type of the pool. */
function fixedObstacles(world: World, pool: Pool, pod: Pod, wanted: Requirements): Obstacle[] {
  const { taints } = pool.nodePool;
  const obstacles: Obstacle[] = [];
  for (const taint of taints) {
    if (untoleratedTaint(pod.tolerations, [taint]) !== undefined)
      obstacles.push({ kind: "taint", what: formatTaint(taint) });
  }
  for (const requirement of wanted) {
    const { key, absent } = requirement;
    if (key === nodeNameKey) {
      if (!absent) obstacles.push({ kind: "label", what: key });
      continue;
    }
    const given = pool.template.get(key);
    // What types and offerings have is judged type by type.
    if (given === undefined ? absent || wellKnownLabels.has(key) : given.intersects(requirement)) continue;
    if (wellKnownLabels.has(key) && pool.states.types.some((type) => own(type.labels, key) !== undefined)) continue;
    obstacles.push({ kind: "label", what: key });
  }
  for (const daemon of pod.hostPorts.length === 0 ? [] : world.daemons) {
    if (!isEverywhere(daemon, pool, world.asks)) continue;
    const taken = pod.hostPorts.find((port) => daemon.hostPorts.some((other) => portsClash(port, other)));
    if (taken !== undefined) {
      obstacles.push({ kind: "port", what: `${taken.protocol} ${taken.port} is taken by DaemonSet ${daemon.name}` });
    }
  }
  return obstacles;
}

/** How much is missing, in shares of what is asked for: the least is the nearest. */
function shortageOf({ room }: TypeView, { requests }: Pod, amounts: readonly Obstacle[]): number {
  return amounts.reduce((sum, { kind, what }) => {
    if (kind !== "resource") return sum;
    const asked = requests[what]!;
    return sum + (asked - (own(room, what) ?? 0)) / asked;
  }, 0);
}

/** The nearest type, and all that have as few obstacles, the nearest kind first. One look at each, one fit for each kept. */
function nearestOf(
  views: readonly TypeView[],
  { requests }: Pod,
  remaining: Resources,
  judge: (view: TypeView) => Fit,
): readonly [Fit | undefined, readonly Fit[]] {
  const names = Object.keys(requests).filter((name) => requests[name]! > 0);
  const limited = Object.keys(remaining).length > 0;
  const weights = views.map((view) => weightFor(view, names, requests, remaining, limited));
  const least = weights.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const fewest = Math.floor(least / weightEach);
  const kept: { readonly fit: Fit; readonly weight: number }[] = [];
  let best: Fit | undefined;
  views.forEach((view, at) => {
    const weight = weights[at]!;
    if (Math.floor(weight / weightEach) !== fewest) return;
    const fit = judge(view);
    kept.push({ fit, weight });
    if (weight === least && (best === undefined || isNearer(fit, best))) best = fit;
  });
  kept.sort((a, b) => a.weight - b.weight);
  return [best, kept.map(({ fit }) => fit)];
}

/** Of two with obstacles of one weight. */
function isNearer(a: Fit, b: Fit): boolean {
  if (a.shortage !== b.shortage) return a.shortage < b.shortage;
  const [price, other] = [a.offering.priceMicroUsd, b.offering.priceMicroUsd];
  return price === other ? a.type.name < b.type.name : price < other;
}

function floorOf(pool: Pool, wanted: Requirements, nearest: readonly Fit[]): MissedFloor | undefined {
  const types: readonly InstanceType[] = nearest.map(({ type }) => type);
  return missedFloor(types, pool.template.intersection(wanted));
}

/** Only the pool's requirements keep it out, and no more of them than there are obstacles inside the pool. */
function nearestOutside(
  views: readonly TypeView[],
  pod: Pod,
  remaining: Resources,
  judge: (view: TypeView) => Fit,
  best: Fit | undefined,
): Fit | undefined {
  if (best?.obstacles.every(({ kind }) => kind === "refused") === true) return undefined;
  const most = best?.obstacles.length ?? Number.POSITIVE_INFINITY;
  const asked = new Set(
    best?.obstacles.filter(({ kind }) => kind === "label" || kind === "place").map(({ what }) => what),
  );
  const candidates = views.filter(
    ({ obstacles }) =>
      obstacles.length <= most && obstacles.every(({ kind, what }) => kind === "pool" && !asked.has(what)),
  );
  const [nearest] = nearestOf(candidates, pod, remaining, judge);
  return nearest?.obstacles.every(({ kind }) => kind === "pool") === true ? nearest : undefined;
}

function untilOf(refusals: readonly RefusedOffering[], nearest: readonly Fit[]): number | undefined {
  const names = new Map(nearest.map(({ type, offering }) => [type.name, offering]));
  const times = refusals.flatMap(({ instanceType, zone, capacityType, reservationId, untilMs }) => {
    const offering = names.get(instanceType);
    if (offering?.zone !== zone || offering.capacityType !== capacityType || untilMs === undefined) return [];
    return reservationId === undefined || offering.reservationId === reservationId ? [untilMs] : [];
  });
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b));
}
