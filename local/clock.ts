// The embedded world's time: real time, scaled. At speed 20 a minute passes in three seconds. Everything in the world
// that waits (instances that boot, kubelets that join, budgets, timers) waits in this time; sockets stay in real time.

/** Time of the world in epoch milliseconds, and waiting in it. */
export interface WorldClock {
  now(): number;
  /** Resolves after that many milliseconds of the world's time. */
  sleep(ms: number): Promise<void>;
  /** Calls back after that many milliseconds of the world's time; returns the function that calls it off. */
  after(ms: number, callback: () => void): () => void;
  readonly speed: number;
}

/** A clock that starts at `startMs` and runs `speed` times as fast as real time. */
export function createScaledClock(options: { speed: number; startMs: number }): WorldClock {
  const { speed, startMs } = options;
  const realStart = performance.now();
  const after = (ms: number, callback: () => void) => {
    const timer = setTimeout(callback, Math.max(0, ms) / speed);
    return () => clearTimeout(timer);
  };
  return {
    speed,
    now: () => Math.floor(startMs + (performance.now() - realStart) * speed),
    sleep: (ms) => new Promise((resolve) => after(ms, resolve)),
    after,
  };
}
