// A door in front of a service on loopback. While it is shut, whoever connects is cut off, as from a service that is away;
// the service itself goes on, with what it holds.
import { connect, createServer, type Socket } from "node:net";

export interface Gate {
  readonly url: string;
  /** Cuts who is connected, and everybody who comes. */
  shut(): void;
  open(): void;
  stop(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1, open. */
export async function startGate(to: string): Promise<Gate> {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((caller) => {
    if (!isOpen) {
      caller.destroy();
      return;
    }
    const service = connect(Number(port), hostname);
    for (const [one, other] of [
      [caller, service],
      [service, caller],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      // An error is always followed by the close.
      one.on("error", () => {});
      one.once("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    shut() {
      isOpen = false;
      cut();
    },
    open() {
      isOpen = true;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
