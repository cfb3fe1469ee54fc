// What only pods have: binding to a node, and eviction within disruption budgets.
import { copy, isObject, listAt, numberAt, objectAt, stringAt, timestamp } from "../json.ts";
import { matchesSelectorObject } from "../selectors.ts";
import { ApiError, conflict, notFound } from "../status.ts";
import type { DeleteOptions, JsonObject, KubeObject, ObjectKey } from "../types.ts";
import type { StoreContext } from "./context.ts";
import { remove } from "./deletion.ts";
import { commit } from "./writes.ts";

const podNames = { plural: "pods", group: "", kind: "Pod" };
const bindingNames = { plural: "pods/binding", group: "", kind: "Pod" };

function podAt(context: StoreContext, key: ObjectKey): KubeObject {
  const pod = context.objects.find("pods", key);
  if (pod === undefined) throw notFound(podNames, key.name);
  return pod;
}

function setCondition(status: JsonObject, condition: JsonObject): void {
  const others = listAt(status, "conditions").filter((c) => stringAt(c, "type") !== condition.type);
  status.conditions = [...others, condition];
}

/** Sets spec.nodeName once. @throws NotFound, Conflict if the pod is bound, gated or being deleted. */
export function bind(
  context: StoreContext,
  key: ObjectKey,
  nodeName: string,
  annotations: Record<string, string> = {},
): void {
  const pod = podAt(context, key);
  const bound = stringAt(pod, "spec", "nodeName") ?? "";
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw conflict(bindingNames, key.name, `pod ${key.name} is being deleted, cannot be assigned to a host`);
  }
  if (bound !== "") throw conflict(bindingNames, key.name, `pod ${key.name} is already assigned to node "${bound}"`);
  if (listAt(pod, "spec", "schedulingGates").length > 0) {
    throw conflict(bindingNames, key.name, `pod ${key.name} has non-empty .spec.schedulingGates`);
  }
  const draft = copy(pod);
  draft.spec.nodeName = nodeName;
  if (Object.keys(annotations).length > 0)
    draft.metadata.annotations = { ...draft.metadata.annotations, ...annotations };
  if (draft.metadata.generation !== undefined) draft.metadata.generation += 1;
  draft.status ??= {};
  const lastTransitionTime = timestamp(context.clock.now());
  setCondition(draft.status, { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime });
  commit(context, context.registry.named("pods"), pod, draft);
}

function isReady(pod: KubeObject): boolean {
  return listAt(pod, "status", "conditions").some(
    (c) => stringAt(c, "type") === "Ready" && stringAt(c, "status") === "True",
  );
}

function needsNoBudget(pod: KubeObject): boolean {
  const phase = stringAt(pod, "status", "phase") ?? "";
  return ["Succeeded", "Failed", "Pending"].includes(phase) || pod.metadata.deletionTimestamp !== undefined;
}

const tooMany = "Cannot evict pod as it would violate the pod's disruption budget.";
const stillProcessingSeconds = 10;
const disruptedPodsLimit = 2000;

function tooManyRequests(message: string, retryAfterSeconds: number): ApiError {
  const causes = [{ reason: "DisruptionBudget", message, field: "" }];
  return new ApiError(429, "TooManyRequests", tooMany, {
    causes,
    ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
  });
}

/** Takes one disruption out of a budget. @throws TooManyRequests, Forbidden */
function spend(context: StoreContext, budget: KubeObject, podName: string): void {
  const name = budget.metadata.name ?? "";
  const generation = budget.metadata.generation ?? 0;
  const allowed = numberAt(budget, "status", "disruptionsAllowed") ?? 0;
  if ((numberAt(budget, "status", "observedGeneration") ?? 0) < generation) {
    throw tooManyRequests(
      `The disruption budget ${name} is still being processed by the server.`,
      stillProcessingSeconds,
    );
  }
  if (allowed < 0) {
    const text = `poddisruptionbudgets.policy "${name}" is forbidden: pdb disruptions allowed is negative`;
    throw new ApiError(403, "Forbidden", text, { name, group: "policy", kind: "poddisruptionbudgets" });
  }
  if (Object.keys(objectAt(budget, "status", "disruptedPods")).length > disruptedPodsLimit) {
    const text = `poddisruptionbudgets.policy "${name}" is forbidden: DisruptedPods map too big - too many evictions not confirmed by PDB controller`;
    throw new ApiError(403, "Forbidden", text, { name, group: "policy", kind: "poddisruptionbudgets" });
  }
  if (allowed === 0) {
    const wanted = numberAt(budget, "status", "desiredHealthy") ?? 0;
    const healthy = numberAt(budget, "status", "currentHealthy") ?? 0;
    throw tooManyRequests(`The disruption budget ${name} needs ${wanted} healthy pods and has ${healthy} currently`, 0);
  }
  const draft = copy(budget);
  const now = timestamp(context.clock.now());
  draft.status.disruptionsAllowed = allowed - 1;
  draft.status.disruptedPods = { ...draft.status.disruptedPods, [podName]: now };
  if (allowed === 1) {
    setCondition(draft.status, {
      type: "DisruptionAllowed",
      status: "False",
      reason: "InsufficientPods",
      message: "",
      lastTransitionTime: now,
      observedGeneration: generation,
    });
  }
  commit(context, context.registry.named("poddisruptionbudgets.policy"), budget, draft);
}

function markEvicted(context: StoreContext, key: ObjectKey): void {
  const pod = context.objects.find("pods", key);
  if (pod === undefined) return;
  const draft = copy(pod);
  draft.status ??= {};
  setCondition(draft.status, {
    type: "DisruptionTarget",
    status: "True",
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
    lastTransitionTime: timestamp(context.clock.now()),
  });
  commit(context, context.registry.named("pods"), pod, draft);
}

/**
 * Evicts as policy/v1 does: pods that don't run need no budget; an unready pod may go when its budget is healthy or always
 * allows it; two budgets for one pod are an error; otherwise one disruption is spent.
 * @throws NotFound, TooManyRequests (429), Forbidden, an internal error (500) for two budgets.
 */
export function evict(context: StoreContext, key: ObjectKey, options: DeleteOptions): void {
  const pod = podAt(context, key);
  const kind = context.registry.named("pods");
  if (!needsNoBudget(pod)) {
    const budgets = context.objects
      .list("poddisruptionbudgets.policy", key.namespace)
      .filter((b) =>
        matchesSelectorObject(isObject(b.spec?.selector) ? b.spec.selector : undefined, pod.metadata.labels ?? {}),
      );
    if (budgets.length > 1) {
      const text = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
      throw new ApiError(500, "InternalError", text);
    }
    const budget = budgets[0];
    if (budget !== undefined && !mayGoUnready(pod, budget)) {
      if (options.dryRun !== true) spend(context, budget, key.name);
    }
  }
  if (options.dryRun !== true) markEvicted(context, key);
  remove(context, kind, key, options);
}

function mayGoUnready(pod: KubeObject, budget: KubeObject): boolean {
  if (isReady(pod)) return false;
  if (stringAt(budget, "spec", "unhealthyPodEvictionPolicy") === "AlwaysAllow") return true;
  const desired = numberAt(budget, "status", "desiredHealthy") ?? 0;
  return (numberAt(budget, "status", "currentHealthy") ?? 0) >= desired && desired > 0;
}
