// Who of two replicas acts. Answers to client-go's leaderelection over a coordination.k8s.io Lease, which the client library
// for Node doesn't have. On purpose different: losing the lease is no reason to end. Two holders for a moment do no harm,
// since all that the relay sends may be sent twice.
import { createBackoff } from "../backoff.ts";
import type { RelayClock } from "../clock.ts";
import { type Log, textOf } from "../log.ts";

/** The part of a Lease that counts. */
export interface LeaseRecord {
  readonly resourceVersion: string;
  readonly holder: string;
  /** Changes with each renewal; compared, never read as a time. */
  readonly renewTime: string;
  readonly durationMs: number;
  readonly transitions: number;
  readonly acquireTime: string;
}

export interface LeaseWrite {
  readonly holder: string;
  readonly durationMs: number;
  readonly acquireTime: string;
  readonly renewTime: string;
  readonly transitions: number;
  /** The version that it replaces; undefined: there is none yet. */
  readonly resourceVersion: string | undefined;
}

/** The Lease, wherever it is. Calls reject when they fail. */
export interface LeaseStore {
  read(): Promise<LeaseRecord | undefined>;
  /** Undefined: somebody else wrote first. */
  write(lease: LeaseWrite): Promise<LeaseRecord | undefined>;
}

export interface ElectionTiming {
  /** A lease that isn't renewed for this long is anybody's. */
  readonly leaseMs: number;
  /** A holder that couldn't renew for this long stops acting: before others begin. */
  readonly renewDeadlineMs: number;
  readonly retryMs: number;
}

/** client-go's figures. */
export const usualElection: ElectionTiming = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };

export interface ElectionOptions {
  readonly store: LeaseStore;
  readonly identity: string;
  readonly clock: RelayClock;
  readonly random: () => number;
  readonly log: Log;
  readonly timing?: ElectionTiming;
  onChange(isLeader: boolean): void;
}

export interface Election {
  isLeader(): boolean;
  /** Gives the lease back, if it is held, so that the other replica need not wait. */
  release(): Promise<void>;
}

export function startElection(options: ElectionOptions): Election {
  const { store, identity, clock, log, timing = usualElection } = options;
  const backoff = createBackoff(timing.retryMs, timing.retryMs * 4, options.random);
  let leading = false;
  let renewedMs = 0;
  let stopped = false;
  let held: LeaseRecord | undefined;
  let seen: { version: string; atMs: number } | undefined;
  let cancel = () => {};
  let current = Promise.resolve();

  function lead(is: boolean): void {
    if (leading === is) return;
    leading = is;
    log.info(is ? "leads" : "leads no longer", { identity });
    options.onChange(is);
  }

  function isFree(lease: LeaseRecord): boolean {
    // Others' clocks are not trusted: what counts is how long this one has not seen the lease change.
    if (seen?.version !== lease.resourceVersion) seen = { version: lease.resourceVersion, atMs: clock.elapsed() };
    return lease.holder === "" || clock.elapsed() - seen.atMs >= lease.durationMs;
  }

  /** "raced": somebody wrote between our look and our write, maybe an earlier try of ours. */
  async function tryToHold(): Promise<"mine" | "taken" | "raced"> {
    const known = (leading ? held : undefined) ?? (await store.read());
    if (known !== undefined && known.holder !== identity && !isFree(known)) return "taken";
    const now = new Date(clock.now()).toISOString().replace("Z", "000Z");
    const mine = known?.holder === identity;
    held = await store.write({
      holder: identity,
      durationMs: timing.leaseMs,
      acquireTime: mine ? known.acquireTime : now,
      renewTime: now,
      transitions: known === undefined ? 0 : known.transitions + (mine ? 0 : 1),
      resourceVersion: known?.resourceVersion,
    });
    return held === undefined ? "raced" : "mine";
  }

  async function turn(): Promise<void> {
    const startedMs = clock.elapsed();
    let waitMs = timing.retryMs;
    try {
      const outcome = await tryToHold();
      backoff.reset();
      if (outcome === "mine") renewedMs = startedMs;
      if (stopped) return;
      // A holder looks again at once before it gives up.
      if (outcome === "raced" && leading) waitMs = 0;
      else lead(outcome === "mine");
    } catch (error) {
      held = undefined;
      waitMs = backoff.nextMs();
      log.warn("lease not reached", { identity, retryInMs: waitMs, error: textOf(error) });
    }
    if (leading && clock.elapsed() - renewedMs >= timing.renewDeadlineMs) lead(false);
    if (!stopped) cancel = clock.after(waitMs, go);
  }

  /** An answer may be long in coming: the deadline holds all the same. */
  let cancelDeadline = clock.after(timing.renewDeadlineMs, watchDeadline);
  function watchDeadline(): void {
    if (leading && clock.elapsed() - renewedMs >= timing.renewDeadlineMs) lead(false);
    cancelDeadline = clock.after(timing.retryMs, watchDeadline);
  }

  function go(): void {
    current = turn();
  }
  go();

  return {
    isLeader: () => leading,
    async release() {
      stopped = true;
      cancel();
      cancelDeadline();
      await current;
      if (!leading) return;
      leading = false;
      const lease = held ?? (await store.read());
      if (lease?.holder !== identity) return;
      await store.write({ ...lease, holder: "", durationMs: 1_000 });
    },
  };
}
