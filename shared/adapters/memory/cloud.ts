// EC2 in memory, as far as the Cloud port sees it: fleets of capacity pools, client tokens, subnets that fill, states that
// take their time, and descriptions that lag. It decides nothing by chance; what it does follows from its settings.
import { type CloudInstance, type FleetRequest, type LaunchRefusal, own } from "../../core/model/index.ts";
import { type Clock, type Cloud, type FleetResult, OperationError } from "../../ports/index.ts";
import { allocateOne, type Pools } from "./fleet.ts";

export interface MemorySubnet {
  readonly id: string;
  readonly zone: string;
  readonly zoneId: string;
  readonly freeAddresses: number;
  readonly tags?: Readonly<Record<string, string>>;
}

export interface MemoryCloudSettings {
  readonly subnets: readonly MemorySubnet[];
  readonly securityGroups: readonly {
    readonly id: string;
    readonly name: string;
    readonly tags?: Readonly<Record<string, string>>;
  }[];
  readonly images: readonly (Awaited<ReturnType<Cloud["findImages"]>>[number] & {
    readonly owner?: string;
    readonly tags?: Readonly<Record<string, string>>;
  })[];
  readonly reservations?: readonly (Awaited<ReturnType<Cloud["findReservations"]>>[number] & {
    readonly tags?: Readonly<Record<string, string>>;
  })[];
  /** From the launch until it runs, until descriptions show it, and from TerminateInstances until it is terminated. */
  readonly startMs?: number;
  readonly visibleAfterMs?: number;
  readonly terminationMs?: number;
  /** What a repeated token gives: what the first gave, or neither instances nor refusals. EC2 promises no more. */
  readonly replay?: "same" | "empty";
}

export interface MemoryCloud extends Cloud {
  /** How many more instances a pool has; a pool that was never set has no bound. */
  setCapacity(pool: { instanceType: string; zone: string; capacityType: string }, left: number): void;
  /** Every instance ever made, with its state now, whether descriptions show it yet or not. */
  everyInstance(): readonly CloudInstance[];
  /** The machine ends by itself (spot capacity taken back, hardware gone). */
  end(id: string): void;
  /** Requests that made instances; a repeated token does not count. */
  readonly fleetsMade: number;
}

interface Held {
  readonly instance: CloudInstance;
  readonly madeAtMs: number;
  endedAtMs?: number;
  tags: Readonly<Record<string, string>>;
}

const forgottenAfterMs = 60 * 60_000;

export function createMemoryCloud(clock: Pick<Clock, "now">, settings: MemoryCloudSettings): MemoryCloud {
  const pools: Pools = { left: new Map(), addresses: new Map(settings.subnets.map((s) => [s.id, s.freeAddresses])) };
  for (const { instanceType, zone, left } of settings.reservations ?? []) {
    pools.left.set(`${instanceType} ${zone} reserved`, left);
  }
  const machines = createMachines(clock, settings, pools);
  const fleets = new Map<string, { readonly bytes: string; readonly result: FleetResult }>();
  return {
    ...instanceMethods(machines),
    ...resolveMethods(settings, pools),
    launch: async (request) => launch(request, fleets, pools, machines, settings.replay ?? "same"),
    get fleetsMade() {
      return fleets.size;
    },
    setCapacity: (pool, left) => void pools.left.set(`${pool.instanceType} ${pool.zone} ${pool.capacityType}`, left),
    everyInstance: () => machines.all().map(machines.describe),
    end(id) {
      const one = machines.all().find(({ instance }) => instance.id === id);
      if (one === undefined) throw new RangeError(`no instance ${id}`);
      machines.end(one);
    },
  };
}

interface Machines {
  make(instance: Omit<CloudInstance, "id" | "state" | "launchedAtMs">): string;
  all(): readonly Held[];
  /** Those that descriptions show now. */
  visible(): readonly Held[];
  describe(one: Held): CloudInstance;
  end(one: Held): void;
}

function createMachines(clock: Pick<Clock, "now">, settings: MemoryCloudSettings, pools: Pools): Machines {
  const { startMs = 20_000, visibleAfterMs = 0, terminationMs = 30_000 } = settings;
  const held: Held[] = [];
  const stateOf = ({ endedAtMs, madeAtMs }: Held): CloudInstance["state"] => {
    const nowMs = clock.now();
    if (endedAtMs !== undefined) return nowMs >= endedAtMs + terminationMs ? "terminated" : "shutting-down";
    return nowMs >= madeAtMs + startMs ? "running" : "pending";
  };
  return {
    make(instance) {
      const id = `i-${held.length.toString(16).padStart(17, "0")}`;
      const madeAtMs = clock.now();
      held.push({
        instance: { ...instance, id, state: "pending", launchedAtMs: madeAtMs },
        madeAtMs,
        tags: instance.tags,
      });
      return id;
    },
    all: () => held,
    visible: () =>
      held.filter(
        ({ madeAtMs, endedAtMs }) =>
          clock.now() >= madeAtMs + visibleAfterMs &&
          (endedAtMs === undefined || clock.now() < endedAtMs + terminationMs + forgottenAfterMs),
      ),
    describe: (one) => ({ ...one.instance, state: stateOf(one), tags: one.tags }),
    end(one) {
      if (one.endedAtMs !== undefined) return;
      one.endedAtMs = clock.now();
      const subnet = one.instance.subnetId ?? "";
      pools.addresses.set(subnet, (pools.addresses.get(subnet) ?? 0) + 1);
    },
  };
}

function launch(
  request: FleetRequest,
  fleets: Map<string, { readonly bytes: string; readonly result: FleetResult }>,
  pools: Pools,
  machines: Machines,
  replay: "same" | "empty",
): FleetResult {
  // Stored and read again, a sealed request may have its keys in another order: it is the same request.
  const bytes = JSON.stringify(request, sortKeys);
  const known = fleets.get(request.clientToken);
  if (known !== undefined && known.bytes !== bytes) {
    throw new OperationError(`token ${request.clientToken} was used with another request`, {
      retry: "never",
      code: "idempotency-mismatch",
    });
  }
  if (known !== undefined) return replay === "same" ? known.result : { instances: [], refusals: [] };
  const tags: CloudInstance["tags"] = Object.assign({}, ...request.templates.map((t) => t.tags), request.tags);
  const result = fill(request, pools, (place) => machines.make({ ...place, tags }));
  fleets.set(request.clientToken, { bytes, result });
  return result;
}

function instanceMethods(machines: Machines): Pick<Cloud, "findByTags" | "findByIds" | "terminate" | "tag"> {
  const find = (id: string) => machines.visible().find(({ instance }) => instance.id === id);
  return {
    async findByTags(tags, options = {}) {
      if (Object.keys(tags).length === 0) {
        throw new OperationError("finding instances needs at least one tag", { retry: "never", code: "bad-request" });
      }
      return machines
        .visible()
        .filter((one) => Object.entries(tags).every(([key, value]) => own(one.tags, key) === value))
        .map(machines.describe)
        .filter((instance) => options.includeTerminated === true || instance.state !== "terminated");
    },
    findByIds: async (ids) =>
      machines
        .visible()
        .filter(({ instance }) => ids.includes(instance.id))
        .map(machines.describe),
    async terminate(ids) {
      const notFound = ids.filter((id) => find(id) === undefined);
      for (const id of ids) {
        const one = find(id);
        if (one !== undefined) machines.end(one);
      }
      return { notFound };
    },
    async tag(id, tags) {
      const one = find(id);
      if (one === undefined) {
        throw new OperationError(`instance ${id} is not known`, { retry: "later", code: "not-found" });
      }
      one.tags = { ...one.tags, ...tags };
    },
  };
}

function resolveMethods(
  settings: MemoryCloudSettings,
  pools: Pools,
): Pick<Cloud, "resolveNetwork" | "findReservations" | "findImages"> {
  return {
    findReservations: async (terms) =>
      (settings.reservations ?? [])
        .filter((reservation) =>
          terms.some(
            ({ ownerID, instanceMatchCriteria, ...term }) =>
              (matches(term, reservation) || (term.id === undefined && term.tags === undefined)) &&
              (ownerID ?? reservation.ownerId) === reservation.ownerId &&
              (instanceMatchCriteria ?? reservation.matching) === reservation.matching,
          ),
        )
        .map(({ tags: _, ...reservation }) => ({
          ...reservation,
          left: pools.left.get(`${reservation.instanceType} ${reservation.zone} reserved`) ?? reservation.left,
        })),
    resolveNetwork: async (terms) => ({
      subnets: settings.subnets
        .filter((subnet) => terms.subnets.some((term) => matches(term, subnet)))
        .map(({ tags: _, ...subnet }) => ({ ...subnet, freeAddresses: pools.addresses.get(subnet.id) ?? 0 })),
      securityGroups: settings.securityGroups
        .filter((group) => terms.securityGroups.some((term) => matches(term, group)))
        .map(({ id, name }) => ({ id, name })),
    }),
    findImages: async (terms) =>
      settings.images
        .filter((image) => terms.some((term) => matches(term, image)))
        .map(({ owner: _, tags: __, ...image }) => image),
  };
}

/** As many as asked for, one after the other; pools that have none left say so once. */
function fill(
  request: FleetRequest,
  pools: Pools,
  make: (instance: Pick<CloudInstance, "instanceType" | "zone" | "capacityType" | "imageId" | "subnetId">) => string,
): FleetResult {
  const instances: FleetResult["instances"][number][] = [];
  const refusals = new Map<string, LaunchRefusal>();
  for (let i = 0; i < request.count; i++) {
    const { chosen, refused } = allocateOne(request, pools);
    for (const refusal of refused) refusals.set(`${refusal.instanceType} ${refusal.subnetId} ${refusal.kind}`, refusal);
    if (chosen === undefined) break;
    const { instanceType, zone, subnetId, imageId } = chosen;
    const id = make({ instanceType, zone, subnetId, imageId, capacityType: request.capacityType });
    instances.push({ id, instanceType, zone, subnetId, imageId, capacityType: request.capacityType });
  }
  return { instances, refusals: [...refusals.values()] };
}

interface Term {
  readonly id?: string;
  readonly name?: string;
  readonly owner?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

/** Every field of the term; `*` in a name or in a tag's value stands for anything. A term without any selects nothing. */
function matches(term: Term, object: Term): boolean {
  if (term.id === undefined && term.name === undefined && Object.keys(term.tags ?? {}).length === 0) return false;
  if (term.id !== undefined && term.id !== object.id) return false;
  if (term.name !== undefined && !wildcard(term.name).test(object.name ?? "")) return false;
  if (term.owner !== undefined && object.owner !== undefined && term.owner !== object.owner) return false;
  return Object.entries(term.tags ?? {}).every(([key, value]) => {
    const has = own(object.tags ?? {}, key);
    return has !== undefined && wildcard(value).test(has);
  });
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function wildcard(pattern: string): RegExp {
  return new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);
}
