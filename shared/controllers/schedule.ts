import { agendaFloorMs, agendaRestMs, leaseMs, minWakeDelayMs } from "../core/limits.ts";
import type { Wake, WakeTarget } from "../ports/index.ts";
import type { ClusterContext, ControllerPorts } from "./context.ts";
import type { Controller, RunReport } from "./index.ts";
import { createRunLog, type RunLog } from "./report.ts";

/** Rounds under one lease before the rest is left to another wake: somebody asked again while this one ran. */
const maxRounds = 3;
const maxReleaseTries = 20;

/**
 * Runs a controller under its advisory lease. If another run holds it, that one is asked to run again and this wake is
 * done. Afterwards the next moment is put on the agenda, and sent as a delayed wake if it is near.
 */
export async function runLeased(
  ports: ControllerPorts,
  wake: Wake,
  round: (log: RunLog, atLeast: string | undefined) => Promise<void>,
): Promise<RunReport> {
  const { cluster, target } = wake;
  const { clock, store, telemetry } = ports;
  const log = createRunLog(target, cluster);
  const holder = ports.ids.next();
  const startedAtMs = clock.now();
  const lease = await store.takeLease(cluster, target, holder, startedAtMs, startedAtMs + leaseMs);
  if (lease.kind === "busy") {
    log.count("leftToHolder");
    // The holder runs again, unless it died: then the agenda brings somebody when its lease is over.
    await store.setAgenda(cluster, target, startedAtMs + leaseMs, { nowMs: startedAtMs });
    return log.report();
  }
  const release = () => store.releaseLease(cluster, target, holder, lease.requested);
  try {
    for (let rounds = 1; ; rounds++) {
      const current = createRunLog(target, cluster);
      try {
        await round(current, wake.atLeast);
      } finally {
        log.absorb(current);
      }
      await scheduleNext(ports, cluster, target, current.nextDueAtMs);
      if (await release()) break;
      if (rounds < maxRounds) continue;
      await ports.wakes.send({ cluster, target });
      await letGo(release);
      break;
    }
  } catch (error) {
    // Whoever asked meanwhile is answered by the retry of this wake.
    await letGo(release);
    throw error;
  } finally {
    for (const { object, message } of log.failures) {
      telemetry.log("warn", `${target}: ${object}: ${message}`, { cluster, object, ...claimIn(object) });
      telemetry.count("timmerman_object_failures_total", 1, { controller: target, cluster });
    }
  }
  telemetry.observe("timmerman_run_duration_seconds", (clock.now() - startedAtMs) / 1_000, {
    controller: target,
    cluster,
  });
  return log.report();
}

/** Each time somebody asks between two calls the lease stays: asked for long enough, it is given up or runs out by itself. */
async function letGo(release: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < maxReleaseTries; tries++) if (await release()) return;
}

/**
 * Before a write that gives other controllers work: puts them on the agenda as due now. The wake after the write is the
 * fast way; if it is lost, with this run or by the queue, the next tick sends another. Due later would hold up the moments
 * that such a controller sets for itself.
 */
export async function makeDue(ports: ControllerPorts, cluster: string, targets: readonly WakeTarget[]): Promise<void> {
  const nowMs = ports.clock.now();
  for (const target of targets) await ports.store.setAgenda(cluster, target, nowMs, { nowMs });
}

/**
 * Arranges the next run: at the given moment; the tick's net brings one sooner whatever was lost. Where nothing is due, the
 * agenda is moved far off, not to the next net: two clocks of ten minutes would each bring a run of their own. If an earlier
 * moment stands on the agenda, somebody has sent the wake for it already; sending another each time would multiply them.
 */
export async function scheduleNext(
  ports: ControllerPorts,
  cluster: string,
  target: WakeTarget,
  dueAtMs: number | null,
): Promise<void> {
  const nowMs = ports.clock.now();
  const atMs = Math.max(nowMs + minWakeDelayMs, Math.min(dueAtMs ?? Number.POSITIVE_INFINITY, nowMs + agendaRestMs));
  const set = await ports.store.setAgenda(cluster, target, atMs, { nowMs });
  if (set && atMs < nowMs + agendaFloorMs) await ports.wakes.send({ cluster, target }, atMs - nowMs);
}

/** A controller whose runs hold the lease and work on one opened cluster. */
export function leased(
  ports: ControllerPorts,
  round: (context: ClusterContext, log: RunLog, atLeast: string | undefined) => Promise<void>,
): Controller {
  return {
    run: (wake) =>
      runLeased(ports, wake, async (log, atLeast) => round(await ports.clusters.open(wake.cluster), log, atLeast)),
  };
}

/** Failures of a claim are found by its name, as everything about it is. */
function claimIn(object: string): { readonly claim?: string } {
  const [kind, name] = object.split(" ");
  return kind === "NodeClaim" && name !== undefined ? { claim: name } : {};
}
