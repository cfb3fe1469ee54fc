import { OperationError } from "../../ports/index.ts";

/** A claim's name is another plan's: names come from the head, so this head's history was lost. */
export function claimExists(name: string): OperationError {
  return new OperationError(`claim ${name} exists already: its name was used by another plan; plan again`, {
    retry: "never",
    code: "claim-exists",
  });
}

/** An instance has one claim for ever. */
export function instanceTaken(id: string): OperationError {
  return new OperationError(`instance ${id} belongs to another claim already: pair the launch's instances again`, {
    retry: "never",
    code: "instance-taken",
  });
}

/** Contention or faults that outlasted every retry. `outcomeUnknown`: the write may have happened. */
export function gaveUp(what: string, outcomeUnknown: boolean, cause?: unknown): OperationError {
  return new OperationError(`${what} did not get through: try it later`, {
    retry: "later",
    code: "unavailable",
    outcomeUnknown,
    cause,
  });
}
