// The namespaces/finalize subresource: takes a namespace's own finalizers away.
import { copy, listAt } from "../json.ts";
import { notFound } from "../status.ts";
import type { StoreContext } from "../store/context.ts";
import { commit } from "../store/writes.ts";
import type { KubeObject } from "../types.ts";

/** @throws NotFound */
export function finalizeNamespace(context: StoreContext, name: string, body: unknown): KubeObject {
  const kind = context.registry.named("namespaces");
  const found = context.objects.find("namespaces", { name });
  if (found === undefined) throw notFound(kind, name);
  const draft = copy(found);
  draft.spec = { ...draft.spec, finalizers: listAt(body, "spec", "finalizers") };
  return commit(context, kind, found, draft);
}
