import type { Wake, Wakes } from "../../shared/ports/index.ts";
import { type RelayTarget, relayTargets } from "../wakes/rules.ts";
import { counter, durationBuckets, gauge, histogram } from "./definition.ts";
import type { Family } from "./exposition.ts";
import { createCounter, createGauge, createHistogram } from "./instruments.ts";
import { seconds } from "./seconds.ts";

/** controller-runtime's bounds: Karpenter's, up to a minute. */
const reconcileBuckets = durationBuckets.filter((bound) => bound <= 60);

export const replicaSeries = {
  build: gauge(
    "karpenter_build_info",
    ["version", "goversion", "goarch", "commit"],
    "Always 1; says which version runs. There is no Go, so goversion is empty.",
  ),
  leader: gauge("leader_election_master_status", ["name"], "1 for the replica that holds the lease, else 0."),
  reconciles: counter(
    "controller_runtime_reconcile_total",
    ["controller", "result"],
    "Wakes that the relay sent, or tried to send, to the function that is this controller.",
  ),
  errors: counter("controller_runtime_reconcile_errors_total", ["controller"], "Wakes that could not be sent."),
  seconds: histogram(
    "controller_runtime_reconcile_time_seconds",
    ["controller"],
    reconcileBuckets,
    "How long it took to send a wake.",
  ),
  depth: gauge("workqueue_depth", ["name", "controller"], "1 while a wake for this controller is not out yet, else 0."),
} as const;

export interface WakeSeries {
  /** The same queue, each wake counted and timed. */
  measured(wakes: Wakes): Wakes;
  readonly families: readonly Family[];
}

/** Sending wakes is the relay's share of what controllers do: the rest of a reconciliation happens in the functions. */
export function createWakeSeries(clock: { now(): number }): WakeSeries {
  const reconciles = createCounter(replicaSeries.reconciles);
  const errors = createCounter(replicaSeries.errors);
  const times = createHistogram(replicaSeries.seconds);
  for (const target of relayTargets) {
    errors.add([target], 0);
    for (const result of ["success", "error"]) reconciles.add([target, result], 0);
  }

  async function measure<T>(wakes: readonly Wake[], send: () => Promise<T>): Promise<T> {
    const startedAtMs = clock.now();
    let result = "error";
    try {
      const answer = await send();
      result = "success";
      return answer;
    } finally {
      for (const { target } of wakes) {
        reconciles.add([target, result]);
        if (result === "error") errors.add([target]);
        times.observe([target], seconds(startedAtMs, clock.now()));
      }
    }
  }

  return {
    measured: (wakes) => ({
      send: (wake, delayMs) => measure([wake], () => wakes.send(wake, delayMs)),
      sendAll: (delayed) =>
        measure(
          delayed.map(({ wake }) => wake),
          () => wakes.sendAll(delayed),
        ),
    }),
    families: [reconciles, errors, times],
  };
}

export interface ReplicaFacts {
  readonly version: string;
  /** Empty: not known. */
  readonly commit: string;
  /** Node's name of the processor: x64, arm64. */
  readonly arch: string;
  readonly leaseName: string;
  isLeader(): boolean;
  /** Targets whose wake is not out yet. */
  pendingTargets(): readonly RelayTarget[];
}

/** What each replica says of itself, whether it holds the lease or not. */
export function createReplicaSeries(facts: ReplicaFacts): readonly Family[] {
  const arch = facts.arch === "x64" ? "amd64" : facts.arch;
  return [
    createGauge(replicaSeries.build, () => [[[facts.version, "", arch, facts.commit], 1]]),
    createGauge(replicaSeries.leader, () => [[[facts.leaseName], facts.isLeader() ? 1 : 0]]),
    createGauge(replicaSeries.depth, () => {
      const pending = facts.pendingTargets();
      return relayTargets.map((target) => [[target, target], pending.includes(target) ? 1 : 0] as const);
    }),
  ];
}
