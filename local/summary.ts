// The summary of one pass, as `--json` prints it, and why each instance type was chosen.
import type { NodeClaim } from "../shared/core/model/index.ts";
import { costNow, type Ledger, type StepTimes, stepsOf } from "./ledger.ts";

export interface Interruption {
  readonly node: string | null;
  readonly replaced: boolean;
  readonly podsLost: number;
  /** From the warning until the node's pods run elsewhere; null: there was no interruption. */
  readonly secondsToReplacement: number | null;
}

export interface Choice {
  readonly nodeClaim: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: string;
  readonly pricePerHour: number;
  readonly why: string;
}

export interface Summary {
  readonly seed: number;
  readonly pods: { readonly asked: number; readonly running: number; readonly pending: number };
  readonly nodeClaims: {
    readonly created: number;
    readonly launched: number;
    readonly registered: number;
    readonly initialized: number;
    readonly removed: number;
  };
  readonly instances: { readonly launched: number; readonly running: number; readonly withoutClaim: number };
  readonly interruption: Interruption;
  readonly consolidation: { readonly nodesRemoved: number };
  readonly cost: { readonly peakPerHour: number; readonly perHourAtEnd: number };
  readonly steps: readonly StepTimes[];
  readonly choices: readonly Choice[];
  readonly kubeconfig: string;
  readonly wallSeconds: number;
}

export interface PassResult {
  readonly asked: number;
  /** The most that ran at one time, and what was still pending then. */
  readonly running: number;
  readonly pending: number;
  readonly interruption: Interruption;
}

/** Prices that the summary compares with: USD an hour × 10^6 by type, zone and capacity type. */
export type PriceOf = (instanceType: string, zone: string, capacityType: string) => number | undefined;

const usd = (microUsd: number) => Math.round(microUsd) / 1_000_000;
const dollars = (microUsd: number) => `$${usd(microUsd).toFixed(4)}`;

/** One sentence: against how many types, what comes next, and what buying it otherwise would cost. */
export function explainChoice(claim: NodeClaim, zones: readonly string[], priceOf: PriceOf): string {
  const instance = claim.instance;
  if (instance === undefined) return "not launched";
  const cheapestOf = (type: string) =>
    Math.min(...zones.flatMap((zone) => priceOf(type, zone, instance.capacityType) ?? []));
  const others = claim.instanceTypes
    .filter((type) => type !== instance.instanceType)
    .map((type) => ({ type, price: cheapestOf(type) }))
    .filter(({ price }) => Number.isFinite(price))
    .sort((a, b) => a.price - b.price || (a.type < b.type ? -1 : 1));
  const cpu = (claim.requests.cpu ?? 0) / 1000;
  const memoryGiB = Math.round(((claim.requests.memory ?? 0) / 2 ** 30) * 10) / 10;
  const rank = others.filter(({ price }) => price < instance.priceMicroUsd).length + 1;
  const parts = [
    `number ${rank} by price of ${claim.instanceTypes.length} types that hold ${cpu} cpu and ${memoryGiB} GiB`,
  ];
  const next = others.find(({ price }) => price >= instance.priceMicroUsd);
  if (next !== undefined) parts.push(`next ${next.type} at ${dollars(next.price)}`);
  if (instance.capacityType === "spot") {
    const onDemand = priceOf(instance.instanceType, instance.zone, "on-demand");
    if (onDemand !== undefined) parts.push(`on demand it costs ${dollars(onDemand)}`);
  }
  return parts.join("; ");
}

/** Puts the pieces together; amounts of money in USD an hour. */
export function summarize(input: {
  seed: number;
  ledger: Ledger;
  pass: PassResult;
  withoutClaim: number;
  zones: readonly string[];
  priceOf: PriceOf;
  kubeconfig: string;
  wallSeconds: number;
}): Summary {
  const { ledger, pass } = input;
  const claims = [...ledger.claims.values()];
  const count = (has: (claim: NodeClaim) => boolean) => claims.filter((c) => has(c.latest)).length;
  const instances = [...ledger.instances.values()];
  return {
    seed: input.seed,
    pods: { asked: pass.asked, running: pass.running, pending: pass.pending },
    nodeClaims: {
      created: claims.length,
      launched: count((c) => c.instance !== undefined),
      registered: count((c) => c.registeredAtMs !== undefined),
      initialized: count((c) => c.initializedAtMs !== undefined),
      removed: claims.filter((c) => c.goneAtMs !== undefined).length,
    },
    instances: {
      launched: instances.length,
      running: instances.filter((i) => i.state === "running" || i.state === "pending").length,
      withoutClaim: input.withoutClaim,
    },
    interruption: pass.interruption,
    consolidation: { nodesRemoved: count((c) => c.deletion?.reason === "empty") },
    cost: { peakPerHour: usd(ledger.peakMicroUsdPerHour), perHourAtEnd: usd(costNow(ledger)) },
    steps: stepsOf(ledger),
    choices: claims
      .filter((c) => c.latest.instance !== undefined)
      .map(({ latest }) => ({
        nodeClaim: latest.name,
        instanceType: latest.instance!.instanceType,
        zone: latest.instance!.zone,
        capacityType: latest.instance!.capacityType,
        pricePerHour: usd(latest.instance!.priceMicroUsd),
        why: explainChoice(latest, input.zones, input.priceOf),
      }))
      .sort((a, b) => (a.nodeClaim < b.nodeClaim ? -1 : 1)),
    kubeconfig: input.kubeconfig,
    wallSeconds: Math.round(input.wallSeconds * 10) / 10,
  };
}

/** Why a pass failed, or undefined. */
export function failureOf(summary: Summary): string | undefined {
  if (summary.pods.pending > 0 || summary.pods.running < summary.pods.asked)
    return `${summary.pods.asked - summary.pods.running} of ${summary.pods.asked} pods did not run`;
  if (summary.interruption.node !== null && !summary.interruption.replaced)
    return `the pods of the interrupted node ${summary.interruption.node} did not come back`;
  if (summary.instances.running > 0) return `${summary.instances.running} instances are left over`;
  if (summary.instances.withoutClaim > 0) return `${summary.instances.withoutClaim} instances have no claim`;
  return undefined;
}
