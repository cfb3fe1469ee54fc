// One process of the controllers: made anew after a crash, with every port behind an injector of faults.
import type { createMemoryWakes } from "../../shared/adapters/memory/wakes.ts";
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
  type TickController,
} from "../../shared/controllers/index.ts";
import type { Settings } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import {
  type ClaimStore,
  type Clock,
  type Cloud,
  type Cluster,
  type Ids,
  OperationError,
  type Telemetry,
  type WakeTarget,
} from "../../shared/ports/index.ts";
import { measuredCloud } from "../../shared/runtime/measured-cloud.ts";
import { createInjector, type Injector, type Mischief } from "./faults.ts";
import * as fixtures from "./fixtures.ts";

export const deployment = "test";

export interface Process {
  readonly controllers: Readonly<Record<WakeTarget, Controller>>;
  readonly interrupt: InterruptController;
  readonly tick: TickController;
  readonly injector: Injector;
}

/** What outlives a process. */
export interface Surroundings {
  readonly cluster: Cluster;
  readonly cloud: Cloud;
  readonly store: ClaimStore;
  readonly wakes: ReturnType<typeof createMemoryWakes>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly telemetry: Telemetry;
  readonly settings: Settings;
}

function lostAnswer(call: string): OperationError {
  const message = `the answer of ${call} did not come`;
  return new OperationError(message, { retry: "later", code: "timeout", outcomeUnknown: true });
}

export function startProcess(around: Surroundings, mischief: Mischief): Process {
  const injector = createInjector(mischief, lostAnswer);
  const cloud = measuredCloud(injector.wrap("cloud", around.cloud), around);
  const context = {
    name: fixtures.clusterName,
    region: fixtures.region,
    cluster: injector.wrap("cluster", around.cluster),
    cloud,
    settings: around.settings,
    bootstrap: fixtures.bootstrap,
  };
  const ports: ControllerPorts = {
    clusters: {
      open: async () => context,
      list: async () => [{ name: fixtures.clusterName, region: fixtures.region }],
    },
    cloudAt: async () => cloud,
    store: injector.wrap("store", around.store),
    catalog: { read: async () => fixtures.catalog },
    wakes: injector.wrap("wakes", around.wakes),
    clock: around.clock,
    ids: around.ids,
    telemetry: around.telemetry,
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
}
