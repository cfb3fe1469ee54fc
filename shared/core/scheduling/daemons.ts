import type { DaemonSet, HostPort, InstanceType, Owner, Pod, Resources, Taint, Toleration } from "../model/index.ts";
import { fits } from "../resources/index.ts";
import type { AskTable, Selection } from "./asks.ts";
import { selectionOf } from "./asks.ts";
import { untoleratedTaint } from "./taints.ts";

/** A DaemonSet as a load on nodes. */
export interface Daemon {
  readonly uid: string;
  /** `namespace/name`. */
  readonly name: string;
  readonly requests: Resources;
  readonly tolerations: readonly Toleration[];
  readonly selection: Selection;
  readonly hostPorts: readonly HostPort[];
}

/** What the DaemonSet controller adds to the tolerations of every pod that it makes. */
const builtInTolerations: readonly Toleration[] = [
  { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute" },
  ...["disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"].map(
    (name): Toleration => ({ key: `node.kubernetes.io/${name}`, operator: "Exists", effect: "NoSchedule" }),
  ),
];
const hostNetworkToleration: Toleration = {
  key: "node.kubernetes.io/network-unavailable",
  operator: "Exists",
  effect: "NoSchedule",
};

function nameOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

const ownerName = ({ namespace }: Pod, { name }: Owner): string => nameOf({ namespace, name });

/**
 * True if the pod is one of the daemon's: by its owner's uid, or by kind, namespace and name where uids are absent
 * (manifests) or differ (a set that was made anew).
 */
export function isPodOf({ uid, name }: Daemon, pod: Pod): boolean {
  if (pod.owner === undefined) return false;
  return pod.owner.uid === uid || (pod.owner.kind === "DaemonSet" && ownerName(pod, pod.owner) === name);
}

/**
 * DaemonSets in the order of their names. A live pod of the set, the newest, shows what admission made of the template
 * (LimitRange defaults), so its requests count. Preferred terms never keep a daemon away.
 */
export function compileDaemons(sets: readonly DaemonSet[], pods: readonly Pod[], asks: AskTable): Daemon[] {
  const models = new Map<string, Pod>();
  const uids = new Set(sets.map(({ uid }) => uid));
  const uidByName = new Map(sets.map((set) => [nameOf(set), set.uid]));
  for (const pod of sets.length === 0 ? [] : pods) {
    const { owner } = pod;
    if (owner === undefined) continue;
    const named = owner.kind === "DaemonSet" ? uidByName.get(ownerName(pod, owner)) : undefined;
    const uid = uids.has(owner.uid) ? owner.uid : named;
    if (uid === undefined) continue;
    const known = models.get(uid);
    if (known === undefined || isNewer(pod, known)) models.set(uid, pod);
  }
  return [...sets]
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    .map((set) => ({
      uid: set.uid,
      name: nameOf(set),
      requests: models.get(set.uid)?.requests ?? set.template.requests,
      tolerations: [
        ...set.template.tolerations,
        ...builtInTolerations,
        ...(set.template.hostNetwork === true ? [hostNetworkToleration] : []),
      ],
      selection: selectionOf(set.template, asks, { anyHost: true }),
      hostPorts: set.template.hostPorts,
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
