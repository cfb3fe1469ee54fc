import type { Precondition, WriteOutcome } from "../../ports/index.ts";

export function check(
  there: { readonly uid: string; readonly resourceVersion: string } | undefined,
  wanted: Precondition,
): WriteOutcome {
  if (there === undefined || there.uid !== wanted.uid) return "gone";
  return wanted.resourceVersion !== undefined && there.resourceVersion !== wanted.resourceVersion ? "changed" : "done";
}
