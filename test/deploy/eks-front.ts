// The cluster's API server as EKS shows it: TLS with the cluster's certificate, and tokens that are signed requests to STS.
// What passes is handed to the embedded API under its own token. EKS would send the request to STS to learn whose it is;
// here its form is checked.
import { createServer, request as forward } from "node:https";
import type { AddressInfo } from "node:net";
import { createCertificate } from "../../local/kube/certificate.ts";
import type { Kubeconfig } from "../../local/kube/types.ts";

export interface EksFront {
  /** https://127.0.0.1:<port> */
  readonly url: string;
  /** PEM, base64. */
  readonly caBundle: string;
  /** Requests that were let in, and those that were not. */
  readonly counts: { admitted: number; refused: number };
  stop(): Promise<void>;
}

export async function startEksFront(behind: Kubeconfig, nowMs: number): Promise<EksFront> {
  const certificate = createCertificate(nowMs);
  const counts = { admitted: 0, refused: 0 };
  const server = createServer(certificate, (request, response) => {
    if (!isEksToken(request.headers.authorization)) {
      counts.refused += 1;
      response.writeHead(401, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", reason: "Unauthorized", code: 401 }),
      );
      return;
    }
    counts.admitted += 1;
    const onward = forward(
      `${behind.server}${request.url}`,
      {
        method: request.method,
        ca: behind.ca,
        headers: { ...request.headers, authorization: `Bearer ${behind.token}` },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caBundle: Buffer.from(certificate.cert).toString("base64"),
    counts,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** aws-iam-authenticator's format: a presigned GetCallerIdentity whose signature covers the cluster's name as a header. */
function isEksToken(authorization: string | undefined): boolean {
  const encoded = /^Bearer k8s-aws-v1\.(.+)$/.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return false;
  const url = Buffer.from(encoded, "base64url").toString();
  if (!URL.canParse(url)) return false;
  const { hostname, protocol, searchParams } = new URL(url);
  return (
    protocol === "https:" &&
    /^sts\.[a-z0-9-]+\.amazonaws\.com$/.test(hostname) &&
    searchParams.get("Action") === "GetCallerIdentity" &&
    searchParams.get("X-Amz-SignedHeaders") === "host;x-k8s-aws-id" &&
    /^[0-9a-f]{64}$/.test(searchParams.get("X-Amz-Signature") ?? "")
  );
}
