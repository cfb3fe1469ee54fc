import type { DelayedWake, Wakes } from "../../shared/ports/index.ts";
import type { WorldClock } from "../clock.ts";

export interface WorldWakes extends Wakes {
  /** Calls off what is still waiting. */
  stop(): void;
}

/**
 * Delays in the world's time: a queue on loopback counts whole seconds of real time, which are minutes in a fast world.
 * The wakes themselves go through the queue. What is lost when the program ends, the agenda still knows.
 */
export function delayInWorldTime(wakes: Wakes, clock: WorldClock, onError: (error: unknown) => void): WorldWakes {
  const waiting = new Set<() => void>();

  function later(entry: DelayedWake, delayMs: number): void {
    const cancel = clock.after(delayMs, () => {
      waiting.delete(cancel);
      wakes.send(entry.wake).catch(onError);
    });
    waiting.add(cancel);
  }

  async function sendAll(entries: readonly DelayedWake[]): Promise<void> {
    const delayOf = (entry: DelayedWake) => entry.delayMs ?? 0;
    for (const entry of entries.filter((entry) => delayOf(entry) > 0)) later(entry, delayOf(entry));
    await wakes.sendAll(entries.filter((entry) => delayOf(entry) === 0));
  }

  return {
    sendAll,
    send: (wake, delayMs = 0) => sendAll([{ wake, delayMs }]),
    stop() {
      for (const cancel of waiting) cancel();
      waiting.clear();
    },
  };
}
