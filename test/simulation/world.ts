// A world without sockets: the controllers on memory adapters under virtual time. It delivers wakes as a queue would (one
// by one, retried when a run fails), stands for the relay, and can lose the controllers' process at any port call.

import { createMemoryClaimStore } from "../../shared/adapters/memory/claim-store.ts";
import { createMemoryClock, createMemoryIds, type MemoryClock } from "../../shared/adapters/memory/clock.ts";
import { createMemoryCloud, type MemoryCloud, type MemoryCloudSettings } from "../../shared/adapters/memory/cloud.ts";
import { createMemoryCluster, type MemoryCluster } from "../../shared/adapters/memory/cluster.ts";
import { createMemoryTelemetry, type MemoryTelemetry } from "../../shared/adapters/memory/telemetry.ts";
import { createMemoryWakes } from "../../shared/adapters/memory/wakes.ts";
import {
  type Controller,
  type ControllerPorts,
  createCollectGarbage,
  createDisrupt,
  createInterrupt,
  createLifecycle,
  createProvision,
  createResolveNodeClasses,
  createTick,
  type InterruptController,
  type RunReport,
  type TickController,
} from "../../shared/controllers/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { type ClaimStore, OperationError, type Wake, type WakeTarget } from "../../shared/ports/index.ts";
import { type ClusterLife, createClusterLife } from "./cluster-life.ts";
import { Crash, createInjector, type Fault, type Injector, type Mischief, once } from "./faults.ts";
import * as fixtures from "./fixtures.ts";
import { createRelay } from "./relay.ts";

export const deployment = "test";

export interface World {
  readonly clock: MemoryClock;
  readonly cluster: MemoryCluster;
  readonly cloud: MemoryCloud;
  readonly store: ClaimStore;
  readonly telemetry: MemoryTelemetry;
  readonly life: ClusterLife;
  readonly startedAtMs: number;
  readonly reports: readonly RunReport[];
  readonly restarts: number;
  /** The injector of the first process. */
  readonly injector: Injector;
  /** Lets that much time pass. */
  runFor(ms: number): Promise<void>;
  /** Until the condition holds; false: it did not within that time. */
  runUntil(holds: () => boolean, withinMs: number): Promise<boolean>;
  /** A spot warning for the instance, which is taken two minutes later. */
  interrupt(instanceId: string): Promise<void>;
}

export interface WorldSettings {
  readonly seed?: number;
  readonly fault?: Fault;
  /** Faults of every kind at this share of all calls, until that much time has passed. */
  readonly chaos?: { readonly share: number; readonly forMs: number };
  readonly cloud?: Partial<MemoryCloudSettings>;
  readonly pool?: Partial<typeof fixtures.nodePool>;
}

interface Process {
  readonly controllers: Readonly<Record<WakeTarget, Controller>>;
  readonly interrupt: InterruptController;
  readonly tick: TickController;
  readonly injector: Injector;
}

const retryMs = 2_000;
const tickMs = 60_000;

export async function createWorld(options: WorldSettings = {}): Promise<World> {
  const clock = createMemoryClock(fixtures.startMs);
  const cluster = createMemoryCluster(clock);
  const { subnets, securityGroups, images } = fixtures;
  const cloud = createMemoryCloud(clock, { subnets, securityGroups, images, ...options.cloud });
  const store = createMemoryClaimStore();
  const wakes = createMemoryWakes(clock);
  const telemetry = createMemoryTelemetry();
  const ids = createMemoryIds(options.seed ?? 1);
  const life = createClusterLife(cluster, cloud, clock);
  const relay = createRelay(cluster, wakes, clock);
  const reports: RunReport[] = [];
  const retries: { readonly atMs: number; readonly run: () => Promise<void> }[] = [];
  const taken: { readonly atMs: number; readonly id: string }[] = [];
  let restarts = 0;

  await store.createHead(fixtures.clusterName, { seq: 0, epoch: "e1", clusterUid: "uid-1" });
  cluster.nodeClasses.put(fixtures.nodeClass);
  cluster.nodePools.put({ ...fixtures.nodePool, ...options.pool });

  const chance = seeded((options.seed ?? 1) * 7919);
  const chaotic: Mischief = () => {
    const { share, forMs } = options.chaos ?? { share: 0, forMs: 0 };
    if (clock.now() >= fixtures.startMs + forMs || chance() >= share) return undefined;
    return (["crash-before", "crash-after", "lose-answer"] as const)[Math.floor(chance() * 3)];
  };
  const start = (fault: Fault | undefined): Process => {
    const injector = createInjector(
      options.chaos === undefined ? once(fault) : chaotic,
      (call) =>
        new OperationError(`the answer of ${call} did not come`, {
          retry: "later",
          code: "timeout",
          outcomeUnknown: true,
        }),
    );
    const wrappedCloud = injector.wrap("cloud", cloud);
    const context = {
      name: fixtures.clusterName,
      region: fixtures.region,
      cluster: injector.wrap("cluster", cluster),
      cloud: wrappedCloud,
      settings: fixtures.settings,
      bootstrap: fixtures.bootstrap,
    };
    const ports: ControllerPorts = {
      clusters: { open: async () => context, list: async () => [fixtures.clusterName] },
      cloud: wrappedCloud,
      store: injector.wrap("store", store),
      catalog: { read: async () => fixtures.catalog },
      wakes: injector.wrap("wakes", wakes),
      clock,
      ids,
      telemetry,
    };
    const settings = { deployment, planners: { provisioning: planProvisioning } };
    return {
      injector,
      controllers: {
        provision: createProvision(ports, settings),
        disrupt: createDisrupt(ports, settings),
        lifecycle: createLifecycle(ports, settings),
        "resolve-node-classes": createResolveNodeClasses(ports, settings),
        "collect-garbage": createCollectGarbage(ports, settings),
      },
      interrupt: createInterrupt(ports, settings),
      tick: createTick(ports, settings),
    };
  };
  const first = start(options.fault);
  let current = first;

  /** A run that fails is delivered again; one whose process went down as well, to the next process. */
  const deliver = async (run: () => Promise<void>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      if (error instanceof Crash) {
        restarts++;
        current = start(undefined);
      } else if (!(error instanceof OperationError)) throw error;
      retries.push({ atMs: clock.now() + retryMs, run });
    }
  };
  const runWake = (wake: Wake) => async () => {
    reports.push(await current.controllers[wake.target].run(wake));
  };

  let nextTickMs = fixtures.startMs;
  const random = seeded(options.seed ?? 1);
  const settleNow = async () => {
    for (let rounds = 0; rounds < 50; rounds++) {
      for (const { id } of taken.filter(({ atMs }) => atMs <= clock.now())) cloud.end(id);
      life.step();
      await relay.step();
      const due = shuffled(wakes.takeDue(), random).map(runWake);
      const again = retries.filter(({ atMs }) => atMs <= clock.now());
      for (const retry of again) retries.splice(retries.indexOf(retry), 1);
      const ticks = clock.now() >= nextTickMs ? [() => current.tick.run().then(() => undefined)] : [];
      if (ticks.length > 0) nextTickMs = clock.now() + tickMs;
      const work = [...ticks, ...again.map(({ run }) => run), ...due];
      if (work.length === 0) return;
      for (const run of work) await deliver(run);
    }
    throw new Error(`the world spins at ${new Date(clock.now()).toISOString()}`);
  };
  const nextMomentMs = (limitMs: number) =>
    Math.min(
      limitMs,
      nextTickMs,
      wakes.nextDueAtMs() ?? limitMs,
      life.nextDueAtMs() ?? limitMs,
      relay.nextDueAtMs() ?? limitMs,
      ...retries.map(({ atMs }) => atMs),
      ...taken.map(({ atMs }) => atMs).filter((atMs) => atMs > clock.now()),
    );

  const world: World = {
    clock,
    cluster,
    cloud,
    store,
    telemetry,
    life,
    startedAtMs: fixtures.startMs,
    reports,
    injector: first.injector,
    get restarts() {
      return restarts;
    },
    async runFor(ms) {
      await world.runUntil(() => false, ms);
    },
    async runUntil(holds, withinMs) {
      const endMs = clock.now() + withinMs;
      for (;;) {
        await settleNow();
        if (holds()) return true;
        if (clock.now() >= endMs) return false;
        await clock.advanceTo(Math.max(clock.now() + 1, nextMomentMs(endMs)));
      }
    },
    async interrupt(instanceId) {
      const atMs = clock.now();
      taken.push({ atMs: atMs + 120_000, id: instanceId });
      await deliver(() =>
        current.interrupt.run([{ kind: "spot_interrupted", instanceId, atMs, eventId: `event-${instanceId}` }]),
      );
    },
  };
  return world;
}

/** A small generator of numbers in [0, 1) that follow from the seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
