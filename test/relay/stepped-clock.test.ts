// A host's clock may be set back (NTP, a virtual machine that was asleep): nothing that waits may wait for the time lost.
import { afterEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../relay/clock.ts";
import { startHeartbeat } from "../../relay/heartbeat.ts";
import { type LeaseRecord, type LeaseStore, startElection } from "../../relay/leader/election.ts";
import { notePodEvents } from "../../relay/pod-events.ts";
import { createView } from "../../relay/view.ts";
import { coalesce } from "../../relay/wakes/coalesce.ts";
import { repeatWhilePending } from "../../relay/wakes/pending-pods.ts";
import { startReflector } from "../../relay/watch/reflector.ts";
import type { StreamHandlers } from "../../relay/watch/stream.ts";
import { handClock } from "../local/aws/hand-clock.ts";
import { keptClaim, keptNode, keptPod } from "./objects.ts";
import { quietLog } from "./quiet-log.ts";
import { passing, settled } from "./settle.ts";

const hourMs = 3_600_000;

describe("the system's clock", () => {
  afterEach(() => void vi.useRealTimers());

  it("goes on when the time is set back", () => {
    const clock = systemClock();
    const before = { now: clock.now(), elapsed: clock.elapsed() };
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - hourMs });
    expect(clock.now()).toBeLessThan(before.now - hourMs / 2);
    expect(clock.elapsed()).toBeGreaterThanOrEqual(before.elapsed);
    expect(clock.elapsed()).toBeLessThan(before.elapsed + hourMs / 2);
  });
});

describe.each([
  ["back", -hourMs],
  ["forward", hourMs],
])("a clock that is set %s", (_, stepMs) => {
  it("delays no burst and ends none early", () => {
    const clock = handClock();
    const fired: number[] = [];
    const burst = coalesce(clock, { idleMs: 1_000, longestMs: 10_000, gapMs: 5_000 }, () =>
      fired.push(clock.elapsed()),
    );
    burst.note();
    clock.pass(500);
    burst.note();
    clock.step(stepMs);
    clock.pass(2_000);
    burst.note();
    clock.step(stepMs);
    clock.pass(20_000);
    expect(fired).toEqual([1_500, 6_500]);
  });

  it("keeps the pace at which wakes for pending pods are repeated", () => {
    const clock = handClock();
    const view = createView();
    const fired: number[] = [];
    repeatWhilePending(view, clock, 10_000, () => fired.push(clock.elapsed()));
    view.put("Pod", keptPod({ uid: "a", unschedulable: true }));
    clock.pass(10_000);
    clock.step(stepMs);
    clock.pass(30_000);
    expect(fired).toEqual([10_000, 20_000, 30_000, 40_000]);
  });

  it("leaves the heart beating, with the time as it is", async () => {
    const clock = handClock();
    const beats: { readonly nowMs: number; readonly elapsedMs: number }[] = [];
    const heartbeat = startHeartbeat({
      clock,
      log: quietLog(),
      everyMs: 30_000,
      beat: async (nowMs) => void beats.push({ nowMs, elapsedMs: clock.elapsed() }),
      isWell: () => true,
      onFailed: () => {},
    });
    const startMs = clock.now();
    await passing(clock, 30_000);
    clock.step(stepMs);
    await passing(clock, 16_000);
    heartbeat.becameWell();
    heartbeat.becameWell();
    await passing(clock, 14_000);
    heartbeat.stop();
    expect(beats.map(({ elapsedMs }) => elapsedMs)).toEqual([30_000, 46_000, 60_000]);
    expect(beats.map(({ nowMs }) => nowMs - startMs)).toEqual([30_000, 46_000 + stepMs, 60_000 + stepMs]);
  });

  it("writes lastPodEventTime by the time as it is, ten seconds apart", async () => {
    const clock = handClock();
    const view = createView();
    const writes: { readonly elapsedMs: number; readonly eventMs: number }[] = [];
    const startMs = clock.now();
    notePodEvents({
      view,
      clock,
      random: () => 0,
      log: quietLog(),
      gapMs: 10_000,
      isActing: () => true,
      async write(_claim, eventMs) {
        writes.push({ elapsedMs: clock.elapsed(), eventMs: eventMs - startMs });
        return "written";
      },
    });
    view.endList("Pod");
    view.put("Node", keptNode());
    view.put("NodeClaim", keptClaim());
    const bound = (uid: string, scheduledAtMs: number) =>
      view.put("Pod", keptPod({ uid, nodeName: "node-1", phase: "Running", scheduledAtMs }));
    bound("a", startMs - 2 * hourMs);
    await passing(clock, 1_000);
    clock.step(stepMs);
    bound("b", clock.now());
    await passing(clock, 20_000);
    expect(writes).toEqual([
      { elapsedMs: 0, eventMs: -2 * hourMs },
      { elapsedMs: 10_000, eventMs: 1_000 + stepMs },
    ]);
  });

  it("gives up a watch that is silent for ninety seconds, and none on which a bookmark comes every minute", async () => {
    const clock = handClock();
    const streams: StreamHandlers[] = [];
    const reflector = startReflector({
      kind: "Pod",
      path: "/pods",
      send: async () => ({ status: 200, body: { metadata: { resourceVersion: "1" }, items: [] } }),
      openStream(_path, _query, on) {
        streams.push(on);
        on.onOpen();
        return () => {};
      },
      sink: { startList: () => {}, put: () => true, remove: () => {}, endList: () => {}, sawVersion: () => {} },
      clock,
      random: () => 0,
      log: quietLog(),
    });
    await settled();
    for (let minute = 0; minute < 10; minute++) {
      if (minute === 3) clock.step(stepMs);
      await passing(clock, 62_500, 500);
      streams[0]!.onLine({ type: "BOOKMARK", object: { metadata: { resourceVersion: String(minute + 2) } } });
      expect(reflector.state()).toBe("watching");
    }
    expect(streams).toHaveLength(1);
    await passing(clock, 89_500, 500);
    clock.step(stepMs);
    expect(reflector.state()).toBe("watching");
    await passing(clock, 500, 500);
    expect(reflector.state()).toBe("failing");
    await passing(clock, 1_000);
    expect(streams).toHaveLength(2);
    reflector.stop();
  });
});

describe("a lease, while the clock is set", () => {
  function storeOf(first?: LeaseRecord) {
    let record = first;
    const state = { hangs: false };
    const store: LeaseStore = {
      read: async () => record,
      write(lease) {
        if (state.hangs) return new Promise(() => {});
        record = { ...lease, resourceVersion: `${lease.renewTime} of ${lease.holder}` };
        return Promise.resolve(record);
      },
    };
    return { store, state, record: () => record };
  }

  it.each([-hourMs, hourMs])(
    "by %i ms is lost at its deadline, not sooner, when it cannot be renewed",
    async (stepMs) => {
      const clock = handClock();
      const { store, state, record } = storeOf();
      const options = { store, identity: "a", clock, random: () => 0, log: quietLog(), onChange: () => {} };
      const election = startElection(options);
      await passing(clock, 4_000);
      clock.step(stepMs);
      await passing(clock, 4_000);
      expect(election.isLeader()).toBe(true);
      // The moment of renewal is written as the clock has it.
      expect(Math.abs(Date.parse(record()!.renewTime) - clock.now())).toBeLessThan(3_000);
      state.hangs = true;
      clock.step(-stepMs);
      await passing(clock, 6_000);
      expect(election.isLeader()).toBe(true);
      await passing(clock, 8_000);
      expect(election.isLeader()).toBe(false);
    },
  );

  it.each([-hourMs, hourMs])("by %i ms is taken over fifteen seconds after its holder has vanished", async (stepMs) => {
    const clock = handClock();
    const { store } = storeOf({
      resourceVersion: "1",
      holder: "gone",
      renewTime: "",
      acquireTime: "",
      durationMs: 15_000,
      transitions: 1,
    });
    const options = { store, identity: "b", clock, random: () => 0, log: quietLog(), onChange: () => {} };
    const election = startElection(options);
    await passing(clock, 4_000);
    clock.step(stepMs);
    await passing(clock, 9_000);
    expect(election.isLeader()).toBe(false);
    await passing(clock, 5_000);
    expect(election.isLeader()).toBe(true);
  });
});
