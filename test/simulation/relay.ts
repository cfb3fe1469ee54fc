// Stands for the relay: sees what changed in the cluster and wakes the controllers that care, after a burst is quiet.
import type { MemoryCluster } from "../../shared/adapters/memory/cluster.ts";
import type { Clock, Wakes, WakeTarget } from "../../shared/ports/index.ts";
import { clusterName } from "./fixtures.ts";

export interface Relay {
  step(): Promise<void>;
  nextDueAtMs(): number | undefined;
}

const quietMs = 1_000;
const repeatMs = 10_000;

export function createRelay(cluster: MemoryCluster, wakes: Wakes, clock: Clock): Relay {
  const seen = new Map<WakeTarget, string>();
  const dueAtMs = new Map<WakeTarget, number>();
  let podsByNode = new Map<string, string>();

  /** A fingerprint that moved makes a wake due; pending pods are said again and again. */
  const watch = (target: WakeTarget, fingerprint: string, again = false) => {
    const moved = seen.get(target) !== fingerprint;
    seen.set(target, fingerprint);
    if (moved) dueAtMs.set(target, clock.now() + quietMs);
    else if (again && !dueAtMs.has(target)) dueAtMs.set(target, clock.now() + repeatMs);
  };

  /** When a pod was last bound to, removed from or ended on a node: a status field of the claim's custom resource. */
  const notePodEvents = () => {
    const current = new Map<string, string>();
    for (const pod of cluster.pods.list()) {
      if (pod.nodeName === undefined) continue;
      current.set(
        pod.nodeName,
        `${current.get(pod.nodeName) ?? ""} ${pod.uid}${pod.deletionAtMs === undefined ? "" : "-"}`,
      );
    }
    const names = new Map(cluster.mirrors.list().map((mirror) => [mirror.claim.nodeName, mirror]));
    for (const node of new Set([...current.keys(), ...podsByNode.keys()])) {
      const mirror = names.get(node);
      if (current.get(node) === podsByNode.get(node) || mirror === undefined) continue;
      cluster.mirrors.put({ ...mirror, lastPodEventAtMs: clock.now() });
      dueAtMs.set("disrupt", clock.now() + quietMs);
    }
    podsByNode = current;
  };

  return {
    async step() {
      const pending = cluster.pods.list().filter((pod) => pod.nodeName === undefined && pod.unschedulable);
      notePodEvents();
      watch("provision", pending.map((pod) => pod.uid).join(), pending.length > 0);
      watch("lifecycle", fingerprintOfNodes(cluster));
      watch(
        "resolve-node-classes",
        cluster.nodeClasses
          .list()
          .map((c) => `${c.uid}/${c.generation}`)
          .join(),
      );
      for (const [target, atMs] of [...dueAtMs]) {
        if (atMs > clock.now()) continue;
        dueAtMs.delete(target);
        await wakes.send({ cluster: clusterName, target });
      }
    },
    nextDueAtMs: () => (dueAtMs.size === 0 ? undefined : Math.min(...dueAtMs.values())),
  };
}

function fingerprintOfNodes(cluster: MemoryCluster): string {
  const nodes = cluster.nodes
    .list()
    .map(({ name, taints, conditions, deletionAtMs }) => [name, taints, conditions, deletionAtMs]);
  const claims = cluster.mirrors.list().map(({ name, deletionAtMs }) => [name, deletionAtMs]);
  return JSON.stringify([nodes, claims]);
}
