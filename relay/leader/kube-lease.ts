import type { KubeAnswer, KubeRequest, Send } from "../../shared/adapters/kube/index.ts";
import { OperationError } from "../../shared/ports/index.ts";
import type { LeaseRecord, LeaseStore, LeaseWrite } from "./election.ts";

interface LeaseDocument {
  readonly metadata: { readonly resourceVersion: string };
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

const requestTimeoutMs = 5_000;

/** A Lease through the API server. Every write replaces exactly the version that was read. */
export function kubeLease(send: Send, namespace: string, name: string): LeaseStore {
  const collection = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;

  async function call(request: KubeRequest, expected: readonly number[]): Promise<KubeAnswer> {
    const answer = await send({ ...request, timeoutMs: requestTimeoutMs });
    if (answer.status < 400 || expected.includes(answer.status)) return answer;
    const { message = "" } = (answer.body ?? {}) as { message?: string };
    const what = `${request.method} ${request.path}: ${answer.status} ${message}`;
    throw new OperationError(what, { retry: "later", code: "refused" });
  }

  return {
    async read() {
      const answer = await call({ method: "GET", path: `${collection}/${name}` }, [404]);
      return answer.status === 404 ? undefined : recordOf(answer.body as LeaseDocument);
    },
    async write(lease) {
      const { resourceVersion } = lease;
      const isNew = resourceVersion === undefined;
      const body = documentOf(lease, namespace, name);
      const request: KubeRequest = isNew
        ? { method: "POST", path: collection, body }
        : { method: "PUT", path: `${collection}/${name}`, body };
      // 409: made or changed since it was read; 404: deleted since, but for a new one, whose namespace must exist.
      const answer = await call(request, isNew ? [409] : [404, 409]);
      return answer.status >= 400 ? undefined : recordOf(answer.body as LeaseDocument);
    },
  };
}

function recordOf({ metadata, spec = {} }: LeaseDocument): LeaseRecord {
  return {
    resourceVersion: metadata.resourceVersion,
    holder: spec.holderIdentity ?? "",
    renewTime: spec.renewTime ?? "",
    durationMs: (spec.leaseDurationSeconds ?? 0) * 1000,
    transitions: spec.leaseTransitions ?? 0,
    acquireTime: spec.acquireTime ?? "",
  };
}

function documentOf(lease: LeaseWrite, namespace: string, name: string): object {
  const { resourceVersion } = lease;
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { namespace, name, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
    spec: {
      holderIdentity: lease.holder,
      leaseDurationSeconds: Math.max(1, Math.round(lease.durationMs / 1000)),
      acquireTime: lease.acquireTime,
      renewTime: lease.renewTime,
      leaseTransitions: lease.transitions,
    },
  };
}
