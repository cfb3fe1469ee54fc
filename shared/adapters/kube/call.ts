import { type Clock, OperationError, type Retry } from "../../ports/index.ts";
import type { KubeAnswer, KubeRequest, Send } from "./transport.ts";

/** Tries of one call, and the waits before the second and third. A Lambda's run is short; its wake comes again. */
const maxTries = 3;
const waitMs = [200, 1_000];
/** A server that asks for a longer wait gets it from the next run. */
const longestWaitMs = 5_000;
/** What a run needs after a wait: to try once more, and to give its messages back by itself instead of being cut off. */
const reserveMs = 3_000;

/** The part of a Status object that errors are made from. */
interface Status {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly reason?: string; readonly field?: string }[] };
}

/**
 * Calls the API server. Throttling, server errors and lost connections are tried again, a bounded number of times: all
 * our requests may be repeated. Statuses in `expected` come back to the caller; any other refusal is an OperationError.
 * A token that is refused is forgotten before the next try, or before the next call. Nobody waits for what the run's time
 * is too short for: then the failure is the caller's at once.
 */
export type Call = (request: KubeRequest, expected?: readonly number[]) => Promise<KubeAnswer>;

export function callWith(
  send: Send,
  clock: Clock,
  forgetToken: () => void = () => {},
  remainingMs: () => number = () => Number.POSITIVE_INFINITY,
): Call {
  const isTooLate = (pauseMs: number) => remainingMs() < pauseMs + reserveMs;
  return async (request, expected = []) => {
    for (let attempt = 0; ; attempt++) {
      const last = attempt === maxTries - 1;
      let answer: KubeAnswer;
      try {
        answer = await send(request);
      } catch (cause) {
        if (last || !(cause instanceof OperationError) || isTooLate(waitMs[attempt]!)) throw cause;
        await clock.sleep(waitMs[attempt]!);
        continue;
      }
      if (answer.status < 300 || expected.includes(answer.status)) return answer;
      if (answer.status === 401) forgetToken();
      const pause = Math.max(answer.retryAfterMs ?? 0, waitMs[attempt] ?? 0);
      if (last || !isTransient(answer.status) || pause > longestWaitMs || isTooLate(pause)) {
        throw refusalOf(request, answer);
      }
      await clock.sleep(pause);
    }
  };
}

/** 401 is among them: a token may have expired between its fetching and its use. */
function isTransient(status: number): boolean {
  return status === 401 || status === 429 || status >= 500;
}

/** What a refusal means to the caller. The text names the call and what the server said, never what was sent. */
export function refusalOf(request: KubeRequest, { status, body }: KubeAnswer): OperationError {
  const { message = "no message" } = statusOf(body);
  const text = `${request.method} ${request.path}: ${status} ${message}`;
  const make = (retry: Retry, code: string, outcomeUnknown = false) =>
    new OperationError(text, { retry, code, outcomeUnknown: outcomeUnknown && request.method !== "GET" });
  if (status === 401) return make("later", "unauthenticated");
  if (status === 403) return make("never", "forbidden");
  if (status === 429) return make("later", "throttled");
  if (status === 409) return make("now", "conflict");
  if (status === 504 || status === 500 || status === 502) return make("later", "server-error", true);
  if (status >= 500) return make("later", "server-error");
  if (status === 404 || status === 410) return make("later", "not-found");
  return make("never", "invalid");
}

export function statusOf(body: unknown): Status {
  return typeof body === "object" && body !== null ? (body as Status) : {};
}
