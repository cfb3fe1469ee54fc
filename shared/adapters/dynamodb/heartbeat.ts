import { type DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { heartbeatTimeoutMs } from "../../core/limits.ts";
import { relayAgenda } from "../../ports/index.ts";
import { translate } from "../aws/index.ts";
import { number } from "./records.ts";
import { agendaShardOf, keys } from "./table.ts";

export interface HeartbeatOptions {
  readonly client: DynamoDBClient;
  readonly tableName: string;
  readonly cluster: string;
}

/** Says that a cluster's relay lives. */
export interface Heartbeat {
  /** The relay lives at `nowMs` (epoch). Rejects with an OperationError; the next beat makes up for a lost one. */
  beat(nowMs: number): Promise<void>;
}

/**
 * A heartbeat is an entry of the agenda that is moved on before it is due: one that is due is a relay that fell silent,
 * and the tick meets it among all that is due, without a read of its own. The write names these four attributes and asks
 * for nothing back, so that the relay's role can be held to exactly that (`dynamodb:Attributes`, `dynamodb:LeadingKeys`).
 */
export function createHeartbeat({ client, tableName, cluster }: HeartbeatOptions): Heartbeat {
  return {
    async beat(nowMs) {
      try {
        await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key: keys.agenda(cluster, relayAgenda),
            UpdateExpression: "SET dueShard = :shard, dueAtMs = :due",
            ExpressionAttributeValues: {
              ":shard": { S: agendaShardOf(cluster) },
              ":due": number(nowMs + heartbeatTimeoutMs),
            },
          }),
        );
      } catch (error) {
        throw translate(error, `the heartbeat of ${cluster}`);
      }
    },
  };
}
