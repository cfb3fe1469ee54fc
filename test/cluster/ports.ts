import { createServer } from "node:net";

/**
 * Ports of loopback that were free a moment ago, for programs that cannot be given 0; all held at once so that they differ.
 * Another program may take one before it is listened on: whoever starts something there tries again with others then.
 */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.once("error", reject);
          server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
