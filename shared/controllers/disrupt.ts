import { planDisruption } from "../core/disruption/index.ts";
import {
  claimConcurrency,
  maxCommitTries,
  maxTransactionItems,
  nominationWindowMs,
  objectRetryMs,
} from "../core/limits.ts";
import type { Command, DisruptionPlan, Head, PlanChunk, Snapshot } from "../core/model/index.ts";
import type { WakeTarget } from "../ports/index.ts";
import { announce, warningEvents } from "./announce.ts";
import { type CommandDesk, driveCommand } from "./commands.ts";
import type { ClusterContext, ControllerPorts, ControllerSettings } from "./context.ts";
import type { Controller } from "./index.ts";
import { measureCreated, measureDecided, measureEligible, measureLostCommit } from "./measure.ts";
import { forEachBounded, isolate, type RunLog } from "./report.ts";
import { leased, makeDue } from "./schedule.ts";
import { type Observation, observeCluster } from "./snapshot.ts";

/**
 * Nodes that are to go by decision: found on one snapshot, validated on a fresh one, committed, tainted, looked at again,
 * and only then deleted. Answers to Karpenter's disruption and expiration controllers.
 */
export function createDisrupt(ports: ControllerPorts, _settings: ControllerSettings): Controller {
  return leased(ports, (context, log, atLeast) => disrupt(ports, context, log, atLeast));
}

async function disrupt(
  ports: ControllerPorts,
  context: ClusterContext,
  log: RunLog,
  atLeast: string | undefined,
): Promise<void> {
  let observed = await observeCluster(ports, context, { atLeast, podEvents: true });
  for (let tries = 0; observed !== undefined && tries < maxCommitTries; tries++) {
    const searched = await planned(observed.snapshot);
    const fresh = searched.commands.length === 0 ? observed : await observeCluster(ports, context, { podEvents: true });
    if (fresh === undefined) return;
    const plan = fresh === observed ? searched : await planned(fresh.snapshot);
    const commands = stillValid(searched, plan);
    if (!(await commitCommands(ports, context, fresh, commands, log))) {
      log.count("commitsLost");
      measureLostCommit(ports.telemetry, context.name, "disrupt");
      observed = await observeCluster(ports, context, { podEvents: true });
      continue;
    }
    await announce(context.cluster, log, warningEvents(fresh.snapshot, plan.warnings));
    measureEligible(ports.telemetry, context.name, plan);
    log.due(plan.nextChangeAtMs);
    if (plan.commands.length > commands.length) log.due(ports.clock.now());
    for (const { untilMs } of fresh.state.placements) log.due(untilMs);
    await driveCommands(ports, context, fresh, commands.length > 0, log);
    return;
  }
  if (observed !== undefined) log.due(ports.clock.now());
}

/** Only where CapacityBuffers keep room is the planner loaded: it is a sixth of what this function would start with. */
async function planned(snapshot: Snapshot): Promise<DisruptionPlan> {
  if (snapshot.capacityBuffers.length === 0) return planDisruption(snapshot);
  const { headroomTargets } = await import("../core/provisioning/plan-provisioning.ts");
  return planDisruption(snapshot, headroomTargets(snapshot));
}

/** Commands that both looks agree on; one that only the second saw is left to a next run soon, which looks twice as well. */
function stillValid(searched: DisruptionPlan, fresh: DisruptionPlan): readonly Command[] {
  const keyOf = (command: Command) => JSON.stringify([command.reason, command.decision, command.candidates]);
  const found = new Set(searched.commands.map(keyOf));
  return fresh.commands.filter((command) => found.has(keyOf(command)));
}

/** In commits that fit a transaction: each command writes itself, its candidates and its replacements. */
async function commitCommands(
  ports: ControllerPorts,
  context: ClusterContext,
  { snapshot, state }: Observation,
  commands: readonly Command[],
  log: RunLog,
): Promise<boolean> {
  const parts: Command[][] = [];
  let items = maxTransactionItems;
  for (const command of commands) {
    const own = 1 + command.candidates.length + command.replacements.length;
    if (items + own > maxTransactionItems) {
      parts.push([]);
      items = 2;
    }
    parts.at(-1)!.push(command);
    items += own;
  }
  if (commands.some(({ replacements }) => replacements.length > 0)) await makeDue(ports, context.name, ["lifecycle"]);
  const id = ports.ids.next();
  let head: Head = state.head;
  for (const [index, part] of parts.entries()) {
    const chunk: PlanChunk = {
      id,
      index,
      claims: [],
      placements: [],
      commands: part,
      reason: "disrupted",
      createdAtMs: snapshot.nowMs,
      nominatedUntilMs: snapshot.nowMs + nominationWindowMs,
    };
    const outcome = await ports.store.commit(context.name, head, chunk);
    if (outcome.kind === "lost") return false;
    head = outcome.head;
    log.count("commandsCommitted", part.length);
    measureDecided(ports.telemetry, context.name, part);
    for (const { reason, replacements } of part) {
      measureCreated(ports.telemetry, context.name, replacements, reason.toLowerCase(), ports.clock.now());
    }
  }
  return true;
}

/** Every open command one step further, those that an earlier run left as well. */
async function driveCommands(
  ports: ControllerPorts,
  context: ClusterContext,
  observed: Observation,
  committed: boolean,
  log: RunLog,
): Promise<void> {
  const state = committed ? await ports.store.readState(context.name, ports.clock.now()) : observed.state;
  if (state === undefined || state.commands.length === 0) return;
  const wanted = new Set<WakeTarget>();
  const desk: CommandDesk = {
    ports,
    context,
    log,
    claims: new Map(state.claims.map((claim) => [claim.name, claim])),
    mirrors: new Map((await context.cluster.listClaimMirrors()).map((mirror) => [mirror.name, mirror])),
    wake: (target) => wanted.add(target),
  };
  await forEachBounded(state.commands, claimConcurrency, (command) =>
    isolate(log, `command ${command.id}`, ports.clock.now() + objectRetryMs, () => driveCommand(desk, command)),
  );
  await ports.wakes.sendAll([...wanted].map((target) => ({ wake: { cluster: context.name, target } })));
}
