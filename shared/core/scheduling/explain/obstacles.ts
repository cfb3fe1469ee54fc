import type { InstanceType, Offering, Resources } from "../../model/index.ts";
import { labels, own } from "../../model/index.ts";
import { type Requirement, Requirements, wellKnownLabels } from "../../requirements/index.ts";
import { subtractResources } from "../../resources/index.ts";
import { type Daemon, runsOnType, toleratesAll } from "../daemons.ts";
import { limitsExceeded } from "../limits.ts";
import type { Pool } from "../pool.ts";
import { offeringAllows, reservationIdLabel, typeMeets } from "../pool-space.ts";
import type { World } from "../world.ts";

/**
 * Kinds of things that keep a pod off a type, in the order in which people can do something about them: wait, raise a limit,
 * tolerate, ask for another place, for less, for other labels; change the pool.
 */
export const obstacleKinds = [
  "refused",
  "reservation",
  "limit",
  "taint",
  "port",
  "image",
  "place",
  "daemons",
  "resource",
  "label",
  "pool",
] as const;
export type ObstacleKind = (typeof obstacleKinds)[number];

/** One thing that would have to be lifted. `what`: the label's key, the resource, the taint, the port. */
export interface Obstacle {
  readonly kind: ObstacleKind;
  readonly what: string;
}

/** A type as a pool would sell it for one ask: everything but the amounts that are asked for. */
export interface TypeView {
  readonly type: InstanceType;
  /** In the best of its offerings. */
  readonly obstacles: readonly Obstacle[];
  readonly offering: Offering;
  /** Allocatable less DaemonSets. */
  readonly room: Resources;
  /** What the DaemonSets alone are too much for, sorted: empty but on the smallest types. */
  readonly overfull: readonly string[];
  /** Of the obstacles, worked out once. */
  readonly weight: number;
}

/** Labels that an offering settles, not the type. */
const placeKeys: readonly string[] = [
  labels.zone,
  labels.zoneId,
  labels.capacityType,
  reservationIdLabel,
  "karpenter.k8s.aws/capacity-reservation-type",
  "karpenter.k8s.aws/capacity-reservation-interruptible",
];

/** A requirement as a whole, to be asked of types and offerings by itself. */
interface Single {
  readonly key: string;
  readonly alone: Requirements;
}

const singles = (requirements: Iterable<Requirement>): readonly Single[] =>
  [...requirements].map((requirement) => ({ key: requirement.key, alone: Requirements.from([requirement]) }));

const isPlace = ({ key }: Single): boolean => placeKeys.includes(key);

/** How many slots of a reservation are left; undefined: it is none of the pool's. */
export type SlotsLeft = (reservationId: string) => number | undefined;

/**
 * Every given type with what stands between it and a pod that wants these labels. What no type can change (taints, labels
 * that the pool does not give) is not in it: `poolObstacles` says that.
 */
export function viewTypes(
  world: World,
  pool: Pool,
  types: readonly InstanceType[],
  wanted: Requirements,
  slotsLeft: SlotsLeft,
): readonly TypeView[] {
  const pods = singles(wanted);
  const ours = singles(pool.template);
  const [podPlaces, podLabels] = [pods.filter(isPlace), pods.filter((one) => !isPlace(one))];
  const [poolPlaces, poolLabels] = [ours.filter(isPlace), ours.filter((one) => !isPlace(one))];
  const imageless = new Set(pool.imageless);
  const daemons = daemonsOf(world, pool, wanted);
  return types.map((type) => {
    const obstacles: Obstacle[] = [];
    if (imageless.has(type)) obstacles.push({ kind: "image", what: pool.nodeClass.name });
    for (const { key, alone } of podLabels) if (!typeMeets(type, alone)) obstacles.push({ kind: "label", what: key });
    for (const { key, alone } of poolLabels) if (!typeMeets(type, alone)) obstacles.push({ kind: "pool", what: key });
    const best = bestOffering(type.offerings, podPlaces, poolPlaces, slotsLeft);
    const all = [...obstacles, ...best.obstacles];
    const room = roomOf(type, daemons);
    const overfull = daemons.length === 0 ? nothing : namesBelowZero(room);
    return { type, offering: best.offering, obstacles: all, room, overfull, weight: weightOf(all) };
  });
}

function bestOffering(
  offerings: readonly Offering[],
  podPlaces: readonly Single[],
  poolPlaces: readonly Single[],
  slotsLeft: SlotsLeft,
): { readonly offering: Offering; readonly obstacles: readonly Obstacle[] } {
  const judged = offerings.map((offering) => {
    const obstacles: Obstacle[] = [];
    const { reservationId, reservationCount = 0 } = offering;
    if (reservationId !== undefined && Math.min(reservationCount, slotsLeft(reservationId) ?? 0) <= 0) {
      obstacles.push({ kind: "reservation", what: reservationId });
    } else if (!offering.available) obstacles.push({ kind: "refused", what: "" });
    for (const { key, alone } of podPlaces) {
      if (!offeringAllows(offering, alone)) obstacles.push({ kind: "place", what: key });
    }
    for (const { key, alone } of poolPlaces) {
      if (!offeringAllows(offering, alone)) obstacles.push({ kind: "pool", what: key });
    }
    return { offering, obstacles, weight: weightOf(obstacles) };
  });
  return judged.reduce((a, b) =>
    b.weight < a.weight || (b.weight === a.weight && b.offering.priceMicroUsd < a.offering.priceMicroUsd) ? b : a,
  );
}

/** What one more obstacle weighs, however easily it is lifted. */
export const weightEach = 1_000;
const rank = new Map(obstacleKinds.map((kind, at) => [kind, at]));

function weightOfKind(kind: ObstacleKind): number {
  return weightEach + rank.get(kind)!;
}

/** Fewer obstacles weigh less, and of as many those that are easier to lift. */
export function weightOf(obstacles: readonly Obstacle[]): number {
  let weight = 0;
  for (const { kind } of obstacles) weight += weightOfKind(kind);
  return weight;
}

const nothing: readonly string[] = [];

function namesBelowZero(room: Resources): readonly string[] {
  return Object.keys(room)
    .filter((name) => room[name]! < 0)
    .sort();
}

/** DaemonSets that run on nodes of the pool that such a pod gets. */
function daemonsOf(
  world: World,
  pool: Pool,
  wanted: Requirements,
): readonly { daemon: Daemon; asks: Requirements[] }[] {
  const template = pool.template.compatible(wanted, { allowUndefined: wellKnownLabels })
    ? pool.template.intersection(wanted)
    : pool.template;
  return world.daemons
    .filter((daemon) => toleratesAll(daemon, pool.nodePool.taints))
    .map((daemon) => ({
      daemon,
      asks: daemon.selection.alternatives
        .map((ask) => world.asks.get(ask))
        .filter((ask) => template.compatible(ask, { allowUndefined: wellKnownLabels })),
    }))
    .filter(({ asks }) => asks.length > 0);
}

function roomOf(type: InstanceType, daemons: ReturnType<typeof daemonsOf>): Resources {
  let room = type.allocatable;
  for (const { daemon, asks } of daemons) {
    if (!runsOnType(daemon, type) || !asks.some((ask) => typeMeets(type, ask))) continue;
    room = subtractResources(room, daemon.requests);
  }
  return room;
}

/** Amounts that a type lacks for these requests, with the limits that it would exceed. */
export function amountObstacles(
  { type, room, overfull }: TypeView,
  requests: Resources,
  remaining: Resources,
): Obstacle[] {
  const obstacles: Obstacle[] = limitsExceeded(remaining, type.capacity).map((what) => ({ kind: "limit", what }));
  for (const what of Object.keys(requests).sort()) {
    if (requests[what]! > 0 && requests[what]! > (own(room, what) ?? 0)) obstacles.push({ kind: "resource", what });
  }
  for (const what of overfull) if (!((own(requests, what) ?? 0) > 0)) obstacles.push({ kind: "daemons", what });
  return obstacles;
}

/** The weight of `amountObstacles` and of the view's own, without making them: asked of every type for every class. */
export function weightFor(
  view: TypeView,
  names: readonly string[],
  requests: Resources,
  remaining: Resources,
  limited: boolean,
): number {
  const { room, overfull, type } = view;
  let weight = view.weight;
  if (limited) weight += limitsExceeded(remaining, type.capacity).length * weightOfKind("limit");
  for (const name of names) if (requests[name]! > (own(room, name) ?? 0)) weight += weightOfKind("resource");
  for (const name of overfull) if (!names.includes(name)) weight += weightOfKind("daemons");
  return weight;
}
