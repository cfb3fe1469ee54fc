// What the world around the endpoint may do to it and see of it, beside the actions of EC2.
import type { Image } from "@aws-sdk/client-ec2";
import type { Capacity, PoolMatch, Refusal } from "./capacity.ts";
import { putImage } from "./create-world.ts";
import { endLife, interrupt, recommendRebalance } from "./instance-states.ts";
import type { Quotas } from "./quotas.ts";
import type { Instance, Settings, World } from "./world.ts";

export interface Controls {
  /** Sets what the matching pools have left. Throws if none matches: a mistake in the test. */
  setFreeCapacity(match: PoolMatch, count: number): void;
  /** Makes the matching pools refuse with a code of the caller's choice; undefined ends it. */
  setRefusal(match: PoolMatch, refusal: Refusal | undefined): void;
  readonly capacity: Pick<Capacity, "free" | "used" | "pools">;
  setSpotPrice(instanceType: string, zone: string, usd: number): void;
  setFreeAddresses(subnetId: string, count: number): void;
  readonly quotas: Quotas;
  readonly settings: Settings;
  addImage(image: Image): void;
  /** Spot interruption: warning now, termination after the notice. False if the instance can't be interrupted. */
  interrupt(instanceId: string): boolean;
  recommendRebalance(instanceId: string): boolean;
  /** Ends an instance from AWS's side, without a warning. False if it is unknown. */
  fail(instanceId: string): boolean;
  /** Lets everything happen that is due by the clock; every call does this first. */
  settle(): void;
  /** When `settle` will next have something to do, in epoch milliseconds. */
  nextChangeAt(): number | undefined;
  /** All instances, visible or not, in launch order. */
  instances(): readonly Readonly<Instance>[];
  /** The user data that an instance would read, decoded. Undefined for an unknown instance or one without. */
  userDataOf(instanceId: string): string | undefined;
}

export function createControls(world: World): Controls {
  const settle = (): void => world.timeline.runUntil(world.clock.now());
  const known = (instanceId: string): Instance | undefined => {
    settle();
    return world.instances.get(instanceId);
  };
  const matched = (count: number): void => {
    if (count === 0) throw new Error("no capacity pool matches");
  };
  return {
    setFreeCapacity: (match, count) => matched(world.capacity.setFree(match, count)),
    setRefusal: (match, refusal) => matched(world.capacity.setRefusal(match, refusal)),
    capacity: world.capacity,
    setSpotPrice: (instanceType, zone, usd) => world.catalog.setSpotPrice(instanceType, zone, usd, world.clock.now()),
    setFreeAddresses(subnetId, count) {
      const subnet = world.network.subnets.get(subnetId);
      if (subnet === undefined) throw new Error(`there is no subnet ${subnetId}`);
      subnet.freeAddresses = count;
    },
    quotas: world.quotas,
    settings: world.settings,
    addImage: (image) => putImage(world, image),
    interrupt: (id) => known(id) !== undefined && interrupt(world, id),
    recommendRebalance: (id) => known(id) !== undefined && recommendRebalance(world, id),
    fail(id) {
      const instance = known(id);
      if (instance !== undefined) endLife(world, instance, "failure", world.clock.now());
      return instance !== undefined;
    },
    settle,
    nextChangeAt: () => world.timeline.nextAt(),
    instances: () => [...world.instances.values()],
    userDataOf(id) {
      const text = world.instances.get(id)?.launch.UserData;
      return text === undefined ? undefined : Buffer.from(text, "base64").toString();
    },
  };
}
