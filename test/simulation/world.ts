// A world without sockets: the controllers on memory adapters under virtual time. It delivers wakes as a queue would (one
// by one, retried when a run fails), stands for the relay, and can lose the controllers' process at any port call.

import { createMemoryClaimStore } from "../../shared/adapters/memory/claim-store.ts";
import { createMemoryClock, createMemoryIds, type MemoryClock } from "../../shared/adapters/memory/clock.ts";
import { createMemoryCloud, type MemoryCloud, type MemoryCloudSettings } from "../../shared/adapters/memory/cloud.ts";
import { createMemoryCluster, type MemoryCluster } from "../../shared/adapters/memory/cluster.ts";
import { createMemoryTelemetry, type MemoryTelemetry } from "../../shared/adapters/memory/telemetry.ts";
import { createMemoryWakes } from "../../shared/adapters/memory/wakes.ts";
import type { RunReport } from "../../shared/controllers/index.ts";
import type { ClaimStore, Wake } from "../../shared/ports/index.ts";
import { seeded, shuffled } from "./chance.ts";
import { type ClusterLife, createClusterLife } from "./cluster-life.ts";
import { createDeliveries } from "./deliveries.ts";
import { type Fault, type Injector, type Mischief, once } from "./faults.ts";
import * as fixtures from "./fixtures.ts";
import { type Surroundings, startProcess } from "./process.ts";
import { createRelay } from "./relay.ts";

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
  /** Everything that is due runs at the same time, and nobody minds a lease: only commits keep runs apart. */
  readonly unleashed?: boolean;
  readonly cloud?: Partial<MemoryCloudSettings>;
  readonly pool?: Partial<typeof fixtures.nodePool>;
  readonly gates?: Partial<typeof fixtures.settings.featureGates>;
}

const tickMs = 60_000;
const warningMs = 120_000;

/** Faults of every kind at a share of all calls, for a while. */
function chaos(seed: number, { share, forMs }: NonNullable<WorldSettings["chaos"]>, now: () => number): Mischief {
  const chance = seeded(seed * 7919);
  const kinds = ["crash-before", "crash-after", "lose-answer"] as const;
  return () => {
    if (now() >= fixtures.startMs + forMs || chance() >= share) return undefined;
    return kinds[Math.floor(chance() * kinds.length)];
  };
}

function withoutLeases(store: ClaimStore): ClaimStore {
  return {
    ...store,
    takeLease: async () => ({ kind: "taken", requested: 0 }),
    releaseLease: async () => true,
  };
}

export async function createWorld(options: WorldSettings = {}): Promise<World> {
  const { seed = 1, unleashed = false } = options;
  const clock = createMemoryClock(fixtures.startMs);
  const cluster = createMemoryCluster(clock);
  const { subnets, securityGroups, images } = fixtures;
  const cloud = createMemoryCloud(clock, { subnets, securityGroups, images, ...options.cloud });
  const memory = createMemoryClaimStore();
  const store = unleashed ? withoutLeases(memory) : memory;
  const telemetry = createMemoryTelemetry();
  const wakes = createMemoryWakes(clock);
  const featureGates = { ...fixtures.settings.featureGates, ...options.gates };
  const settings = { ...fixtures.settings, featureGates };
  const around: Surroundings = { cluster, cloud, store, wakes, clock, ids: createMemoryIds(seed), telemetry, settings };
  const reports: RunReport[] = [];
  await store.createHead(fixtures.clusterName, { seq: 0, epoch: "e1", clusterUid: "uid-1" });
  cluster.nodeClasses.put(fixtures.nodeClass);
  cluster.nodePools.put({ ...fixtures.nodePool, ...options.pool });

  const storm = options.chaos === undefined ? undefined : chaos(seed, options.chaos, clock.now);
  const first = startProcess(around, storm ?? once(options.fault));
  let current = first;
  let restarts = 0;
  const deliveries = createDeliveries(clock.now, unleashed, () => {
    if (!current.injector.crashed) return;
    restarts++;
    current = startProcess(around, storm ?? once(undefined));
  });
  const life = createClusterLife(cluster, cloud, clock);
  const relay = createRelay(cluster, wakes, clock);
  const taken: { readonly atMs: number; readonly id: string }[] = [];
  const random = seeded(seed);
  let nextTickMs = fixtures.startMs;
  const runWake = (wake: Wake) => async () => void reports.push(await current.controllers[wake.target].run(wake));
  const dueWork = () => {
    const work = [...deliveries.takeDue(), ...shuffled(wakes.takeDue(), random).map(runWake)];
    if (clock.now() < nextTickMs) return work;
    nextTickMs = clock.now() + tickMs;
    return [async () => void (await current.tick.run()), ...work];
  };
  const settleNow = async () => {
    for (let rounds = 0; rounds < 50; rounds++) {
      for (const { id } of taken.filter(({ atMs }) => atMs <= clock.now())) cloud.end(id);
      life.step();
      await relay.step();
      const work = dueWork();
      if (work.length === 0) return;
      await deliveries.deliver(work);
    }
    throw new Error(`the world spins at ${new Date(clock.now()).toISOString()}`);
  };
  const nextMomentMs = (limitMs: number) => {
    const moments = [wakes.nextDueAtMs(), life.nextDueAtMs(), relay.nextDueAtMs(), deliveries.nextDueAtMs()];
    const endings = taken.map(({ atMs }) => atMs).filter((atMs) => atMs > clock.now());
    return Math.min(limitMs, nextTickMs, ...endings, ...moments.map((moment) => moment ?? limitMs));
  };
  const runUntil = async (holds: () => boolean, withinMs: number) => {
    const endMs = clock.now() + withinMs;
    for (;;) {
      await settleNow();
      if (holds()) return true;
      if (clock.now() >= endMs) return false;
      await clock.advanceTo(Math.max(clock.now() + 1, nextMomentMs(endMs)));
    }
  };
  return {
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
    runFor: async (ms) => void (await runUntil(() => false, ms)),
    runUntil,
    async interrupt(instanceId) {
      const atMs = clock.now();
      const message = { kind: "spot_interrupted", instanceId, atMs, eventId: `event-${instanceId}` } as const;
      taken.push({ atMs: atMs + warningMs, id: instanceId });
      await deliveries.deliver([() => current.interrupt.run([message])]);
    },
  };
}
