import { findOrphans, type Orphans, suspectTag } from "../core/garbage/index.ts";
import { objectRetryMs } from "../core/limits.ts";
import { type CloudInstance, type NodeClaim, tags } from "../core/model/index.ts";
import type { StoredState } from "../ports/index.ts";
import type { ClusterContext, ControllerPorts, ControllerSettings } from "./context.ts";
import { requestDeletion } from "./deletion.ts";
import type { Controller } from "./index.ts";
import { measureDisrupted } from "./measure.ts";
import { isolate, type RunLog } from "./report.ts";
import { leased, makeDue } from "./schedule.ts";

/**
 * Instances without a claim and claims without an instance, found late but found. The cloud is listed before the claims
 * are read, so that an instance is never taken for an orphan because its claim came in between. Answers to Karpenter's
 * garbage collection controllers.
 */
export function createCollectGarbage(ports: ControllerPorts, settings: ControllerSettings): Controller {
  return leased(ports, (context, log) => collect(ports, settings, context, log));
}

async function collect(
  ports: ControllerPorts,
  settings: ControllerSettings,
  context: ClusterContext,
  log: RunLog,
): Promise<void> {
  const { deployment } = settings;
  const ours = { [tags.deployment]: deployment, [tags.eksClusterName]: context.name };
  const listed = await context.cloud.findByTags(ours, { includeTerminated: true });
  const nowMs = ports.clock.now();
  const state = await ports.store.readState(context.name, nowMs);
  const instances = [...listed, ...(await findUnlisted(context, listed, state?.claims ?? []))];
  const { nodes } = await context.cluster.read({ pods: false });
  const knowledge = {
    deployment,
    claims: state?.claims ?? [],
    launches: state?.launches ?? [],
    ...(state === undefined ? {} : { epoch: state.head.epoch }),
  };
  const orphans = findOrphans(instances, knowledge, nodes, nowMs);
  if (orphans.refusal !== undefined) {
    ports.telemetry.log("error", `garbage collection terminates nothing: ${orphans.refusal}`, {
      cluster: context.name,
    });
    ports.telemetry.count("timmerman_garbage_refusals_total", 1, { cluster: context.name });
  }
  if (state !== undefined) await settleClaims(ports, context, state, orphans, log);
  await settleInstances(ports, context, orphans, nowMs, log);
  log.due(orphans.nextChangeAtMs);
}

/** Instances that claims name but the tags did not find: the tags may have been taken off. */
async function findUnlisted(
  context: ClusterContext,
  listed: readonly CloudInstance[],
  claims: readonly NodeClaim[],
): Promise<readonly CloudInstance[]> {
  const known = new Set(listed.map(({ id }) => id));
  const missing = claims.flatMap(({ instance }) =>
    instance === undefined || known.has(instance.id) ? [] : [instance.id],
  );
  return missing.length === 0 ? [] : context.cloud.findByIds(missing);
}

async function settleClaims(
  ports: ControllerPorts,
  context: ClusterContext,
  state: StoredState,
  orphans: Orphans,
  log: RunLog,
): Promise<void> {
  const claims = new Map(state.claims.map((claim) => [claim.name, claim]));
  const retryAtMs = ports.clock.now() + objectRetryMs;
  const change = (name: string, notFoundAtMs: number | undefined) =>
    isolate(log, `NodeClaim ${name}`, retryAtMs, async () => {
      await ports.store.changeClaim(context.name, name, claims.get(name)!.version, { notFoundAtMs });
    });
  for (const name of orphans.unseen) await change(name, ports.clock.now());
  for (const name of orphans.seenAgain) await change(name, undefined);
  if (orphans.unseen.length > 0) log.due(ports.clock.now() + objectRetryMs);
  if (orphans.ended.length > 0) await makeDue(ports, context.name, ["provision", "lifecycle"]);
  for (const { claim: name, message } of orphans.ended) {
    await isolate(log, `NodeClaim ${name}`, retryAtMs, async () => {
      const claim = claims.get(name)!;
      if ((await requestDeletion(ports, context.name, claim, "garbage_collected")) !== "requested") return;
      log.count("claimsCollected");
      measureDisrupted(ports.telemetry, context.name, claim, "garbage_collected");
      ports.telemetry.log("info", `NodeClaim ${name} is deleted: ${message}`, { cluster: context.name, claim: name });
    });
  }
  if (orphans.ended.length === 0) return;
  await ports.wakes.sendAll([
    { wake: { cluster: context.name, target: "provision" } },
    { wake: { cluster: context.name, target: "lifecycle" } },
  ]);
}

async function settleInstances(
  ports: ControllerPorts,
  context: ClusterContext,
  orphans: Orphans,
  nowMs: number,
  log: RunLog,
): Promise<void> {
  const retryAtMs = nowMs + objectRetryMs;
  for (const id of orphans.suspect) {
    await isolate(log, `instance ${id}`, retryAtMs, async () => {
      await context.cloud.tag(id, { [suspectTag]: String(nowMs) });
      log.count("instancesSuspected");
      ports.telemetry.count("timmerman_orphans_found_total", 1, { cluster: context.name });
      log.due(retryAtMs);
    });
  }
  for (const id of orphans.terminate) {
    await isolate(log, `instance ${id}`, retryAtMs, async () => {
      // The last question before the one effect that cannot be taken back.
      const owner = await ports.store.findInstance(id);
      const claim = owner === undefined ? undefined : await ports.store.readClaim(owner.cluster, owner.claim);
      if (claim !== undefined && claim.goneAtMs === undefined) return;
      await context.cloud.terminate([id]);
      log.count("instancesCollected");
      ports.telemetry.count("timmerman_orphans_terminated_total", 1, { cluster: context.name });
      ports.telemetry.log("warn", `instance ${id} had no claim and is terminated`, {
        cluster: context.name,
        instanceId: id,
      });
    });
  }
}
