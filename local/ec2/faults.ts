// Faults on demand: calls that are refused, calls whose answer is lost after they worked, calls that take long.
import { Ec2Error } from "./ec2-error.ts";

interface FaultBase {
  /** The action it strikes; absent: every action. */
  readonly action?: string;
  /** Strikes only inputs for which this holds. */
  readonly when?: (input: Readonly<Record<string, unknown>>) => boolean;
  /** Strikes this share of the calls, by seeded chance; absent: all. */
  readonly share?: number;
  /** Ends after that many strikes; absent: never. */
  readonly times?: number;
}

/**
 * `error-before`: refused, nothing was done. `error-after`: done, and answered with an error. `lost`: done, and the connection
 * closed without an answer. `delay`: done and answered after `delayMs` of the endpoint's waiting. `stall`: the wait comes first,
 * so that a caller may give up before anything was done.
 */
export type Fault = FaultBase &
  (
    | {
        readonly kind: "error-before" | "error-after";
        readonly code: string;
        readonly message?: string;
        readonly status?: number;
      }
    | { readonly kind: "lost" }
    | { readonly kind: "delay" | "stall"; readonly delayMs: number }
  );

export interface Faults {
  /** Adds a fault; the returned function ends it. */
  add(fault: Fault): () => void;
  clear(): void;
  /** The first fault, in the order they were added, that strikes this call. */
  strike(action: string, input: Readonly<Record<string, unknown>>): Fault | undefined;
}

export function createFaults(chance: () => number): Faults {
  const active: { readonly fault: Fault; left: number }[] = [];
  const remove = (entry: (typeof active)[number]): void => {
    const at = active.indexOf(entry);
    if (at >= 0) active.splice(at, 1);
  };
  return {
    add(fault) {
      const entry = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
      active.push(entry);
      return () => remove(entry);
    },
    clear: () => void active.splice(0),
    strike(action, input) {
      for (const entry of active) {
        const { fault } = entry;
        if (fault.action !== undefined && fault.action !== action) continue;
        if (fault.when !== undefined && !fault.when(input)) continue;
        if (fault.share !== undefined && chance() >= fault.share) continue;
        entry.left--;
        if (entry.left <= 0) remove(entry);
        return fault;
      }
      return undefined;
    },
  };
}

/** The error that a fault of kind error-before or error-after answers. */
export function errorOf(fault: Fault & { kind: "error-before" | "error-after" }): Ec2Error {
  return new Ec2Error(fault.code, fault.message ?? messages[fault.code] ?? `${fault.code} (injected)`, fault.status);
}

const messages: Readonly<Record<string, string>> = {
  RequestLimitExceeded: "Request limit exceeded.",
  UnauthorizedOperation: "You are not authorized to perform this operation.",
  InternalError: "An internal error has occurred",
  Unavailable: "The service is unavailable. Please try again shortly.",
};
