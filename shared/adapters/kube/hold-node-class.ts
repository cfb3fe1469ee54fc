import { finalizers } from "../../core/model/index.ts";
import type { Precondition, WriteOutcome } from "../../ports/index.ts";
import { type Call, refusalOf } from "./call.ts";
import { documentIn, fieldManager, mergePatch, namedPath, paths } from "./documents.ts";
import type { KubeRequest } from "./transport.ts";
import { writeOutcome, writeRefusals } from "./write-outcome.ts";

const maxRounds = 5;

/** Puts our finalizer on an EC2NodeClass that is not being deleted; finalizers of others stay. */
export function holdNodeClass(call: Call, name: string, precondition: Precondition): Promise<WriteOutcome> {
  return change(call, name, precondition, (present, isLeaving) =>
    // The API server takes no new finalizer on an object that is being deleted.
    present.includes(finalizers.nodeClass) || isLeaving ? present : [...present, finalizers.nodeClass],
  );
}

/** Takes our finalizer off an EC2NodeClass; those of others stay. */
export function releaseNodeClass(call: Call, name: string, precondition: Precondition): Promise<WriteOutcome> {
  return change(call, name, precondition, (present) => present.filter((one) => one !== finalizers.nodeClass));
}

/** The list is replaced as a whole, so each write is bound to the version that it was read from. */
async function change(
  call: Call,
  name: string,
  { uid, resourceVersion }: Precondition,
  next: (present: readonly string[], isLeaving: boolean) => readonly string[],
): Promise<WriteOutcome> {
  const path = namedPath(paths.nodeClasses, name);
  for (let round = 0; round < maxRounds; round++) {
    const found = await call({ method: "GET", path }, [404]);
    if (found.status === 404) return "gone";
    const { metadata } = documentIn(found.body);
    if (metadata.uid !== uid) return "gone";
    if (resourceVersion !== undefined && metadata.resourceVersion !== resourceVersion) return "changed";
    const present = metadata.finalizers ?? [];
    const wanted = next(present, metadata.deletionTimestamp !== undefined);
    if (wanted.length === present.length) return "done";
    const body = { metadata: { uid, resourceVersion: metadata.resourceVersion, finalizers: wanted } };
    const request: KubeRequest = { method: "PATCH", path, query: fieldManager, contentType: mergePatch, body };
    const outcome = await writeOutcome(call, path, uid, request, await call(request, writeRefusals));
    if (outcome !== "changed" || resourceVersion !== undefined) return outcome;
  }
  throw refusalOf({ method: "PATCH", path }, { status: 409, body: { message: "it keeps changing" } });
}
