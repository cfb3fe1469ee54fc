/** What a caller should do about a failed operation. */
export type Retry = "now" | "later" | "never";

/**
 * An operation on the outside world failed. `retry` says whether repeating helps; `outcomeUnknown` that it may have
 * worked. Adapters translate their SDK's errors into this; nothing outside an adapter looks at SDK error names.
 */
export class OperationError extends Error {
  readonly retry: Retry;
  readonly outcomeUnknown: boolean;
  readonly code: string;

  constructor(message: string, options: { retry: Retry; code: string; outcomeUnknown?: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = "OperationError";
    this.retry = options.retry;
    this.code = options.code;
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }
}
