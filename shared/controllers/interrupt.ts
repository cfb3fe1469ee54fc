import { reservationLabels } from "../core/catalog/selection.ts";
import { actionFor, type InterruptionAction } from "../core/interruption/index.ts";
import { garbageMinAgeMs, refusalMs } from "../core/limits.ts";
import { type InterruptionMessage, type NodeClaim, tags } from "../core/model/index.ts";
import { OperationError } from "../ports/index.ts";
import { announce, claimEvents } from "./announce.ts";
import type { ClusterContext, ControllerPorts, ControllerSettings } from "./context.ts";
import { requestDeletion } from "./deletion.ts";
import type { InterruptController } from "./index.ts";
import { measureDisrupted } from "./measure.ts";
import { createRunLog } from "./report.ts";

/**
 * Messages about instances → deletions, at once and side by side. The deletion and the wakes go out together, so that the
 * replacement is planned in the same second. Answers to Karpenter's interruption controller.
 */
export function createInterrupt(ports: ControllerPorts, settings: ControllerSettings): InterruptController {
  return {
    async run(messages) {
      const outcomes = await Promise.allSettled(messages.map((message) => handle(ports, settings, message)));
      for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
    },
  };
}

async function handle(
  ports: ControllerPorts,
  settings: ControllerSettings,
  message: InterruptionMessage,
): Promise<void> {
  const { telemetry } = ports;
  telemetry.count("karpenter_interruption_received_messages_total", 1, { message_type: message.kind });
  const action = actionFor(message);
  if (action.events.length === 0 && action.deletion === undefined) return;
  const owner = (await ports.store.findInstance(message.instanceId)) ?? (await askCloud(ports, settings, message));
  if (owner === undefined) {
    telemetry.count("timmerman_foreign_interruptions_total", 1, { message_type: message.kind });
    return;
  }
  const claim = await ports.store.readClaim(owner.cluster, owner.claim);
  if (claim === undefined || claim.goneAtMs !== undefined) return;
  const context = await ports.clusters.open(owner.cluster);
  await refuseOffering(ports, context, claim, action);
  await deleteAndWake(ports, context, claim, action);
  if (!isGoingAnyway(claim, action)) await tell(context, claim, action);
}

/**
 * The end of an instance that we terminate is announced like any other: it interrupts nothing. A message about a deletion
 * of its own kind is a repeated one.
 */
function isGoingAnyway({ deletion, terminateCalledAtMs }: NodeClaim, action: InterruptionAction): boolean {
  return terminateCalledAtMs !== undefined || (deletion !== undefined && deletion.reason !== action.deletion?.reason);
}

/**
 * An instance without a record: its launch may not be settled yet (then it is, before this message is looked at again), or
 * it is nobody's. Only what bears no tag of this deployment is foreign.
 */
async function askCloud(
  ports: ControllerPorts,
  settings: ControllerSettings,
  message: InterruptionMessage,
): Promise<undefined> {
  const cloud = await ports.cloudAt({ account: message.account, region: message.region });
  const [instance] = await cloud.findByIds([message.instanceId]);
  const retry = (why: string) =>
    new OperationError(`instance ${message.instanceId}: ${why}`, { retry: "later", code: "unsettled" });
  if (instance === undefined) {
    if (ports.clock.now() < message.atMs + garbageMinAgeMs) throw retry("EC2 does not show it yet");
    return undefined;
  }
  const cluster = instance.tags[tags.eksClusterName];
  const launchId = instance.tags[tags.launch];
  if (instance.tags[tags.deployment] !== settings.deployment || cluster === undefined || launchId === undefined) {
    return undefined;
  }
  const launch = await ports.store.readLaunch(cluster, launchId);
  // Sealed before it was sent: an instance whose launch is not there, or is settled without it, is garbage.
  if (launch === undefined || launch.settledAtMs !== undefined) return undefined;
  await ports.wakes.send({ cluster, target: "lifecycle" });
  throw retry(`launch ${launchId} is not settled yet`);
}

async function refuseOffering(
  ports: ControllerPorts,
  context: ClusterContext,
  claim: NodeClaim,
  action: InterruptionAction,
): Promise<void> {
  const { instance } = claim;
  if (action.refuse === undefined || instance === undefined || instance.capacityType !== action.refuse) return;
  const { zones } = await ports.catalog.read(context.region);
  const zoneId = instance.zoneId ?? zones.find((zone) => zone.name === instance.zone)?.id;
  if (zoneId === undefined) return;
  const { instanceType, capacityType } = instance;
  const untilMs = ports.clock.now() + refusalMs;
  const reservationId = capacityType === "reserved" ? claim.labels[reservationLabels.id] : undefined;
  const reservation = reservationId === undefined ? {} : { reservationId };
  await ports.store.noteRefusals(context.region, [{ instanceType, zoneId, capacityType, ...reservation, untilMs }]);
}

async function deleteAndWake(
  ports: ControllerPorts,
  context: ClusterContext,
  claim: NodeClaim,
  { deletion }: InterruptionAction,
): Promise<void> {
  if (deletion === undefined) return;
  const { instance } = claim;
  const { reason, deadlineMs } = deletion;
  const soonerMs = deadlineMs === undefined ? {} : { soonerMs: deadlineMs };
  if ((await requestDeletion(ports, context.name, claim, reason, soonerMs)) === "requested") {
    measureDisrupted(ports.telemetry, context.name, claim, reason);
    const keys = {
      cluster: context.name,
      claim: claim.name,
      reason,
      ...(instance === undefined ? {} : { instanceId: instance.id }),
    };
    ports.telemetry.log("info", `NodeClaim ${claim.name} is deleted: ${reason}`, keys);
  }
  // Also for a repeated message: the wakes of the first may have been lost.
  await ports.wakes.sendAll([
    { wake: { cluster: context.name, target: "provision" } },
    { wake: { cluster: context.name, target: "lifecycle" } },
  ]);
}

async function tell(context: ClusterContext, claim: NodeClaim, action: InterruptionAction): Promise<void> {
  const log = createRunLog("interrupt", context.name);
  const mirror = (await context.cluster.listClaimMirrors()).find(({ name }) => name === claim.name);
  const node =
    claim.nodeName === undefined || claim.nodeUid === undefined
      ? undefined
      : { name: claim.nodeName, uid: claim.nodeUid };
  await announce(
    context.cluster,
    log,
    action.events.flatMap((text) => claimEvents(claim, mirror, node, text)),
  );
}
