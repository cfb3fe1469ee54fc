import { clockToleranceMs, heartbeatTimeoutMs, safetyNetMs } from "../core/limits.ts";
import { type DelayedWake, relayAgenda, type WakeTarget } from "../ports/index.ts";
import type { ControllerPorts, ControllerSettings } from "./context.ts";
import type { TickController } from "./index.ts";
import { forEachBounded } from "./report.ts";

const targets: readonly WakeTarget[] = ["provision", "disrupt", "lifecycle", "resolve-node-classes", "collect-garbage"];
const knownTargets: ReadonlySet<string> = new Set(targets);
/** Whom a relay wakes: while it is silent, the tick does. */
const relayedTargets: readonly WakeTarget[] = ["provision", "lifecycle", "disrupt"];
const minuteMs = 60_000;

/** Writes to the agenda at the same time: enough to hide latency. */
const concurrency = 25;

type Due = Awaited<ReturnType<ControllerPorts["store"]["readDue"]>>;

/**
 * Every minute: a wake for each controller whose moment on the agenda has come, for those whom a relay wakes where it has
 * fallen silent, and once in ten minutes one for every controller of every cluster, whatever was forgotten. An entry stays
 * past until its controller has run (or its relay speaks) and set the next; those of clusters that are no longer served
 * are taken off, for nobody would ever do so. A thousand clusters that rest cost the look at the agenda, and with their net a
 * write each that finds nothing to set.
 */
export function createTick(ports: ControllerPorts, _settings: ControllerSettings): TickController {
  return {
    async run() {
      const nowMs = ports.clock.now();
      const due = await ports.store.readDue(nowMs);
      const served = await servedClusters(ports, due);
      const wanted = new Map<string, DelayedWake>();
      const want = (cluster: string, target: WakeTarget) =>
        wanted.set(`${cluster} ${target}`, { wake: { cluster, target } });
      const silentRelays = new Set<string>();
      for (const { cluster, controller } of due) {
        if (!served.has(cluster)) continue;
        if (controller === relayAgenda) {
          silentRelays.add(cluster);
          for (const target of relayedTargets) want(cluster, target);
        } else if (knownTargets.has(controller)) want(cluster, controller as WakeTarget);
      }
      const netted = [...served].filter((cluster) => isNetDue(cluster, nowMs));
      for (const cluster of netted) for (const target of targets) want(cluster, target);
      ports.telemetry.gauge("timmerman_silent_relays", silentRelays.size);
      await ports.wakes.sendAll([...wanted.values()]);
      const others = netted.filter((cluster) => !silentRelays.has(cluster));
      await watchForRelays(ports, others, nowMs);
      await takeOffAgenda(
        ports,
        due.filter(({ cluster }) => !served.has(cluster)),
      );
      return { wakesSent: wanted.size };
    },
  };
}

/** The list may be minutes old: before something is called not served, it is read again. */
async function servedClusters(ports: ControllerPorts, due: Due): Promise<ReadonlySet<string>> {
  const namesOf = (list: Awaited<ReturnType<typeof ports.clusters.list>>) => new Set(list.map(({ name }) => name));
  const served = namesOf(await ports.clusters.list());
  if (due.every(({ cluster }) => served.has(cluster))) return served;
  return namesOf(await ports.clusters.list({ fresh: true }));
}

/**
 * A relay that never spoke has no entry that could be due: from its cluster's net on it counts as silent. So does one whose
 * entry is further ahead than any heartbeat puts it (a clock that was ahead, a write of somebody else's), which would
 * hide for that long that it is dead; where it lives, its next heartbeat says so, before the next tick.
 */
async function watchForRelays(ports: ControllerPorts, clusters: readonly string[], nowMs: number): Promise<void> {
  const onlyOdd = { ifAbsent: true, latestMs: nowMs + heartbeatTimeoutMs + clockToleranceMs };
  await forEachBounded(clusters, concurrency, async (cluster) => {
    await ports.store.setAgenda(cluster, relayAgenda, nowMs, onlyOdd);
  });
}

async function takeOffAgenda(ports: ControllerPorts, left: Due): Promise<void> {
  await forEachBounded(left, concurrency, async ({ cluster, controller }) => {
    await ports.store.setAgenda(cluster, controller, null, { replace: true });
    const message = `cluster ${cluster} is not served here: ${controller} is no longer woken for it`;
    ports.telemetry.log("warn", message, { cluster });
  });
}

/** One minute in ten, another for each cluster, so that a thousand of them don't come at once. */
function isNetDue(cluster: string, nowMs: number): boolean {
  let spread = 0;
  for (let i = 0; i < cluster.length; i++) spread = (spread * 31 + cluster.charCodeAt(i)) % 1009;
  const minutes = safetyNetMs / minuteMs;
  return (Math.floor(nowMs / minuteMs) + spread) % minutes === 0;
}
