import { safetyNetMs } from "../core/limits.ts";
import type { DelayedWake, WakeTarget } from "../ports/index.ts";
import type { ControllerPorts, ControllerSettings } from "./context.ts";
import type { TickController } from "./index.ts";

const targets: readonly WakeTarget[] = ["provision", "disrupt", "lifecycle", "resolve-node-classes", "collect-garbage"];
const knownTargets: ReadonlySet<string> = new Set(targets);
const minuteMs = 60_000;

/**
 * Every minute: a wake for each controller whose moment on the agenda has come, and once in ten minutes one for every
 * controller of every cluster, whatever was forgotten. An entry stays past until its controller has run and set the next;
 * those of clusters that are no longer served are taken off, for nobody would ever do so.
 */
export function createTick(ports: ControllerPorts, _settings: ControllerSettings): TickController {
  return {
    async run() {
      const nowMs = ports.clock.now();
      const served = new Set(await ports.clusters.list());
      const left: { readonly cluster: string; readonly controller: string }[] = [];
      const wanted = new Map<string, DelayedWake>();
      const want = (cluster: string, target: WakeTarget) =>
        wanted.set(`${cluster} ${target}`, { wake: { cluster, target } });
      for (const { cluster, controller } of await ports.store.readDue(nowMs)) {
        if (!served.has(cluster)) left.push({ cluster, controller });
        else if (knownTargets.has(controller)) want(cluster, controller as WakeTarget);
      }
      for (const cluster of served) {
        if (isNetDue(cluster, nowMs)) for (const target of targets) want(cluster, target);
      }
      await ports.wakes.sendAll([...wanted.values()]);
      for (const { cluster, controller } of left) {
        await ports.store.setAgenda(cluster, controller, null, { replace: true });
        const message = `cluster ${cluster} is not served here: ${controller} is no longer woken for it`;
        ports.telemetry.log("warn", message, { cluster });
      }
      return { wakesSent: wanted.size };
    },
  };
}

/** One minute in ten, another for each cluster, so that a thousand of them don't come at once. */
function isNetDue(cluster: string, nowMs: number): boolean {
  let spread = 0;
  for (let i = 0; i < cluster.length; i++) spread = (spread * 31 + cluster.charCodeAt(i)) % 1009;
  const minutes = safetyNetMs / minuteMs;
  return (Math.floor(nowMs / minuteMs) + spread) % minutes === 0;
}
