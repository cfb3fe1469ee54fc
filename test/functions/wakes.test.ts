import { describe, expect, it } from "vitest";
import { handler as collectGarbage } from "../../functions/collect-garbage/handler.ts";
import { handler as disrupt } from "../../functions/disrupt/handler.ts";
import { handler as lifecycle } from "../../functions/lifecycle/handler.ts";
import { handler as provision } from "../../functions/provision/handler.ts";
import { handler as resolveNodeClasses } from "../../functions/resolve-node-classes/handler.ts";
import { composeOnMemory, context, sqsEvent } from "./invoke.ts";

describe("the exported handler", () => {
  it.each([
    ["provision", provision],
    ["disrupt", disrupt],
    ["lifecycle", lifecycle],
    ["resolve-node-classes", resolveNodeClasses],
    ["collect-garbage", collectGarbage],
  ] as const)("of %s gives back what was meant for another, and what it cannot do", async (target, handler) => {
    const { telemetry } = composeOnMemory();
    const other = target === "disrupt" ? "provision" : "disrupt";
    const response = await handler(
      sqsEvent([
        JSON.stringify({ cluster: "blue", target: other }),
        JSON.stringify({ cluster: "unserved", target }),
        JSON.stringify({ cluster: "bl ue", target }),
      ]),
      context,
    );
    const given = response.batchItemFailures.map((failure) => failure.itemIdentifier).sort();
    expect(given).toEqual(["message-0", "message-1", "message-2"]);
    expect(telemetry.counted("timmerman_messages_failed_total", { controller: target, code: "not-found" })).toBe(1);
    expect(telemetry.counted("timmerman_messages_failed_total", { controller: target, code: "WakeError" })).toBe(2);
  });
});
