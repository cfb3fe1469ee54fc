import { AsyncLocalStorage } from "node:async_hooks";
import { type Channel, channel } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";

/** A request to AWS that an invocation of a function made. */
export interface RecordedCall {
  /** The function, by its folder. */
  readonly from: string;
  /** `dynamodb`, `sqs` or `ec2`. */
  readonly service: string;
  /** As the API names it: `GetItem`, `CreateFleet`. */
  readonly operation: string;
  /** JSON's fields, or the query's. */
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * Listens to the HTTP requests of this process, below all clients, and keeps those to AWS with the function whose
 * invocation they belong to.
 */
export function recordCalls(): { readonly calls: readonly RecordedCall[]; stop(): void } {
  const calls: RecordedCall[] = [];
  const storage = new AsyncLocalStorage<string>();
  const invocations = channel("timmerman:invocation") as Channel<string, { name: string }>;
  invocations.bindStore(storage, ({ name }) => name);

  const onRequest = (message: unknown) => {
    const from = storage.getStore();
    if (from === undefined) return;
    const { request } = message as { request: ClientRequest };
    const chunks: Buffer[] = [];
    const keep = (chunk: unknown) => {
      if (typeof chunk === "string" || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    };
    const { write, end } = request;
    request.write = ((chunk: unknown, ...rest: unknown[]) => {
      keep(chunk);
      return (write as (...args: unknown[]) => boolean).call(request, chunk, ...rest);
    }) as typeof write;
    request.end = ((chunk: unknown, ...rest: unknown[]) => {
      keep(chunk);
      const call = parse(request, Buffer.concat(chunks).toString("utf8"));
      if (call !== undefined) calls.push({ from, ...call });
      return (end as (...args: unknown[]) => ClientRequest).call(request, chunk, ...rest);
    }) as typeof end;
  };
  const created = channel("http.client.request.created");
  created.subscribe(onRequest);
  return {
    calls,
    stop() {
      created.unsubscribe(onRequest);
      invocations.unbindStore(storage);
    },
  };
}

/** DynamoDB's and SQS's JSON protocol, EC2's query protocol; anything else is not AWS. */
function parse(request: ClientRequest, body: string): Omit<RecordedCall, "from"> | undefined {
  const target = request.getHeader("x-amz-target");
  if (typeof target === "string") {
    const [service = "", operation = ""] = target.split(".");
    return { service: service.startsWith("DynamoDB") ? "dynamodb" : "sqs", operation, input: JSON.parse(body) };
  }
  const query = new URLSearchParams(body);
  const operation = query.get("Action");
  if (operation === null || query.get("Version") === null) return undefined;
  return { service: "ec2", operation, input: Object.fromEntries(query) };
}
