import { OperationError, type Retry } from "../../ports/index.ts";

interface Verdict {
  readonly code: string;
  readonly retry: Retry;
  readonly outcomeUnknown?: boolean;
}

const throttled: Verdict = { code: "throttled", retry: "later" };
const unauthorized: Verdict = { code: "unauthorized", retry: "never" };
const badRequest: Verdict = { code: "bad-request", retry: "never" };
const notFound: Verdict = { code: "not-found", retry: "never" };
const unavailable: Verdict = { code: "unavailable", retry: "later", outcomeUnknown: true };
const timeout: Verdict = { code: "timeout", retry: "later", outcomeUnknown: true };
/** Nobody was there to hear it. */
const unreachable: Verdict = { code: "unavailable", retry: "later" };

/** AWS error names, as DynamoDB, SQS and EventBridge document them among their common errors. */
const byName: Readonly<Record<string, Verdict>> = {
  ThrottlingException: throttled,
  Throttling: throttled,
  RequestThrottled: throttled,
  RequestThrottledException: throttled,
  TooManyRequestsException: throttled,
  ProvisionedThroughputExceededException: throttled,
  RequestLimitExceeded: throttled,
  LimitExceededException: throttled,
  OverLimit: throttled,
  SlowDown: throttled,
  AccessDenied: unauthorized,
  AccessDeniedException: unauthorized,
  UnrecognizedClientException: unauthorized,
  InvalidClientTokenId: unauthorized,
  InvalidSignatureException: unauthorized,
  SignatureDoesNotMatch: unauthorized,
  MissingAuthenticationToken: unauthorized,
  ExpiredTokenException: unauthorized,
  ExpiredToken: unauthorized,
  CredentialsProviderError: unauthorized,
  ValidationException: badRequest,
  IdempotentParameterMismatchException: badRequest,
  ResourceNotFoundException: notFound,
  QueueDoesNotExist: notFound,
  "AWS.SimpleQueueService.NonExistentQueue": notFound,
  InternalServerError: unavailable,
  InternalFailure: unavailable,
  InternalException: unavailable,
  ServiceUnavailable: unavailable,
  ServiceUnavailableException: unavailable,
  TransactionInProgressException: unavailable,
  TimeoutError: timeout,
  RequestTimeout: timeout,
  RequestTimeoutException: timeout,
  AbortError: timeout,
  ECONNREFUSED: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  EHOSTUNREACH: unreachable,
  ECONNRESET: timeout,
  EPIPE: timeout,
  ETIMEDOUT: timeout,
};

/**
 * An SDK failure as an OperationError that says what was being done. What is neither AWS's nor the network's (a
 * TypeError, say) is a programmer's mistake: it comes back as it is, to be thrown on.
 */
export function translate(error: unknown, what: string): unknown {
  if (error instanceof OperationError || !(error instanceof Error)) return error;
  const verdict = verdictOf(error);
  if (verdict === undefined) return error;
  return new OperationError(`${what}: ${error.name}: ${error.message}`, { ...verdict, cause: error });
}

function verdictOf(error: Error): Verdict | undefined {
  const { code, errno, $metadata, $response } = error as Error & {
    code?: string;
    errno?: number;
    $metadata?: { httpStatusCode?: number };
    $response?: unknown;
  };
  const known = byName[error.name] ?? (code === undefined ? undefined : byName[code]);
  if (known !== undefined) return known;
  const status = $metadata?.httpStatusCode;
  if (status !== undefined && status >= 400 && status < 500) return badRequest;
  if (status !== undefined && status >= 500) return unavailable;
  // A response that was cut off or is not what the service speaks: the request may have worked. (The SDK puts its
  // metadata on every error, also on a programmer's: that alone says nothing.)
  const isBroken = $response !== undefined || errno !== undefined || error instanceof SyntaxError;
  return isBroken ? timeout : undefined;
}
