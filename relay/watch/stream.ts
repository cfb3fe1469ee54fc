import http from "node:http";
import https from "node:https";
import type { KubeConnection } from "../../shared/adapters/kube/index.ts";

/** One line of a watch. Of ERROR the object is a Status. */
export interface WatchLine {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: unknown;
}

/** Why a watch ended. Without a failure the server ended it in good order. */
export interface StreamEnd {
  readonly failure?: string;
  /** The HTTP status, where the server refused. */
  readonly status?: number;
  readonly retryAfterMs?: number;
}

export interface StreamHandlers {
  onOpen(): void;
  onLine(line: WatchLine): void;
  /** Once, unless the caller closed the stream. */
  onEnd(end: StreamEnd): void;
}

/** Opens a watch; returns the function that closes it. It says nothing more after that. */
export type OpenStream = (path: string, query: Readonly<Record<string, string>>, on: StreamHandlers) => () => void;

/** A server that takes longer to begin has lost the request. */
const openTimeoutMs = 30_000;
const newline = 0x0a;

/**
 * Watches over HTTP. The client library gives address and credentials; its own watch hides the server's Retry-After, drops
 * lines that it cannot parse, and tells time by itself.
 */
export function openStreams(connection: KubeConnection): OpenStream {
  const cluster = connection.getCurrentCluster();
  if (cluster === null) throw new TypeError("the kubeconfig's current context names no cluster");
  const base = cluster.server.replace(/\/$/, "");
  const plain = base.startsWith("http:");
  return (path, query, on) => {
    let closed = false;
    let request: http.ClientRequest | undefined;
    const end = (reason: StreamEnd) => {
      if (closed) return;
      closed = true;
      request?.destroy();
      on.onEnd(reason);
    };
    const begin = async () => {
      const options: https.RequestOptions = {};
      await connection.applyToHTTPSOptions(options);
      if (closed) return;
      // A watch lives for minutes: it has its connection for itself, so that what the library made is used as it is.
      if (plain) delete options.agent;
      const headers = { ...(options.headers as object), accept: "application/json", "user-agent": "timmerman-relay" };
      const url = `${base}${path}?${new URLSearchParams(query)}`;
      request = (plain ? http : https).request(url, { ...options, headers }, (response) => {
        // From here on it is the reflector that tells a quiet watch from a dead one.
        request?.setTimeout(0);
        receive(response, on, end, () => closed);
      });
      request.setTimeout(openTimeoutMs, () => end({ failure: `no answer within ${openTimeoutMs} ms` }));
      request.on("error", (error) => end({ failure: error.message }));
      request.end();
    };
    begin().catch((error: unknown) => end({ failure: error instanceof Error ? error.message : String(error) }));
    return () => {
      closed = true;
      request?.destroy();
    };
  };
}

function receive(
  response: http.IncomingMessage,
  on: StreamHandlers,
  end: (reason: StreamEnd) => void,
  isClosed: () => boolean,
): void {
  const status = response.statusCode ?? 0;
  response.on("error", (error) => end({ failure: error.message }));
  response.on("aborted", () => end({ failure: "the connection was cut" }));
  if (status !== 200) {
    const seconds = Number(response.headers["retry-after"]);
    response.resume();
    const asked = Number.isFinite(seconds) ? { retryAfterMs: seconds * 1000 } : {};
    end({ failure: `the server answers ${status}`, status, ...asked });
    return;
  }
  on.onOpen();
  const lines = splitLines((text) => {
    // A chunk may hold more lines after the one that ended the watch: the next watch brings them in order.
    if (isClosed()) return;
    let line: WatchLine;
    try {
      line = JSON.parse(text);
    } catch {
      end({ failure: "a line of the watch is no JSON" });
      return;
    }
    if (typeof line !== "object" || line === null) end({ failure: "a line of the watch is no object" });
    else on.onLine(line);
  });
  response.on("data", lines);
  response.on("end", () => end({}));
}

/** Takes chunks as they come and hands on whole lines. What is left over is kept as it came, not as text. */
export function splitLines(onLine: (text: string) => void): (chunk: Buffer) => void {
  let rest: Buffer[] = [];
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      const piece = chunk.subarray(from, at);
      const line = rest.length === 0 ? piece : Buffer.concat([...rest, piece]);
      rest = [];
      from = at + 1;
      if (line.length > 0) onLine(line.toString("utf8"));
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  };
}
