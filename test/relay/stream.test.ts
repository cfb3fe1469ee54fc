import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openStreams, type StreamEnd, type WatchLine } from "../../relay/watch/stream.ts";
import { connectionOf } from "../../shared/adapters/kube/access.ts";

let stop: (() => void) | undefined;
afterEach(() => stop?.());

/** A watch of a server that sends this in one piece and then says nothing more. */
async function watchOf(chunk: string, onLine: (line: WatchLine, close: () => void) => void) {
  const server = createServer((_, response) => void response.write(chunk));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
  const { port } = server.address() as AddressInfo;
  const open = openStreams(connectionOf({ server: `http://127.0.0.1:${port}`, token: "t" }));
  const ends: StreamEnd[] = [];
  const close = open(
    "/watch",
    {},
    {
      onOpen: () => {},
      onLine: (line) => onLine(line, () => close()),
      onEnd: (end) => void ends.push(end),
    },
  );
  return { ends, close };
}

const line = (type: string, name: string) => `${JSON.stringify({ type, object: { name } })}\n`;
const nameOf = ({ object }: WatchLine) => (object as { name: string }).name;

describe("a watch that ends in the middle of a chunk", () => {
  it("for a bad line hands on none that follow it", async () => {
    const seen: string[] = [];
    const chunk = `${line("ADDED", "before")}{"type":\n${line("ADDED", "after")}`;
    const { ends } = await watchOf(chunk, (one) => void seen.push(nameOf(one)));
    await vi.waitFor(() => expect(ends).toEqual([{ failure: "a line of the watch is no JSON" }]));
    expect(seen).toEqual(["before"]);
  });

  it("for a line that is no object hands on none that follow it", async () => {
    const seen: string[] = [];
    const { ends } = await watchOf(`null\n${line("ADDED", "after")}`, (one) => void seen.push(nameOf(one)));
    await vi.waitFor(() => expect(ends).toEqual([{ failure: "a line of the watch is no object" }]));
    expect(seen).toEqual([]);
  });

  it("for an error of the server, at which it is closed, hands on none that follow it", async () => {
    const seen: string[] = [];
    const chunk = line("ADDED", "before") + line("ERROR", "expired") + line("ADDED", "after");
    const { ends } = await watchOf(chunk, (one, close) => {
      seen.push(nameOf(one));
      if (one.type === "ERROR") close();
    });
    await vi.waitFor(() => expect(seen).toContain("expired"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual(["before", "expired"]);
    expect(ends).toEqual([]);
  });
});
