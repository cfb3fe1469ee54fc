import {
  garbageMinAgeMs,
  instanceVisibleMs,
  maxOrphanPercent,
  maxOrphans,
  nodeMissingMs,
  notFoundGapMs,
  orphanConfirmMs,
} from "../limits.ts";
import { type CloudInstance, type Launch, type Node, type NodeClaim, tags } from "../model/index.ts";

/** Tag on an instance that a first look found without a claim: when, in epoch milliseconds. */
export const suspectTag = "timmerman/orphan-since";

/** What this deployment's record of the cluster says; without a head there is none, and nothing can be judged. */
export interface Knowledge {
  readonly deployment: string;
  readonly epoch?: string;
  readonly claims: readonly NodeClaim[];
  /** Not settled yet: their instances may wait for their claims. */
  readonly launches: readonly Launch[];
}

export interface Orphans {
  /** Seen without a claim before and still: to be terminated. */
  readonly terminate: readonly string[];
  /** Seen without a claim for the first time: to be tagged and looked at again. */
  readonly suspect: readonly string[];
  /** Claims whose instance EC2 has ended, or no longer lists: to be deleted. */
  readonly ended: readonly { readonly claim: string; readonly message: string }[];
  /** Claims whose instance EC2 does not know on this first look, and those where it knows it again. */
  readonly unseen: readonly string[];
  readonly seenAgain: readonly string[];
  /** Why nothing is terminated although there are orphans. */
  readonly refusal?: string;
  /** When the answer may differ with time alone; null: not. */
  readonly nextChangeAtMs: number | null;
}

/**
 * Instances of this deployment and cluster that no claim holds, and claims that hold nothing. `instances` (of the
 * cluster, ended ones too, and every instance that a claim names) were listed before the claims were read, so a claim
 * that is missing here was missing then. Without a head, beside instances of another epoch, and with more orphans than
 * max(3, 5 %), nothing is terminated.
 */
export function findOrphans(
  instances: readonly CloudInstance[],
  knowledge: Knowledge,
  nodes: readonly Node[],
  nowMs: number,
): Orphans {
  const own = instances.filter((i) => isAlive(i) && i.tags[tags.deployment] === knowledge.deployment);
  if (knowledge.epoch === undefined) {
    const found = `${own.length} instances, but no head of their cluster: its records were lost or are another table's; nothing is terminated`;
    return none(own.length === 0 ? undefined : found);
  }
  const held = new Set(knowledge.claims.flatMap(({ instance }) => (instance === undefined ? [] : [instance.id])));
  const inFlight = new Set(knowledge.launches.filter((l) => l.settledAtMs === undefined).map((l) => l.id));
  const loose = own.filter((i) => !held.has(i.id) && !inFlight.has(i.tags[tags.launch] ?? ""));
  const foreign = loose.filter((i) => i.tags[tags.epoch] !== knowledge.epoch);
  const orphans = loose
    .filter((i) => i.tags[tags.epoch] === knowledge.epoch && nowMs >= grownAtMs(i))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const tooMany = orphans.length > Math.max(maxOrphans, Math.floor((own.length * maxOrphanPercent) / 100));
  const refusal = refusalOf(foreign.length, tooMany ? orphans.length : 0, own.length);
  const judged = refusal === undefined ? orphans : [];
  const moments = [...loose.map(grownAtMs), ...judged.map((i) => confirmAtMs(i) ?? 0)].filter((at) => at > nowMs);
  return {
    terminate: judged.filter((i) => (confirmAtMs(i) ?? Number.POSITIVE_INFINITY) <= nowMs).map((i) => i.id),
    suspect: judged.filter((i) => confirmAtMs(i) === undefined).map((i) => i.id),
    ended: endedClaims(instances, knowledge.claims, nodes, nowMs),
    ...sightings(instances, knowledge.claims, nowMs),
    ...(refusal === undefined ? {} : { refusal }),
    nextChangeAtMs: moments.length === 0 ? null : Math.min(...moments),
  };
}

function isAlive(instance: CloudInstance): boolean {
  return instance.state !== "terminated" && instance.state !== "shutting-down";
}

/** Younger ones are spared: their record may still be on its way. */
function grownAtMs(instance: CloudInstance): number {
  return instance.launchedAtMs + garbageMinAgeMs;
}

/** When a suspect's second look is due; undefined: it was not suspected yet. */
function confirmAtMs(instance: CloudInstance): number | undefined {
  const sinceMs = Number(instance.tags[suspectTag] ?? Number.NaN);
  return Number.isSafeInteger(sinceMs) ? sinceMs + orphanConfirmMs : undefined;
}

function none(refusal: string | undefined): Orphans {
  return {
    terminate: [],
    suspect: [],
    ended: [],
    unseen: [],
    seenAgain: [],
    ...(refusal === undefined ? {} : { refusal }),
    nextChangeAtMs: null,
  };
}

function refusalOf(foreign: number, orphans: number, known: number): string | undefined {
  const parts: string[] = [];
  if (orphans > 0)
    parts.push(`${orphans} of ${known} instances have no claim, which is more than chance leaves behind`);
  if (foreign > 0) parts.push(`${foreign} instances are of another epoch`);
  return parts.length === 0
    ? undefined
    : `${parts.join("; ")}: records may have been lost, so nothing is terminated until people have looked`;
}

/** First absences, and returns, of instances that EC2 has had time to show. */
function sightings(
  instances: readonly CloudInstance[],
  claims: readonly NodeClaim[],
  nowMs: number,
): Pick<Orphans, "unseen" | "seenAgain"> {
  const ids = new Set(instances.map(({ id }) => id));
  const held = claims.filter(
    ({ instance, deletion }) =>
      instance !== undefined && deletion === undefined && nowMs >= instance.launchedAtMs + instanceVisibleMs,
  );
  const absent = (claim: NodeClaim) => !ids.has(claim.instance!.id);
  return {
    unseen: held.filter((c) => absent(c) && c.notFoundAtMs === undefined).map((c) => c.name),
    seenAgain: held.filter((c) => !absent(c) && c.notFoundAtMs !== undefined).map((c) => c.name),
  };
}

/** Claims that hold an instance which is over, or a node that somebody took away; those already going are left alone. */
function endedClaims(
  instances: readonly CloudInstance[],
  claims: readonly NodeClaim[],
  nodes: readonly Node[],
  nowMs: number,
): Orphans["ended"] {
  const states = new Map(instances.map((instance) => [instance.id, instance.state]));
  const providerIds = new Set(nodes.map((node) => node.providerId));
  return claims.flatMap((claim) => {
    const { instance } = claim;
    if (instance === undefined || claim.deletion !== undefined) return [];
    const state = states.get(instance.id);
    if (state === undefined && claim.notFoundAtMs !== undefined && nowMs >= claim.notFoundAtMs + notFoundGapMs) {
      return [{ claim: claim.name, message: `EC2 no longer knows its instance ${instance.id}` }];
    }
    if (state === "terminated" || state === "shutting-down" || state === "stopped" || state === "stopping") {
      return [{ claim: claim.name, message: `its instance ${instance.id} is ${state}` }];
    }
    if (
      state !== undefined &&
      claim.registeredAtMs !== undefined &&
      nowMs >= claim.registeredAtMs + nodeMissingMs &&
      !providerIds.has(instance.providerId)
    ) {
      return [{ claim: claim.name, message: `its node ${claim.nodeName ?? ""} is gone` }];
    }
    return [];
  });
}
