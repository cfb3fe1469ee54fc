import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import { expositionContentType } from "./exposition.ts";

/** Fast rather than small: labels repeat so much that the least effort makes a tenth of it. */
const gzipLevel = constants.Z_BEST_SPEED;

/**
 * Answers a scrape piece by piece, compressed for whom takes it, so that neither the memory nor the event loop holds it
 * as a whole. Rejects if the client goes away meanwhile.
 */
export async function sendExposition(
  request: IncomingMessage,
  response: ServerResponse,
  pieces: Iterable<string>,
): Promise<void> {
  const zips = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
  response.writeHead(200, {
    "content-type": expositionContentType,
    ...(zips ? { "content-encoding": "gzip" } : {}),
  });
  const text = Readable.from(pieces, { objectMode: false });
  if (zips) await pipeline(text, createGzip({ level: gzipLevel }), response);
  else await pipeline(text, response);
}
