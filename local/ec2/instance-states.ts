// An instance's life: pending → running → shutting-down → terminated → forgotten, and what it holds meanwhile.
import { Ec2Error } from "./ec2-error.ts";
import type { InstanceState } from "./events.ts";
import { findSubnet, giveBackAddress } from "./network.ts";
import { quotaGroupOf } from "./quotas.ts";
import type { Instance, World } from "./world.ts";

const stateCodes: Readonly<Record<InstanceState, number>> = {
  pending: 0,
  running: 16,
  "shutting-down": 32,
  terminated: 48,
};

export function stateOf(state: InstanceState): { Code: number; Name: InstanceState } {
  return { Code: stateCodes[state], Name: state };
}

/** Puts a launched instance on its way. Its capacity, address and vCPUs have been taken. */
export function beginLife(world: World, instance: Instance): void {
  world.instances.set(instance.id, instance);
  announce(world, instance, instance.launchedAt);
  world.timeline.at(instance.launchedAt + world.settings.pendingMs, (at) => {
    if (instance.state !== "pending") return;
    instance.state = "running";
    announce(world, instance, at);
  });
}

export const endReasons = {
  user: { Code: "Client.UserInitiatedShutdown", Message: "Client.UserInitiatedShutdown: User initiated shutdown" },
  spot: {
    Code: "Server.SpotInstanceTermination",
    Message: "Server.SpotInstanceTermination: Spot instance termination",
  },
  failure: { Code: "Server.InternalError", Message: "Server.InternalError: Internal error on launch" },
} as const;

/** Begins the shutdown; nothing happens to an instance that is on its way out already. */
export function endLife(world: World, instance: Instance, reason: keyof typeof endReasons, at: number): void {
  if (instance.state === "shutting-down" || instance.state === "terminated") return;
  instance.state = "shutting-down";
  instance.stateReason = endReasons[reason];
  announce(world, instance, at);
  world.timeline.at(at + world.settings.shuttingDownMs, (doneAt) => {
    instance.state = "terminated";
    instance.terminatedAt = doneAt;
    release(world, instance);
    announce(world, instance, doneAt);
    world.timeline.at(doneAt + world.settings.terminatedVisibleMs, () => {
      world.instances.delete(instance.id);
      world.tags.drop(instance.id);
    });
  });
}

function release(world: World, instance: Instance): void {
  giveBackAddress(findSubnet(world.network, instance.subnetId), instance.address.offset);
  if (instance.reservation === undefined) world.capacity.giveBack(instance.pool, 1);
  else instance.reservation.used--;
  addVcpus(world, instance, -1);
}

/** Counts an instance's vCPUs against its quota (`sign` 1) or gives them back (−1). */
export function addVcpus(world: World, instance: Pick<Instance, "pool">, sign: 1 | -1): void {
  const key = quotaKeyOf(instance.pool);
  const vcpus = vcpusOf(world, instance.pool.instanceType);
  world.vcpusInUse.set(key, (world.vcpusInUse.get(key) ?? 0) + sign * vcpus);
}

export function quotaKeyOf(pool: Instance["pool"]): string {
  return `${pool.capacityType}/${quotaGroupOf(pool.instanceType)}`;
}

export function vcpusOf(world: World, instanceType: string): number {
  return world.catalog.types.get(instanceType)?.VCpuInfo?.DefaultVCpus ?? 1;
}

function announce(world: World, instance: Instance, at: number): void {
  world.emit({ kind: "state-change", at, instanceId: instance.id, zone: instance.pool.zone, state: instance.state });
}

/** Instances that callers can see now, in launch order. */
export function visibleInstances(world: World): readonly Instance[] {
  const now = world.clock.now();
  return [...world.instances.values()].filter((i) => now >= i.launchedAt + world.settings.visibleAfterMs);
}

/** The instances of these ids. Throws InvalidInstanceID.Malformed or .NotFound, naming every id that is unknown. */
export function findInstances(world: World, ids: readonly string[]): readonly Instance[] {
  for (const id of ids) {
    if (!/^i-[0-9a-f]{8,17}$/.test(id)) {
      throw new Ec2Error("InvalidInstanceID.Malformed", `Invalid id: "${id}"`);
    }
  }
  const visible = new Map(visibleInstances(world).map((i) => [i.id, i]));
  const missing = ids.filter((id) => !visible.has(id));
  if (missing.length > 0) {
    const [noun, verb] = missing.length === 1 ? ["ID", "does"] : ["IDs", "do"];
    throw new Ec2Error("InvalidInstanceID.NotFound", `The instance ${noun} '${missing.join(", ")}' ${verb} not exist`);
  }
  return ids.map((id) => visible.get(id)!);
}

/**
 * Warns a running or pending spot instance and terminates it after the notice. Returns false for an instance that is not
 * spot, is unknown, is ending, or was warned before.
 */
export function interrupt(world: World, id: string): boolean {
  const instance = world.instances.get(id);
  if (instance === undefined || instance.pool.capacityType !== "spot" || instance.interruptedAt !== undefined)
    return false;
  if (instance.state !== "pending" && instance.state !== "running") return false;
  const at = world.clock.now();
  const terminatesAt = at + world.settings.interruptionNoticeMs;
  instance.interruptedAt = terminatesAt;
  world.emit({ kind: "interruption-warning", at, instanceId: id, zone: instance.pool.zone, terminatesAt });
  world.timeline.at(terminatesAt, (due) => endLife(world, instance, "spot", due));
  return true;
}

/** Tells that a spot instance is at elevated risk. Returns false where there is nothing to recommend. */
export function recommendRebalance(world: World, id: string): boolean {
  const instance = world.instances.get(id);
  if (instance === undefined || instance.pool.capacityType !== "spot") return false;
  if (instance.state !== "pending" && instance.state !== "running") return false;
  world.emit({ kind: "rebalance-recommendation", at: world.clock.now(), instanceId: id, zone: instance.pool.zone });
  return true;
}
