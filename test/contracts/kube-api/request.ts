// One HTTPS request, and one watch, without a client library: the suite must see the bytes that the server really sends.
import type { IncomingMessage } from "node:http";
import { request } from "node:https";

export interface Connection {
  url: string;
  token: string;
  ca?: string;
}

export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
}

function open(connection: Connection, sent: Sent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers =
      sent.body === undefined ? sent.headers : { ...sent.headers, "content-length": Buffer.byteLength(sent.body) };
    const options = { method: sent.method, headers, ...(connection.ca === undefined ? {} : { ca: connection.ca }) };
    const outgoing = request(new URL(sent.path, connection.url), options, resolve);
    outgoing.on("error", reject);
    outgoing.end(sent.body);
  });
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

export async function sendOnce(connection: Connection, sent: Sent): Promise<Answer> {
  const incoming = await open(connection, sent);
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text: await textOf(incoming) };
}

export interface Stream {
  status: number;
  /** The next event; undefined when the server has ended the stream. Rejects after ten seconds without one. */
  next: () => Promise<unknown>;
  close: () => void;
}

const patienceMs = 10_000;

/** Opens a watch. A failure status has no events; its document is the only "event". */
export async function openStream(connection: Connection, sent: Sent): Promise<Stream> {
  const incoming = await open(connection, sent);
  const lines: string[] = [];
  let rest = "";
  let ended = false;
  let wake: () => void = () => undefined;
  incoming.setEncoding("utf8");
  incoming.on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts.filter((line) => line !== ""));
    wake();
  });
  const finish = (): void => {
    ended = true;
    wake();
  };
  incoming.on("end", finish);
  incoming.on("error", finish);
  incoming.on("close", finish);
  const next = async (): Promise<unknown> => {
    const deadline = setTimeout(() => incoming.destroy(), patienceMs);
    while (lines.length === 0 && !ended) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    clearTimeout(deadline);
    const line = lines.shift() ?? (rest === "" ? undefined : rest);
    return line === undefined ? undefined : JSON.parse(line);
  };
  return { status: incoming.statusCode ?? 0, next, close: () => incoming.destroy() };
}
