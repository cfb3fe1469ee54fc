// Controllers: observe → plan → commit → apply. Each answers to a group of Karpenter's reconcilers, but keeps nothing
// between runs: a run reads, decides with the pure core, commits in the claim store, and drives effects from what is
// committed. It may stop at any point and be repeated. `run` resolves when the wake is dealt with (what has to wait is on
// the agenda or behind a delayed wake by then) and rejects with an OperationError when the wake should be tried again.
import type { InterruptionMessage } from "../core/model/index.ts";
import type { Wake } from "../ports/index.ts";
import type { ControllerPorts, ControllerSettings } from "./context.ts";

/** A controller of one cluster, run by wakes. */
export interface Controller {
  run(wake: Wake): Promise<RunReport>;
}

/** What a run did, for logs, tests and the local world. Nothing depends on it. */
export interface RunReport {
  readonly controller: string;
  readonly cluster: string;
  /** Things done, by name: `claimsCommitted`, `instancesLaunched`, … */
  readonly counts: Readonly<Record<string, number>>;
  /** Objects that failed alone, with what was said; they are tried again by themselves. */
  readonly failures: readonly { readonly object: string; readonly message: string }[];
  readonly nextDueAtMs: number | null;
}

/** Interruptions arrive for instances, not for clusters. Run it once for each queue message. */
export interface InterruptController {
  run(messages: readonly InterruptionMessage[]): Promise<void>;
}

/** Every minute: sends wakes for what is due, and the nets for what was forgotten. */
export interface TickController {
  run(): Promise<{ readonly wakesSent: number }>;
}

/** Every hour, run by its schedule. Rejects with an OperationError if the catalog of any region was not refreshed. */
export interface RefreshCatalogController {
  run(): Promise<{ readonly regions: readonly RegionRefresh[] }>;
}

/** `refused`: what was read cannot be the whole; the last catalog holds on. */
export type RegionRefresh =
  | { readonly region: string; readonly outcome: "refused"; readonly fault: string }
  | {
      readonly region: string;
      readonly outcome: "changed" | "unchanged";
      readonly instanceTypes: number;
      readonly offerings: number;
      readonly leftOut: number;
    };

export type * from "./context.ts";

/** The shape of every `create…` here: `createProvision`, `createLifecycle`, `createDisrupt`, `createCollectGarbage`, `createResolveNodeClasses`. */
export type CreateController = (ports: ControllerPorts, settings: ControllerSettings) => Controller;
/** `createInterrupt`. */
export type CreateInterruptController = (ports: ControllerPorts, settings: ControllerSettings) => InterruptController;
/** `createTick`. */
export type CreateTickController = (ports: ControllerPorts, settings: ControllerSettings) => TickController;
export { createCollectGarbage } from "./collect-garbage.ts";
export { createDisrupt } from "./disrupt.ts";
export { createInterrupt } from "./interrupt.ts";
export { createLifecycle } from "./lifecycle.ts";
export { createProvision } from "./provision.ts";
export { createRefreshCatalog, type RefreshCatalogPorts } from "./refresh-catalog.ts";
export { createResolveNodeClasses } from "./resolve-node-classes.ts";
export { createTick } from "./tick.ts";
