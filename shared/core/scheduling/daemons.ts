import type { DaemonSet, InstanceType, Pod, Resources, Taint, Toleration } from "../model/index.ts";
import { fits } from "../resources/index.ts";
import type { AskTable, Selection } from "./asks.ts";
import { selectionOf } from "./asks.ts";
import { untoleratedTaint } from "./taints.ts";

/** A DaemonSet as a load on nodes. */
export interface Daemon {
  readonly uid: string;
  readonly name: string;
  readonly requests: Resources;
  readonly tolerations: readonly Toleration[];
  readonly selection: Selection;
}

/**
 * DaemonSets in the order of their names. A live pod of the set, the newest, shows what admission made of the template
 * (LimitRange defaults), so its requests count. Preferred terms never keep a daemon away.
 */
export function compileDaemons(sets: readonly DaemonSet[], pods: readonly Pod[], asks: AskTable): Daemon[] {
  const models = new Map<string, Pod>();
  const uids = new Set(sets.map(({ uid }) => uid));
  for (const pod of uids.size === 0 ? [] : pods) {
    const uid = pod.owner?.uid;
    if (uid === undefined || !uids.has(uid)) continue;
    const known = models.get(uid);
    if (known === undefined || isNewer(pod, known)) models.set(uid, pod);
  }
  const nameOf = ({ namespace, name }: DaemonSet): string => `${namespace}/${name}`;
  return [...sets]
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    .map((set) => ({
      uid: set.uid,
      name: nameOf(set),
      requests: models.get(set.uid)?.requests ?? set.template.requests,
      tolerations: set.template.tolerations,
      selection: selectionOf(set.template, asks, { anyHost: true }),
    }));
}

function isNewer(a: Pod, b: Pod): boolean {
  return a.createdAtMs !== b.createdAtMs ? a.createdAtMs > b.createdAtMs : a.name > b.name;
}

/** A daemon that no empty node of this type could hold does not run there and costs nothing there (core#2975). */
export function runsOnType(daemon: Daemon, type: InstanceType): boolean {
  return fits(daemon.requests, type.allocatable);
}

export function toleratesAll(daemon: Daemon, taints: readonly Taint[]): boolean {
  return untoleratedTaint(daemon.tolerations, taints) === undefined;
}
