import { blockingPods } from "../core/disruption/index.ts";
import { sameTaint } from "../core/lifecycle/index.ts";
import { drainPollMs, maxCommitTries, minWakeDelayMs } from "../core/limits.ts";
import { type Command, type DeletionReason, type Node, type NodeClaim, taints } from "../core/model/index.ts";
import type { ClaimMirror, StoredCommand, WakeTarget } from "../ports/index.ts";
import { announce, claimEvents } from "./announce.ts";
import type { ClusterContext, ControllerPorts } from "./context.ts";
import { requestDeletion } from "./deletion.ts";
import { measureDisrupted } from "./measure.ts";
import type { RunLog } from "./report.ts";
import { makeDue } from "./schedule.ts";

/** What the commands of one run share. */
export interface CommandDesk {
  readonly ports: ControllerPorts;
  readonly context: ClusterContext;
  readonly log: RunLog;
  readonly claims: ReadonlyMap<string, NodeClaim>;
  readonly mirrors: ReadonlyMap<string, ClaimMirror>;
  readonly wake: (target: WakeTarget) => void;
}

const reasons: Readonly<Record<Command["reason"], DeletionReason>> = {
  Empty: "empty",
  Underutilized: "underutilized",
  Drifted: "drifted",
  Expired: "expired",
  Overprovisioned: "overprovisioned",
};

const askingNobody: ReadonlySet<Command["reason"]> = new Set(["Expired", "Overprovisioned"]);

/**
 * One open command one step further: taint, look at the pods again, wait for replacements, delete. Until the deletion it
 * can be rolled back, and is if a pod that blocks has come or a replacement is lost. Expiry and static pools ask nobody. It is closed only
 * when each candidate is to go or gone, or, rolled back, bears the taint no more.
 */
export async function driveCommand(desk: CommandDesk, command: StoredCommand): Promise<void> {
  const claims = command.candidates.flatMap((name) => desk.claims.get(name) ?? []);
  const open = claims.filter((claim) => claim.deletion === undefined);
  if (!askingNobody.has(command.reason) && open.length > 0) {
    const nodes = await taintNodes(desk, open);
    if (nodes === undefined) {
      desk.log.due(desk.ports.clock.now() + minWakeDelayMs);
      return;
    }
    const obstacle = (await findObstacle(desk, command, nodes)) ?? lostReplacement(desk, command);
    if (obstacle !== undefined) {
      await rollBack(desk, command, open, nodes, obstacle);
      return;
    }
    if (!replacementsReady(desk, command)) {
      const idle = command.replacementNames.some((name) => desk.claims.get(name)?.launch === undefined);
      if (idle) desk.wake("lifecycle");
      desk.log.due(desk.ports.clock.now() + drainPollMs);
      return;
    }
  }
  const next: readonly WakeTarget[] = command.reason === "Empty" ? ["lifecycle"] : ["lifecycle", "provision"];
  await makeDue(desk.ports, desk.context.name, next);
  let kept = 0;
  for (const claim of open) if (!(await deleteClaim(desk, claim, command))) kept++;
  for (const target of next) desk.wake(target);
  if (kept > 0) {
    // Another run rolled the command back and closed it: what is left of it, if anything, is looked at anew.
    desk.log.due(desk.ports.clock.now() + minWakeDelayMs);
    return;
  }
  await desk.ports.store.closeCommand(desk.context.name, command.id, command.version);
  desk.log.count("commandsDone");
}

/** The candidates' nodes, all with the disrupted taint; undefined: one changed under our hands. */
async function taintNodes(desk: CommandDesk, claims: readonly NodeClaim[]): Promise<readonly Node[] | undefined> {
  const { cluster } = desk.context;
  const nodes: Node[] = [];
  for (const claim of claims) {
    if (claim.instance === undefined) continue;
    const node = await cluster.findNode({ providerId: claim.instance.providerId, name: claim.nodeName });
    if (node === undefined) continue;
    nodes.push(node);
    if (node.taints.some((taint) => sameTaint(taint, taints.disrupted))) continue;
    const { uid, resourceVersion } = node;
    const tainted = [...node.taints, taints.disrupted];
    if ((await cluster.patchNode(node.name, { uid, resourceVersion }, { taints: tainted })) !== "done")
      return undefined;
  }
  return nodes;
}

/** A node that was to go because it was empty must be empty still, now that no more pods are sent to it. */
async function findObstacle(desk: CommandDesk, command: Command, nodes: readonly Node[]): Promise<string | undefined> {
  if (command.reason !== "Empty") return undefined;
  for (const node of nodes) {
    const [first, ...more] = blockingPods(await desk.context.cluster.podsOn(node.name), desk.ports.clock.now());
    if (first === undefined) continue;
    return `pod ${first}${more.length === 0 ? "" : ` and ${more.length} more`} came to node ${node.name}`;
  }
  return undefined;
}

function lostReplacement(desk: CommandDesk, command: StoredCommand): string | undefined {
  const lost = command.replacementNames.find((name) => {
    const claim = desk.claims.get(name);
    return claim === undefined || claim.deletion !== undefined;
  });
  return lost === undefined ? undefined : `replacement ${lost} did not come up`;
}

function replacementsReady(desk: CommandDesk, command: StoredCommand): boolean {
  return command.replacementNames.every((name) => desk.claims.get(name)?.initializedAtMs !== undefined);
}

async function rollBack(
  desk: CommandDesk,
  command: StoredCommand,
  claims: readonly NodeClaim[],
  nodes: readonly Node[],
  why: string,
): Promise<void> {
  const { ports, context, log } = desk;
  let tainted = 0;
  for (const { name } of nodes) if (!(await untaint(desk, name))) tainted++;
  if (tainted > 0) {
    log.due(ports.clock.now() + minWakeDelayMs);
    return;
  }
  await ports.store.closeCommand(context.name, command.id, command.version);
  log.count("commandsRolledBack");
  const text = { type: "Normal", reason: "DisruptionBlocked", message: `the node stays: ${why}` } as const;
  const events = claims.flatMap((claim) => {
    const node = nodes.find(({ providerId }) => providerId === claim.instance?.providerId);
    return claimEvents(claim, desk.mirrors.get(claim.name), node, text);
  });
  await announce(context.cluster, log, events);
}

/** False: the node changed at each try and may bear the taint still. */
async function untaint(desk: CommandDesk, name: string): Promise<boolean> {
  const { cluster } = desk.context;
  for (let tries = 0; tries < maxCommitTries; tries++) {
    const node = await cluster.findNode({ name });
    if (node === undefined) return true;
    const kept = node.taints.filter((taint) => !sameTaint(taint, taints.disrupted));
    if (kept.length === node.taints.length) return true;
    const { uid, resourceVersion } = node;
    if ((await cluster.patchNode(name, { uid, resourceVersion }, { taints: kept })) !== "changed") return true;
  }
  return false;
}

/** False: the claim is no longer a candidate of the command, and stays. */
async function deleteClaim(desk: CommandDesk, claim: NodeClaim, command: StoredCommand): Promise<boolean> {
  const { ports, context, log } = desk;
  const reason = reasons[command.reason];
  const outcome = await requestDeletion(ports, context.name, claim, reason, { command });
  if (outcome !== "requested") return outcome === "present";
  log.count("deletionsRequested");
  measureDisrupted(ports.telemetry, context.name, claim, reason);
  const text = { type: "Normal", reason: "DisruptionTerminating", message: `the node goes: ${reason}` } as const;
  await announce(context.cluster, log, claimEvents(claim, desk.mirrors.get(claim.name), undefined, text));
  return true;
}
