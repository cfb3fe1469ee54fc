import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface HttpDouble {
  readonly url: string;
  readonly requests: readonly { readonly target: string; readonly body: Record<string, unknown> }[];
  stop(): Promise<void>;
}

/** An AWS endpoint that speaks JSON: `answer` says what each request gets; an `error` is one as AWS writes it. */
export async function startHttpDouble(
  answer: (target: string, body: Record<string, unknown>, n: number) => object & { error?: string },
): Promise<HttpDouble> {
  const requests: { target: string; body: Record<string, unknown> }[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (bytes: Buffer) => {
      text += bytes.toString("utf8");
    });
    request.on("end", () => {
      const target = String(request.headers["x-amz-target"]).split(".").at(-1)!;
      const body = JSON.parse(text || "{}") as Record<string, unknown>;
      const { error, ...fields } = answer(target, body, requests.length);
      requests.push({ target, body });
      response.statusCode = error === undefined ? 200 : 400;
      response.setHeader("content-type", "application/x-amz-json-1.0");
      response.end(JSON.stringify(error === undefined ? fields : { __type: error, message: "said the double" }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
