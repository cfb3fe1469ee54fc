import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type RunningServer, type ServerOptions, startServer } from "../../relay/http/server.ts";

async function* endless(): AsyncGenerator<string> {
  for (;;) yield "series 1\n".repeat(1_000);
}

const sockets: Socket[] = [];
let server: RunningServer | undefined;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.close();
});

async function serve(over: Partial<ServerOptions>): Promise<RunningServer> {
  const usual = { address: "127.0.0.1", port: 0, notReady: () => undefined, metrics: endless, onError() {} };
  server = await startServer({ ...usual, ...over });
  return server;
}

/** Asks for the series, waits for the first of them, and reads no further. */
async function stuckScrape(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.write("GET /metrics HTTP/1.1\r\nhost: relay\r\n\r\n");
  await new Promise((resolve) => socket.once("data", resolve));
  socket.pause();
  return socket;
}

const statusOf = async (port: number, path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;

describe("the relay's server", () => {
  it("serves no more scrapes at a time than it has memory for, and probes in any case", async () => {
    const made: AsyncGenerator<string>[] = [];
    const metrics = () => {
      const pieces = made.length < 8 ? endless() : (async function* () {})();
      made.push(pieces);
      return pieces;
    };
    const { port } = await serve({ metrics });
    for (let at = 0; at < 8; at++) await stuckScrape(port);
    expect(await statusOf(port, "/metrics")).toBe(503);
    expect(await statusOf(port, "/healthz")).toBe(200);
    expect(made).toHaveLength(8);
    sockets[0]!.destroy();
    await expect.poll(() => statusOf(port, "/metrics"), { timeout: 10_000 }).toBe(200);
  });

  it("waits for no one who takes an answer too slowly", async () => {
    const { port } = await serve({ longestScrapeMs: 50 });
    const socket = await stuckScrape(port);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.resume().on("error", () => {});
    await closed;
  });

  it("makes no series for those who ask for the head alone", async () => {
    let made = 0;
    const { port } = await serve({
      metrics: () => {
        made++;
        return endless();
      },
    });
    const { status, headers } = await fetch(`http://127.0.0.1:${port}/metrics`, { method: "HEAD" });
    expect([status, headers.get("content-type"), made]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8", 0]);
  });
});
