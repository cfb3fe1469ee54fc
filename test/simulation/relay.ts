// The relay of the world without sockets: the relay's own view, rules, windows, outbox and pod events in virtual time. Only
// what reads an API server is left out: what the memory cluster holds is put into the view as it is.

import { kinds } from "../../relay/objects.ts";
import { notePodEvents } from "../../relay/pod-events.ts";
import { createView } from "../../relay/view.ts";
import { coalesce } from "../../relay/wakes/coalesce.ts";
import { createOutbox } from "../../relay/wakes/outbox.ts";
import { repeatWhilePending } from "../../relay/wakes/pending-pods.ts";
import { relayTargets, surroundingsIn, wakeRules } from "../../relay/wakes/rules.ts";
import { windowsFor } from "../../relay/wakes/windows.ts";
import type { MemoryCluster } from "../../shared/adapters/memory/cluster.ts";
import type { Clock, Wakes } from "../../shared/ports/index.ts";
import { clusterName } from "./fixtures.ts";
import { keptObjects } from "./kept.ts";
import { createTimers } from "./timers.ts";

export interface Relay {
  /** Takes in what changed, and does what is due. */
  step(): Promise<void>;
  nextDueAtMs(): number | undefined;
}

const windows = windowsFor();
const repeatMs = 10_000;
const podEventGapMs = 10_000;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
/** In the middle: what is left to chance here is only how long a failed send waits. */
const random = () => 0.5;

export function createRelay(cluster: MemoryCluster, wakes: Wakes, clock: Clock): Relay {
  const timers = createTimers(clock);
  const view = createView();
  const outbox = createOutbox({
    cluster: clusterName,
    wakes,
    clock: timers,
    random,
    log: silent,
    atLeast: () => undefined,
  });
  const noters = Object.fromEntries(
    relayTargets.map((target) => [target, coalesce(timers, windows[target], () => outbox.post(target))]),
  );
  const around = surroundingsIn(view);
  for (const kind of kinds) {
    view.onChange(kind, (before, after) => {
      for (const target of wakeRules[kind](before as never, after as never, around)) noters[target]!.note();
    });
  }
  repeatWhilePending(view, timers, repeatMs, () => outbox.post("provision"));
  notePodEvents({
    view,
    clock: timers,
    random,
    log: silent,
    gapMs: podEventGapMs,
    isActing: () => true,
    async write({ name, uid }, atMs) {
      const mirror = cluster.mirrors.get(name);
      if (mirror?.uid !== uid) return "gone";
      cluster.mirrors.put({ ...mirror, lastPodEventAtMs: atMs });
      return "written";
    },
  });

  const seen = new Map<string, string>();
  const look = () => {
    for (const { kind, objects, convert } of keptObjects(cluster)) {
      const uids = new Set<string>();
      for (const object of objects) {
        uids.add(object.uid);
        if (seen.get(object.uid) === object.resourceVersion) continue;
        seen.set(object.uid, object.resourceVersion);
        view.put(kind, convert(object as never) as never);
      }
      for (const { uid } of view.all(kind)) if (!uids.has(uid)) view.remove(kind, uid);
      view.endList(kind);
    }
  };

  return {
    async step() {
      look();
      timers.runDue();
      // Sends and writes here end in a few turns of the microtask queue.
      await new Promise((resolve) => setImmediate(resolve));
    },
    nextDueAtMs: timers.nextDueAtMs,
  };
}
