// What the scheduler's filters look at: nodes with the pods that are bound to them. One file a filter; each is made for one
// pod, as kube-scheduler's PreFilter does, and then asked of every node. Written apart from the planning core, which is
// judged by them.
import type { KubeObject } from "../../kube/types.ts";
import type { Amounts } from "../requests.ts";

export interface NodeRoom {
  readonly node: KubeObject;
  readonly free: Amounts;
  readonly allocatable: Amounts;
  /** Bound pods that have not ended; those being deleted are among them until they are gone. */
  readonly pods: KubeObject[];
}

/** Why a node is nothing for the pod, worded to follow "3 node(s)"; undefined: it is something. */
export type Filter = (room: NodeRoom) => string | undefined;

export interface Surroundings {
  readonly rooms: readonly NodeRoom[];
  /** Labels of every namespace, by name. */
  readonly namespaces: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

export function labelsOf(object: KubeObject): Record<string, string> {
  return object.metadata.labels ?? {};
}
