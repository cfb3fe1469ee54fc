// An order in which a plan's pods can be bound one by one, looked for with the embedded world's filters. A rule between
// pods holds at the moment of binding, so that the order matters: a pod that wants company comes after it, one that spreads
// among others before they have filled its domain.
import { neighbourFilter } from "../../local/cluster/filters/neighbours.ts";
import { nodeFitFilter } from "../../local/cluster/filters/node-fit.ts";
import type { NodeRoom, Surroundings } from "../../local/cluster/filters/room.ts";
import { addTo, amountsOf, requestsOf } from "../../local/cluster/requests.ts";
import type { KubeObject } from "../../local/kube/types.ts";
import type { Pod, Snapshot } from "../../shared/core/model/index.ts";
import { nodeDocument, podDocument } from "./agreement-documents.ts";
import type { Stage } from "./agreement-stage.ts";

export interface Step {
  readonly pod: Pod;
  /** Where the plan wants it. */
  readonly node: string;
  /** Every node that the filters leave to it at its turn. */
  readonly open: readonly string[];
  /** Why its own node is not among them. */
  readonly refusal?: string;
}

const attempts = 8;
/** Attempts in which pods that are alike change places too. */
const shuffles = 120;

/** The steps of the best order that was found; pods that can never be bound come last, with the reason. */
export function orderOf(world: Snapshot, stage: Stage): Step[] {
  const isRefused = ({ refusal }: Step) => refusal !== undefined;
  let wanted = first(stage.planned, ({ topologySpread }) =>
    topologySpread.some(({ whenUnsatisfiable }) => whenUnsatisfiable === "DoNotSchedule"),
  );
  let best: Step[] | undefined;
  for (let attempt = 0; attempt < attempts + shuffles; attempt++) {
    const steps = tryOrder(world, stage, wanted);
    const left = steps.filter(isRefused);
    if (best === undefined || left.length < best.filter(isRefused).length) best = steps;
    if (left.length === 0) break;
    // Whoever came too late comes first next time, with all that are like it.
    const late = new Set(left.map(({ pod }) => alike(pod)));
    wanted = first(attempt < attempts ? wanted : shuffled(wanted, attempt), (pod) => late.has(alike(pod)));
  }
  return best ?? [];
}

function first(all: Stage["planned"], comesFirst: (pod: Pod) => boolean): Stage["planned"] {
  return [...all.filter(({ pod }) => comesFirst(pod)), ...all.filter(({ pod }) => !comesFirst(pod))];
}

/** In an order that the seed alone decides. */
function shuffled(all: Stage["planned"], seed: number): Stage["planned"] {
  const deck = [...all];
  let state = seed + 1;
  for (let at = deck.length - 1; at > 0; at--) {
    state = (state * 48_271) % 2_147_483_647;
    const other = state % (at + 1);
    [deck[at], deck[other]] = [deck[other]!, deck[at]!];
  }
  return deck;
}

function alike({ namespace, labels, topologySpread, requiredPodAffinity }: Pod): string {
  return JSON.stringify([namespace, labels, topologySpread, requiredPodAffinity]);
}

/** Binds one pod after the other, always the first in line that its node takes. */
function tryOrder(world: Snapshot, stage: Stage, wanted: Stage["planned"]): Step[] {
  const surroundings = surroundingsOf(world, stage);
  const roomOf = new Map(surroundings.rooms.map((room) => [room.node.metadata.name!, room]));
  const waiting = wanted.map((one) => ({ ...one, document: podDocument(one.pod) as KubeObject }));
  const steps: Step[] = [];
  for (;;) {
    const at = waiting.findIndex(({ document, node }) => {
      const room = roomOf.get(node);
      return room !== undefined && refusalOf(document, surroundings, room) === undefined;
    });
    if (at < 0) break;
    const [next] = waiting.splice(at, 1);
    const { pod, node, document } = next!;
    steps.push({ pod, node, open: openTo(document, surroundings) });
    bind(document, roomOf.get(node)!);
  }
  const refused = waiting.map(({ pod, node, document }) => {
    const room = roomOf.get(node);
    const refusal = (room && refusalOf(document, surroundings, room)) ?? "is not there";
    return { pod, node, open: openTo(document, surroundings), refusal };
  });
  return [...steps, ...refused];
}

function surroundingsOf({ namespaces }: Snapshot, { nodes, residents }: Stage): Surroundings {
  const rooms = nodes.map((seen): NodeRoom => {
    const node = nodeDocument(seen) as KubeObject;
    const allocatable = amountsOf(node.status.allocatable, true);
    return { node, allocatable, free: { ...allocatable }, pods: [] };
  });
  for (const { pod, node } of residents)
    bind(podDocument(pod) as KubeObject, rooms.find((room) => room.node.metadata.name === node)!);
  return { rooms, namespaces: new Map(namespaces.map(({ name, labels }) => [name, labels])) };
}

function refusalOf(pod: KubeObject, surroundings: Surroundings, room: NodeRoom): string | undefined {
  return nodeFitFilter(pod, requestsOf(pod))(room) ?? neighbourFilter(pod, surroundings)(room);
}

function openTo(pod: KubeObject, surroundings: Surroundings): string[] {
  const fits = nodeFitFilter(pod, requestsOf(pod));
  const agrees = neighbourFilter(pod, surroundings);
  return surroundings.rooms
    .filter((room) => fits(room) === undefined && agrees(room) === undefined)
    .map(({ node }) => node.metadata.name!)
    .sort();
}

function bind(pod: KubeObject, room: NodeRoom): void {
  addTo(room.free, requestsOf(pod), -1);
  room.pods.push(pod);
}
