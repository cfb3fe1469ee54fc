import http from "node:http";
import https from "node:https";
import { OperationError, product } from "../../ports/index.ts";
import type { KubeConnection } from "./access.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface KubeRequest {
  readonly method: Method;
  /** From the server's root, without the query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Default application/json. */
  readonly contentType?: string;
  /** For the whole exchange. Default 10 s. */
  readonly timeoutMs?: number;
  /** Reads the body of an answer of status 200 as it comes; default: the whole of it is parsed at its end. */
  readonly reader?: BodyReader;
  /** For the connection, where none is open. Default 3 s. */
  readonly connectTimeoutMs?: number;
}

/** Takes a body in pieces, and says at its end what the answer's `body` is. A SyntaxError is an answer that is no answer. */
export interface BodyReader {
  take(chunk: Buffer): void;
  end(): unknown;
}

export interface KubeAnswer {
  readonly status: number;
  /** Parsed JSON, or what the request's reader made of it; undefined when there is none. */
  readonly body: unknown;
  /** What a Retry-After header asks for. */
  readonly retryAfterMs?: number;
}

/** One exchange with the API server. Answers of any status resolve; no answer rejects with an OperationError. */
export type Send = (request: KubeRequest) => Promise<KubeAnswer>;

const defaultTimeoutMs = 10_000;
/** A private endpoint that is asked from outside its VPC answers nothing at all: that is told soon. */
const defaultConnectTimeoutMs = 3_000;
const defaultUserAgent = `${product.name}/${product.version}`;

/** Failures of a connection that never carried the request. */
const unsent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ENOCONNECTION"]);

/**
 * Speaks HTTP with keep-alive. A client library may give address and credentials; its typed API classes aren't used, as
 * they open a connection per call and turn every object into class instances, which costs more than the planner's work.
 */
export function openTransport(config: KubeConnection, userAgent: string = defaultUserAgent): Send {
  const server = config.getCurrentCluster()?.server;
  if (server === undefined) throw new TypeError("the kubeconfig's current context names no cluster");
  const base = server.replace(/\/$/, "");
  const plain = base.startsWith("http:");
  const behindProxy = config.getCurrentCluster()?.proxyUrl !== undefined;
  let agent: http.Agent | undefined;
  return async (request) => {
    const options: https.RequestOptions = { method: request.method };
    try {
      await config.applyToHTTPSOptions(options);
    } catch (cause) {
      // Credentials that cannot be had now (a token file that is being replaced) may be had later.
      throw noAnswer(
        request,
        Object.assign(new Error(`no credentials: ${(cause as Error).message}`), { code: "ENOCONNECTION" }),
      );
    }
    if (!behindProxy) {
      agent ??= plain ? new http.Agent({ keepAlive: true }) : new https.Agent({ ...tlsOf(options), keepAlive: true });
      options.agent = agent;
    }
    const query = new URLSearchParams(request.query);
    const url = `${base}${request.path}${query.size === 0 ? "" : `?${query}`}`;
    options.headers = { ...(options.headers as Record<string, string>), "user-agent": userAgent };
    return exchange(plain ? http.request : https.request, url, options, request);
  };
}

function tlsOf({ ca, cert, key, servername, rejectUnauthorized }: https.RequestOptions): https.AgentOptions {
  return Object.fromEntries(
    Object.entries({ ca, cert, key, servername, rejectUnauthorized }).filter(([, value]) => value !== undefined),
  );
}

function exchange(
  open: typeof https.request,
  url: string,
  options: https.RequestOptions,
  request: KubeRequest,
): Promise<KubeAnswer> {
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const headers: Record<string, string> = { ...(options.headers as Record<string, string>) };
  headers.accept = "application/json";
  if (body !== undefined) {
    headers["content-type"] = request.contentType ?? "application/json";
    headers["content-length"] = String(Buffer.byteLength(body));
  }
  const timeoutMs = request.timeoutMs ?? defaultTimeoutMs;
  return new Promise((resolve, reject) => {
    const outgoing = open(url, { ...options, headers }, (incoming) => {
      const { statusCode: status = 0, headers: received } = incoming;
      const reader = status === 200 && request.reader !== undefined ? request.reader : wholeBody(received);
      const guarded = (read: () => void) => {
        try {
          read();
        } catch (cause) {
          if (cause instanceof SyntaxError) fail(cause);
          else reject(cause);
          outgoing.destroy();
        }
      };
      incoming.on("data", (chunk: Buffer) => guarded(() => reader.take(chunk)));
      incoming.on("error", fail);
      incoming.on("end", () => {
        clearTimeout(late);
        guarded(() => resolve({ status, body: reader.end(), ...pauseIn(received) }));
      });
    });
    const fail = (cause: Error & { code?: string }) => {
      clearTimeout(late);
      clearTimeout(unconnected);
      reject(noAnswer(request, cause));
    };
    const late = setTimeout(
      () => outgoing.destroy(Object.assign(new Error(`no answer within ${timeoutMs} ms`), { code: "ETIMEDOUT" })),
      timeoutMs,
    );
    const connectTimeoutMs = request.connectTimeoutMs ?? defaultConnectTimeoutMs;
    let unconnected: NodeJS.Timeout | undefined;
    outgoing.on("socket", (socket) => {
      if (!socket.connecting) return;
      unconnected = setTimeout(() => outgoing.destroy(noConnection(url, connectTimeoutMs)), connectTimeoutMs);
      socket.once("encrypted" in socket ? "secureConnect" : "connect", () => clearTimeout(unconnected));
    });
    outgoing.on("error", fail);
    outgoing.end(body);
  });
}

function wholeBody(headers: http.IncomingHttpHeaders): BodyReader {
  const chunks: Buffer[] = [];
  return {
    take: (chunk) => chunks.push(chunk),
    end() {
      const text = Buffer.concat(chunks).toString("utf8");
      if (text === "") return undefined;
      const isJson = headers["content-type"]?.includes("json") ?? false;
      return isJson ? JSON.parse(text) : { message: text.slice(0, 500) };
    },
  };
}

function pauseIn(headers: http.IncomingHttpHeaders): { readonly retryAfterMs?: number } {
  const seconds = Number(headers["retry-after"]);
  return Number.isFinite(seconds) && headers["retry-after"] !== undefined ? { retryAfterMs: seconds * 1000 } : {};
}

function noConnection(url: string, afterMs: number): Error {
  const hint = "if its endpoint is private, the caller must be in its VPC";
  const message = `no connection to ${new URL(url).host} within ${afterMs} ms (${hint})`;
  return Object.assign(new Error(message), { code: "ENOCONNECTION" });
}

function noAnswer(request: KubeRequest, cause: Error & { code?: string }): OperationError {
  const code = cause.code === "ETIMEDOUT" ? "timeout" : "unreachable";
  return new OperationError(`${request.method} ${request.path}: ${cause.message}`, {
    retry: "later",
    code,
    outcomeUnknown: request.method !== "GET" && !unsent.has(cause.code ?? ""),
    cause,
  });
}
