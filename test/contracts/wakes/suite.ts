import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Wake, Wakes } from "../../../shared/ports/index.ts";

export interface WakesUnderTest {
  readonly wakes: Wakes;
  /** Takes what has arrived for a target `afterMs` from now, in any order; waits no longer than that. */
  receive(target: Wake["target"], afterMs: number): Promise<readonly Wake[]>;
  readonly stop?: () => Promise<void>;
}

const byCluster = (a: Wake, b: Wake) => (a.cluster < b.cluster ? -1 : 1);

/** What every way to wake a controller promises. */
export function runWakesSuite(
  name: string,
  makeWakes: () => Promise<WakesUnderTest>,
  options: {
    readonly skipBecause?: string | undefined;
    /** Longer than a first look takes, on a slow machine too. */
    readonly delayMs?: number;
  } = {},
): void {
  const { delayMs = 1_000 } = options;
  const skipped = options.skipBecause === undefined ? "" : ` (skipped: ${options.skipBecause})`;
  describe.skipIf(options.skipBecause !== undefined)(`wakes on ${name}${skipped}`, () => {
    let made: WakesUnderTest;
    beforeAll(async () => {
      made = await makeWakes();
    });
    afterAll(async () => {
      await made?.stop?.();
    });

    it("arrive at their target as they were sent", async () => {
      await made.wakes.send({ cluster: "a", target: "provision", atLeast: "4711" });
      await made.wakes.send({ cluster: "b", target: "disrupt" });
      expect(await made.receive("disrupt", 0)).toEqual([{ cluster: "b", target: "disrupt" }]);
      expect(await made.receive("provision", 0)).toEqual([{ cluster: "a", target: "provision", atLeast: "4711" }]);
    });

    it("arrive after their delay and not before", async () => {
      await made.wakes.send({ cluster: "a", target: "lifecycle" }, delayMs);
      expect(await made.receive("lifecycle", 0)).toEqual([]);
      expect(await made.receive("lifecycle", delayMs + 200)).toEqual([{ cluster: "a", target: "lifecycle" }]);
    });

    it("go out many at a time, to several targets", async () => {
      const sent = Array.from({ length: 23 }, (_, i) => ({
        wake: {
          cluster: `c${String(i).padStart(2, "0")}`,
          target: i % 2 === 0 ? "provision" : "collect-garbage",
        } as Wake,
      }));
      await made.wakes.sendAll(sent);
      await made.wakes.sendAll([]);
      const received = [...(await made.receive("provision", 0)), ...(await made.receive("collect-garbage", 0))];
      expect(received.sort(byCluster)).toEqual(sent.map(({ wake }) => wake));
    });

    it("are never delayed beyond a quarter of an hour", async () => {
      const wake: Wake = { cluster: "a", target: "resolve-node-classes" };
      await expect(async () => made.wakes.send(wake, 900_001)).rejects.toThrow(RangeError);
      await expect(async () => made.wakes.send(wake, -1)).rejects.toThrow("agenda");
      await made.wakes.send(wake, 900_000);
      expect(await made.receive("resolve-node-classes", 0)).toEqual([]);
    });
  });
}
