// The claim store on one DynamoDB table (what Karpenter keeps in the API server and in memory). Items by key:
//
//   cluster#<name>            head | claim#<name> | command#<id> | launch#<id>    one consistent query is the state
//   plans#<name>              <until, sortable>#<id>#<k>     read from now on; what ended is never read
//   gone#<name>               claim#<name> | launch#<id>     out of the state, kept for explanations and repeats
//   instance#<id>             instance                       whose an instance is, of whatever cluster
//   lease#<name>              <controller>                   advisory
//   agenda#<name>             <controller> | relay           index `due`: (dueShard, dueAtMs), sparse
//   market#<partition>#<region>   <type>#<zone id>#<capacity type> | catalog
//   registry                  <cluster>                      region, document: written by the deployment's stacks
//
// Safety is in named conditions. A write whose answer was lost is repeated and recognises itself by what it finds. The
// SDK's names for errors end in this room.
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { ClaimStore } from "../../ports/index.ts";
import type { Table } from "./calls.ts";
import { claimMethods } from "./claims.ts";
import { commitMethods } from "./commits.ts";
import { headMethods } from "./heads.ts";
import { launchMethods } from "./launches.ts";
import { agendaMethods, leaseMethods } from "./leases.ts";
import { refusalMethods } from "./refusals.ts";

export { type CatalogPointers, createCatalogPointers } from "./catalog-pointers.ts";
export { createDynamoClient } from "./client.ts";
export { createHeartbeat, type Heartbeat, type HeartbeatOptions } from "./heartbeat.ts";
export { createRegistry, type RegistryOptions } from "./registry.ts";
export { expiryAttribute, tableDefinition } from "./table.ts";

export interface DynamoClaimStoreOptions {
  readonly client: DynamoDBClient;
  readonly tableName: string;
  /** How to wait between tries; default: the timers of the platform. */
  readonly pause?: (ms: number) => Promise<void>;
}

/** The store on a table made from `tableDefinition`. What the table or the way to it refuses is an OperationError. */
export function createDynamoClaimStore(options: DynamoClaimStoreOptions): ClaimStore {
  const table: Table = {
    client: options.client,
    name: options.tableName,
    pause: options.pause ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
  };
  return {
    ...headMethods(table),
    ...commitMethods(table),
    ...claimMethods(table),
    ...launchMethods(table),
    ...refusalMethods(table),
    ...leaseMethods(table),
    ...agendaMethods(table),
  };
}
