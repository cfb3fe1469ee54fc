// What happened in the world, for the summary and the terminal: claims' evidence as the store records it, pods' fates as
// the API shows them, instances and their cost as EC2 has them. It only looks.
import type { NodeClaim } from "../shared/core/model/index.ts";

export interface PodTrack {
  readonly key: string;
  readonly createdAtMs: number;
  boundAtMs?: number;
  runningAtMs?: number;
  nodeName?: string;
  goneAtMs?: number;
}

export interface ClaimTrack {
  readonly name: string;
  latest: NodeClaim;
  /** Pods that it was first planned for, as the plan said. */
  goneAtMs?: number;
}

export interface InstanceTrack {
  readonly id: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: string;
  readonly priceMicroUsd: number;
  state: string;
}

export interface Ledger {
  readonly pods: Map<string, PodTrack>;
  readonly claims: Map<string, ClaimTrack>;
  readonly instances: Map<string, InstanceTrack>;
  peakMicroUsdPerHour: number;
  readonly podsLost: { node: string; pods: readonly string[] }[];
}

export function createLedger(): Ledger {
  return { pods: new Map(), claims: new Map(), instances: new Map(), peakMicroUsdPerHour: 0, podsLost: [] };
}

/** What the instances that are there cost an hour. */
export function costNow(ledger: Ledger): number {
  let total = 0;
  for (const instance of ledger.instances.values()) {
    if (instance.state === "pending" || instance.state === "running") total += instance.priceMicroUsd;
  }
  return total;
}

/** Takes in a read of the store: claims that are no longer in it are gone. */
export function noteClaims(ledger: Ledger, claims: readonly NodeClaim[], nowMs: number): void {
  const present = new Set<string>();
  for (const claim of claims) {
    present.add(claim.name);
    const track = ledger.claims.get(claim.name);
    if (track === undefined) ledger.claims.set(claim.name, { name: claim.name, latest: claim });
    else track.latest = claim;
  }
  for (const track of ledger.claims.values()) if (!present.has(track.name)) track.goneAtMs ??= nowMs;
}

export function noteInstance(ledger: Ledger, instance: InstanceTrack): void {
  const track = ledger.instances.get(instance.id);
  if (track === undefined) ledger.instances.set(instance.id, { ...instance });
  else track.state = instance.state;
  ledger.peakMicroUsdPerHour = Math.max(ledger.peakMicroUsdPerHour, costNow(ledger));
}

export interface StepTimes {
  readonly step: string;
  readonly secondsP50: number;
  readonly secondsP99: number;
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)] ?? 0;
}

function stepTimes(step: string, milliseconds: readonly number[]): StepTimes[] {
  if (milliseconds.length === 0) return [];
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const seconds = (ms: number) => Math.round(ms / 10) / 100;
  return [{ step, secondsP50: seconds(quantile(sorted, 0.5)), secondsP99: seconds(quantile(sorted, 0.99)) }];
}

/** How long each step took, over all claims and pods, in the world's seconds. */
export function stepsOf(ledger: Ledger): StepTimes[] {
  const claims = [...ledger.claims.values()].map((c) => c.latest);
  const pods = [...ledger.pods.values()];
  const between = (from: (c: NodeClaim) => number | undefined, to: (c: NodeClaim) => number | undefined) =>
    claims.flatMap((claim) => {
      const start = from(claim);
      const end = to(claim);
      return start === undefined || end === undefined ? [] : [Math.max(0, end - start)];
    });
  const firstClaimAfter = (pod: PodTrack) => {
    const claim = claims.find((c) => c.nodeName !== undefined && c.nodeName === pod.nodeName);
    return claim !== undefined && claim.createdAtMs >= pod.createdAtMs ? [claim.createdAtMs - pod.createdAtMs] : [];
  };
  return [
    ...stepTimes("pod pending → claim committed", pods.flatMap(firstClaimAfter)),
    ...stepTimes(
      "claim committed → instance launched",
      between(
        (c) => c.createdAtMs,
        (c) => c.instance?.launchedAtMs,
      ),
    ),
    ...stepTimes(
      "instance launched → node registered",
      between(
        (c) => c.instance?.launchedAtMs,
        (c) => c.registeredAtMs,
      ),
    ),
    ...stepTimes(
      "node registered → node initialized",
      between(
        (c) => c.registeredAtMs,
        (c) => c.initializedAtMs,
      ),
    ),
    ...stepTimes(
      "pod pending → pod running",
      pods.flatMap((p) => (p.runningAtMs === undefined ? [] : [p.runningAtMs - p.createdAtMs])),
    ),
    ...stepTimes(
      "deletion asked → claim gone",
      [...ledger.claims.values()].flatMap((c) =>
        c.goneAtMs === undefined || c.latest.deletion === undefined
          ? []
          : [c.goneAtMs - c.latest.deletion.requestedAtMs],
      ),
    ),
  ];
}
