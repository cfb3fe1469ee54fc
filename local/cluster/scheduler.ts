// Binds pending pods as kube-scheduler would: with its filters for resources, node selection, taints, cordons, host ports,
// topology spread and pod affinity, and a least-allocated score. Of preferences it knows none. Pods whose constraints it
// does not know (volumes, devices) stay pending with that reason, so that nothing is bound where the real scheduler might
// refuse.
import { own } from "../../shared/core/model/index.ts";
import type { WorldClock } from "../clock.ts";
import type { KubeObject, ObjectStore } from "../kube/types.ts";
import { createNeighbourFilters } from "./filters/neighbours.ts";
import { nodeFitFilter } from "./filters/node-fit.ts";
import type { NodeRoom, Surroundings } from "./filters/room.ts";
import { isTerminal } from "./replica-set.ts";
import { type Amounts, addTo, amountsOf, requestsOf } from "./requests.ts";

/** How long after a change the scheduler looks, in the world's time: binds of one burst share a pass. */
const passDelayMs = 100;
const eventWindowMs = 60_000;

function unknownConstraint(pod: KubeObject): string | undefined {
  const spec = pod.spec;
  if (spec.volumes?.some((v: KubeObject) => v.persistentVolumeClaim || v.ephemeral)) return "volume claims";
  if (spec.resourceClaims?.length) return "resource claims";
  return undefined;
}

/** Share of cpu and memory left after the pod, averaged: higher is emptier. */
function score(requests: Amounts, room: NodeRoom): number {
  return ["cpu", "memory"].reduce((sum, name) => {
    const total = own(room.allocatable, name) ?? 0;
    return total === 0 ? sum : sum + ((own(room.free, name) ?? 0) - (own(requests, name) ?? 0)) / total / 2;
  }, 0);
}

function readRooms(store: ObjectStore, pods: readonly KubeObject[]): NodeRoom[] {
  const rooms = new Map<string, NodeRoom>();
  for (const node of store.list("nodes").items) {
    const allocatable = amountsOf(node.status?.allocatable, true);
    rooms.set(node.metadata.name!, { node, allocatable, free: { ...allocatable }, pods: [] });
  }
  for (const pod of pods) {
    const room = pod.spec.nodeName === undefined ? undefined : rooms.get(pod.spec.nodeName);
    if (room === undefined || isTerminal(pod)) continue;
    addTo(room.free, requestsOf(pod), -1);
    room.pods.push(pod);
  }
  return [...rooms.values()].sort((a, b) => (a.node.metadata.name! < b.node.metadata.name! ? -1 : 1));
}

function byUrgency(a: KubeObject, b: KubeObject): number {
  const priority = (b.spec.priority ?? 0) - (a.spec.priority ?? 0);
  if (priority !== 0) return priority;
  const made = Date.parse(a.metadata.creationTimestamp!) - Date.parse(b.metadata.creationTimestamp!);
  return made !== 0 ? made : a.metadata.name! < b.metadata.name! ? -1 : 1;
}

function reportUnschedulable(store: ObjectStore, clock: WorldClock, pod: KubeObject, message: string): void {
  const key = { namespace: pod.metadata.namespace!, name: pod.metadata.name! };
  const before = pod.status?.conditions?.find((c: { type: string }) => c.type === "PodScheduled");
  if (before?.message === message) return;
  const at = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
  store.modify(
    "pods",
    key,
    (draft) => {
      const others = (draft.status?.conditions ?? []).filter((c: { type: string }) => c.type !== "PodScheduled");
      const condition = {
        type: "PodScheduled",
        status: "False",
        reason: "Unschedulable",
        message,
        lastTransitionTime: at,
      };
      draft.status = { ...draft.status, conditions: [...others, condition] };
    },
    { subresource: "status" },
  );
  const window = Math.floor(clock.now() / eventWindowMs);
  const name = `${key.name}.scheduling-${window.toString(36)}`;
  if (store.find("events", { namespace: key.namespace, name }) !== undefined) return;
  store.create("events", {
    apiVersion: "v1",
    kind: "Event",
    metadata: { namespace: key.namespace, name },
    involvedObject: { apiVersion: "v1", kind: "Pod", ...key, uid: pod.metadata.uid! },
    type: "Warning",
    reason: "FailedScheduling",
    message,
    source: { component: "default-scheduler" },
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
  });
}

/** One look at all nodes, for any number of pods. */
interface Pass extends Surroundings {
  readonly neighbours: ReturnType<typeof createNeighbourFilters>;
}

function openPass(store: ObjectStore, pods: readonly KubeObject[]): Pass {
  const rooms = readRooms(store, pods);
  const namespaces = new Map(
    store.list("namespaces").items.map(({ metadata: { name, labels } }) => [name!, labels ?? {}]),
  );
  return { rooms, namespaces, neighbours: createNeighbourFilters({ rooms, namespaces }) };
}

function place(store: ObjectStore, clock: WorldClock, pod: KubeObject, { rooms, neighbours }: Pass): void {
  const unknown = unknownConstraint(pod);
  if (unknown !== undefined) {
    reportUnschedulable(store, clock, pod, `this scheduler does not know ${unknown}; the pod stays pending`);
    return;
  }
  const requests = requestsOf(pod);
  const ofNode = nodeFitFilter(pod, requests);
  const ofNeighbours = neighbours.for(pod);
  const refusals = new Map<string, number>();
  let best: NodeRoom | undefined;
  for (const room of rooms) {
    const reason = ofNode(room) ?? ofNeighbours(room);
    if (reason !== undefined) refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
    else if (best === undefined || score(requests, room) > score(requests, best)) best = room;
  }
  if (best === undefined) {
    const reasons = [...refusals].sort().map(([reason, count]) => `${count} ${reason}`);
    const detail = reasons.length > 0 ? `: ${reasons.join(", ")}` : "";
    reportUnschedulable(store, clock, pod, `0/${rooms.length} nodes are available${detail}`);
    return;
  }
  store.bind({ namespace: pod.metadata.namespace!, name: pod.metadata.name! }, best.node.metadata.name!);
  addTo(best.free, requests, -1);
  best.pods.push(pod);
  neighbours.forget();
}

/** Starts the scheduler; returns the function that stops it. */
export function startScheduler(options: {
  store: ObjectStore;
  clock: WorldClock;
  onError(component: string, key: string, error: unknown): void;
}): () => void {
  const { store, clock } = options;
  let cancel: (() => void) | undefined;

  const pass = () => {
    cancel = undefined;
    const pods = store.list("pods").items;
    const waiting = pods.filter(
      (p) =>
        p.spec.nodeName === undefined &&
        p.metadata.deletionTimestamp === undefined &&
        !isTerminal(p) &&
        !p.spec.schedulingGates?.length &&
        (p.spec.schedulerName ?? "default-scheduler") === "default-scheduler",
    );
    if (waiting.length === 0) return;
    const opened = openPass(store, pods);
    for (const pod of waiting.sort(byUrgency)) {
      try {
        place(store, clock, pod, opened);
      } catch (error) {
        options.onError("scheduler", `${pod.metadata.namespace}/${pod.metadata.name}`, error);
      }
    }
  };

  const wake = () => {
    cancel ??= clock.after(passDelayMs, pass);
  };
  const ends = ["pods", "nodes"].map((resource) => store.watch(resource, { sendInitial: true }, wake));
  return () => {
    for (const end of ends) end();
    cancel?.();
  };
}
