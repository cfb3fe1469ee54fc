// The plan as `-o json` prints it: the contract's fields, prices in USD an hour, names as people see them.
import type {
  Command,
  DisruptionPlan,
  PlannedClaim,
  PlanWarning,
  ProvisioningPlan,
  RequirementSpec,
  Snapshot,
  Taint,
} from "../../shared/core/model/index.ts";
import type { PodExplanation } from "../../shared/core/provisioning/index.ts";
import { formatResources } from "../../shared/core/resources/index.ts";
import { type PrintedExplanation, printedExplanation } from "./explanation.ts";

export interface PrintedClaim {
  readonly name: string;
  readonly nodePool: string;
  readonly instanceTypes: readonly string[];
  readonly cheapest: {
    readonly instanceType: string;
    readonly zone: string;
    readonly capacityType: string;
    readonly pricePerHour: number;
  };
  readonly requirements: readonly RequirementSpec[];
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly requests: Readonly<Record<string, string>>;
  readonly pods: readonly string[];
}

export interface PrintedCommand {
  readonly reason: string;
  readonly decision: string;
  readonly nodes: readonly string[];
  readonly replacements: readonly PrintedClaim[];
  readonly savingsPerHour: number;
}

export interface PlanDocument {
  readonly nodeClaims: readonly PrintedClaim[];
  readonly existingNodes: readonly { readonly node: string; readonly pods: readonly string[] }[];
  readonly unschedulable: ProvisioningPlan["unschedulable"];
  readonly ignored: ProvisioningPlan["ignored"];
  readonly disruption: readonly PrintedCommand[];
  readonly blocked: DisruptionPlan["blocked"];
  /** Nodes that are being deleted already, with or without this plan. */
  readonly leaving: readonly { readonly node: string; readonly reason: string; readonly since: string }[];
  readonly cost: { readonly currentPerHour: number; readonly plannedPerHour: number };
  readonly warnings: readonly PlanWarning[];
  readonly nextChangeAt: string | null;
  /** Of the pods that `--explain` names; absent without it. */
  readonly explanations?: readonly PrintedExplanation[];
}

/** Either plan may be left out (`--only`). */
export function planDocument(
  snapshot: Snapshot,
  provisioning: ProvisioningPlan | undefined,
  disruption: DisruptionPlan | undefined,
  explained: readonly PodExplanation[] = [],
): PlanDocument {
  const nodeNames = nodeNamesOf(snapshot);
  const claims = provisioning?.claims ?? [];
  const commands = disruption?.commands ?? [];
  const current = sum(snapshot.claims.map((claim) => claim.instance?.priceMicroUsd ?? 0));
  const added = sum(claims.map((claim) => claim.cheapest.priceMicroUsd));
  const commanded = new Set(commands.flatMap((command) => command.candidates));
  const going = snapshot.claims.filter(({ name, deletion }) => deletion !== undefined && !commanded.has(name));
  const saved =
    sum(commands.map((command) => command.savingsMicroUsdPerHour)) +
    sum(going.map((claim) => claim.instance?.priceMicroUsd ?? 0));
  const changes = [provisioning?.nextChangeAtMs, disruption?.nextChangeAtMs].filter((ms) => typeof ms === "number");
  return {
    nodeClaims: claims.map(printedClaim),
    existingNodes: (provisioning?.placements ?? [])
      .map(({ target, pods }) => ({ node: nodeNames.get(target) ?? target, pods }))
      .sort((a, b) => (a.node < b.node ? -1 : 1)),
    unschedulable: provisioning?.unschedulable ?? [],
    ignored: provisioning?.ignored ?? [],
    disruption: commands.map((command) => printedCommand(command, nodeNames)),
    blocked: disruption?.blocked ?? [],
    leaving: leavingOf(snapshot, nodeNames),
    cost: { currentPerHour: usd(current), plannedPerHour: usd(current + added - saved) },
    warnings: distinct([...(provisioning?.warnings ?? []), ...(disruption?.warnings ?? [])]),
    nextChangeAt: earliest(changes),
    ...(explained.length === 0 ? {} : { explanations: explained.map((one) => printedExplanation(one, nodeNames)) }),
  };
}

/** Claim → Node, for claims that have one. */
function nodeNamesOf(snapshot: Snapshot): ReadonlyMap<string, string> {
  const byProviderId = new Map(snapshot.nodes.map(({ providerId, name }) => [providerId, name]));
  const names = new Map<string, string>();
  for (const { name, nodeName, instance } of snapshot.claims) {
    const node = nodeName ?? (instance === undefined ? undefined : byProviderId.get(instance.providerId));
    if (node !== undefined) names.set(name, node);
  }
  return names;
}

/** Claims that are being deleted, by their nodes' names, and nodes that are and have no claim. */
function leavingOf(snapshot: Snapshot, nodeNames: ReadonlyMap<string, string>): PlanDocument["leaving"] {
  const claimed = new Set(nodeNames.values());
  const claims = snapshot.claims.flatMap(({ name, deletion }) =>
    deletion === undefined
      ? []
      : [{ node: nodeNames.get(name) ?? name, reason: deletion.reason, since: rfc3339(deletion.requestedAtMs) }],
  );
  const nodes = snapshot.nodes.flatMap(({ name, deletionAtMs }) =>
    deletionAtMs === undefined || claimed.has(name)
      ? []
      : [{ node: name, reason: "deleted", since: rfc3339(deletionAtMs) }],
  );
  return [...claims, ...nodes].sort((a, b) => (a.node < b.node ? -1 : 1));
}

function printedClaim(claim: PlannedClaim): PrintedClaim {
  const { priceMicroUsd, ...place } = claim.cheapest;
  return {
    name: claim.name,
    nodePool: claim.nodePool,
    instanceTypes: claim.instanceTypes,
    cheapest: { ...place, pricePerHour: usd(priceMicroUsd) },
    requirements: claim.requirements,
    labels: claim.labels,
    taints: claim.taints,
    requests: formatResources(claim.requests),
    pods: claim.pods,
  };
}

function printedCommand(command: Command, nodeNames: ReadonlyMap<string, string>): PrintedCommand {
  return {
    reason: command.reason,
    decision: command.decision,
    nodes: command.candidates.map((name) => nodeNames.get(name) ?? name),
    replacements: command.replacements.map(printedClaim),
    savingsPerHour: usd(command.savingsMicroUsdPerHour),
  };
}

function distinct(warnings: readonly PlanWarning[]): PlanWarning[] {
  return [...new Map(warnings.map((warning) => [JSON.stringify(warning), warning])).values()];
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

function usd(microUsd: number): number {
  return microUsd / 1_000_000;
}

/** The last moment that a date can say; what is said to change later than that never changes. */
const lastMs = 8_640_000_000_000_000;

function earliest(changesMs: readonly number[]): string | null {
  const ms = Math.min(...changesMs);
  return ms <= lastMs ? rfc3339(ms) : null;
}

function rfc3339(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}
