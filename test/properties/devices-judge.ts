// An independent judge of devices: hands them out as kube-scheduler does, device by device, pod by pod, in any order of the
// pods, with going back within a pod's own claims. Slow, obvious, and without a line of the solver.
import { declaredDevices } from "../../shared/core/catalog/index.ts";
import type {
  Device,
  DeviceAsk,
  DeviceDemand,
  Pod,
  ProvisioningPlan,
  Snapshot,
} from "../../shared/core/model/index.ts";
import { meanings } from "./device-worlds.ts";
import { keyOf } from "./feasibility.ts";

interface Card {
  readonly driver: string;
  readonly device: Device;
  readonly isTaken: boolean;
}

function isWanted({ deviceClass, selectors }: DeviceAsk, { driver, device }: Card): boolean {
  return driver === deviceClass && selectors.every((one) => meanings[one]!(device));
}

function demandOf(world: Snapshot, pod: Pod): DeviceDemand {
  const { templateName } = pod.resourceClaims[0]!;
  return world.resourceClaimTemplates.find(({ name }) => name === templateName)!.demand;
}

/** Every hand-out of cards to the requests from `at` on, in order of the cards; `visit` true: that one will do. */
function handOut(
  demand: DeviceDemand,
  cards: readonly Card[],
  at: number,
  given: ReadonlySet<number>,
  mine: ReadonlySet<number>,
  visit: (given: ReadonlySet<number>) => boolean,
): boolean {
  const { requests, constraints } = demand;
  const isAlike = (some: ReadonlySet<number>): boolean =>
    constraints.every(({ matchAttribute }) => {
      const values = [...some].map((index) => JSON.stringify(cards[index]!.device.attributes[matchAttribute]));
      return values.every((value) => value !== undefined && value === values[0]);
    });
  const request = requests[at];
  if (request === undefined) return visit(given);
  return request.alternatives.some((ask) => {
    const wanted = cards.flatMap((card, index) => (isWanted(ask, card) ? [index] : []));
    const isFree = (index: number): boolean => !cards[index]!.isTaken && !given.has(index);
    if (ask.count === "all") {
      if (wanted.length === 0 || !wanted.every(isFree)) return false;
      const all = new Set([...mine, ...wanted]);
      return isAlike(all) && handOut(demand, cards, at + 1, new Set([...given, ...wanted]), all, visit);
    }
    const pick = (from: number, count: number, chosen: readonly number[]): boolean => {
      const all = new Set([...mine, ...chosen]);
      if (!isAlike(all)) return false;
      if (count === 0) return handOut(demand, cards, at + 1, new Set([...given, ...chosen]), all, visit);
      return wanted.some(
        (index, place) => place >= from && isFree(index) && pick(place + 1, count - 1, [...chosen, index]),
      );
    };
    return pick(0, ask.count, []);
  });
}

function orders<T>(all: readonly T[]): T[][] {
  if (all.length <= 1) return [[...all]];
  return all.flatMap((one, at) => orders(all.filter((_, other) => other !== at)).map((rest) => [one, ...rest]));
}

/** In this order each pod takes the first devices that will do for it: what kube-scheduler does. */
function takesInOrder(demands: readonly DeviceDemand[], cards: readonly Card[]): boolean {
  let given: ReadonlySet<number> = new Set();
  return demands.every((one) =>
    handOut(one, cards, 0, given, new Set(), (more) => {
      given = more;
      return true;
    }),
  );
}

/** Some way to hand the devices out gives every pod its own. */
function canTake(
  [first, ...rest]: readonly DeviceDemand[],
  cards: readonly Card[],
  given: ReadonlySet<number>,
): boolean {
  if (first === undefined) return true;
  return handOut(first, cards, 0, given, new Set(), (more) => canTake(rest, cards, more));
}

function cardsOfType(world: Snapshot, type: string): Card[] {
  const described = world.catalog.instanceTypes.find(({ InstanceType }) => InstanceType === type)!;
  return declaredDevices(described).flatMap(({ driver, devices }) =>
    devices.map((device) => ({ driver, device, isTaken: false })),
  );
}

function cardsOfNode(world: Snapshot, node: string): Card[] {
  const taken = world.resourceClaims.flatMap(({ allocation }) =>
    (allocation?.devices ?? []).map(({ pool, device }) => `${pool} ${device}`),
  );
  return world.resourceSlices
    .filter(({ nodeName }) => nodeName === node)
    .flatMap(({ driver, devices }) =>
      devices.map((device) => ({ driver, device, isTaken: taken.includes(`${node} ${device.name}`) })),
    );
}

/** Places of the plan where the pods do not all find their devices. `inAnyOrder`: whoever comes first. */
export function deviceFaults(world: Snapshot, plan: ProvisioningPlan, inAnyOrder: boolean): string[] {
  const podOf = new Map(world.pods.map((pod) => [keyOf(pod), pod]));
  const judge = (place: string, pods: readonly string[], cards: readonly Card[]): string[] => {
    const demands = pods.map((key) => demandOf(world, podOf.get(key)!));
    // Pods in more orders than of five are many, and alike.
    const isRight = inAnyOrder
      ? orders(demands.slice(0, 5)).every((some) => takesInOrder([...some, ...demands.slice(5)], cards))
      : canTake(demands, cards, new Set());
    return isRight ? [] : [`${place}: ${pods.join(", ")}`];
  };
  return [
    ...plan.claims.flatMap(({ instanceTypes, pods }) =>
      instanceTypes.flatMap((type) => judge(type, pods, cardsOfType(world, type))),
    ),
    ...plan.placements.flatMap(({ target, pods }) => {
      const { nodeName } = world.claims.find(({ name }) => name === target)!;
      return judge(target, pods, cardsOfNode(world, nodeName!));
    }),
  ];
}

/** Pods without a place though a new node of some type would have their devices. */
export function missedByDevices(world: Snapshot, plan: ProvisioningPlan): string[] {
  const unplaced = new Set(plan.unschedulable.map(({ pod }) => pod));
  return world.pods
    .filter((pod) => unplaced.has(keyOf(pod)))
    .flatMap((pod) =>
      world.catalog.instanceTypes
        .filter(({ InstanceType }) => canTake([demandOf(world, pod)], cardsOfType(world, InstanceType), new Set()))
        .map(({ InstanceType }) => `${keyOf(pod)} on ${InstanceType}`),
    );
}
