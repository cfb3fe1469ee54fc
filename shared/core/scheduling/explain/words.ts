import { labels, own, type Pod } from "../../model/index.ts";
import { wellKnownLabels } from "../../requirements/index.ts";
import { nodeNameKey } from "../asks.ts";
import { imageLack } from "../bootable-types.ts";
import { atLeast, atMost } from "../readable-amounts.ts";
import type { PlannedPod } from "../volumes/volumes.ts";
import type { Obstacle } from "./obstacles.ts";
import type { Fit, PoolMiss } from "./pool-miss.ts";

const namedTypes = 3;
const namedKinds = 2;

/** Resources that every type has some of: the others tell types apart. */
const plainResources: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage", "pods"]);

/** Amounts that Kubernetes knows no resource for (attachments of volumes): no name of one has a space. */
const isOurs = (name: string): boolean => name.includes(" ");

/** The nearest miss in one sentence, without a full stop. */
export function wordsOf(miss: PoolMiss): string {
  const { obstacles, nearest, pool, pod, floor } = miss;
  if (obstacles.length === 0) {
    if (floor !== undefined) {
      return `only ${floor.found} values of ${floor.key} are left for this pod, and the NodePool wants at least ${floor.minValues}`;
    }
    if (nearest.length === 0) return imageLack(pool, pod, miss.wanted) ?? noTypes(miss);
    return "a node of it would hold the pod; what the pod asks of other pods, or they of it, is in the way";
  }
  const said = isTornBetweenResources(miss) ? [tornWords(miss)] : obstacles.map((one) => obstacleWords(miss, one));
  // What comes from the node class alone says enough: no type was left to look at.
  if (nearest.length === 0 && !obstacles.some(({ kind }) => kind === "taint")) said.push(noTypes(miss));
  return `${[...new Set(said)].join("; and ")}${keptOutWords(miss)}`;
}

function noTypes({ pool }: PoolMiss): string {
  return pool.imageless.length > 0
    ? `no image of EC2NodeClass "${pool.nodeClass.name}" boots any of its instance types`
    : "no instance type meets the NodePool's requirements";
}

function obstacleWords(miss: PoolMiss, { kind, what }: Obstacle): string {
  const { nearest, pod, wanted, pool } = miss;
  switch (kind) {
    case "taint":
      return `its taint ${what} is not tolerated`;
    case "port":
      return `host port ${what} on every node of it`;
    case "image":
      return imageLack(pool, pod, wanted) ?? noTypes(miss);
    case "refused":
      return refusedWords(miss);
    case "reservation":
      return `its reservation ${what} has no instance left`;
    case "limit":
      return limitWords(miss, what);
    case "place":
      return `${subject(miss)} sold only ${soldAs(nearest, what)}; ${asking(pod, what)} ${wanted.get(what)}`;
    case "label":
      return labelWords(miss, what);
    case "daemons":
      return `its DaemonSets alone are more than any instance type that the pod allows can hold (${what})`;
    case "resource":
      return resourceWords(miss, what);
    case "pool":
      return poolWords(miss, what);
  }
}

/** Who wants the label so: the pod itself, or its volumes, which are reached from some nodes only. */
function asking(pod: PlannedPod, key: string): string {
  const own = key in pod.nodeSelector || pod.requiredNodeAffinity !== undefined;
  const isReach = pod.reach?.alternatives.some((reach) => reach.has(key)) === true;
  if (!isReach) return "the pod asks for";
  const what = pod.reach?.what ?? "volumes";
  return own ? `the pod and its ${what} ask for` : `the pod's ${what} are reached only from`;
}

/** The types in question, with what tells them apart, and the verb. */
function subject({ nearest, pod }: PoolMiss): string {
  const devices = Object.keys(pod.requests)
    .filter((name) => !plainResources.has(name) && !isOurs(name) && pod.requests[name]! > 0)
    .sort()
    .map((name) => `${name} ${atLeast(pod.requests[name]!, name)}`);
  const having = devices.length === 0 ? "that would hold it" : `with ${devices.join(" and ")}`;
  const names = namesOf(nearest.map(({ type }) => type.name));
  return nearest.length === 1
    ? `the only instance type ${having} (${names}) is`
    : `the ${nearest.length} instance types ${having} (${names}) are`;
}

/** Names in order, cut. */
export function namesOf(all: readonly string[], most = namedTypes): string {
  const names = [...new Set(all)].sort();
  const more = names.length > most ? ` and ${names.length - most} more` : "";
  return `${names.slice(0, most).join(", ")}${more}`;
}

function soldAs(fits: readonly Fit[], key: string): string {
  const values = fits.flatMap(({ type, offering }) => {
    if (key === labels.zone) return type.offerings.map(({ zone }) => zone);
    if (key === labels.zoneId) return type.offerings.map(({ zoneId }) => zoneId);
    if (key === labels.capacityType) return type.offerings.map(({ capacityType }) => capacityType);
    return [offering.reservationId ?? "without a reservation"];
  });
  const preposition = key === labels.capacityType ? "as" : "in";
  return `${preposition} ${namesOf(
    values.filter((value) => value !== ""),
    8,
  )}`;
}

function labelWords(miss: PoolMiss, key: string): string {
  const { wanted, pool, types, meeting } = miss;
  const [asked, given] = [wanted.get(key), pool.template.get(key)];
  if (key === nodeNameKey) {
    const { reach }: PlannedPod = miss.pod;
    return reach?.what === undefined
      ? "the pod asks for a node by its name, which no new node has"
      : `the pod's ${reach.what} are reached only from node ${[...(asked?.values ?? [])].join(" or ")}, which no new node is`;
  }
  if (given !== undefined && asked?.intersects(given) !== true) {
    return `${asking(miss.pod, key)} ${asked}, the NodePool has ${given}`;
  }
  if (key === labels.hostname) return `the pod asks for ${asked}: a node that is there, which no new one can be`;
  if (given === undefined && !wellKnownLabels.has(key)) {
    return `label "${key}" does not have known values: the NodePool neither sets nor requires it (the pod asks for ${asked})`;
  }
  return meeting === 0 ? `none of its ${types} instance types meets ${asked}` : `${subject(miss)} not ${asked}`;
}

function poolWords(miss: PoolMiss, key: string): string {
  const required = miss.pool.template.get(key);
  return `${subject(miss)} sold only ${soldAs(miss.nearest, key)}; the NodePool has ${required}`;
}

function keptOutWords({ keptOut, pool }: PoolMiss): string {
  if (keptOut === undefined) return "";
  const required = keptOut.obstacles.map(({ what }) => pool.template.get(what)).join(" and ");
  return ` (${keptOut.type.name} would do, but the NodePool has ${required})`;
}

function refusedWords({ nearest, refusedUntilMs }: PoolMiss): string {
  const names = namesOf(nearest.map(({ type }) => type.name));
  const until = refusedUntilMs === undefined ? "" : `; tried again from ${new Date(refusedUntilMs).toISOString()} on`;
  const which =
    nearest.length === 1 ? "the only instance type that fits" : `any of the ${nearest.length} instance types that fit`;
  return `EC2 has no capacity now for ${which} (${names})${until}`;
}

function limitWords({ pool, remaining, before, nearest }: PoolMiss, name: string): string {
  const limit = atMost(pool.nodePool.limits[name] ?? 0, name);
  const left = atMost(Math.max(0, remaining[name] ?? 0), name);
  const others = remaining[name] === before[name] ? "" : " after this plan's other nodes";
  const [least] = nearest
    .map(({ type }) => ({ name: type.name, amount: name === "nodes" ? 1 : (own(type.capacity, name) ?? 0) }))
    .sort((a, b) => a.amount - b.amount || (a.name < b.name ? -1 : 1));
  const needed =
    least === undefined || name === "nodes"
      ? ""
      : `, and the smallest that fits, ${least.name}, has ${atMost(least.amount, name)}`;
  return `its limits allow no further node that could hold the pod: ${name} ${limit}, of which ${left} is left${others}${needed}`;
}

function resourceWords({ nearest, pod }: PoolMiss, name: string): string {
  const asked = atLeast(pod.requests[name]!, name);
  const best = nearest.reduce((a, b) => ((own(b.room, name) ?? 0) > (own(a.room, name) ?? 0) ? b : a));
  const room = own(best.room, name) ?? 0;
  const whole = own(best.type.allocatable, name) ?? 0;
  if (whole <= 0 && name.startsWith("devices "))
    return `no instance type that it allows has the ${name} of the pod's claims`;
  if (whole <= 0) return `no instance type that it allows has ${name}; the pod asks for ${asked}`;
  const daemons = whole > room ? ` after ${atLeast(whole - room, name)} for DaemonSets` : "";
  return `the most ${name} that a node of it can give is ${atMost(Math.max(0, room), name)} (${best.type.name}${daemons}); the pod asks for ${asked}`;
}

/** One type lacks this, another that: no resource by itself is at fault. */
function isTornBetweenResources({ obstacles, instead }: PoolMiss): boolean {
  const isAmount = (one: readonly Obstacle[]): boolean => one.every(({ kind }) => kind === "resource");
  return isAmount(obstacles) && instead.some((one) => isAmount(one.obstacles));
}

function tornWords({ nearest, instead, pod }: PoolMiss): string {
  const seen = new Set<string>();
  const kinds = [nearest[0]!, ...instead].flatMap((one) => {
    const lacking = one.obstacles.filter(({ kind }) => kind === "resource").map(({ what }) => what);
    const text = lacking.join();
    if (lacking.length < one.obstacles.length || seen.has(text) || seen.size === namedKinds) return [];
    seen.add(text);
    return [`${one.type.name} has ${lacking.map((name) => shareOf(one, pod, name)).join(" and ")}`];
  });
  return `no single instance type has enough of everything at once: ${kinds.join("; ")}`;
}

export function shareOf({ room }: Pick<Fit, "room">, { requests }: Pick<Pod, "requests">, name: string): string {
  return `${atMost(Math.max(0, own(room, name) ?? 0), name)} of the ${name} ${atLeast(requests[name]!, name)}`;
}
