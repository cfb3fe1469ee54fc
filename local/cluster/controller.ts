// A work queue over the embedded API's watches: keys are deduplicated, reconciled one after the other, and tried again
// with a growing delay when that throws. What kube-controller-manager's workqueue is to its controllers.
import type { WorldClock } from "../clock.ts";
import { ApiError } from "../kube/status.ts";
import type { KubeObject, ObjectStore, WatchEvent } from "../kube/types.ts";

const firstRetryMs = 200;
const longestRetryMs = 10_000;

export interface ControllerSource {
  readonly resource: string;
  /** Keys to reconcile after this event. */
  keysOf(object: KubeObject, event: WatchEvent): readonly string[];
}

export interface ControllerOptions {
  readonly name: string;
  readonly store: ObjectStore;
  readonly clock: WorldClock;
  readonly sources: readonly ControllerSource[];
  /** Brings the world closer to what the key's object asks for. Returns after how long (ms) to look again, if at all. */
  reconcile(key: string): number | undefined;
  onError(controller: string, key: string, error: unknown): void;
}

/** Starts the controller; returns the function that stops it. */
export function startController(options: ControllerOptions): () => void {
  const { store, clock, reconcile } = options;
  const queue = new Set<string>();
  const failures = new Map<string, number>();
  const timers = new Map<string, () => void>();
  let scheduled = false;
  let stopped = false;

  const enqueue = (key: string) => {
    queue.add(key);
    if (scheduled || stopped) return;
    scheduled = true;
    setImmediate(drain);
  };

  const enqueueAfter = (key: string, ms: number) => {
    timers.get(key)?.();
    timers.set(
      key,
      clock.after(ms, () => {
        timers.delete(key);
        enqueue(key);
      }),
    );
  };

  const drain = () => {
    scheduled = false;
    const keys = [...queue];
    queue.clear();
    for (const key of keys) {
      if (stopped) return;
      try {
        const againMs = reconcile(key);
        failures.delete(key);
        if (againMs !== undefined) enqueueAfter(key, againMs);
      } catch (error) {
        const count = (failures.get(key) ?? 0) + 1;
        failures.set(key, count);
        // A conflict only says that somebody else wrote first: the next look sees it.
        if (!(error instanceof ApiError && error.reason === "Conflict")) options.onError(options.name, key, error);
        enqueueAfter(key, Math.min(longestRetryMs, firstRetryMs * 2 ** (count - 1)));
      }
    }
  };

  const ends = options.sources.map((source) =>
    store.watch(source.resource, { sendInitial: true }, (event) => {
      if (event.type === "BOOKMARK") return;
      for (const key of source.keysOf(event.object, event)) enqueue(key);
    }),
  );
  return () => {
    stopped = true;
    for (const end of ends) end();
    for (const cancel of timers.values()) cancel();
  };
}

/** `namespace/name`. */
export function keyOf(object: KubeObject): string {
  return `${object.metadata.namespace ?? ""}/${object.metadata.name}`;
}

export function splitKey(key: string): { namespace: string; name: string } {
  const slash = key.indexOf("/");
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The key of the controlling owner of that kind, if there is one. */
export function ownerKey(object: KubeObject, kind: string): string[] {
  const owner = object.metadata.ownerReferences?.find((o) => o.controller === true && o.kind === kind);
  return owner === undefined ? [] : [`${object.metadata.namespace ?? ""}/${owner.name}`];
}

/** Objects that this owner controls, in order of name. */
export function controlledBy(store: ObjectStore, resource: string, owner: KubeObject): KubeObject[] {
  const namespace = owner.metadata.namespace;
  return store
    .list(resource, namespace === undefined ? {} : { namespace })
    .items.filter((o) => o.metadata.ownerReferences?.some((r) => r.controller === true && r.uid === owner.metadata.uid))
    .sort((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1));
}
