import { OperationError } from "../../ports/index.ts";
import type { Call } from "./call.ts";

/** EKS says `34` or `34+` of the minor version, by its mood. */
export async function readVersion(call: Call): Promise<string> {
  const { body } = await call({ method: "GET", path: "/version" });
  const { major, minor } = (body ?? {}) as { readonly major?: unknown; readonly minor?: unknown };
  const digits = /^\d+/.exec(String(minor))?.[0];
  if (major !== "1" || digits === undefined) throw nothingIn("/version", "a version 1.x");
  return `1.${digits}`;
}

export async function readUid(call: Call): Promise<string> {
  const path = "/api/v1/namespaces/kube-system";
  const { body } = await call({ method: "GET", path });
  const uid = (body as { readonly metadata?: { readonly uid?: unknown } } | undefined)?.metadata?.uid;
  if (typeof uid !== "string" || uid === "") throw nothingIn(path, "a uid");
  return uid;
}

function nothingIn(path: string, wanted: string): OperationError {
  return new OperationError(`GET ${path}: the answer has no ${wanted}: is this a Kubernetes API server?`, {
    retry: "later",
    code: "invalid",
  });
}
