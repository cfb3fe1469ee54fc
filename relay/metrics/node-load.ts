import type { Resources } from "../../shared/core/model/index.ts";
import type { KeptPod } from "../objects.ts";
import type { ClusterView } from "../view.ts";
import { isOver } from "../wakes/rules.ts";

/** What the pods of one node add up to. Amounts are exact integers, so that adding and taking away never drifts. */
export interface NodeLoad {
  pods: number;
  daemons: number;
  /** Pods that would need another node if this one went. */
  movable: number;
  /** Pods that are annotated karpenter.sh/do-not-disrupt. */
  readonly protectedPods: Set<string>;
  readonly requests: Map<string, number>;
  readonly limits: Map<string, number>;
  readonly daemonRequests: Map<string, number>;
  readonly daemonLimits: Map<string, number>;
}

export interface NodeLoads {
  /** Undefined: no pod runs there. */
  get(nodeName: string): NodeLoad | undefined;
}

/** Keeps the sums of each node's pods, those that have ended left out, one pod's change at a time. */
export function followNodeLoads(view: ClusterView): NodeLoads {
  const loads = new Map<string, NodeLoad>();

  function book(pod: KeptPod, sign: 1 | -1): void {
    const { nodeName, uid, resources } = pod;
    if (nodeName === undefined || isOver(pod)) return;
    let load = loads.get(nodeName);
    if (load === undefined) {
      load = emptyLoad();
      loads.set(nodeName, load);
    }
    load.pods += sign;
    if (isMovable(pod)) load.movable += sign;
    if (sign === -1) load.protectedPods.delete(uid);
    else if (pod.doNotDisrupt !== undefined) load.protectedPods.add(uid);
    addTo(load.requests, resources.requests, sign);
    addTo(load.limits, resources.limits, sign);
    if (pod.isDaemon) {
      load.daemons += sign;
      addTo(load.daemonRequests, resources.requests, sign);
      addTo(load.daemonLimits, resources.limits, sign);
    }
    if (load.pods === 0) loads.delete(nodeName);
  }

  for (const pod of view.all("Pod")) book(pod, 1);
  view.onChange("Pod", (before, after) => {
    if (before !== undefined && after !== undefined && weighsTheSame(before, after)) return;
    if (before !== undefined) book(before, -1);
    if (after !== undefined) book(after, 1);
  });
  return { get: (nodeName) => loads.get(nodeName) };
}

function emptyLoad(): NodeLoad {
  return {
    pods: 0,
    daemons: 0,
    movable: 0,
    protectedPods: new Set(),
    requests: new Map(),
    limits: new Map(),
    daemonRequests: new Map(),
    daemonLimits: new Map(),
  };
}

function isMovable({ isDaemon, isStatic, deletionAtMs }: KeptPod): boolean {
  return !isDaemon && !isStatic && deletionAtMs === undefined;
}

function weighsTheSame(a: KeptPod, b: KeptPod): boolean {
  return (
    a.nodeName === b.nodeName &&
    a.resources === b.resources &&
    isOver(a) === isOver(b) &&
    a.doNotDisrupt === b.doNotDisrupt &&
    isMovable(a) === isMovable(b)
  );
}

/** A resource that the last pod took with it has no amount any more, as if it had never been asked for. */
function addTo(sums: Map<string, number>, amounts: Resources, sign: 1 | -1): void {
  for (const resource in amounts) {
    const sum = (sums.get(resource) ?? 0) + sign * amounts[resource]!;
    if (sum === 0 && sign === -1) sums.delete(resource);
    else sums.set(resource, sum);
  }
}
