// Plain HTTP to an API server, for tests that look at it without any client of ours.
import { request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";

export interface Connection {
  url: string;
  token?: string;
  /** PEM certificates to trust besides the usual ones. */
  ca?: string;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into whatever the server says.
  body: any;
}

/** One request. A JSON answer is parsed, any other is left as text; a body that isn't a string is sent as JSON. */
export function send(
  { url, token, ca }: Connection,
  method: string,
  path: string,
  body?: unknown,
  contentType = "application/json",
): Promise<Answer> {
  const request = url.startsWith("https:") ? requestTls : requestPlain;
  const headers: Record<string, string> = { accept: "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = contentType;
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { method, headers, ...(ca ? { ca } : {}) }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        const json = answer.headers["content-type"]?.includes("json") ?? false;
        resolve({ status: answer.statusCode ?? 0, body: json ? JSON.parse(text) : text });
      });
    });
    sent.on("error", reject);
    sent.setTimeout(30_000, () => sent.destroy(new Error(`${method} ${path} took more than 30 s`)));
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    // Node leaves it out for DELETE, and the server then takes the body for the next request.
    if (text !== undefined) sent.setHeader("content-length", Buffer.byteLength(text));
    sent.end(text);
  });
}
