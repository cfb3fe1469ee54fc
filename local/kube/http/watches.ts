// Watches over HTTP: one JSON document a line, bookmarks, an end after timeoutSeconds, and errors inside the stream.
import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError, invalid } from "../status.ts";
import type { StoreContext } from "../store/context.ts";
import { present } from "../store/versions.ts";
import { bookmark, startWatch } from "../store/watch.ts";
import { tableOf } from "../table/table.ts";
import type { JsonObject, WatchEvent, WatchOptions } from "../types.ts";
import { metadataOnly, revisionOf, selectorsOf } from "./lists.ts";
import { integerOf, isTrue, type Wanted } from "./negotiation.ts";
import type { Target } from "./route.ts";

const bookmarkPeriodMs = 60_000;
/** The API server ends a watch without a timeout after 30 to 60 minutes. */
const defaultTimeoutSeconds = 1800;

function checkOptions(query: URLSearchParams): void {
  const match = query.get("resourceVersionMatch") ?? "";
  const initial = query.get("sendInitialEvents") ?? "";
  const refuse = (field: string, message: string): ApiError =>
    invalid({ plural: "listoptions", group: "meta.k8s.io", kind: "ListOptions" }, "", [
      { reason: "FieldValueForbidden", message: `Forbidden: ${message}`, field },
    ]);
  if (initial === "" && match !== "") {
    throw refuse(
      "resourceVersionMatch",
      "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
    );
  }
  if (initial !== "" && match !== "NotOlderThan") {
    throw refuse("resourceVersionMatch", "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  }
}

/** The API server fails in its own words here, with 500. */
function watchRevision(text: string): number {
  if (/^\d+$/.test(text)) return revisionOf(text);
  const quoted = JSON.stringify(text);
  const why = `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`;
  throw new ApiError(500, "", why);
}

function rendered(
  target: Target,
  wanted: Wanted,
  query: URLSearchParams,
): (event: WatchEvent, now: number) => JsonObject {
  let first = true;
  return (event, now) => {
    const object = present(target.kind, event.object);
    if (wanted.view === "metadata" || wanted.view === "metadataList") {
      return { type: event.type, object: metadataOnly(object) };
    }
    if (wanted.view !== "table") return { type: event.type, object: object as unknown as JsonObject };
    const items = event.type === "BOOKMARK" ? [] : [object];
    const metadata: JsonObject = { resourceVersion: event.resourceVersion };
    const table = tableOf(target.kind, items, metadata, query.get("includeObject") ?? "Metadata", now);
    if (!first) table.columnDefinitions = [];
    first = false;
    return { type: event.type, object: table };
  };
}

/**
 * Answers a watch request until it times out or the client goes. Requests that are wrong throw before the stream begins; a
 * revision that is too old is an ERROR event inside it, as from the API server.
 * @returns the function that ends the stream.
 */
export function serveWatch(
  context: StoreContext,
  target: Target,
  wanted: Wanted,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): () => void {
  checkOptions(query);
  const text = query.get("resourceVersion") ?? "";
  const asksInitial = isTrue(query.get("sendInitialEvents"));
  const bookmarks = isTrue(query.get("allowWatchBookmarks"));
  const fresh = text === "" || text === "0";
  const revision = fresh ? undefined : watchRevision(text);
  const options: WatchOptions = { ...selectorsOf(target, query) };
  const noInitial = query.get("sendInitialEvents") === "false";
  if (asksInitial || (fresh && !noInitial)) options.sendInitial = true;
  else if (revision !== undefined) options.resourceVersion = String(revision);
  const timeoutSeconds = integerOf("timeoutSeconds", query.get("timeoutSeconds")) ?? defaultTimeoutSeconds;
  const render = rendered(target, wanted, query);
  const send = (event: WatchEvent): void => {
    if (event.type === "BOOKMARK" && !(bookmarks && (asksInitial || !event.object.metadata.annotations))) return;
    response.write(`${JSON.stringify(render(event, context.clock.now()))}\n`);
  };
  let stop: () => void;
  try {
    stop = startWatch(context.objects, target.kind, options, send);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 410) throw error;
    begin(response);
    response.end(`${JSON.stringify({ type: "ERROR", object: error.status() })}\n`);
    return () => undefined;
  }
  begin(response);
  const mark = (): void => send(bookmark(target.kind, context.objects.revision));
  const ticking = setInterval(mark, bookmarkPeriodMs);
  const millisecondsPerSecond = 1000;
  const end = (): void => {
    clearInterval(ticking);
    clearTimeout(timer);
    stop();
    response.end();
  };
  const timer = setTimeout(() => {
    mark();
    end();
  }, timeoutSeconds * millisecondsPerSecond);
  ticking.unref();
  timer.unref();
  request.on("close", end);
  response.on("close", end);
  return end;
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json", "cache-control": "no-cache, private" });
  response.flushHeaders();
}
