// An API server on loopback that says what a test tells it to.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly token: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was sent
  readonly body: any;
}

/** An answer, a connection that is cut, or one that is never answered. */
export type Reply =
  | {
      readonly status: number;
      readonly body?: unknown;
      readonly text?: string;
      readonly headers?: Record<string, string>;
    }
  | "cut"
  | "silence";

export interface ScriptedServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  stop(): Promise<void>;
}

export async function startScriptedServer(
  reply: (request: SeenRequest, count: number) => Reply,
): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const url = new URL(incoming.url ?? "/", "http://server");
      const text = Buffer.concat(chunks).toString();
      seen.push({
        method: incoming.method ?? "",
        path: url.pathname,
        query: url.searchParams,
        token: incoming.headers.authorization,
        body: text === "" ? undefined : JSON.parse(text),
      });
      const answer = reply(seen.at(-1)!, seen.length);
      if (answer === "cut") incoming.socket.destroy();
      else if (answer !== "silence") {
        outgoing.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
        outgoing.end(answer.text ?? JSON.stringify(answer.body ?? {}));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
