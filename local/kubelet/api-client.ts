// The few calls that a kubelet makes, over HTTP, so that the same fake kubelets serve the embedded API and a real control plane.
import http from "node:http";
import https from "node:https";
import type { KubeObject, WatchEvent } from "../kube/types.ts";

export interface KubeConnection {
  readonly url: string;
  readonly token: string;
  /** PEM of the server's certificate authority, for https. */
  readonly ca?: string;
}

/** An answer that is not a success; `code` is the HTTP status. */
export class KubeHttpError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.name = "KubeHttpError";
    this.code = code;
  }
}

export interface KubeletApi {
  call(method: string, path: string, body?: unknown, contentType?: string): Promise<KubeObject>;
  /** Lists, then watches for ever, with a new list after each break; the callback sees every object at least once. */
  follow(path: string, onEvent: (event: Pick<WatchEvent, "type" | "object">) => void): () => void;
  close(): void;
}

const callTimeoutMs = 15_000;
const reconnectMs = 300;

export function connectKubelets(connection: KubeConnection): KubeletApi {
  const client = connection.url.startsWith("https:") ? https : http;
  const agent = new client.Agent({
    keepAlive: true,
    maxSockets: 32,
    ...(connection.ca === undefined ? {} : { ca: connection.ca }),
  });
  const ends = new Set<() => void>();

  const open = (
    method: string,
    path: string,
    contentType: string | undefined,
    onAnswer: (answer: http.IncomingMessage) => void,
  ) =>
    client.request(
      new URL(path, connection.url),
      {
        method,
        agent,
        headers: {
          authorization: `Bearer ${connection.token}`,
          accept: "application/json",
          ...(contentType === undefined ? {} : { "content-type": contentType }),
        },
      },
      onAnswer,
    );

  const call: KubeletApi["call"] = (method, path, body, contentType = "application/json") =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const request = open(method, path, text === undefined ? undefined : contentType, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("error", reject);
        answer.on("end", () => {
          const said = Buffer.concat(parts).toString("utf8");
          const code = answer.statusCode ?? 0;
          if (code >= 200 && code < 300) resolve(said === "" ? ({} as KubeObject) : (JSON.parse(said) as KubeObject));
          else reject(new KubeHttpError(code, `${method} ${path}: ${code} ${said.slice(0, 300)}`));
        });
      });
      request.setTimeout(callTimeoutMs, () => request.destroy(new Error(`${method} ${path}: no answer`)));
      request.on("error", reject);
      // Node sends a DELETE's body without its length, which a strict server takes for the next request.
      if (text !== undefined) request.setHeader("content-length", Buffer.byteLength(text));
      request.end(text);
    });

  const watchOnce = (
    path: string,
    resourceVersion: string,
    onLine: (event: WatchEvent) => void,
    running: { end: () => void },
  ) =>
    new Promise<void>((resolve) => {
      const separator = path.includes("?") ? "&" : "?";
      const request = open(
        "GET",
        `${path}${separator}watch=1&resourceVersion=${resourceVersion}`,
        undefined,
        (answer) => {
          let rest = "";
          answer.setEncoding("utf8");
          answer.on("data", (part: string) => {
            const lines = (rest + part).split("\n");
            rest = lines.pop() ?? "";
            for (const line of lines) if (line !== "") onLine(JSON.parse(line) as WatchEvent);
          });
          answer.on("close", resolve);
          answer.on("error", () => resolve());
        },
      );
      running.end = () => request.destroy();
      request.on("error", () => resolve());
      request.end();
    });

  const follow: KubeletApi["follow"] = (path, onEvent) => {
    let stopped = false;
    const running = { end: () => {} };
    const stop = () => {
      stopped = true;
      running.end();
      ends.delete(stop);
    };
    ends.add(stop);
    const loop = async () => {
      while (!stopped) {
        try {
          const list = await call("GET", path);
          for (const object of list.items as KubeObject[]) onEvent({ type: "ADDED", object });
          await watchOnce(
            path,
            list.metadata.resourceVersion ?? "0",
            (event) => {
              if (event.type === "ADDED" || event.type === "MODIFIED" || event.type === "DELETED") onEvent(event);
              else running.end();
            },
            running,
          );
        } catch {
          // The server is away or the watch expired: the next list starts anew.
        }
        if (!stopped) await new Promise((resolve) => setTimeout(resolve, reconnectMs));
      }
    };
    void loop();
    return stop;
  };

  return {
    call,
    follow,
    close() {
      for (const end of [...ends]) end();
      agent.destroy();
    },
  };
}
