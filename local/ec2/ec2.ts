// The fleet endpoint: an EC2 in one process, spoken to with the AWS SDK over loopback. Karpenter's tests use a fake of the Go
// client; this one speaks the wire protocol, so that the real adapter runs, and launches fleets by EC2's documented rules with
// finite capacity. What it leaves out is in docs/fleet-endpoint.md.
//
// The state knows no HTTP and no timers: time is the injected clock's, and what is due happens when someone looks (`settle`).
import type { Image } from "@aws-sdk/client-ec2";
import { type Action, findAction } from "./actions.ts";
import { type Answer, answerCall } from "./answer.ts";
import type { Capacity, PoolMatch, Refusal } from "./capacity.ts";
import type { CatalogFile } from "./catalog.ts";
import { createChance, createIds } from "./chance.ts";
import { createWorld, putImage } from "./create-world.ts";
import type { Ec2Event } from "./events.ts";
import { createFaults, type Faults } from "./faults.ts";
import { endLife, interrupt, recommendRebalance } from "./instance-states.ts";
import type { NetworkSeed } from "./network.ts";
import type { Quotas } from "./quotas.ts";
import { serve } from "./server.ts";
import type { Instance, Settings } from "./world.ts";

export interface Ec2Options {
  readonly clock: { now(): number };
  readonly catalog: CatalogFile;
  /** Names ids and draws shares; the same seed gives the same run. Default 1. */
  readonly seed?: number;
  /** Ids by prefix (`i`, `lt`, `r`, `sir`, `fleet`); by default they come from the seed. */
  readonly ids?: (prefix: string) => string;
  readonly accountId?: string;
  /** By default one /20 subnet in each zone and one security group. */
  readonly network?: NetworkSeed;
  /** By default one AL2023-like image for each architecture: ami-0000000000000a001 (x86_64) and ami-0000000000000a002 (arm64). */
  readonly images?: readonly Image[];
  /** Instances that each pool can give at the start. Default 1000. */
  readonly capacityPerPool?: number;
  readonly quotas?: Quotas;
  readonly settings?: Partial<Settings>;
  /** Waits for faults of kind delay and stall. By default real milliseconds. */
  readonly wait?: (ms: number) => Promise<void>;
}

/** One answered call, for tests and for the terminal. */
export interface Call {
  readonly at: number;
  readonly action: string;
  readonly requestId: string;
  /** "ok", "lost", or the error code. */
  readonly outcome: string;
}

export interface Ec2 {
  /** Does an action in process, without faults: for the world's own use. Throws Ec2Error. */
  call<Output extends object>(action: string, input: object): Output;
  /** Answers a form body of the Query protocol; "lost" means that the connection must be closed without an answer. */
  answer(body: string): Promise<Answer | "lost">;
  /** Serves on 127.0.0.1; port 0 picks a free one. Returns the endpoint's address, http://127.0.0.1:<port>. */
  listen(port?: number): Promise<string>;
  close(): Promise<void>;
  readonly faults: Faults;
  /** RequestLimitExceeded for a share (default all) of the calls of these actions (default all). Returns what ends it. */
  throttle(options?: { readonly share?: number; readonly actions?: readonly string[] }): () => void;
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
  /** Called for every event, with the moment it is due. Returns what ends it. */
  onEvent(listener: (event: Ec2Event) => void): () => void;
  /** Lets everything happen that is due by the clock; every call does this first. */
  settle(): void;
  /** When `settle` will next have something to do, in epoch milliseconds. */
  nextChangeAt(): number | undefined;
  /** All instances, visible or not, in launch order. */
  instances(): readonly Readonly<Instance>[];
  /** The user data that an instance would read, decoded. Undefined for an unknown instance or one without. */
  userDataOf(instanceId: string): string | undefined;
  /** The last 10,000 calls. */
  calls(): readonly Call[];
}

const mostCalls = 10_000;
const largestBodyBytes = 1_000_000;

/** Makes an endpoint; it serves nothing until `listen`. */
export function createEc2(options: Ec2Options): Ec2 {
  const seed = options.seed ?? 1;
  const listeners = new Set<(event: Ec2Event) => void>();
  const world = createWorld(options, (event) => {
    for (const listener of listeners) listener(event);
  });
  const faults = createFaults(createChance(seed + 2));
  const requestIds = createIds(seed + 3);
  const wait = options.wait ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)));
  const calls: Call[] = [];
  let stop: (() => Promise<void>) | undefined;

  const settle = (): void => world.timeline.runUntil(world.clock.now());
  const run = (action: Action, input: object): object => {
    settle();
    return action.run(world, input as never);
  };
  const known = (instanceId: string): Instance | undefined => {
    settle();
    return world.instances.get(instanceId);
  };
  const matched = (count: number): void => {
    if (count === 0) throw new Error("no capacity pool matches");
  };

  async function answer(body: string): Promise<Answer | "lost"> {
    const requestId = requestIds("req");
    const outcome = await answerCall(body, requestId, { run, faults, wait });
    calls.push({ at: world.clock.now(), action: outcome.action, requestId, outcome: outcome.name });
    if (calls.length > mostCalls) calls.shift();
    return outcome.answer;
  }

  return {
    call: <Output extends object>(action: string, input: object) => run(findAction(action), input) as Output,
    answer,
    async listen(port = 0) {
      if (stop !== undefined) throw new Error("the EC2 endpoint is listening already");
      const server = await serve(answer, port, largestBodyBytes);
      stop = server.close;
      return server.address;
    },
    async close() {
      await stop?.();
      stop = undefined;
    },
    faults,
    throttle({
      share = 1,
      actions: struck = [undefined],
    }: {
      share?: number;
      actions?: readonly (string | undefined)[];
    } = {}) {
      const ends = struck.map((action) =>
        faults.add({
          kind: "error-before",
          code: "RequestLimitExceeded",
          share,
          ...(action === undefined ? {} : { action }),
        }),
      );
      return () => {
        for (const end of ends) end();
      };
    },
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
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settle,
    nextChangeAt: () => world.timeline.nextAt(),
    instances: () => [...world.instances.values()],
    userDataOf(id) {
      const text = world.instances.get(id)?.launch.UserData;
      return text === undefined ? undefined : Buffer.from(text, "base64").toString();
    },
    calls: () => calls,
  };
}
