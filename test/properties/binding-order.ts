// The judge of order: kube-scheduler looks at other pods when it binds one, so that a plan is right only if its pods can be bound
// one after the other. Required spread and affinity are asked again at each pod's turn, of those that are bound by then;
// what keeps pods apart holds in every order if it holds in the end.
import type { Pod, ProvisioningPlan, Snapshot } from "../../shared/core/model/index.ts";
import { afterPlan, nearFaults, type Place, spreadFaults } from "./neighbours.ts";

const attempts = 60;

/** A pod of the plan with its place, as an index. */
interface Turn {
  readonly pod: Pod;
  readonly at: number;
}

/** The pods that are left over in the best order that was found, each with what is in its way; empty: all are bound. */
export function orderFaults(world: Snapshot, plan: ProvisioningPlan): string[] {
  const places = afterPlan(world, plan);
  let turns: Turn[] = places.flatMap(({ fresh }, at) => fresh.map((pod) => ({ pod, at })));
  let best: string[] | undefined;
  for (let attempt = 0; attempt < attempts && best?.length !== 0; attempt++) {
    const left = bindAll(world, places, turns);
    if (best === undefined || left.length < best.length) best = left.map(({ fault }) => fault);
    const late = new Set(left.map(({ turn }) => turn));
    const mixed = shuffled(turns, attempt);
    turns = [...mixed.filter((turn) => late.has(turn)), ...mixed.filter((turn) => !late.has(turn))];
  }
  return best ?? [];
}

/** Always binds the first in line that may go where the plan has it. Those that are left. */
function bindAll(world: Snapshot, places: readonly Place[], turns: readonly Turn[]): { turn: Turn; fault: string }[] {
  const now = places.map((place) => ({
    ...place,
    pods: place.pods.filter((pod) => !place.fresh.includes(pod)),
    fresh: [],
  }));
  const waiting = [...turns];
  for (;;) {
    const next = waiting.findIndex((turn) => faultOf(world, now, turn) === undefined);
    if (next < 0) break;
    const [{ pod, at }] = waiting.splice(next, 1) as [Turn];
    now[at]!.pods.push(pod);
  }
  return waiting.map((turn) => ({ turn, fault: faultOf(world, now, turn)! }));
}

/** What is in the pod's way with those that are bound so far. */
function faultOf(world: Snapshot, now: readonly Place[], { pod, at }: Turn): string | undefined {
  const hard = pod.topologySpread.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === "DoNotSchedule");
  if (hard.length + pod.requiredPodAffinity.length === 0) return undefined;
  const place = { ...now[at]!, pods: [...now[at]!.pods, pod] };
  const places = now.map((one, index) => (index === at ? place : one));
  for (const constraint of hard) {
    const [fault] = spreadFaults(places, place, pod, constraint);
    if (fault !== undefined) return fault;
  }
  for (const term of pod.requiredPodAffinity) {
    const [fault] = nearFaults(world, places, place, pod, term);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** In an order that the seed alone decides. */
function shuffled(turns: readonly Turn[], seed: number): Turn[] {
  const deck = [...turns];
  let state = seed + 1;
  for (let at = deck.length - 1; at > 0; at--) {
    state = (state * 48_271) % 2_147_483_647;
    const other = state % (at + 1);
    [deck[at], deck[other]] = [deck[other]!, deck[at]!];
  }
  return deck;
}
