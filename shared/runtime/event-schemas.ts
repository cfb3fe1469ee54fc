import type { EventBridgeEvent, SQSEvent } from "aws-lambda";

interface Issue {
  readonly message: string;
  readonly path: readonly string[];
}

/** A schema as Powertools' parser takes it (Standard Schema 1), so that no schema library is bundled for three fields. */
export interface EventSchema<T> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "timmerman";
    validate(value: unknown): { readonly value: T } | { readonly issues: readonly Issue[] };
    readonly types?: { readonly input: T; readonly output: T };
  };
}

function schema<T>(check: (value: Record<string, unknown>) => Issue | undefined): EventSchema<T> {
  return {
    "~standard": {
      version: 1,
      vendor: "timmerman",
      validate(value) {
        const issue =
          typeof value === "object" && value !== null
            ? check(value as Record<string, unknown>)
            : { message: "the event is no object", path: [] };
        return issue === undefined ? { value: value as T } : { issues: [issue] };
      },
    },
  };
}

/** What an SQS event source mapping sends: records with an id and a body. */
export const sqsEvent = schema<SQSEvent>(({ Records: records }) => {
  if (!Array.isArray(records)) {
    return { message: "the event is no SQS batch: map this function to its queue", path: ["Records"] };
  }
  const wrong = records.findIndex(
    (record) => typeof record?.messageId !== "string" || typeof record?.body !== "string",
  );
  return wrong < 0 ? undefined : { message: "the record has no messageId or body", path: ["Records", String(wrong)] };
});

export type ScheduledEvent = EventBridgeEvent<"Scheduled Event", unknown>;

/** What a schedule sends. */
export const scheduledEvent = schema<ScheduledEvent>((event) =>
  event["detail-type"] === "Scheduled Event"
    ? undefined
    : { message: "the event is no schedule's: run this function by its schedule", path: ["detail-type"] },
);
