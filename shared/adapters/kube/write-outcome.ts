import type { WriteOutcome } from "../../ports/index.ts";
import { type Call, refusalOf, statusOf } from "./call.ts";
import { documentIn } from "./documents.ts";
import type { KubeAnswer, KubeRequest } from "./transport.ts";

/** Statuses that `writeOutcome` reads. */
export const writeRefusals = [404, 409, 422] as const;

/**
 * What became of a write that carried a uid, and perhaps a resourceVersion, as its precondition. If another object has
 * the name by now, the one that was meant is gone. `path` is the object's own.
 */
export async function writeOutcome(
  call: Call,
  path: string,
  uid: string,
  request: KubeRequest,
  answer: KubeAnswer,
): Promise<WriteOutcome> {
  if (answer.status === 404) return "gone";
  // A patch for another uid is refused as invalid, because a uid can't be changed.
  if (answer.status === 422 && namesField(answer, "metadata.uid")) return "gone";
  if (answer.status === 422) throw refusalOf(request, answer);
  if (answer.status !== 409) return "done";
  const found = await call({ method: "GET", path }, [404]);
  return found.status === 404 || documentIn(found.body).metadata.uid !== uid ? "gone" : "changed";
}

function namesField(answer: KubeAnswer, wanted: string): boolean {
  return statusOf(answer.body).details?.causes?.some(({ field }) => field === wanted) ?? false;
}
