import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { writePieces } from "./write-pieces.ts";

export interface ServerOptions {
  readonly address: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Undefined: ready. Otherwise what is still missing. */
  notReady(): string | undefined;
  /** The text format of Prometheus, in pieces. */
  metrics(): AsyncIterable<string>;
  onError(error: unknown): void;
  /** For one answer to /metrics, however slowly it is taken. Default: two minutes. */
  readonly longestScrapeMs?: number;
}

export interface RunningServer {
  readonly port: number;
  close(): Promise<void>;
}

const metricsType = "text/plain; version=0.0.4; charset=utf-8";

/** A pair of Prometheus, agents and people. Each takes some two megabytes until its answer is taken, which may be never. */
const maxScrapes = 8;
/** Prometheus gives up after ten seconds, unless it is told otherwise. */
const usualLongestScrapeMs = 120_000;

/** /healthz, /readyz and /metrics. Rejects if the port cannot be had. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { longestScrapeMs = usualLongestScrapeMs } = options;
  let scrapes = 0;
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?")[0];
    if (request.method !== "GET" && request.method !== "HEAD") return answer(response, 405, "only GET\n");
    // That an answer comes at all says that the event loop turns; whether AWS answers is no reason to be restarted.
    if (path === "/healthz") return answer(response, 200, "ok\n");
    if (path === "/readyz") {
      const missing = options.notReady();
      return answer(response, missing === undefined ? 200 : 503, missing === undefined ? "ok\n" : `${missing}\n`);
    }
    if (path !== "/metrics") return answer(response, 404, "not found\n");
    if (scrapes >= maxScrapes) return answer(response, 503, `${maxScrapes} scrapes are going on\n`);
    scrapes++;
    const late = setTimeout(() => response.destroy(), longestScrapeMs);
    response.once("close", () => {
      clearTimeout(late);
      scrapes--;
    });
    response.setHeader("content-type", metricsType);
    if (request.method === "HEAD") return void response.end();
    writePieces(request, response, options.metrics()).catch((error: unknown) => {
      options.onError(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.address, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => closed(server) };
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
