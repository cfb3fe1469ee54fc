// An HTTP server in front of an endpoint that keeps the bodies it passes on.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Ec2 } from "../../../local/ec2/ec2.ts";

export interface Recorder {
  readonly endpoint: string;
  readonly bodies: readonly string[];
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1 and passes every body to `ec2`. */
export async function recordBodies(ec2: Ec2): Promise<Recorder> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", async () => {
      bodies.push(body);
      const answer = await ec2.answer(body);
      if (answer === "lost") request.socket.destroy();
      else response.writeHead(answer.status, { "content-type": "text/xml" }).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
