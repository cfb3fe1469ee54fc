import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Garbage that may lie about before it is collected. A page of 500 pods leaves some ten megabytes. */
const slackBytes = 8 * 1024 * 1024;
const lookMs = 50;

/**
 * Keeps the heap near what is alive. V8 lets it grow to a multiple of that before it collects, which is right where memory
 * is at hand; a relay in somebody's cluster pays a few per cent of a core instead, and only while much changes. Returns
 * what ends it.
 */
export function keepHeapSmall(): () => void {
  // The collector is there for programs that were started with this flag, and for contexts that are made after it was set.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  let aliveBytes = getHeapStatistics().used_heap_size;
  const timer = setInterval(() => {
    const { used_heap_size: usedBytes, external_memory: externalBytes } = getHeapStatistics();
    if (usedBytes + externalBytes < aliveBytes + slackBytes) return;
    collect();
    const after = getHeapStatistics();
    aliveBytes = after.used_heap_size + after.external_memory;
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}
