import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { kinds } from "../objects.ts";
import { relayTargets } from "../wakes/rules.ts";

/** What the gauges show when they are asked. */
export interface ProcessState {
  isLeader(): boolean;
  pendingWakes(): readonly string[];
  pendingPods(): number;
  objects(kind: (typeof kinds)[number]): number;
}

export interface ProcessSeries {
  readonly registry: Registry;
  readonly wakesSent: Counter;
  readonly wakesFailed: Counter;
  readonly watchRestarts: Counter;
  readonly lists: Counter;
  readonly heartbeatFailures: Counter;
  readonly podEventFailures: Counter;
}

/** Series of this replica itself; the cluster's are made elsewhere, and shown by the replica that acts. */
export function createProcessSeries(state: ProcessState): ProcessSeries {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `timmerman_relay_${name}`, help, labelNames, registers });
  const gauge = (name: string, help: string, labelNames: string[], collect: (gauge: Gauge) => void) =>
    new Gauge({
      name: `timmerman_relay_${name}`,
      help,
      labelNames,
      registers,
      collect() {
        collect(this);
      },
    });
  const wakesSent = counter("wakes_sent_total", "Wakes that a queue has accepted.", ["target"]);
  const wakesFailed = counter("wakes_failed_total", "Tries to send a wake that failed.", ["target"]);
  for (const target of relayTargets) {
    wakesSent.inc({ target }, 0);
    wakesFailed.inc({ target }, 0);
  }
  gauge("leader", "1 if this replica acts, 0 if it stands by.", [], (leader) => leader.set(state.isLeader() ? 1 : 0));
  gauge("wakes_pending", "1 for a target whose wake is not out yet.", ["target"], (pending) => {
    const targets = state.pendingWakes();
    for (const target of relayTargets) pending.set({ target }, targets.includes(target) ? 1 : 0);
  });
  gauge("pending_pods", "Pods that wait for a node.", [], (pods) => pods.set(state.pendingPods()));
  gauge("objects", "Objects that are kept, by kind.", ["kind"], (objects) => {
    for (const kind of kinds) objects.set({ kind }, state.objects(kind));
  });
  return {
    registry,
    wakesSent,
    wakesFailed,
    watchRestarts: counter("watch_restarts_total", "Watches that were opened again.", ["kind"]),
    lists: counter("relists_total", "Kinds that were listed again, after a start's first time.", ["kind"]),
    heartbeatFailures: counter("heartbeat_failures_total", "Heartbeats that failed."),
    podEventFailures: counter("pod_event_failures_total", "Writes of lastPodEventTime that failed."),
  };
}
