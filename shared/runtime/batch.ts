import { BatchProcessor, EventType, processPartialResponse } from "@aws-lambda-powertools/batch";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { OperationError } from "../ports/index.ts";
import type { Composition } from "./composition.ts";

/** What a record is about, as keys of log lines; nothing, as long as it cannot be told. */
export type KeysOf = (record: SQSRecord) => { readonly cluster?: string };

/**
 * Works on the records of a batch at the same time. Those that fail are given back to the queue by name; it shows them
 * again, and in the end puts them among its dead letters.
 */
export async function processRecords(
  event: SQSEvent,
  context: Context,
  { logger, ports }: Composition,
  controller: string,
  work: (record: SQSRecord) => Promise<void>,
  keysOf: KeysOf = () => ({}),
): Promise<SQSBatchResponse> {
  const told = async (record: SQSRecord) => {
    try {
      await work(record);
    } catch (error) {
      const code = error instanceof OperationError ? error.code : (error as Error).name;
      logger.error("the message is given back to its queue", {
        controller,
        ...keysOf(record),
        messageId: record.messageId,
        body: record.body,
        received: record.attributes?.ApproximateReceiveCount,
        error: error as Error,
      });
      ports.telemetry.count("timmerman_messages_failed_total", 1, { controller, code });
      throw error;
    }
  };
  // A processor keeps the state of one batch, so each invocation has its own.
  const processor = new BatchProcessor(EventType.SQS, { logger });
  return await processPartialResponse(event, told, processor, { context, throwOnFullBatchFailure: false });
}
