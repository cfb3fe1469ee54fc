import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/** What happens to one request: nothing, or the ways in which networks and services fail. */
export type Fault =
  | "none"
  | "lost-answer"
  | "lost-request"
  | "throttled"
  | "conflict"
  | "cancelled-throttled"
  | "unavailable"
  | "denied";

/** Decides the fault of the n-th request (from 0) to a command. */
export type FaultPlan = (command: string, n: number) => Fault;

function failure(name: string, status?: number): Error {
  return Object.assign(new Error(`${name}, injected`), {
    name,
    ...(status === undefined ? { code: name } : { $metadata: { httpStatusCode: status }, $fault: "server" }),
  });
}

/**
 * Disturbs a client below its retries, as a network would: `lost-answer` lets the request work and loses what came back.
 * Returns how many requests went through it, how many of them were disturbed, and what undoes it.
 */
export function disturb(
  client: DynamoDBClient,
  plan: FaultPlan,
): { count(): number; injected(): number; stop(): void } {
  const name = "injected-faults";
  let count = 0;
  let injected = 0;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const planned = plan(String(context.commandName), count++);
      const onlyTransactions = planned === "conflict" || planned === "cancelled-throttled";
      const fault = onlyTransactions && context.commandName !== "TransactWriteItemsCommand" ? "none" : planned;
      if (fault !== "none") injected += 1;
      if (fault === "lost-request") throw failure("ECONNRESET");
      if (fault === "throttled") throw failure("ThrottlingException", 400);
      if (fault === "unavailable") throw failure("InternalServerError", 500);
      if (fault === "denied") throw failure("AccessDeniedException", 400);
      if (onlyTransactions && fault !== "none") {
        const Code = fault === "conflict" ? "TransactionConflict" : "ThrottlingError";
        const reasons = [{ Code: "None" }, { Code }];
        throw Object.assign(failure("TransactionCanceledException", 400), { CancellationReasons: reasons });
      }
      const answer = await next(args);
      if (fault === "lost-answer") throw failure("TimeoutError");
      return answer;
    },
    { step: "deserialize", priority: "high", name, override: true },
  );
  return { count: () => count, injected: () => injected, stop: () => client.middlewareStack.remove(name) };
}

/** Keeps the SDK's retries, drops the waiting between them and never lets their budget run out (it is the client's). */
export async function dropPauses(client: DynamoDBClient): Promise<void> {
  const strategy = (await client.config.retryStrategy()) as {
    retryBackoffStrategy?: { computeNextBackoffDelay(attempts: number): number };
    capacity?: number;
  };
  const { capacity } = strategy;
  if (strategy.retryBackoffStrategy === undefined || capacity === undefined)
    throw new Error("the SDK's retry strategy has changed its shape");
  strategy.retryBackoffStrategy.computeNextBackoffDelay = () => 0;
  Object.defineProperty(strategy, "capacity", { get: () => capacity, set: () => {} });
}
