import {
  type EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
  type PutEventsResultEntry,
} from "@aws-sdk/client-eventbridge";
import { maxEventMessageLength } from "../../core/limits.ts";
import {
  type DecisionEvent,
  type DecisionKind,
  type Decisions,
  DecisionsLost,
  OperationError,
} from "../../ports/index.ts";
import { translate } from "../aws/index.ts";

export interface EventBridgeDecisionsOptions {
  readonly client: EventBridgeClient;
  /** Name or ARN of the bus. */
  readonly bus: string;
}

/**
 * PutEvents takes ten events and 256 KB (EventBridge's figures). With its message cut an event is below 4 KB, for every
 * other field is a name that AWS or Kubernetes bounds; so ten always fit.
 */
const batchSize = 10;
/** Of the events that EventBridge did not take, once more: a throttled entry is often taken a moment later. */
const tries = 2;
const source = "timmerman";
/** Grows when a field changes its meaning or goes; a new field alone does not change it (docs/events.md). */
const schemaVersion = 1;

const detailTypes: Readonly<Record<DecisionKind, string>> = {
  launched: "Node Launched",
  registered: "Node Registered",
  disrupted: "Node Disrupted",
  interrupted: "Node Interrupted",
  refused: "Launch Refused",
};

/** Decisions on a bus, ten a request. A request that fails loses its own events only. */
export function createEventBridgeDecisions({ client, bus }: EventBridgeDecisionsOptions): Decisions {
  /** Sends entries and returns those that were not taken, with the reason of one of them. */
  async function put(entries: readonly PutEventsRequestEntry[]): Promise<Refused> {
    const what = `publishing ${entries.length} decisions to ${bus}`;
    try {
      const answer = await client.send(new PutEventsCommand({ Entries: [...entries] }));
      const refused = entries.filter((_, at) => answer.Entries?.[at]?.ErrorCode !== undefined);
      const first = answer.Entries?.find(({ ErrorCode }) => ErrorCode !== undefined);
      if (first === undefined) return { entries: [] };
      return { entries: refused, why: refusal(what, first) };
    } catch (error) {
      return { entries, why: failure(error, what) };
    }
  }

  async function putBatch(batch: readonly PutEventsRequestEntry[]): Promise<Refused> {
    let refused: Refused = { entries: batch };
    for (let tried = 0; tried < tries && refused.entries.length > 0 && refused.why?.retry !== "never"; tried++) {
      refused = await put(refused.entries);
      // The client has repeated it already where that could help.
      if (refused.why?.outcomeUnknown === true) break;
    }
    return refused;
  }

  return {
    async publish(events) {
      let lost = 0;
      let why: OperationError | undefined;
      for (let at = 0; at < events.length; at += batchSize) {
        const refused = await putBatch(events.slice(at, at + batchSize).map((event) => entryOf(event, bus)));
        lost += refused.entries.length;
        why ??= refused.why;
        if (refused.why?.retry === "never") {
          lost += Math.max(0, events.length - at - batchSize);
          break;
        }
      }
      if (lost > 0 && why !== undefined) throw new DecisionsLost(lost, why);
    },
  };
}

interface Refused {
  readonly entries: readonly PutEventsRequestEntry[];
  readonly why?: OperationError;
}

/** Throws what is no failed operation: a mistake in the program. */
function failure(error: unknown, what: string): OperationError {
  const translated = translate(error, what);
  if (translated instanceof OperationError) return translated;
  throw translated;
}

function refusal(what: string, entry: PutEventsResultEntry): OperationError {
  const isDenied = entry.ErrorCode?.startsWith("AccessDenied") ?? false;
  return new OperationError(`${what}: ${entry.ErrorCode}: ${entry.ErrorMessage ?? ""}`, {
    retry: isDenied ? "never" : "later",
    code: isDenied ? "unauthorized" : entry.ErrorCode === "ThrottlingException" ? "throttled" : "unavailable",
  });
}

function entryOf(event: DecisionEvent, bus: string): PutEventsRequestEntry {
  const { kind, atMs, claim, message, ...about } = event;
  const detail = {
    version: schemaVersion,
    nodeClaim: claim,
    ...about,
    ...(message === undefined ? {} : { message: message.slice(0, maxEventMessageLength) }),
  };
  return {
    EventBusName: bus,
    Source: source,
    DetailType: detailTypes[kind],
    Time: new Date(atMs),
    Detail: JSON.stringify(detail),
  };
}
