// A claim store in memory: a real implementation with the conditions of the DynamoDB one (the contract suite runs on
// both), for the simulation, for tests and as what the embedded world falls back to. Each call is atomic because it
// never awaits; records are frozen copies, so nobody changes them from outside.
import { isDeepStrictEqual } from "node:util";
import type { Head, Launch, NodeClaim, Placement } from "../../core/model/index.ts";
import type { ClaimChange, ClaimStore, ClaimWrite, CommitOutcome, StoredCommand } from "../../ports/index.ts";
import { claimsOf, newRecord, requireChunkFits, requireLaunchFits, requireNamedOnce } from "../dynamodb/chunk.ts";
import { requireRecordFits } from "../dynamodb/codec.ts";
import { claimExists, instanceTaken } from "../dynamodb/verdicts.ts";

interface Plan {
  readonly id: string;
  readonly index: number;
  readonly untilMs: number;
  readonly placements: readonly Placement[];
}

interface ClusterItems {
  head: Head;
  readonly claims: Map<string, NodeClaim>;
  readonly gone: Map<string, NodeClaim>;
  readonly plans: Map<string, Plan>;
  readonly launches: Map<string, Launch>;
  readonly settlements: Map<string, unknown>;
  readonly commands: Map<string, StoredCommand>;
}

interface Lease {
  holder?: string;
  untilMs: number;
  requested: number;
}

type Refusals = Parameters<ClaimStore["noteRefusals"]>[1];

/** A claim store that lives as long as the object. */
export function createMemoryClaimStore(): ClaimStore {
  const clusters = new Map<string, ClusterItems>();
  const instances = new Map<string, { readonly cluster: string; readonly claim: string }>();
  return {
    ...headMethods(clusters),
    ...claimMethods(clusters),
    ...launchMethods(clusters, instances),
    ...commandMethods(clusters),
    ...refusalMethods(),
    ...leaseMethods(),
    ...agendaMethods(),
    findInstance: async (instanceId) => instances.get(instanceId),
  };
}

function headMethods(clusters: Map<string, ClusterItems>): Pick<ClaimStore, "createHead" | "readHead" | "readState"> {
  return {
    async createHead(cluster, head) {
      const there = clusters.get(cluster);
      if (there !== undefined) return there.head;
      const items: ClusterItems = {
        head: copy(head),
        claims: new Map(),
        gone: new Map(),
        plans: new Map(),
        launches: new Map(),
        settlements: new Map(),
        commands: new Map(),
      };
      clusters.set(cluster, items);
      return items.head;
    },
    readHead: async (cluster) => clusters.get(cluster)?.head,
    async readState(cluster, nowMs) {
      const items = clusters.get(cluster);
      if (items === undefined) return undefined;
      const plans = [...items.plans.values()].filter((plan) => plan.untilMs > nowMs).sort(byEnd);
      return {
        head: items.head,
        claims: inOrder(items.claims),
        launches: inOrder(items.launches).filter((launch) => launch.settledAtMs === undefined),
        placements: plans.flatMap((plan) =>
          plan.placements.map((placement) => ({ ...placement, planId: plan.id, untilMs: plan.untilMs })),
        ),
        commands: inOrder(items.commands),
      };
    },
  };
}

function claimMethods(
  clusters: Map<string, ClusterItems>,
): Pick<ClaimStore, "readClaim" | "changeClaim" | "retireClaim"> {
  return {
    async readClaim(cluster, name) {
      const items = clusters.get(cluster);
      return items?.claims.get(name) ?? items?.gone.get(name);
    },
    async changeClaim(cluster, name, version, change) {
      const items = clusters.get(cluster);
      const there = items?.claims.get(name);
      if (items === undefined || there === undefined) return conflict(items?.gone.get(name));
      if (there.version !== version) {
        return isRepeat(there, version, change) ? { kind: "written", claim: there } : conflict(there);
      }
      const claim = changed(there, change);
      items.claims.set(name, claim);
      return { kind: "written", claim };
    },
    async retireClaim(cluster, name, version, goneAtMs, _forgetAtMs) {
      const items = clusters.get(cluster);
      const there = items?.claims.get(name);
      if (items === undefined || there === undefined) {
        const gone = items?.gone.get(name);
        return gone?.version === version + 1 ? { kind: "written", claim: gone } : conflict(gone);
      }
      if (there.version !== version) return conflict(there);
      const claim = changed(there, { goneAtMs });
      items.claims.delete(name);
      items.gone.set(name, claim);
      return { kind: "written", claim };
    },
  };
}

function commandMethods(clusters: Map<string, ClusterItems>): Pick<ClaimStore, "commit" | "closeCommand"> {
  return {
    async commit(cluster, head, chunk): Promise<CommitOutcome> {
      requireChunkFits(chunk);
      const items = clusters.get(cluster);
      if (items === undefined) return { kind: "lost" };
      const next: Head = { ...head, seq: head.seq + 1 };
      const planKey = `${chunk.nominatedUntilMs}#${chunk.id}#${chunk.index}`;
      if (items.plans.has(planKey)) return { kind: "committed", head: next };
      if (items.head.seq !== head.seq || items.head.epoch !== head.epoch) return { kind: "lost" };
      const made = claimsOf(chunk);
      const taken = made.find(({ planned }) => items.claims.has(planned.name));
      if (taken !== undefined) throw claimExists(taken.planned.name);
      const candidates = chunk.commands.flatMap((command) =>
        command.candidates.map((name) => ({ command, there: items.claims.get(name) })),
      );
      if (candidates.some(({ there }) => there === undefined || there.commandId !== undefined)) return { kind: "lost" };
      if (chunk.commands.some((command) => items.commands.has(command.id))) return { kind: "lost" };

      items.head = copy(next);
      for (const { planned, reason } of made) {
        items.claims.set(planned.name, copy(newRecord(planned, reason, chunk.createdAtMs)));
      }
      for (const { command, there } of candidates) {
        items.claims.set(there!.name, changed(there!, { commandId: command.id }));
      }
      for (const command of chunk.commands) {
        const replacementNames = command.replacements.map((planned) => planned.name);
        items.commands.set(
          command.id,
          copy({ ...command, version: 1, openedAtMs: chunk.createdAtMs, replacementNames }),
        );
      }
      const nominations = made.map(({ planned }) => ({ target: planned.name, pods: planned.pods }));
      items.plans.set(
        planKey,
        copy({
          id: chunk.id,
          index: chunk.index,
          untilMs: chunk.nominatedUntilMs,
          placements: [...chunk.placements, ...nominations],
        }),
      );
      return { kind: "committed", head: next };
    },
    async closeCommand(cluster, id, version) {
      const items = clusters.get(cluster);
      const command = items?.commands.get(id);
      if (items === undefined || command === undefined) return "closed";
      if (command.version !== version) return "lost";
      items.commands.delete(id);
      for (const name of command.candidates) {
        const claim = items.claims.get(name);
        if (claim?.commandId === id) items.claims.set(name, changed(claim, { commandId: undefined }));
      }
      return "closed";
    },
  };
}

function launchMethods(
  clusters: Map<string, ClusterItems>,
  instances: Map<string, { readonly cluster: string; readonly claim: string }>,
): Pick<ClaimStore, "sealLaunch" | "readLaunch" | "settleLaunch" | "noteEmptyLookup"> {
  return {
    async sealLaunch(cluster, launch, claims) {
      requireLaunchFits(
        launch.id,
        claims.map((claim) => claim.name),
      );
      requireRecordFits(`launch ${launch.id}`, launch.request);
      const items = clusters.get(cluster);
      if (items === undefined) return "lost";
      const sealed: Launch = copy({ ...launch, version: 1, claims: claims.map((claim) => claim.name) });
      const there = items.launches.get(launch.id);
      if (there !== undefined) return there.settledAtMs === undefined && sameLaunch(there, sealed) ? "sealed" : "lost";
      const current = claims.map(({ name, version }) => ({ version, claim: items.claims.get(name) }));
      if (current.some(({ version, claim }) => claim?.version !== version || claim.launch !== undefined)) return "lost";
      items.launches.set(launch.id, sealed);
      for (const { claim } of current) {
        const evidence = { launch: { id: launch.id, sealedAtMs: launch.sealedAtMs } };
        items.claims.set(claim!.name, changed(claim!, evidence));
      }
      return "sealed";
    },
    readLaunch: async (cluster, id) => clusters.get(cluster)?.launches.get(id),
    async settleLaunch(cluster, id, settledAtMs, pairs, failed) {
      requireLaunchFits(
        id,
        [...pairs, ...failed].map((write) => write.claim),
      );
      requireNamedOnce(
        `launch ${id}`,
        pairs.map((pair) => pair.instanceId),
      );
      const items = clusters.get(cluster);
      const launch = items?.launches.get(id);
      if (items === undefined || launch === undefined) return "lost";
      const settlement = { pairs: pairs.map((p) => [p.claim, p.instanceId]), failed: failed.map((f) => f.claim) };
      if (launch.settledAtMs !== undefined) {
        return isDeepStrictEqual(items.settlements.get(id), settlement) ? "settled" : "lost";
      }
      const writes = [...pairs, ...failed];
      if (writes.some((write) => items.claims.get(write.claim)?.version !== write.claimVersion)) return "lost";
      for (const { instanceId, claim } of pairs) {
        const owner = instances.get(instanceId);
        if (owner !== undefined && (owner.cluster !== cluster || owner.claim !== claim))
          throw instanceTaken(instanceId);
      }
      for (const write of writes) {
        items.claims.set(write.claim, changed(items.claims.get(write.claim)!, write.change));
      }
      for (const pair of pairs) instances.set(pair.instanceId, { cluster, claim: pair.claim });
      items.launches.set(id, copy({ ...launch, version: launch.version + 1, settledAtMs }));
      items.settlements.set(id, settlement);
      return "settled";
    },
    async noteEmptyLookup(cluster, id, version, atMs) {
      const items = clusters.get(cluster);
      const launch = items?.launches.get(id);
      if (items === undefined || launch === undefined || launch.settledAtMs !== undefined) return "lost";
      if (launch.version === version + 1 && launch.emptyLookupAtMs === atMs) return "noted";
      if (launch.version !== version) return "lost";
      items.launches.set(id, copy({ ...launch, version: version + 1, emptyLookupAtMs: atMs }));
      return "noted";
    },
  };
}

function refusalMethods(): Pick<ClaimStore, "noteRefusals" | "readRefusals"> {
  const regions = new Map<string, Map<string, Refusals[number]>>();
  return {
    async noteRefusals(region, refusals) {
      const there = regions.get(region) ?? new Map<string, Refusals[number]>();
      regions.set(region, there);
      for (const refusal of refusals) {
        const { instanceType, zoneId, capacityType, reservationId = "" } = refusal;
        there.set([instanceType, zoneId, capacityType, reservationId].join("#"), copy(refusal));
      }
    },
    readRefusals: async (region, nowMs) =>
      inOrder(regions.get(region) ?? new Map<string, Refusals[number]>()).filter((refusal) => refusal.untilMs > nowMs),
  };
}

function leaseMethods(): Pick<ClaimStore, "takeLease" | "releaseLease"> {
  const leases = new Map<string, Lease>();
  return {
    async takeLease(cluster, controller, holder, nowMs, untilMs) {
      const key = `${cluster}#${controller}`;
      const lease = leases.get(key) ?? { untilMs: 0, requested: 0 };
      leases.set(key, lease);
      if (lease.holder !== undefined && lease.holder !== holder && lease.untilMs > nowMs) {
        lease.requested += 1;
        return { kind: "busy" };
      }
      lease.holder = holder;
      lease.untilMs = untilMs;
      return { kind: "taken", requested: lease.requested };
    },
    async releaseLease(cluster, controller, holder, requested) {
      const lease = leases.get(`${cluster}#${controller}`);
      if (lease === undefined || lease.holder !== holder) return true;
      if (lease.requested !== requested) {
        lease.requested = requested;
        return false;
      }
      delete lease.holder;
      return true;
    },
  };
}

function agendaMethods(): Pick<ClaimStore, "setAgenda" | "readDue"> {
  const agenda = new Map<string, { readonly cluster: string; readonly controller: string; readonly dueAtMs: number }>();
  return {
    async setAgenda(cluster, controller, dueAtMs, options = {}) {
      const key = `${cluster}#${controller}`;
      const there = agenda.get(key);
      if (dueAtMs === null) return options.replace === true && agenda.delete(key);
      const latestMs = options.latestMs ?? Number.POSITIVE_INFINITY;
      if (options.ifAbsent === true && there !== undefined && there.dueAtMs <= latestMs) return false;
      const past = there !== undefined && there.dueAtMs <= (options.nowMs ?? Number.NEGATIVE_INFINITY);
      if (options.replace !== true && there !== undefined && dueAtMs >= there.dueAtMs && !past) return false;
      agenda.set(key, { cluster, controller, dueAtMs });
      return true;
    },
    readDue: async (nowMs) =>
      inOrder(agenda)
        .filter((entry) => entry.dueAtMs <= nowMs)
        .sort((a, b) => a.dueAtMs - b.dueAtMs),
  };
}

function conflict(current: NodeClaim | undefined): ClaimWrite {
  return current === undefined ? { kind: "conflict" } : { kind: "conflict", current };
}

function changed(claim: NodeClaim, change: ClaimChange): NodeClaim {
  return copy({ ...claim, ...change, version: claim.version + 1 } as NodeClaim);
}

/** Whether the record stands exactly where this change would have left it. */
function isRepeat(there: NodeClaim, version: number, change: ClaimChange): boolean {
  if (there.version !== version + 1) return false;
  const wanted = copy(change) as Record<string, unknown>;
  const found = there as unknown as Record<string, unknown>;
  return Object.keys(change).every((field) => isDeepStrictEqual(found[field], wanted[field]));
}

function sameLaunch(there: Launch, sealed: Launch): boolean {
  return isDeepStrictEqual([there.request, there.claims], [sealed.request, sealed.claims]);
}

function byEnd(a: Plan, b: Plan): number {
  return a.untilMs - b.untilMs || compareText(a.id, b.id) || a.index - b.index;
}

function inOrder<T>(items: ReadonlyMap<string, T>): T[] {
  return [...items.entries()].sort(([a], [b]) => compareText(a, b)).map(([, item]) => item);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What a store would give back: without undefined fields, frozen all through. */
function copy<T>(value: T): T {
  return freeze(JSON.parse(JSON.stringify(value)) as T);
}

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) freeze(inner);
    Object.freeze(value);
  }
  return value;
}
