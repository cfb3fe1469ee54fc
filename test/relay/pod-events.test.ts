import { describe, expect, it } from "vitest";
import type { KeptNodeClaim } from "../../relay/objects.ts";
import { notePodEvents } from "../../relay/pod-events.ts";
import { createView } from "../../relay/view.ts";
import { handClock } from "../local/aws/hand-clock.ts";
import { keptClaim, keptNode, keptPod } from "./objects.ts";
import { quietLog } from "./quiet-log.ts";
import { passing } from "./settle.ts";

function noting() {
  const clock = handClock();
  const view = createView();
  const startMs = clock.now();
  const writes: { readonly claim: string; readonly atMs: number; readonly eventMs: number }[] = [];
  const state = { acts: true, answer: "written" as "written" | "gone" | "fails" };
  const events = notePodEvents({
    view,
    clock,
    random: () => 0,
    log: quietLog(),
    gapMs: 10_000,
    isActing: () => state.acts,
    async write(claim: KeptNodeClaim, eventMs) {
      writes.push({ claim: claim.name, atMs: clock.now() - startMs, eventMs: eventMs - startMs });
      if (state.answer === "fails") throw new Error("away");
      return state.answer;
    },
  });
  view.endList("Pod");
  view.put("Node", keptNode());
  view.put("NodeClaim", keptClaim());
  const bound = (uid: string, atMs = clock.now()) =>
    view.put("Pod", keptPod({ uid, nodeName: "node-1", phase: "Running", scheduledAtMs: atMs }));
  return { clock, view, writes, state, events, bound, startMs };
}

describe("lastPodEventTime", () => {
  it("is written at once, then at most every ten seconds, with the newest time", async () => {
    const { clock, writes, bound } = noting();
    for (let at = 0; at < 25; at++) {
      bound(`p${at}`);
      await passing(clock, 1_000, 1_000);
    }
    await passing(clock, 30_000);
    expect(writes.map(({ atMs }) => atMs)).toEqual([0, 10_000, 20_000, 30_000]);
    expect(writes.map(({ eventMs }) => eventMs)).toEqual([0, 9_000, 19_000, 24_000]);
  });

  it("counts pods that are bound, end, are over and are gone; not those of DaemonSets, nor what changes otherwise", async () => {
    const { clock, view, writes, bound } = noting();
    const settle = () => passing(clock, 11_000);
    const pod = keptPod({ uid: "p", nodeName: "node-1", phase: "Running", scheduledAtMs: clock.now() });
    view.put("Pod", pod);
    await settle();
    view.put("Pod", { ...pod, ready: true });
    await settle();
    expect(writes).toHaveLength(1);
    view.put("Pod", { ...pod, deletionAtMs: clock.now() + 30_000 });
    await settle();
    expect(writes).toHaveLength(2);
    view.remove("Pod", "p");
    await settle();
    expect(writes).toHaveLength(3);
    view.put("Pod", keptPod({ uid: "d", isDaemon: true, nodeName: "node-1", scheduledAtMs: clock.now() }));
    await settle();
    expect(writes).toHaveLength(3);
    bound("job");
    await settle();
    view.put("Pod", keptPod({ uid: "job", nodeName: "node-1", phase: "Succeeded" }));
    await settle();
    expect(writes).toHaveLength(5);
    view.remove("Pod", "job");
    await settle();
    expect(writes).toHaveLength(5);
  });

  it("is no event of a start: what was bound earlier counts from then, and only if that is news", async () => {
    const { clock, view, writes, bound, startMs } = noting();
    view.put("NodeClaim", keptClaim({ lastPodEventAtMs: startMs - 60_000 }));
    bound("old", startMs - 300_000);
    await passing(clock, 20_000);
    expect(writes).toEqual([]);
    bound("newer", startMs - 30_000);
    await passing(clock, 20_000);
    expect(writes.map(({ eventMs }) => eventMs)).toEqual([-30_000]);
  });

  it("is remembered by a replica that stands by, and written when it takes over", async () => {
    const { clock, writes, state, events, bound } = noting();
    state.acts = false;
    bound("p");
    await passing(clock, 60_000, 5_000);
    expect(writes).toEqual([]);
    state.acts = true;
    events.takeOver();
    await passing(clock, 1_000);
    expect(writes).toEqual([{ claim: "claim-1", atMs: 60_000, eventMs: 0 }]);
  });

  it("is written again when that failed, and dropped when the claim is gone", async () => {
    const { clock, writes, state, bound } = noting();
    state.answer = "fails";
    bound("p");
    await passing(clock, 4_000);
    expect(writes).toHaveLength(3);
    state.answer = "gone";
    await passing(clock, 600_000, 10_000);
    expect(writes).toHaveLength(4);
  });

  it("finds the claim by its node's provider id before its status names the node", async () => {
    const { clock, view, writes, bound } = noting();
    view.put("NodeClaim", keptClaim({ nodeName: undefined }));
    bound("p");
    await passing(clock, 1_000);
    expect(writes.map(({ claim }) => claim)).toEqual(["claim-1"]);
  });

  it("waits for a claim that learns of its node later", async () => {
    const { clock, view, writes, bound } = noting();
    view.put("NodeClaim", keptClaim({ nodeName: undefined, providerId: undefined }));
    bound("p");
    await passing(clock, 5_000);
    expect(writes).toEqual([]);
    view.put("NodeClaim", keptClaim());
    await passing(clock, 1_000);
    expect(writes).toHaveLength(1);
  });
});
