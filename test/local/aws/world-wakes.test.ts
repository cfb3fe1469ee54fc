import { describe, expect, it } from "vitest";
import { delayInWorldTime } from "../../../local/aws/world-wakes.ts";
import { createMemoryWakes } from "../../../shared/adapters/memory/wakes.ts";
import { handClock } from "./hand-clock.ts";

describe("wakes in the world's time", () => {
  it("wait by the world's clock, then go through the queue", async () => {
    const clock = handClock();
    const queue = createMemoryWakes(clock);
    const wakes = delayInWorldTime(queue, clock, (error) => expect.unreachable(String(error)));
    await wakes.send({ cluster: "a", target: "provision" });
    await wakes.send({ cluster: "a", target: "lifecycle" }, 5_000);
    await wakes.sendAll([{ wake: { cluster: "b", target: "lifecycle" }, delayMs: 6_000 }]);
    expect(queue.takeDue()).toEqual([{ cluster: "a", target: "provision" }]);
    clock.pass(4_999);
    expect(queue.takeDue()).toEqual([]);
    clock.pass(1);
    expect(queue.takeDue()).toEqual([{ cluster: "a", target: "lifecycle" }]);
    wakes.stop();
    clock.pass(10_000);
    expect(queue.takeDue()).toEqual([]);
  });
});
