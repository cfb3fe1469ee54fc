import { type EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { type DecisionEvent, type Decisions, OperationError } from "../../ports/index.ts";
import { translate } from "../aws/index.ts";

export interface EventBridgeDecisionsOptions {
  readonly client: EventBridgeClient;
  /** Name or ARN of the bus. */
  readonly bus: string;
}

/** PutEvents takes ten events (EventBridge's figure). */
const batchSize = 10;
const source = "timmerman";

const detailTypes: Readonly<Record<DecisionEvent["kind"], string>> = {
  launched: "Node Launched",
  registered: "Node Registered",
  disrupted: "Node Disrupted",
  interrupted: "Node Interrupted",
  refused: "Launch Refused",
};

/** Decisions on a bus, ten a request. Rejects with an OperationError if any was refused; the earlier ones are out then. */
export function createEventBridgeDecisions({ client, bus }: EventBridgeDecisionsOptions): Decisions {
  async function put(events: readonly DecisionEvent[]): Promise<void> {
    const what = `publishing ${events.length} decisions to ${bus}`;
    const Entries = events.map(({ kind, atMs, detail, ...about }) => ({
      EventBusName: bus,
      Source: source,
      DetailType: detailTypes[kind],
      Time: new Date(atMs),
      Detail: JSON.stringify({ ...about, ...detail }),
    }));
    const answer = await client.send(new PutEventsCommand({ Entries })).catch((error: unknown) => {
      throw translate(error, what);
    });
    const refused = answer.Entries?.find((entry) => entry.ErrorCode !== undefined);
    if (refused === undefined) return;
    throw new OperationError(
      `${what}: ${answer.FailedEntryCount} refused: ${refused.ErrorCode}: ${refused.ErrorMessage ?? ""}`,
      { retry: "later", code: refused.ErrorCode === "ThrottlingException" ? "throttled" : "unavailable" },
    );
  }

  return {
    async publish(events) {
      for (let at = 0; at < events.length; at += batchSize) await put(events.slice(at, at + batchSize));
    },
  };
}
