import type { EvictionOutcome, Telemetry, WriteOutcome } from "../../ports/index.ts";
import { type Call, refusalOf, statusOf } from "./call.ts";
import { documentIn, podPath } from "./documents.ts";
import type { KubeAnswer, KubeRequest } from "./transport.ts";
import { writeOutcome, writeRefusals } from "./write-outcome.ts";

export interface PodRef {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/**
 * Asks the eviction API, so that disruption budgets are honoured. A grace period is passed on only if it is shorter than
 * the pod's own. Of the pod that is meant and no other: another pod of the same name counts as this one gone.
 */
export async function evictPod(
  call: Call,
  pod: PodRef,
  gracePeriodMs: number | undefined,
  telemetry: Telemetry | undefined,
): Promise<EvictionOutcome> {
  const gracePeriodSeconds = gracePeriodMs === undefined ? undefined : await shorterGrace(call, pod, gracePeriodMs);
  if (gracePeriodSeconds === "gone") return { kind: "gone" };
  const request: KubeRequest = {
    method: "POST",
    path: `${podPath(pod)}/eviction`,
    body: {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: pod.name, namespace: pod.namespace },
      deleteOptions: {
        preconditions: { uid: pod.uid },
        ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
      },
    },
  };
  const answer = await call(request, [404, 409, 429, 500]);
  telemetry?.count("karpenter_pods_eviction_requests_total", 1, { code: String(answer.status) });
  return outcomeOf(call, pod, request, answer);
}

async function outcomeOf(call: Call, pod: PodRef, request: KubeRequest, answer: KubeAnswer): Promise<EvictionOutcome> {
  const { message = "", details } = statusOf(answer.body);
  switch (answer.status) {
    case 404:
      return { kind: "gone" };
    case 409:
      // Either another pod has the name now, or two evictions met at a budget.
      return (await isStillThere(call, pod)) ? { kind: "blocked", message } : { kind: "gone" };
    case 429:
      // A server that sheds load answers 429 too, without naming a budget.
      if (!details?.causes?.some(({ reason }) => reason === "DisruptionBudget")) throw refusalOf(request, answer);
      return { kind: "blocked", message };
    case 500:
      if (!/more than one PodDisruptionBudget/i.test(message)) throw refusalOf(request, answer);
      return { kind: "misconfigured", message };
    default:
      return { kind: "evicted" };
  }
}

/** Seconds to ask for; undefined leaves the pod its own. Not 0: that would take the pod away before it has ended. */
async function shorterGrace(call: Call, pod: PodRef, gracePeriodMs: number): Promise<number | "gone" | undefined> {
  const answer = await call({ method: "GET", path: podPath(pod) }, [404]);
  if (answer.status === 404) return "gone";
  const { metadata, spec } = documentIn(answer.body);
  if (metadata.uid !== pod.uid) return "gone";
  const own = Number(spec?.terminationGracePeriodSeconds ?? 30);
  const asked = graceSeconds(gracePeriodMs);
  return asked < own ? asked : undefined;
}

async function isStillThere(call: Call, pod: PodRef): Promise<boolean> {
  const answer = await call({ method: "GET", path: podPath(pod) }, [404]);
  return answer.status !== 404 && documentIn(answer.body).metadata.uid === pod.uid;
}

/** Deletes without asking budgets, for pods whose time is up. The kubelet still ends it: at least one second is left. */
export async function deletePod(call: Call, pod: PodRef, gracePeriodMs: number): Promise<WriteOutcome> {
  const path = podPath(pod);
  const body = { gracePeriodSeconds: graceSeconds(gracePeriodMs), preconditions: { uid: pod.uid } };
  const request: KubeRequest = { method: "DELETE", path, body };
  return writeOutcome(call, path, pod.uid, request, await call(request, writeRefusals));
}

/** Whole seconds, rounded down, at least one. */
function graceSeconds(gracePeriodMs: number): number {
  return Math.max(1, Math.floor(gracePeriodMs / 1000));
}
