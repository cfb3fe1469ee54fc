import type { KubeAnswer, Send } from "../../shared/adapters/kube/index.ts";
import { OperationError } from "../../shared/ports/index.ts";
import { readList } from "./list-reader.ts";
import type { Sink } from "./reflector.ts";

/** Objects a page, as clients usually ask for. It is read object by object, so its size costs no memory. */
const pageSize = 500;
const pageTimeoutMs = 30_000;

export interface ListProblem {
  readonly problem: string;
  readonly unserved?: boolean;
  readonly retryAfterMs?: number;
}

interface Page {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  /** Without what was read. */
  readonly items?: unknown;
}

/**
 * Lists a kind page by page, all at one moment, into the sink; what is left of earlier times goes. A list whose
 * continuation expires is a problem like others: it is begun again.
 */
export async function listInto(
  { path, send, sink }: { readonly path: string; readonly send: Send; readonly sink: Sink },
  isStopped: () => boolean,
): Promise<{ readonly version: string } | ListProblem> {
  sink.startList();
  let token: string | undefined;
  for (;;) {
    const query = { limit: String(pageSize), ...(token === undefined ? {} : { continue: token }) };
    let answer: KubeAnswer;
    let news = 0;
    const reader = readList((item) => {
      if (!isStopped() && sink.put(item)) news++;
    });
    try {
      answer = await send({ method: "GET", path, query, timeoutMs: pageTimeoutMs, reader });
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      return { problem: error.message };
    }
    if (isStopped()) return { problem: "stopped" };
    // Only of this status the items were read: any other would look like an empty cluster.
    if (answer.status !== 200) return refused(path, answer);
    const page = answer.body as Page | null | undefined;
    if (page?.items !== null && !Array.isArray(page?.items)) return { problem: `GET ${path}: its items are no list` };
    const next = page?.metadata?.continue || undefined;
    // A server that goes on for ever without anything new would be followed for ever.
    if (next !== undefined && news === 0) return { problem: `GET ${path}: a page brings nothing new` };
    token = next;
    if (token !== undefined) continue;
    const version = page?.metadata?.resourceVersion;
    if (typeof version !== "string" || version === "")
      return { problem: `GET ${path}: the list has no resourceVersion` };
    sink.endList();
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
