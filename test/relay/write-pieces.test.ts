import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { writePieces } from "../../relay/http/write-pieces.ts";

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function serve(pieces: () => AsyncIterable<string>, onWritten = () => {}): Promise<number> {
  const server = createServer((request, response) => {
    void writePieces(request, response, pieces()).then(onWritten);
  });
  open.push(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function* of(...pieces: string[]): AsyncGenerator<string> {
  yield* pieces;
}

async function get(
  port: number,
  headers: Record<string, string> = {},
): Promise<{ head: IncomingMessage; body: Buffer }> {
  const head = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest({ port, host: "127.0.0.1", headers }, resolve).on("error", reject).end();
  });
  const chunks: Buffer[] = [];
  for await (const chunk of head) chunks.push(chunk as Buffer);
  return { head, body: Buffer.concat(chunks) };
}

/** Longer than the buffer, with characters of two, three and four bytes at every place. */
const long = "aä世🚢".repeat(40_000);

describe("an answer that is written in pieces", () => {
  it("is the pieces, whatever their lengths", async () => {
    const port = await serve(() => of("first\n", "", long, "last\n", `a${long}`));
    const { head, body } = await get(port);
    expect(body.toString("utf8")).toBe(`first\n${long}last\na${long}`);
    expect(head.headers["content-encoding"]).toBeUndefined();
  });

  it.each(["gzip", "deflate, gzip;q=0.5", "GZIP"])("is compressed for those who ask for it: %s", async (asked) => {
    const port = await serve(() => of("first\n", long));
    const { head, body } = await get(port, { "accept-encoding": asked });
    expect(head.headers["content-encoding"]).toBe("gzip");
    expect(body.length).toBeLessThan(long.length / 20);
    expect(gunzipSync(body).toString("utf8")).toBe(`first\n${long}`);
  });

  it.each(["identity", "gzip;q=0", "br, gzip;q=0.0", "zgzip"])("is not for others: %s", async (asked) => {
    const { head, body } = await get(await serve(() => of("text\n")), { "accept-encoding": asked });
    expect(head.headers["content-encoding"]).toBeUndefined();
    expect(body.toString("utf8")).toBe("text\n");
  });

  it.each(["gzip", "identity"])("waits for a slow reader, and ends when it goes: %s", async (encoding) => {
    let made = 0;
    async function* endless(): AsyncGenerator<string> {
      for (;;) {
        made++;
        yield `${Math.random()} `.repeat(1_000);
      }
    }
    let isWritten = () => {};
    const written = new Promise<void>((resolve) => {
      isWritten = resolve;
    });
    const port = await serve(endless, isWritten);
    const head = await new Promise<IncomingMessage>((resolve) => {
      httpRequest({ port, host: "127.0.0.1", headers: { "accept-encoding": encoding } }, resolve).end();
    });
    let before = -1;
    while (made !== before) {
      before = made;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    head.destroy();
    await written;
    expect(made).toBeGreaterThan(0);
  });
});
