import { type RelayClock, repeatEvery } from "./clock.ts";
import { type Log, textOf } from "./log.ts";

export interface HeartbeatOptions {
  readonly clock: RelayClock;
  readonly log: Log;
  readonly everyMs: number;
  beat(nowMs: number): Promise<void>;
  /** Whether wakes get through: this replica acts, sees the cluster, and reaches the queues. If not, the tick should poll. */
  isWell(): boolean;
  onFailed(): void;
}

/** A failed beat is tried again after this, so that one lost answer doesn't make the relay look silent. */
const retryMs = 5_000;

export interface RelayHeartbeat {
  /** The relay has become well: it says so now, unless it did of late. */
  becameWell(): void;
  stop(): void;
}

/** Says that the relay lives, for as long as it is well. */
export function startHeartbeat(options: HeartbeatOptions): RelayHeartbeat {
  const { clock, log } = options;
  let beating = false;
  let stopped = false;
  let failures = 0;
  let saidMs = Number.NEGATIVE_INFINITY;
  let cancelRetry = () => {};

  async function beat(): Promise<void> {
    cancelRetry();
    if (stopped || beating || !options.isWell()) return;
    beating = true;
    const startedMs = clock.elapsed();
    try {
      await options.beat(clock.now());
      saidMs = startedMs;
      if (failures > 0) log.info("heartbeat again", { failures });
      failures = 0;
    } catch (error) {
      failures++;
      options.onFailed();
      (failures === 1 ? log.error : log.warn)("heartbeat failed", { failures, error: textOf(error) });
      if (!stopped) cancelRetry = clock.after(retryMs, beat);
    }
    beating = false;
  }

  const stop = repeatEvery(clock, options.everyMs, () => void beat());
  return {
    becameWell() {
      if (clock.elapsed() - saidMs >= options.everyMs / 2) void beat();
    },
    stop() {
      stopped = true;
      stop();
      cancelRetry();
    },
  };
}
