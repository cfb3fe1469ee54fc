import type { KubeAnswer, Send } from "../../shared/adapters/kube/index.ts";
import { OperationError } from "../../shared/ports/index.ts";
import type { Sink } from "./reflector.ts";

/** Objects a page: half of what clients usually ask for, as a page and what is made of it are the peak of the memory. */
const pageSize = 100;
const pageTimeoutMs = 30_000;

export interface ListProblem {
  readonly problem: string;
  readonly unserved?: boolean;
  readonly retryAfterMs?: number;
}

interface Page {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly unknown[];
}

/**
 * Lists a kind page by page, all at one moment, into the sink; what is left of earlier times goes. A list whose
 * continuation expires is a problem like others: it is begun again.
 */
export async function listInto(
  { path, send, sink }: { readonly path: string; readonly send: Send; readonly sink: Sink },
  isStopped: () => boolean,
): Promise<{ readonly version: string } | ListProblem> {
  const uids = new Set<string>();
  let token: string | undefined;
  for (;;) {
    const query = { limit: String(pageSize), ...(token === undefined ? {} : { continue: token }) };
    let answer: KubeAnswer;
    try {
      answer = await send({ method: "GET", path, query, timeoutMs: pageTimeoutMs });
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      return { problem: error.message };
    }
    if (isStopped()) return { problem: "stopped" };
    if (answer.status >= 400) return refused(path, answer);
    const page = answer.body as Page | null | undefined;
    if (!Array.isArray(page?.items ?? [])) return { problem: `GET ${path}: its items are no list` };
    const before = uids.size;
    for (const item of page?.items ?? []) uids.add(sink.put(item));
    const next = page?.metadata?.continue || undefined;
    // A server that goes on for ever without anything new would be followed for ever.
    if (next !== undefined && uids.size === before) return { problem: `GET ${path}: a page brings nothing new` };
    token = next;
    if (token !== undefined) continue;
    const version = page?.metadata?.resourceVersion;
    if (version === undefined) return { problem: `GET ${path}: the list has no resourceVersion` };
    sink.endList(uids);
    sink.sawVersion(version);
    return { version };
  }
}

function refused(path: string, { status, body, retryAfterMs }: KubeAnswer): ListProblem {
  const message = (body as { message?: string } | undefined)?.message ?? "";
  const asked = retryAfterMs === undefined ? {} : { retryAfterMs };
  // Collections exist as long as their kind is served, however empty they are.
  return { problem: `GET ${path}: ${status} ${message}`, ...(status === 404 ? { unserved: true } : {}), ...asked };
}
