// HTTP around the endpoint's answers.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Answer } from "./answer.ts";

export interface Served {
  /** http://127.0.0.1:<port> */
  readonly address: string;
  close(): Promise<void>;
}

/** Serves `answer` on 127.0.0.1. Rejects if the port is taken. Whatever `answer` rejects with is written to stderr and answered 500. */
export async function serve(
  answer: (body: string) => Promise<Answer | "lost">,
  port: number,
  largestBodyBytes: number,
): Promise<Served> {
  const server = createServer((request, response) => {
    readBody(request, largestBodyBytes)
      .then(async (body) => {
        if (body === undefined) {
          response.writeHead(413).end();
          return;
        }
        const given = await answer(request.method === "GET" ? (request.url?.split("?")[1] ?? "") : body);
        if (given === "lost") request.socket.destroy();
        else
          response
            .writeHead(given.status, { "content-type": "text/xml;charset=UTF-8", "x-amzn-requestid": given.requestId })
            .end(given.body);
      })
      .catch((error: unknown) => {
        console.error("the EC2 endpoint failed:", error);
        response.writeHead(500).end();
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

/** The body, or undefined if it is larger than allowed. */
async function readBody(request: IncomingMessage, largestBodyBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
