import type { NodePatch, Precondition, WriteOutcome } from "../../ports/index.ts";
import { type Call, refusalOf, statusOf } from "./call.ts";
import { documentIn, fieldManager, mergePatch, namedPath, paths } from "./documents.ts";
import type { KubeAnswer, KubeRequest } from "./transport.ts";

/** Statuses that `patchOutcome` reads. */
export const patchRefusals = [404, 409, 422] as const;

interface WireTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
}

/**
 * Writes a node's labels, annotations, taints, cordon and finalizers in one merge patch that carries uid and
 * resourceVersion, so that it hits that node in that state or nothing. Whole lists need a resourceVersion: without it
 * what others added since would be lost.
 */
export async function patchNode(
  call: Call,
  name: string,
  { uid, resourceVersion }: Precondition,
  patch: NodePatch,
): Promise<WriteOutcome> {
  if (resourceVersion === undefined && (patch.taints !== undefined || patch.finalizers !== undefined)) {
    throw new TypeError(`patching taints or finalizers of node ${name} needs a resourceVersion`);
  }
  const path = namedPath(paths.nodes, name);
  const taints = patch.taints === undefined ? undefined : await datedTaints(call, path, patch.taints);
  if (taints === "gone") return "gone";
  const spec = {
    ...(taints === undefined ? {} : { taints }),
    ...(patch.cordoned === undefined ? {} : { unschedulable: patch.cordoned ? true : null }),
  };
  const body = {
    metadata: {
      uid,
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(patch.labels === undefined ? {} : { labels: patch.labels }),
      ...(patch.annotations === undefined ? {} : { annotations: patch.annotations }),
      ...(patch.finalizers === undefined ? {} : { finalizers: patch.finalizers }),
    },
    ...(Object.keys(spec).length === 0 ? {} : { spec }),
  };
  const request: KubeRequest = { method: "PATCH", path, query: fieldManager, body, contentType: mergePatch };
  return patchOutcome(request, await call(request, patchRefusals));
}

/**
 * The new list with the times at which taints that stay were added: the API server and our nouns don't keep them apart,
 * but the eviction of pods by NoExecute taints counts from them.
 */
async function datedTaints(
  call: Call,
  path: string,
  taints: NonNullable<NodePatch["taints"]>,
): Promise<readonly WireTaint[] | "gone"> {
  const answer = await call({ method: "GET", path }, [404]);
  if (answer.status === 404) return "gone";
  const present = (documentIn(answer.body).spec?.taints ?? []) as readonly WireTaint[];
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

/** A patch for another uid is refused as invalid, because a uid can't be changed. */
export function patchOutcome(request: KubeRequest, answer: KubeAnswer): WriteOutcome {
  if (answer.status === 404) return "gone";
  if (answer.status === 409) return "changed";
  if (answer.status !== 422) return "done";
  if (statusOf(answer.body).details?.causes?.some(({ field }) => field === "metadata.uid")) return "changed";
  throw refusalOf(request, answer);
}
