// `status.lastPodEventTime` of NodeClaims, which consolidateAfter is counted from: the one fact that no snapshot could
// show afterwards. Answers to Karpenter's nodeclaim.podevents: bound, ending, over and gone count, DaemonSets' pods don't. On
// purpose different: a start doesn't look like events, and a later time is never overwritten by an earlier one.
import { createBackoff } from "./backoff.ts";
import type { RelayClock } from "./clock.ts";
import { type Log, textOf } from "./log.ts";
import type { KeptNodeClaim, KeptPod } from "./objects.ts";
import type { ClusterView } from "./view.ts";
import { stayOf } from "./wakes/rules.ts";

export interface PodEventsOptions {
  readonly view: ClusterView;
  readonly clock: RelayClock;
  readonly random: () => number;
  readonly log: Log;
  /** A claim's time is written at most this often. */
  readonly gapMs: number;
  /** Whether this replica writes. Events are remembered in any case, for a takeover. */
  isActing(): boolean;
  /** "gone": there is no such claim any more. Rejects if it may not have worked. */
  write(claim: KeptNodeClaim, atMs: number): Promise<"written" | "gone">;
}

export interface PodEvents {
  /** This replica writes from now on: what is due is written. */
  takeOver(): void;
  stop(): void;
}

interface Entry {
  latestMs: number;
  /** The newest time that was written from here. */
  writtenMs: number;
  /** No write before this, in elapsed time. */
  notBeforeMs: number;
  busy: boolean;
  cancel?: (() => void) | undefined;
  readonly backoff: ReturnType<typeof createBackoff>;
}

/** Writes at the same time: a relist after an outage may find events on a thousand nodes. */
const maxConcurrency = 10;

export function notePodEvents(options: PodEventsOptions): PodEvents {
  const { view, clock, gapMs, log } = options;
  const entries = new Map<string, Entry>();
  const due = new Set<string>();
  let writing = 0;

  const forgets = [
    view.onChange("Pod", (before, after) => {
      const event = eventOf(before, after, view.isListed("Pod"), clock.now());
      if (event !== undefined) note(event.nodeName, event.atMs);
    }),
    // A claim that learns its node may have been waited for.
    view.onChange("NodeClaim", (before, after) => {
      const node = after?.nodeName;
      if (node !== undefined && node !== before?.nodeName) schedule(node);
    }),
    view.onChange("Node", (before, after) => {
      if (before === undefined || after !== undefined) return;
      entries.get(before.name)?.cancel?.();
      entries.delete(before.name);
    }),
  ];

  function note(nodeName: string, atMs: number): void {
    let entry = entries.get(nodeName);
    if (entry === undefined) {
      const backoff = createBackoff(1_000, 60_000, options.random);
      entry = { latestMs: 0, writtenMs: 0, notBeforeMs: Number.NEGATIVE_INFINITY, busy: false, backoff };
      entries.set(nodeName, entry);
    }
    // Kubernetes writes whole seconds.
    entry.latestMs = Math.max(entry.latestMs, Math.floor(atMs / 1000) * 1000);
    schedule(nodeName);
  }

  function newsOf(nodeName: string, entry: Entry): KeptNodeClaim | undefined {
    const claim = view.claimOfNode(nodeName);
    const known = Math.max(entry.writtenMs, claim?.lastPodEventAtMs ?? 0);
    return entry.latestMs > known ? claim : undefined;
  }

  function schedule(nodeName: string): void {
    const entry = entries.get(nodeName);
    if (entry === undefined || entry.busy || entry.cancel !== undefined || !options.isActing()) return;
    if (newsOf(nodeName, entry) === undefined) return;
    entry.cancel = clock.after(Math.max(0, entry.notBeforeMs - clock.elapsed()), () => {
      entry.cancel = undefined;
      due.add(nodeName);
      pump();
    });
  }

  function pump(): void {
    for (const nodeName of due) {
      if (writing >= maxConcurrency) return;
      due.delete(nodeName);
      const entry = entries.get(nodeName);
      const claim = entry === undefined ? undefined : newsOf(nodeName, entry);
      if (entry === undefined || claim === undefined || !options.isActing()) continue;
      writing++;
      void write(nodeName, entry, claim).finally(() => {
        writing--;
        schedule(nodeName);
        pump();
      });
    }
  }

  async function write(nodeName: string, entry: Entry, claim: KeptNodeClaim): Promise<void> {
    entry.busy = true;
    const atMs = entry.latestMs;
    entry.notBeforeMs = clock.elapsed() + gapMs;
    try {
      if ((await options.write(claim, atMs)) === "gone") entries.delete(nodeName);
      else entry.writtenMs = atMs;
      entry.backoff.reset();
    } catch (error) {
      const waitMs = entry.backoff.nextMs();
      entry.notBeforeMs = clock.elapsed() + waitMs;
      log.warn("lastPodEventTime not written", { nodeClaim: claim.name, retryInMs: waitMs, error: textOf(error) });
    }
    entry.busy = false;
  }

  return {
    takeOver() {
      for (const nodeName of entries.keys()) schedule(nodeName);
    },
    stop() {
      for (const forget of forgets) forget();
      for (const { cancel } of entries.values()) cancel?.();
      entries.clear();
    },
  };
}

/**
 * The event that a change of a pod is to its node. Pods that are first seen as they are (a start, a relist) tell when they
 * were bound; when they began to end is not known, so that says nothing.
 */
export function eventOf(
  before: KeptPod | undefined,
  after: KeptPod | undefined,
  isListed: boolean,
  nowMs: number,
): { nodeName: string; atMs: number } | undefined {
  const pod = after ?? before;
  if (pod?.nodeName === undefined || pod.isDaemon) return undefined;
  const [was, is] = [stayOf(before), stayOf(after)];
  if (was === is || (was === "over" && is === "none")) return undefined;
  if (is === "bound")
    return { nodeName: pod.nodeName, atMs: pod.scheduledAtMs ?? (isListed ? nowMs : pod.createdAtMs) };
  if (before !== undefined) return { nodeName: pod.nodeName, atMs: nowMs };
  return pod.scheduledAtMs === undefined ? undefined : { nodeName: pod.nodeName, atMs: pod.scheduledAtMs };
}
