// What will happen at which moment. Nothing here has a timer: effects run when someone looks, in the order of their moments,
// so that a world with scaled or virtual time replays.

export interface Timeline {
  /** Runs `effect` once the clock has reached `at` (epoch milliseconds). Equal moments run in the order they were asked for. */
  at(at: number, effect: (at: number) => void): void;
  /** Runs everything that is due, also what the effects add themselves. */
  runUntil(now: number): void;
  /** The next moment at which something happens, if any. */
  nextAt(): number | undefined;
}

export function createTimeline(): Timeline {
  const due: { at: number; effect: (at: number) => void }[] = [];
  return {
    at(at, effect) {
      let low = 0;
      let high = due.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (due[middle]!.at <= at) low = middle + 1;
        else high = middle;
      }
      due.splice(low, 0, { at, effect });
    },
    runUntil(now) {
      for (let next = due[0]; next !== undefined && next.at <= now; next = due[0]) {
        due.shift();
        next.effect(next.at);
      }
    },
    nextAt: () => due[0]?.at,
  };
}
