// Stands for the in-cluster relay of the embedded world: it sees what changed, waits until the burst is quiet, and wakes
// the function that should look. It decides nothing, and its wakes carry no facts. The one thing it writes is the time of
// the last pod event on a NodeClaim, which no snapshot could show.
import type { Wakes, WakeTarget } from "../shared/ports/index.ts";
import type { WorldClock } from "./clock.ts";
import { isTerminal } from "./cluster/replica-set.ts";
import type { KubeObject, ObjectStore, WatchEvent } from "./kube/types.ts";

export interface WatcherOptions {
  readonly store: ObjectStore;
  readonly clock: WorldClock;
  readonly wakes: Wakes;
  readonly cluster: string;
  /** A burst ends when it was quiet for this long … */
  readonly idleMs?: number;
  /** … and at the latest after this long (Karpenter's batch windows). */
  readonly longestMs?: number;
  /** Wakes are repeated this often while pods stay pending. */
  readonly repeatMs?: number;
  onError(component: string, key: string, error: unknown): void;
}

/** lastPodEventTime is written at most this often for each claim, as Karpenter does. */
const podEventGapMs = 10_000;

interface Coalescer {
  note(): void;
  stop(): void;
}

function coalesce(clock: WorldClock, idleMs: number, longestMs: number, fire: () => void): Coalescer {
  let firstMs: number | undefined;
  let cancel: (() => void) | undefined;
  return {
    note() {
      firstMs ??= clock.now();
      cancel?.();
      cancel = clock.after(Math.min(idleMs, Math.max(0, firstMs + longestMs - clock.now())), () => {
        firstMs = undefined;
        cancel = undefined;
        fire();
      });
    },
    stop: () => cancel?.(),
  };
}

function isWaiting(pod: KubeObject): boolean {
  return pod.spec.nodeName === undefined && pod.metadata.deletionTimestamp === undefined && !isTerminal(pod);
}

/** Starts it; returns the function that stops it. */
export function startWatcher(options: WatcherOptions): () => void {
  const { store, clock, wakes, cluster, idleMs = 1_000, longestMs = 10_000, repeatMs = 10_000 } = options;
  const send = (target: WakeTarget) => {
    const wake = { cluster, target, atLeast: store.resourceVersion() };
    wakes.send(wake).catch((error: unknown) => options.onError("watcher", target, error));
  };
  const noters = {
    provision: coalesce(clock, idleMs, longestMs, () => send("provision")),
    // One change of a node is worth a look at once: joining nodes should not wait for each other.
    lifecycle: coalesce(clock, 200, 1_000, () => send("lifecycle")),
    disrupt: coalesce(clock, idleMs, longestMs, () => send("disrupt")),
    "resolve-node-classes": coalesce(clock, 200, 1_000, () => send("resolve-node-classes")),
  };
  const podEvents = notePodEvents(options);
  const waiting = new Set<string>();
  const boundTo = new Map<string, string>();

  const onPod = ({ type, object: pod }: WatchEvent) => {
    const uid = pod.metadata.uid!;
    const gone = type === "DELETED";
    if (!gone && isWaiting(pod)) {
      waiting.add(uid);
      noters.provision.note();
      return;
    }
    waiting.delete(uid);
    const node = pod.spec.nodeName;
    if (node === undefined) return;
    // Bound, ended, being deleted and gone are the events that restart consolidateAfter.
    const state = gone || isTerminal(pod) ? "over" : pod.metadata.deletionTimestamp !== undefined ? "ending" : "bound";
    if (boundTo.get(uid) === state) return;
    if (gone) boundTo.delete(uid);
    else boundTo.set(uid, state);
    podEvents.note(node);
    noters.disrupt.note();
    if (state !== "bound") noters.lifecycle.note();
  };

  const ends = [
    store.watch("pods", { sendInitial: true }, (event) => {
      if (event.type !== "BOOKMARK") onPod(event);
    }),
    ...(["nodes", "nodeclaims.karpenter.sh"] as const).map((resource) =>
      store.watch(resource, { sendInitial: true }, (event) => {
        if (event.type === "BOOKMARK") return;
        noters.lifecycle.note();
        if (resource === "nodes") noters.disrupt.note();
      }),
    ),
    ...["nodepools.karpenter.sh", "ec2nodeclasses.karpenter.k8s.aws"].map((resource) => {
      const generations = new Map<string, number | undefined>();
      return store.watch(resource, { sendInitial: true }, ({ type, object }) => {
        if (type === "BOOKMARK") return;
        // Status is written by us: only what people change is news.
        const generation = type === "DELETED" ? -1 : object.metadata.generation;
        const ready = object.status?.conditions?.find((c: { type: string }) => c.type === "Ready")?.status;
        const known = generations.get(object.metadata.uid!);
        generations.set(object.metadata.uid!, generation);
        if (known !== generation) noters["resolve-node-classes"].note();
        if (known !== generation || ready === "True") noters.provision.note();
      });
    }),
  ];
  const repeat = () => {
    if (waiting.size > 0) send("provision");
    cancelRepeat = clock.after(repeatMs, repeat);
  };
  let cancelRepeat = clock.after(repeatMs, repeat);
  return () => {
    for (const end of ends) end();
    for (const noter of Object.values(noters)) noter.stop();
    cancelRepeat();
    podEvents.stop();
  };
}

/** Writes `status.lastPodEventTime` of the claim of a node: at once, then at most every ten seconds. */
function notePodEvents({ store, clock, onError }: WatcherOptions): { note(node: string): void; stop(): void } {
  const pending = new Map<string, () => void>();
  const writtenAtMs = new Map<string, number>();
  const write = (node: string) => {
    pending.delete(node);
    writtenAtMs.set(node, clock.now());
    const claim = store.list("nodeclaims.karpenter.sh").items.find((c) => c.status?.nodeName === node);
    if (claim === undefined) return;
    try {
      const lastPodEventTime = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
      const body = { status: { lastPodEventTime } };
      store.patch("nodeclaims.karpenter.sh", { name: claim.metadata.name! }, "merge", body, { subresource: "status" });
    } catch (error) {
      onError("watcher", `lastPodEventTime of ${claim.metadata.name}`, error);
    }
  };
  return {
    note(node) {
      if (pending.has(node)) return;
      const waitMs = Math.max(0, (writtenAtMs.get(node) ?? 0) + podEventGapMs - clock.now());
      pending.set(
        node,
        clock.after(waitMs, () => write(node)),
      );
    },
    stop() {
      for (const cancel of pending.values()) cancel();
    },
  };
}
