// EC2's error names and what they mean: the one table. Nothing outside this folder knows an EC2 error by its name.
// Source of the names: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html and what instant fleets put into `Errors`.
import type { LaunchRefusal } from "../../core/model/index.ts";
import { OperationError, type Retry } from "../../ports/index.ts";

/** What an error is about. The first three concern pools, subnets and the account, not the call. */
export type ErrorClass =
  | "no-capacity"
  | "no-addresses"
  | "quota"
  | "throttled"
  | "unauthorized"
  | "bad-request"
  | "idempotency-mismatch"
  | "not-found"
  | "unavailable"
  | "timeout";

interface Meaning {
  readonly retry: Retry;
  /** The call may have worked all the same. */
  readonly outcomeUnknown: boolean;
  /** What it is when EC2 says it of one pool of a fleet. */
  readonly refusal: LaunchRefusal["kind"];
}

/** What follows from each class. */
export const meanings: Readonly<Record<ErrorClass, Meaning>> = {
  "no-capacity": { retry: "later", outcomeUnknown: false, refusal: "no-capacity" },
  "no-addresses": { retry: "later", outcomeUnknown: false, refusal: "no-addresses" },
  quota: { retry: "later", outcomeUnknown: false, refusal: "quota" },
  throttled: { retry: "later", outcomeUnknown: false, refusal: "other" },
  unauthorized: { retry: "never", outcomeUnknown: false, refusal: "unauthorized" },
  "bad-request": { retry: "never", outcomeUnknown: false, refusal: "bad-request" },
  "idempotency-mismatch": { retry: "never", outcomeUnknown: false, refusal: "other" },
  // What was just made may be unknown for some seconds, and templates are made again: later, not never.
  "not-found": { retry: "later", outcomeUnknown: false, refusal: "bad-request" },
  unavailable: { retry: "later", outcomeUnknown: true, refusal: "other" },
  timeout: { retry: "now", outcomeUnknown: true, refusal: "other" },
};

const byName: Readonly<Record<ErrorClass, readonly string[]>> = {
  "no-capacity": [
    "InsufficientCapacity",
    "InsufficientHostCapacity",
    "InsufficientInstanceCapacity",
    "InsufficientReservedInstanceCapacity",
    "ReservationCapacityExceeded",
    "SpotMaxPriceTooLow",
    "UnfulfillableCapacity",
    // The type isn't offered in that zone.
    "Unsupported",
  ],
  "no-addresses": ["InsufficientFreeAddressesInSubnet"],
  quota: [
    "InstanceLimitExceeded",
    "MaxFleetCountExceeded",
    "MaxIOPSLimitExceeded",
    "MaxSpotFleetRequestCountExceeded",
    "MaxSpotInstanceCountExceeded",
    "NetworkInterfaceLimitExceeded",
    "VcpuLimitExceeded",
    "VolumeLimitExceeded",
  ],
  throttled: [
    "BandwidthLimitExceeded",
    "EC2ThrottledException",
    "RequestLimitExceeded",
    "RequestThrottled",
    "RequestThrottledException",
    "SlowDown",
    "Throttling",
    "ThrottlingException",
    "TooManyRequestsException",
  ],
  unauthorized: [
    "AccessDenied",
    "AccessDeniedException",
    "AuthFailure",
    "Blocked",
    "CredentialsProviderError",
    "ExpiredToken",
    "ExpiredTokenException",
    "IncompleteSignature",
    "InvalidClientTokenId",
    "MissingAuthenticationToken",
    "OptInRequired",
    "PendingVerification",
    "RequestExpired",
    "SignatureDoesNotMatch",
    "UnauthorizedOperation",
    "UnrecognizedClientException",
  ],
  "idempotency-mismatch": ["IdempotentParameterMismatch"],
  // The limits of a request itself, which no waiting lifts, are among them.
  "bad-request": [
    "DryRunOperation",
    "FilterLimitExceeded",
    "InvalidAction",
    "MalformedQueryString",
    "TagLimitExceeded",
    "UnsupportedOperation",
  ],
  "not-found": [],
  unavailable: ["InternalError", "InternalFailure", "ServiceUnavailable", "Unavailable"],
  timeout: ["ECONNRESET", "EPIPE", "ETIMEDOUT", "RequestTimeout", "RequestTimeoutException", "TimeoutError"],
};

const classes: ReadonlyMap<string, ErrorClass> = new Map(
  Object.entries(byName).flatMap(([group, names]) => names.map((name) => [name, group as ErrorClass] as const)),
);

const byShape: readonly [RegExp, ErrorClass][] = [
  [/NotFound(Exception)?$/, "not-found"],
  [/^AuthFailure\./, "unauthorized"],
  [/LimitExceeded$/, "quota"],
  [/^(Invalid|Missing|Malformed|Unknown)/, "bad-request"],
];

/** The class of an error name, or undefined for a name that says nothing. */
export function classOfName(name: string): ErrorClass | undefined {
  return classes.get(name) ?? byShape.find(([pattern]) => pattern.test(name))?.[1];
}

/** What the SDK throws, as far as it is read. */
interface SdkError {
  readonly name?: string;
  readonly code?: string;
  readonly errno?: number;
  readonly message?: string;
  readonly $response?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/**
 * The class of a thrown error: by name, then by socket error, then by HTTP status. Undefined: neither EC2's nor the
 * network's, so a programmer's mistake. (The SDK puts its metadata on every error: without a status it says nothing.)
 */
export function classOf(error: unknown): ErrorClass | undefined {
  const { name = "", code = "", errno, $metadata, $response } = (error ?? {}) as SdkError;
  const named = classOfName(name) ?? classOfName(code);
  if (named !== undefined) return named;
  const status = $metadata?.httpStatusCode;
  if (status === 401 || status === 403) return "unauthorized";
  if (status !== undefined && status >= 400) return status >= 500 ? "unavailable" : "bad-request";
  // A connection that failed, an answer that was cut off or that isn't what EC2 speaks: the call may have worked.
  const isNetworks = errno !== undefined || neverSent(error) || /CERT|TLS|SSL/.test(code);
  return isNetworks || $response !== undefined || error instanceof SyntaxError ? "unavailable" : undefined;
}

/** Only a launch can be refused for these, as a result; anything else that meets them (a template quota, say) has to wait. */
const aboutPools: ReadonlySet<ErrorClass> = new Set(["no-capacity", "no-addresses", "quota"]);

/**
 * The error that callers get: an OperationError whose message begins with `doing`, or a programmer's mistake as it is, to
 * be thrown on.
 */
export function toOperationError(error: unknown, doing: string): unknown {
  if (error instanceof OperationError) return error;
  const group = classOf(error);
  if (group === undefined) return error;
  const { retry, outcomeUnknown } = meanings[group];
  const { name = "", message = String(error) } = (error ?? {}) as SdkError;
  return new OperationError(`${doing}: ${name}: ${message}`, {
    retry,
    outcomeUnknown: outcomeUnknown && !neverSent(error),
    code: aboutPools.has(group) ? "unavailable" : group,
    cause: error,
  });
}

/** Nothing was listening or the name didn't resolve: the call can't have worked. */
function neverSent(error: unknown): boolean {
  return ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"].includes(String((error as SdkError | undefined)?.code));
}
