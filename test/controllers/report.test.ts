import { describe, expect, it } from "vitest";
import { createRunLog, forEachBounded, isolate } from "../../shared/controllers/report.ts";
import { runLeased } from "../../shared/controllers/schedule.ts";
import { OperationError } from "../../shared/ports/index.ts";
import { createDesk, startMs, wake } from "./desk.ts";

const failing = (retry: OperationError["retry"], outcomeUnknown = false) => {
  throw new OperationError("no", { retry, code: "refused", outcomeUnknown });
};

describe("an object that fails by itself", () => {
  it.each([
    ["later", false, startMs],
    ["now", false, startMs],
    ["never", true, startMs],
    ["never", false, null],
  ] as const)("with retry %s, outcome unknown %s, is due at %s", async (retry, outcomeUnknown, due) => {
    const log = createRunLog("lifecycle", "demo");
    await isolate(log, "it", startMs, async () => failing(retry, outcomeUnknown));
    expect(log.failures).toEqual([{ object: "it", message: "refused: no" }]);
    expect(log.nextDueAtMs).toBe(due);
  });

  it("is told of although the run ends with an error", async () => {
    const desk = await createDesk();
    const run = runLeased(desk.ports, wake("lifecycle"), async (log) => {
      await isolate(log, "it", startMs, async () => failing("later"));
      throw new Error("a mistake");
    });
    await expect(run).rejects.toThrow("a mistake");
    expect(desk.telemetry.counted("timmerman_object_failures_total", { controller: "lifecycle" })).toBe(1);
  });
});

describe("work side by side", () => {
  it("ends as a whole: after one failure nothing is begun, and what is under way is waited for", async () => {
    const begun: string[] = [];
    const ended: string[] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const all = forEachBounded(["slow", "bad", "next"], 2, async (item) => {
      begun.push(item);
      if (item === "bad") throw new Error("a mistake");
      await held;
      ended.push(item);
    });
    const outcome = all.then(
      () => "done",
      (error: Error) => `${error.message} after ${ended.join()}`,
    );
    await new Promise<void>((resolve) => setImmediate(resolve));
    release();
    expect(await outcome).toBe("a mistake after slow");
    expect(begun).toEqual(["slow", "bad"]);
  });
});
