import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createView } from "../../relay/view.ts";
import { coalesce } from "../../relay/wakes/coalesce.ts";
import { createOutbox } from "../../relay/wakes/outbox.ts";
import { repeatWhilePending } from "../../relay/wakes/pending-pods.ts";
import { OperationError, type Wake } from "../../shared/ports/index.ts";
import { handClock } from "../local/aws/hand-clock.ts";
import { keptPod } from "./objects.ts";
import { quietLog } from "./quiet-log.ts";
import { passing, settled } from "./settle.ts";

describe("a burst", () => {
  const window = { idleMs: 1_000, longestMs: 10_000 };

  it("ends once, a second after the last note, or ten after the first", () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 2_500 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(gaps, (waits) => {
        const clock = handClock();
        const fired: number[] = [];
        const noted: number[] = [];
        const burst = coalesce(clock, window, () => fired.push(clock.now()));
        for (const wait of waits) {
          clock.pass(wait);
          noted.push(clock.now());
          burst.note();
        }
        clock.pass(20_000);
        // The same by the definition, note by note.
        const expected: number[] = [];
        for (let at = 0; at < noted.length; ) {
          const first = noted[at]!;
          let end = first + window.idleMs;
          while (at < noted.length && noted[at]! < end)
            end = Math.min(noted[at++]! + window.idleMs, first + window.longestMs);
          expected.push(end);
        }
        expect(fired).toEqual(expected);
      }),
    );
  });

  it("ends no sooner after the one before than it may, however events are spread, and at once after a quiet time", () => {
    const clock = handClock();
    const fired: number[] = [];
    const startMs = clock.now();
    const burst = coalesce(clock, { ...window, gapMs: 10_000 }, () => fired.push(clock.now() - startMs));
    for (let at = 0; at < 10; at++) {
      burst.note();
      clock.pass(3_000);
    }
    clock.pass(60_000);
    burst.note();
    clock.pass(60_000);
    expect(fired).toEqual([1_000, 11_000, 21_000, 31_000, 91_000]);
  });

  it("can be ended early, and called off", () => {
    const clock = handClock();
    let fired = 0;
    const burst = coalesce(clock, window, () => fired++);
    burst.flush();
    burst.note();
    burst.flush();
    expect(fired).toBe(1);
    burst.note();
    burst.stop();
    clock.pass(60_000);
    expect(fired).toBe(1);
  });
});

describe("the outbox", () => {
  function outboxWith(send: (wake: Wake) => Promise<void>) {
    const clock = handClock();
    const log = quietLog();
    const state = { version: "7" };
    const wakes = { send, sendAll: async () => {} };
    const outbox = createOutbox({ cluster: "c", wakes, clock, random: () => 0, log, atLeast: () => state.version });
    return { clock, log, state, outbox };
  }

  it("keeps one wake for each target while SQS is away, and sends it with what is newest by then", async () => {
    const sent: Wake[] = [];
    let away = true;
    const { clock, log, state, outbox } = outboxWith(async (wake) => {
      if (away) throw new OperationError("away", { retry: "later", code: "unreachable" });
      sent.push(wake);
    });
    outbox.post("provision");
    outbox.post("disrupt");
    await passing(clock, 20_000);
    for (let again = 0; again < 5; again++) outbox.post("provision");
    expect(outbox.pending()).toEqual(["provision", "disrupt"]);
    expect(outbox.isWell()).toBe(false);
    away = false;
    state.version = "9";
    await passing(clock, 30_000);
    expect(sent.map(({ target, atLeast }) => [target, atLeast]).sort()).toEqual([
      ["disrupt", "9"],
      ["provision", "9"],
    ]);
    expect(outbox.isWell()).toBe(true);
    expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(2);
  });

  it("waits longer after each failure, half a minute at most", async () => {
    const tries: number[] = [];
    const { clock, outbox } = outboxWith(async () => {
      tries.push(clock.now());
      throw new OperationError("away", { retry: "later", code: "unreachable" });
    });
    outbox.post("lifecycle");
    await passing(clock, 120_000);
    const waits = tries.slice(1).map((atMs, index) => atMs - tries[index]!);
    expect(waits.slice(0, 7)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it("sends again what happened while a wake was on its way", async () => {
    const answers: (() => void)[] = [];
    const { outbox } = outboxWith(() => new Promise((resolve) => answers.push(resolve)));
    outbox.post("provision");
    outbox.post("provision");
    outbox.post("provision");
    expect(answers).toHaveLength(1);
    answers[0]!();
    await settled();
    expect(answers).toHaveLength(2);
  });

  it("does not try again what was on its way when the lease was lost", async () => {
    const failures: ((error: unknown) => void)[] = [];
    const { clock, outbox } = outboxWith(() => new Promise((_, reject) => failures.push(reject)));
    outbox.post("provision");
    outbox.clear();
    failures[0]!(new OperationError("away", { retry: "later", code: "unreachable" }));
    await passing(clock, 60_000);
    expect([failures.length, outbox.pending()]).toEqual([1, []]);
  });

  it("tries once more when it is closed, and nothing after that", async () => {
    let tries = 0;
    const { clock, outbox } = outboxWith(async () => {
      tries++;
      throw new OperationError("away", { retry: "later", code: "unreachable" });
    });
    outbox.post("provision");
    await settled();
    await outbox.close();
    outbox.post("provision");
    await passing(clock, 60_000);
    expect(tries).toBe(2);
  });
});

describe("pods that stay pending", () => {
  it("are told of every ten seconds, and every minute once none was added for ten minutes", async () => {
    const clock = handClock();
    const view = createView();
    const startMs = clock.now();
    const fired: number[] = [];
    const pending = repeatWhilePending(view, clock, 10_000, () => fired.push((clock.now() - startMs) / 1000));
    clock.pass(60_000);
    expect(fired).toEqual([]);
    view.put("Pod", keptPod({ unschedulable: true }));
    clock.pass(35_000);
    expect(fired).toEqual([70, 80, 90]);
    clock.pass(10 * 60_000);
    fired.length = 0;
    clock.pass(5 * 60_000);
    expect(fired).toHaveLength(5);
    view.put("Pod", keptPod({ uid: "p2", unschedulable: true }));
    fired.length = 0;
    clock.pass(60_000);
    expect(fired).toHaveLength(6);
    view.remove("Pod", "p2");
    view.put("Pod", keptPod({ unschedulable: true, nodeName: "node-1" }));
    expect(pending.count()).toBe(0);
    fired.length = 0;
    clock.pass(60 * 60_000);
    expect(fired).toEqual([]);
  });
});
