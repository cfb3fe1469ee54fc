import { columns } from "../../cli/output/columns.ts";

export interface Timed<T> {
  readonly result: T;
  readonly coldSeconds: number;
  /** The runs after the first; the first itself if it is the only one. */
  readonly seconds: { readonly min: number; readonly median: number; readonly max: number };
}

/** Runs something so many times, one after the other, in this process. */
export function timed<T>(runs: number, run: () => T): Timed<T> {
  let result: T;
  const seconds: number[] = [];
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    result = run();
    seconds.push((performance.now() - start) / 1000);
  }
  const warm = (runs > 1 ? seconds.slice(1) : seconds).sort((a, b) => a - b);
  return {
    result: result!,
    coldSeconds: round(seconds[0]!, 4),
    seconds: { min: round(warm[0]!, 4), median: round(median(warm), 4), max: round(warm.at(-1)!, 4) },
  };
}

/** Of a sorted list; 0 for an empty one. */
export function median(sorted: readonly number[]): number {
  if (sorted.length === 0) return 0;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

/** Most memory that this process ever held. */
export function peakRssMiB(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

/** One JSON object, or one line a figure. */
export function print(report: Readonly<Record<string, unknown>>, output: "json" | "table"): void {
  if (output === "json") {
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    return;
  }
  const rows = Object.entries(report).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  process.stdout.write(`${columns([{ title: "FIGURE" }, { title: "VALUE" }], rows).join("\n")}\n`);
}
