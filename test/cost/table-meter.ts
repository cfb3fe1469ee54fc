import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { type Meter, spenderHeader } from "./meter.ts";

export interface TableMeter {
  readonly url: string;
  stop(): Promise<void>;
}

/** Conditions that fail are billed as the write would have been; of what fails here every item is below a kilobyte. */
const refusedWriteUnits = 1;
const transactionFactor = 2;

interface Capacity {
  readonly CapacityUnits?: number;
  readonly WriteCapacityUnits?: number;
}

/**
 * Stands before DynamoDB, asks it with each request what that consumes, and books it on whose request it is. Writes are
 * those operations that write: DynamoDB says one number for either.
 */
export async function startTableMeter(table: string, meter: Meter): Promise<TableMeter> {
  const { hostname, port } = new URL(table);
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const input = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown>;
      const body = JSON.stringify({ ...input, ReturnConsumedCapacity: "TOTAL" });
      const headers = {
        ...incoming.headers,
        host: `${hostname}:${port}`,
        "content-length": String(Buffer.byteLength(body)),
      };
      const onward = request({ hostname, port, path: "/", method: "POST", headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () => {
          const bytes = Buffer.concat(parts);
          const operation = String(incoming.headers["x-amz-target"]).split(".").at(-1)!;
          book(meter, String(incoming.headers[spenderHeader]), operation, input, JSON.parse(bytes.toString("utf8")));
          outgoing.writeHead(answer.statusCode!, { "content-type": "application/x-amz-json-1.0" }).end(bytes);
        });
      });
      onward.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function book(
  meter: Meter,
  spender: string,
  operation: string,
  input: Record<string, unknown>,
  output: { readonly __type?: string; readonly ConsumedCapacity?: Capacity | readonly Capacity[] },
): void {
  const counts = meter.of(spender);
  if (output.__type?.endsWith("ConditionalCheckFailedException")) {
    counts.writeUnits += refusedWriteUnits;
    return;
  }
  if (output.__type?.endsWith("TransactionCanceledException")) {
    counts.writeUnits += transactionFactor * refusedWriteUnits * (input.TransactItems as readonly unknown[]).length;
    return;
  }
  if (output.__type !== undefined) throw new Error(`${operation} of ${spender} failed: ${output.__type}`);
  const isRead = operation === "GetItem" || operation === "Query";
  const capacities = [output.ConsumedCapacity ?? []].flat();
  if (capacities.length === 0) throw new Error(`${operation} of ${spender} says nothing of its capacity`);
  for (const { CapacityUnits: units = 0 } of capacities) counts[isRead ? "readUnits" : "writeUnits"] += units;
}
