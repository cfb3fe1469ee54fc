import { type Paint, paintFor } from "./output/paint.ts";

/** Where a command writes and what time it is: the process's own, or a test's. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  readonly paint: Paint;
  /** Epoch milliseconds. */
  now(): number;
}

export const processTerminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  paint: paintFor(process.stdout, process.env),
  now: () => Date.now(),
};
