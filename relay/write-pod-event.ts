import type { Send } from "../shared/adapters/kube/index.ts";
import { OperationError } from "../shared/ports/index.ts";
import type { KeptNodeClaim } from "./objects.ts";
import { paths } from "./watch/paths.ts";

/**
 * Writes a claim's `status.lastPodEventTime` (whole seconds), if the claim is still the one that was meant. Rejects with an
 * OperationError if it may not have worked.
 */
export async function writePodEvent(send: Send, claim: KeptNodeClaim, atMs: number): Promise<"written" | "gone"> {
  const path = `${paths.NodeClaim}/${claim.name}/status`;
  const lastPodEventTime = new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z");
  const answer = await send({
    method: "PATCH",
    path,
    // The uid is a precondition: with another one, the API server answers 409.
    body: { metadata: { uid: claim.uid }, status: { lastPodEventTime } },
    contentType: "application/merge-patch+json",
  });
  if (answer.status < 400) return "written";
  if (answer.status === 404 || answer.status === 409) return "gone";
  const { message = "" } = (answer.body ?? {}) as { message?: string };
  throw new OperationError(`PATCH ${path}: ${answer.status} ${message}`, { retry: "later", code: "refused" });
}
