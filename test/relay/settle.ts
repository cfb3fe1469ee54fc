import type { handClock } from "../local/aws/hand-clock.ts";

/** Lets everything that can go on by itself go on. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Moves time in small steps, and lets what each step wakes run. */
export async function passing(clock: ReturnType<typeof handClock>, ms: number, stepMs = 500): Promise<void> {
  await settled();
  for (let passed = 0; passed < ms; passed += stepMs) {
    clock.pass(Math.min(stepMs, ms - passed));
    await settled();
  }
}
