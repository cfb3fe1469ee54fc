import type { InterruptionMessage } from "../model/index.ts";

export interface ParsedInterruption {
  readonly messages: readonly InterruptionMessage[];
  /** Why the body is of no use; such a message is dropped, for it will not get better. */
  readonly unreadable?: string;
}

interface Envelope {
  readonly version: string;
  readonly source: string;
  readonly detailType: string;
  readonly id: string;
  readonly atMs: number;
  readonly account: string;
  readonly region: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

type Kind = InterruptionMessage["kind"];

const readers: Readonly<Record<string, (envelope: Envelope) => readonly InterruptionMessage[]>> = {
  "0|aws.ec2|EC2 Spot Instance Interruption Warning": (e) => one(e, "spot_interrupted"),
  "0|aws.ec2|EC2 Instance Rebalance Recommendation": (e) => one(e, "rebalance_recommendation"),
  "0|aws.ec2|EC2 Instance State-change Notification": (e) => one(e, kindOfState(e.detail.state)),
  "0|aws.ec2|EC2 Capacity Reservation Instance Interruption Warning": (e) => one(e, "capacity_reservation_interrupted"),
  "0|aws.ec2|EC2 Interruptible Capacity Reservation Instance Interruption Warning": (e) =>
    one(e, "capacity_reservation_interrupted"),
  "0|aws.health|AWS Health Event": healthMessages,
};

/**
 * The messages in one EventBridge event (an SQS message's body). An empty body and kinds that say nothing about an
 * instance give none; what cannot be read gives none and says why.
 */
export function parseInterruption(body: string): ParsedInterruption {
  if (body.trim() === "") return { messages: [] };
  let event: unknown;
  try {
    event = JSON.parse(body);
  } catch (error) {
    return { messages: [], unreadable: `not JSON: ${(error as Error).message}` };
  }
  if (!isRecord(event)) return { messages: [], unreadable: "not a JSON object" };
  const text = (field: string) => (typeof event[field] === "string" ? event[field] : "");
  const atMs = Date.parse(text("time"));
  const envelope: Envelope = {
    version: text("version"),
    source: text("source"),
    detailType: text("detail-type"),
    id: text("id"),
    atMs,
    account: text("account"),
    region: text("region"),
    detail: isRecord(event.detail) ? event.detail : {},
  };
  const read = readers[`${envelope.version}|${envelope.source}|${envelope.detailType}`];
  const messages = read === undefined ? [] : read(envelope).filter((message) => message.kind !== "no_op");
  // Deadlines count from it: with a made-up time, pods would be ended at once or an instance be waited for that is gone.
  if (messages.length > 0 && Number.isNaN(atMs)) {
    return { messages: [], unreadable: `time: "${text("time")}" is no RFC 3339 time` };
  }
  return { messages };
}

function kindOfState(state: unknown): Kind {
  if (state === "stopping" || state === "stopped") return "instance_stopped";
  return state === "shutting-down" || state === "terminated" ? "instance_terminated" : "no_op";
}

function one(envelope: Envelope, kind: Kind): readonly InterruptionMessage[] {
  const instanceId = envelope.detail["instance-id"];
  if (typeof instanceId !== "string" || instanceId === "") return [];
  return [{ kind, instanceId, ...origin(envelope) }];
}

/** When an event was, and in which account and region, where it says so. */
function origin({ atMs, id, account, region }: Pick<Envelope, "atMs" | "id" | "account" | "region">) {
  return { atMs, eventId: id, ...(account === "" ? {} : { account }), ...(region === "" ? {} : { region }) };
}

/**
 * Only scheduled changes of EC2 count; one event may name many instances. Health events come by a backup region and by an
 * organisation's own account too: the detail says whom they are about (AWS Health's `eventRegion`, `affectedAccount`).
 */
function healthMessages(envelope: Envelope): readonly InterruptionMessage[] {
  const { service, eventTypeCategory, affectedEntities, eventRegion, affectedAccount } = envelope.detail;
  if (service !== "EC2" || eventTypeCategory !== "scheduledChange" || !Array.isArray(affectedEntities)) return [];
  const about = origin({
    ...envelope,
    account: typeof affectedAccount === "string" ? affectedAccount : envelope.account,
    region: typeof eventRegion === "string" ? eventRegion : envelope.region,
  });
  return affectedEntities.flatMap((entity: unknown) => {
    const instanceId = isRecord(entity) ? entity.entityValue : undefined;
    if (typeof instanceId !== "string" || instanceId === "") return [];
    return [{ kind: "scheduled_change" as const, instanceId, ...about }];
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
