import type { ClaimPhase, NodeClaim } from "../../core/model/index.ts";
import { claimNotes, finalizers } from "../../core/model/index.ts";
import { type ClaimMirror, OperationError, type Precondition, type WriteOutcome } from "../../ports/index.ts";
import { type Call, refusalOf } from "./call.ts";
import { type ClaimDocument, claimDocument } from "./claim-document.ts";
import { documentIn, fieldManager, type KubeDocument, mergePatch, namedPath, paths } from "./documents.ts";
import type { KubeRequest } from "./transport.ts";
import { writeOutcome, writeRefusals } from "./write-outcome.ts";

/** Times that a write is begun again because someone else wrote in between. */
const maxRounds = 5;

export function mirrorOf(object: unknown): ClaimMirror {
  const { metadata, status } = documentIn(object);
  const version = Number(metadata.annotations?.[claimNotes.recordVersion]);
  const lastPodEventAtMs = Date.parse(String(status?.lastPodEventTime));
  return {
    name: metadata.name,
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    finalizers: metadata.finalizers ?? [],
    ...(metadata.deletionTimestamp === undefined ? {} : { deletionAtMs: Date.parse(metadata.deletionTimestamp) }),
    ...(Number.isSafeInteger(version) ? { mirroredVersion: version } : {}),
    ...(Number.isNaN(lastPodEventAtMs) ? {} : { lastPodEventAtMs }),
  };
}

/**
 * Makes the custom resource show the record: created if it isn't there, else status first, then labels, annotations and
 * finalizer together with the version mirrored. A writer with an older record than the one mirrored changes nothing.
 */
export async function mirrorClaim(call: Call, claim: NodeClaim, phase: ClaimPhase): Promise<{ uid: string }> {
  const wanted = claimDocument(claim, phase);
  const path = namedPath(paths.nodeClaims, claim.name);
  for (let round = 0; round < maxRounds; round++) {
    const found = await call({ method: "GET", path }, [404]);
    const current = found.status === 404 ? await create(call, wanted) : documentIn(found.body);
    if (current === undefined) continue;
    const { mirroredVersion } = mirrorOf(current);
    if (mirroredVersion !== undefined && mirroredVersion >= claim.version) return { uid: current.metadata.uid };
    if (await update(call, path, current, wanted)) return { uid: current.metadata.uid };
  }
  throw new OperationError(`NodeClaim ${claim.name} keeps changing while its status is written`, {
    retry: "later",
    code: "conflict",
  });
}

/**
 * A new custom resource has no status yet, as the server drops it at creation; so it doesn't bear the record's version
 * either. Undefined: somebody else was faster.
 */
async function create(call: Call, { status: _, ...wanted }: ClaimDocument): Promise<KubeDocument | undefined> {
  const { [claimNotes.recordVersion]: __, ...rest } = wanted.metadata.annotations;
  const body = { ...wanted, metadata: { ...wanted.metadata, annotations: rest } };
  const answer = await call({ method: "POST", path: paths.nodeClaims, query: fieldManager, body }, [409]);
  return answer.status === 409 ? undefined : documentIn(answer.body);
}

/** False: changed or gone in between. */
async function update(call: Call, path: string, current: KubeDocument, wanted: ClaimDocument): Promise<boolean> {
  const { uid, resourceVersion, deletionTimestamp, finalizers: present = [] } = current.metadata;
  const patch = (target: string, body: object): KubeRequest => ({
    method: "PATCH",
    path: target,
    query: fieldManager,
    body,
    contentType: mergePatch,
  });
  const status = patch(`${path}/status`, { metadata: { uid, resourceVersion }, status: statusOver(current, wanted) });
  const afterStatus = await call(status, writeRefusals);
  if ((await writeOutcome(call, path, uid, status, afterStatus)) !== "done") return false;
  const missing = deletionTimestamp === undefined ? wanted.metadata.finalizers.filter((f) => !present.includes(f)) : [];
  const metadata = patch(path, {
    metadata: {
      uid,
      resourceVersion: documentIn(afterStatus.body).metadata.resourceVersion,
      labels: wanted.metadata.labels,
      annotations: wanted.metadata.annotations,
      // No finalizer may be added to an object that is being deleted.
      ...(missing.length === 0 ? {} : { finalizers: [...present, ...missing] }),
    },
  });
  return (await writeOutcome(call, path, uid, metadata, await call(metadata, writeRefusals))) === "done";
}

/** The record's status; a later pod event that the relay has noted meanwhile stays. */
function statusOver(current: KubeDocument, { status }: ClaimDocument): Readonly<Record<string, unknown>> {
  const noted = Date.parse(String(current.status?.lastPodEventTime));
  const { lastPodEventTime, ...rest } = status;
  return noted > Date.parse(String(lastPodEventTime)) ? rest : status;
}

/**
 * Deletes the custom resource and takes our finalizer off, in this order: between the two it can only be one that is
 * being deleted. Finalizers of others stay.
 */
export async function releaseClaim(call: Call, name: string, precondition: Precondition): Promise<WriteOutcome> {
  const path = namedPath(paths.nodeClaims, name);
  let expected = precondition.resourceVersion;
  for (let round = 0; round < maxRounds; round++) {
    const found = await call({ method: "GET", path }, [404]);
    if (found.status === 404) return round === 0 ? "gone" : "done";
    const { metadata } = documentIn(found.body);
    if (metadata.uid !== precondition.uid) return round === 0 ? "gone" : "done";
    if (expected !== undefined && metadata.resourceVersion !== expected) return "changed";
    if (metadata.deletionTimestamp === undefined) {
      const preconditions = { uid: metadata.uid, resourceVersion: metadata.resourceVersion };
      const request: KubeRequest = { method: "DELETE", path, body: { preconditions } };
      const answer = await call(request, [404, 409]);
      if (answer.status === 409 && expected !== undefined) return "changed";
    } else if (!metadata.finalizers?.includes(finalizers.termination)) {
      return "done";
    } else {
      const request: KubeRequest = {
        method: "PATCH",
        path,
        query: fieldManager,
        contentType: mergePatch,
        body: {
          metadata: {
            uid: metadata.uid,
            resourceVersion: metadata.resourceVersion,
            finalizers: metadata.finalizers.filter((f) => f !== finalizers.termination),
          },
        },
      };
      const outcome = await writeOutcome(call, path, metadata.uid, request, await call(request, writeRefusals));
      if (outcome !== "changed") return "done";
      if (expected !== undefined) return "changed";
    }
    // From here on it is our own writes that move the version.
    expected = undefined;
  }
  throw refusalOf({ method: "DELETE", path }, { status: 409, body: { message: "it keeps changing" } });
}
