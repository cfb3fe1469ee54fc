import { OperationError } from "../../ports/index.ts";
import type { Call } from "./call.ts";

/** Objects a page: the API server's own default for its clients; a page of large pods stays below some 5 MB. */
const pageSize = 500;
const pageTimeoutMs = 30_000;
/** A list that outlives the server's history is begun again; after this often it is asked for in one piece. */
const maxRestarts = 2;

interface Page {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly unknown[] | null;
}

export interface Listed<T> {
  readonly items: readonly T[];
  /** The moment that every page shows. */
  readonly resourceVersion: string;
}

export interface ListOptions {
  readonly fieldSelector?: string;
  /** Wait for a state at least this new; without it the newest state is read. */
  readonly notOlderThan?: string;
}

/**
 * Lists a kind in pages that all show one moment. Each page is converted at once, so that only the nouns stay in memory.
 * Without `notOlderThan` the server answers with its newest state, never a stale cache.
 */
export async function listObjects<T>(
  call: Call,
  path: string,
  convert: (object: unknown) => T,
  options: ListOptions = {},
): Promise<Listed<T>> {
  for (let restarts = 0; ; restarts++) {
    const whole = restarts > maxRestarts;
    const listed = await listOnce(call, path, convert, options, whole ? undefined : pageSize);
    if (listed !== undefined) return listed;
    if (whole)
      throw new OperationError(`GET ${path}: the list expires while it is read`, { retry: "later", code: "expired" });
  }
}

/** Undefined: the continuation had expired (410). */
async function listOnce<T>(
  call: Call,
  path: string,
  convert: (object: unknown) => T,
  { fieldSelector, notOlderThan }: ListOptions,
  limit: number | undefined,
): Promise<Listed<T> | undefined> {
  const items: T[] = [];
  let token: string | undefined;
  do {
    const query: Record<string, string> = {};
    if (fieldSelector !== undefined) query.fieldSelector = fieldSelector;
    if (limit !== undefined) query.limit = String(limit);
    if (token !== undefined) query.continue = token;
    else if (notOlderThan !== undefined) {
      query.resourceVersion = notOlderThan;
      query.resourceVersionMatch = "NotOlderThan";
    }
    const answer = await call({ method: "GET", path, query, timeoutMs: pageTimeoutMs }, [404, 410]);
    if (answer.status === 404) {
      // Collections exist as long as their kind is served, however empty they are.
      const message = `the cluster does not serve ${path}: install the CRDs of charts/timmerman`;
      throw new OperationError(message, { retry: "later", code: "not-served" });
    }
    if (answer.status === 410) return undefined;
    const page = answer.body as Page | null | undefined;
    // Whoever answers so is no API server (a proxy, a page to log in), and nothing is there only where one says so.
    if (page?.items !== null && !Array.isArray(page?.items)) {
      throw new OperationError(`GET ${path}: the answer is no list`, { retry: "later", code: "unreadable" });
    }
    for (const object of page.items ?? []) items.push(convert(object));
    token = page.metadata?.continue || undefined;
    if (token === undefined) return { items, resourceVersion: page.metadata?.resourceVersion ?? "0" };
  } while (token !== undefined);
  return undefined;
}

/** Whether a resourceVersion is at least as new as another: both count the same store's writes, as decimal numbers. */
export function isAtLeast(resourceVersion: string, wanted: string): boolean {
  return BigInt(resourceVersion) >= BigInt(wanted);
}
