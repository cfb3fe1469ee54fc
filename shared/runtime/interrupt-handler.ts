import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import type { CreateInterruptController, InterruptController } from "../controllers/index.ts";
import { parseInterruption } from "../core/interruption/index.ts";
import { processRecords } from "./batch.ts";
import type { Composition } from "./composition.ts";
import { sqsEvent } from "./event-schemas.ts";
import { type LambdaHandler, wrap } from "./wrap.ts";

/**
 * A batch of EventBridge events about instances → interruptions, each event for itself. What cannot be read is said and
 * dropped, since it will not get better; what cannot be dealt with now is given back.
 */
export function interruptHandler(create: CreateInterruptController): LambdaHandler<SQSEvent, SQSBatchResponse> {
  const controllers = new WeakMap<Composition, InterruptController>();
  return wrap(sqsEvent, async (event, context, made) => {
    const controller = controllers.get(made) ?? create(made.ports, made.settings);
    controllers.set(made, controller);
    const { telemetry, clock } = made.ports;
    return await processRecords(event, context, made, "interrupt", async ({ messageId, body }) => {
      const { messages, unreadable } = parseInterruption(body);
      if (unreadable !== undefined) {
        made.logger.error("the message cannot be read and is dropped", { messageId, body, unreadable });
        telemetry.count("timmerman_messages_unreadable_total", 1, { controller: "interrupt" });
      }
      for (const { atMs } of messages) {
        const seconds = Math.max(0, clock.now() - atMs) / 1_000;
        telemetry.observe("karpenter_interruption_message_queue_duration_seconds", seconds);
      }
      await controller.run(messages);
      telemetry.count("karpenter_interruption_deleted_messages_total", 1);
    });
  });
}
