import type { NodePatch, Precondition, WriteOutcome } from "../../ports/index.ts";
import type { Call } from "./call.ts";
import { documentIn, fieldManager, type KubeDocument, mergePatch, namedPath, paths } from "./documents.ts";
import type { KubeRequest } from "./transport.ts";
import { writeOutcome, writeRefusals } from "./write-outcome.ts";

/** Times that a patch is begun again because someone else wrote in between. */
const maxRounds = 5;

interface WireTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
}

/**
 * Writes a node's labels, annotations, taints, cordon, finalizers and owner in one merge patch that carries uid and
 * resourceVersion, so that it hits that node in that state or nothing. Whole lists need a resourceVersion: without it
 * what others added since would be lost.
 */
export async function patchNode(
  call: Call,
  name: string,
  precondition: Precondition,
  patch: NodePatch,
): Promise<WriteOutcome> {
  const { uid, resourceVersion } = precondition;
  if (resourceVersion === undefined && (patch.taints !== undefined || patch.finalizers !== undefined)) {
    throw new TypeError(`patching taints or finalizers of node ${name} needs a resourceVersion`);
  }
  const path = namedPath(paths.nodes, name);
  if (patch.taints === undefined && patch.owner === undefined) {
    return write(call, path, uid, bodyOf(precondition, patch));
  }
  for (let round = 0; round < maxRounds; round++) {
    const found = await call({ method: "GET", path }, [404]);
    if (found.status === 404) return "gone";
    const current = documentIn(found.body);
    if (current.metadata.uid !== uid) return "gone";
    if (resourceVersion !== undefined && current.metadata.resourceVersion !== resourceVersion) return "changed";
    const body = bodyOf({ uid, resourceVersion: current.metadata.resourceVersion }, patch, current);
    const outcome = await write(call, path, uid, body);
    if (outcome !== "changed" || resourceVersion !== undefined) return outcome;
  }
  return "changed";
}

async function write(call: Call, path: string, uid: string, body: object): Promise<WriteOutcome> {
  const request: KubeRequest = { method: "PATCH", path, query: fieldManager, body, contentType: mergePatch };
  return writeOutcome(call, path, uid, request, await call(request, writeRefusals));
}

function bodyOf({ uid, resourceVersion }: Precondition, patch: NodePatch, current?: KubeDocument): object {
  const { labels, annotations, finalizers, taints, cordoned, owner } = patch;
  const spec = {
    ...(taints === undefined ? {} : { taints: datedTaints(taints, current) }),
    ...(cordoned === undefined ? {} : { unschedulable: cordoned ? true : null }),
  };
  return {
    metadata: {
      uid,
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ...(owner === undefined ? {} : { ownerReferences: withOwner(owner, current) }),
    },
    ...(Object.keys(spec).length === 0 ? {} : { spec }),
  };
}

function withOwner(owner: NonNullable<NodePatch["owner"]>, current: KubeDocument | undefined): readonly object[] {
  const others = (current?.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.uid);
  return [...others, { apiVersion: "karpenter.sh/v1", kind: "NodeClaim", ...owner, blockOwnerDeletion: true }];
}

/**
 * The new list with the times at which taints that stay were added: our nouns don't carry them, but the eviction of pods
 * by NoExecute taints counts from them.
 */
function datedTaints(taints: NonNullable<NodePatch["taints"]>, current: KubeDocument | undefined): WireTaint[] {
  const present = (current?.spec?.taints ?? []) as readonly WireTaint[];
  return taints.map(({ key, value, effect }) => {
    const same = present.find((t) => t.key === key && t.effect === effect && (t.value ?? "") === value);
    return {
      key,
      effect,
      ...(value === "" ? {} : { value }),
      ...(same?.timeAdded === undefined ? {} : { timeAdded: same.timeAdded }),
    };
  });
}

/** Deletes that node in that state. With finalizers it stays until they are gone. */
export async function deleteNode(
  call: Call,
  name: string,
  { uid, resourceVersion }: Precondition,
): Promise<WriteOutcome> {
  const path = namedPath(paths.nodes, name);
  const preconditions = { uid, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
  const request: KubeRequest = { method: "DELETE", path, body: { preconditions } };
  return writeOutcome(call, path, uid, request, await call(request, writeRefusals));
}
