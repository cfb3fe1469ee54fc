import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface S3Double {
  readonly url: string;
  /** `bucket/key` → what was put there. */
  readonly objects: Map<string, { readonly bytes: Buffer; readonly headers: Readonly<Record<string, unknown>> }>;
  /** `METHOD bucket/key` of every request. */
  readonly requests: readonly string[];
  /** Answers every request with this error from now on; undefined: no longer. */
  fail(error: { readonly status: number; readonly code: string } | undefined): void;
  stop(): Promise<void>;
}

/** Buckets that are named in the path: objects are put and got whole. Errors are XML, as S3 writes them. */
export async function startS3Double(): Promise<S3Double> {
  const objects: S3Double["objects"] = new Map();
  const requests: string[] = [];
  let failure: { readonly status: number; readonly code: string } | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const place = decodeURIComponent(new URL(request.url!, "http://s3").pathname.slice(1));
      requests.push(`${request.method} ${place}`);
      const refuse = (status: number, code: string) =>
        response
          .writeHead(status, { "content-type": "application/xml" })
          .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>said the double</Message></Error>`);
      if (failure !== undefined) refuse(failure.status, failure.code);
      else if (request.method === "PUT") {
        objects.set(place, { bytes: Buffer.concat(chunks), headers: request.headers });
        response.writeHead(200, { etag: '"1"' }).end();
      } else {
        const found = objects.get(place);
        if (found === undefined) refuse(404, "NoSuchKey");
        else response.writeHead(200, { "content-type": "application/json" }).end(found.bytes);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    fail: (error) => {
      failure = error;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
