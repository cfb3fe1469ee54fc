import type { Wakes } from "../../shared/ports/index.ts";
import { createBackoff } from "../backoff.ts";
import type { RelayClock } from "../clock.ts";
import { type Log, textOf } from "../log.ts";
import { type RelayTarget, relayTargets } from "./rules.ts";

export interface OutboxOptions {
  readonly cluster: string;
  readonly wakes: Wakes;
  readonly clock: RelayClock;
  readonly random: () => number;
  readonly log: Log;
  /** The newest state that was seen; asked for when a wake goes out, so that a late one asks for what is there by then. */
  atLeast(): string | undefined;
  onSent?(target: RelayTarget): void;
  onFailed?(target: RelayTarget): void;
}

/** Wakes on their way: at most one for each target, since one look sees everything. */
export interface Outbox {
  post(target: RelayTarget): void;
  /** Targets whose wake isn't out yet. */
  pending(): readonly RelayTarget[];
  /** False while wakes fail to go out. */
  isWell(): boolean;
  /** Forgets what is pending. */
  clear(): void;
  /** Resolves when what is pending was tried once more, all at once. Nothing is sent after that. */
  close(): Promise<void>;
}

const firstWaitMs = 1_000;
const longestWaitMs = 30_000;

/** Sends at once; what fails is tried again with growing waits, however long the queue is away. */
export function createOutbox(options: OutboxOptions): Outbox {
  const slots = new Map(relayTargets.map((target) => [target, createSlot(target, options)]));
  const all = [...slots.values()];
  return {
    post: (target) => slots.get(target)!.post(),
    pending: () => relayTargets.filter((target) => slots.get(target)!.isPending()),
    isWell: () => all.every((slot) => slot.isWell()),
    clear() {
      for (const slot of all) slot.clear();
    },
    async close() {
      await Promise.all(all.map((slot) => slot.close()));
    },
  };
}

function createSlot(target: RelayTarget, options: OutboxOptions) {
  const { cluster, wakes, clock, log } = options;
  const backoff = createBackoff(firstWaitMs, longestWaitMs, options.random);
  let pending = false;
  let sending: Promise<void> | undefined;
  let cancelRetry: (() => void) | undefined;
  let failures = 0;
  let closed = false;
  /** Grows when what is pending is forgotten: what was on its way then is not tried again. */
  let era = 0;

  async function send(): Promise<void> {
    pending = false;
    const began = era;
    const atLeast = options.atLeast();
    try {
      await wakes.send({ cluster, target, ...(atLeast === undefined ? {} : { atLeast }) });
      if (failures > 0) log.info("wakes go out again", { target, failures });
      failures = 0;
      backoff.reset();
      options.onSent?.(target);
    } catch (error) {
      failures++;
      options.onFailed?.(target);
      if (began !== era) return;
      pending = true;
      const waitMs = backoff.nextMs();
      const say = failures === 1 ? log.error : log.warn;
      say("wake not sent", { target, failures, retryInMs: waitMs, error: textOf(error) });
      if (!closed) cancelRetry = clock.after(waitMs, retry);
    }
  }

  function retry(): void {
    cancelRetry = undefined;
    go();
  }

  function go(): void {
    if (!pending || sending !== undefined || cancelRetry !== undefined) return;
    sending = send().finally(() => {
      sending = undefined;
      if (!closed) go();
    });
  }

  return {
    post() {
      if (closed) return;
      pending = true;
      go();
    },
    isPending: () => pending || sending !== undefined,
    isWell: () => failures === 0,
    clear() {
      era++;
      pending = false;
      failures = 0;
      cancelRetry?.();
      cancelRetry = undefined;
    },
    async close() {
      closed = true;
      cancelRetry?.();
      await sending;
      if (pending) await send();
    },
  };
}
