// Dynamic Resource Allocation: which nodes have the devices that pods' resource claims ask for. Answers to the allocator of
// Karpenter's scheduler and to kube-scheduler's plugin DynamicResources, for structured parameters. A pod is given three
// things before it is planned: devices as amounts of columns (demands.ts), so that packing needs to know nothing of them;
// from where it reaches devices that are allocated already (`reach`, as for volumes); or a refusal. On purpose different
// from Karpenter: while the setting ignore-dra-requests stands, pods with claims are refused, not placed as if they had none,
// and what devices a new node will have is known from EC2, not from templates of a provider.
import { declaredDevices } from "../../catalog/index.ts";
import type { DeviceDemand, InstanceType, NodeClaim, Pod, Snapshot } from "../../model/index.ts";
import { RequirementError, type Requirements } from "../../requirements/index.ts";
import { addResources } from "../../resources/index.ts";
import type { NodeBin } from "../node-bins.ts";
import { podKey } from "../pod-class.ts";
import type { TypesOf } from "../pool.ts";
import type { ResourceAxis } from "../resource-axis.ts";
import { anywhere, both, type Reach, reachOfTerms, reachText, reachWords } from "../volumes/reach.ts";
import type { PlannedPod, RefusedPod } from "../volumes/volumes.ts";
import { Claims, type ResolvedClaim } from "./claims.ts";
import { Demands } from "./demands.ts";
import { type Inventory, Kinds } from "./kinds.ts";
import { NodeDevices } from "./node-devices.ts";

/** Unbound pods that have a place already, by key. */
type Nominated = Pick<ReadonlyMap<string, string>, "has">;

const noDevices: Inventory = new Map();

export class Devices {
  readonly columns: readonly string[];
  readonly #isIgnored: boolean;
  readonly #claims: Claims;
  readonly #kinds: Kinds;
  readonly #onNodes: NodeDevices;
  readonly #onTypes = new Map<string, { readonly drivers: readonly string[]; readonly inventory: Inventory }>();
  readonly #demands: Demands | undefined;
  readonly #pods: readonly Pod[];

  constructor(snapshot: Snapshot) {
    this.#isIgnored = snapshot.settings.ignoreDraRequests;
    this.#claims = new Claims(snapshot);
    this.#pods = this.#isIgnored
      ? []
      : snapshot.pods.filter(
          ({ resourceClaims, phase }) => resourceClaims.length > 0 && phase !== "Succeeded" && phase !== "Failed",
        );
    const demands = this.#pods.map((pod) => {
      const claims = this.#claims.of(pod);
      return typeof claims === "string" ? [] : claims;
    });
    this.#kinds = new Kinds(textsOf(demands.flat(), this.#claims));
    this.#onNodes = new NodeDevices(snapshot, this.#kinds);
    if (this.#pods.length > 0) {
      for (const described of snapshot.catalog.instanceTypes) {
        const declared = declaredDevices(described);
        if (declared.length === 0) continue;
        const drivers = declared.map(({ driver }) => driver);
        this.#onTypes.set(described.InstanceType, { drivers, inventory: this.#kinds.inventory(declared) });
      }
      // A pod that has some of its devices may lose them with its node: both ways it is planned for.
      const lists = demands.flatMap((claims) => [asked(claims, true), asked(claims, false)]);
      this.#demands = new Demands(
        lists.filter((list) => list.length > 0),
        this.#kinds,
        this.#claims,
      );
    }
    this.columns = this.#demands?.columns ?? [];
  }

  /** Types with what devices their nodes will have. */
  onTypes(typesOf: TypesOf): TypesOf {
    const demands = this.#demands;
    if (demands === undefined) return typesOf;
    const known = new Map<string, readonly InstanceType[]>();
    return (nodeClass) => {
      let types = known.get(nodeClass.name);
      if (types === undefined) {
        types = typesOf(nodeClass).map((type) => {
          const inventory = this.#onTypes.get(type.name)?.inventory ?? noDevices;
          return { ...type, allocatable: { ...type.allocatable, ...demands.amountsOf(inventory) } };
        });
        known.set(nodeClass.name, types);
      }
      return types;
    };
  }

  /** Bins with the devices that nobody has there. */
  onBins(bins: readonly NodeBin[], typesOf: (claim: NodeClaim) => readonly InstanceType[]): readonly NodeBin[] {
    const demands = this.#demands;
    if (demands === undefined) return bins;
    return bins.map((bin) => {
      const types = bin.claim === undefined ? [] : typesOf(bin.claim);
      const shapes = bin.shapes.map((shape, at) => {
        const inventory = this.#onBin(bin, types[at] ?? types[0]);
        return { ...shape, allocatable: { ...shape.allocatable, ...demands.amountsOf(inventory) } };
      });
      return { ...bin, shapes };
    });
  }

  /** Until a node of ours is initialised, a driver that says nothing of it yet has what the type says. */
  #onBin({ nodeName, claim, settled }: NodeBin, type: InstanceType | undefined): Inventory {
    const told = nodeName === undefined ? noDevices : this.#onNodes.on(nodeName);
    const awaited = type === undefined ? undefined : this.#onTypes.get(type.name);
    if (settled || claim === undefined || awaited === undefined) return told;
    if (nodeName === undefined) return awaited.inventory;
    const isTold = awaited.drivers.some((driver) => this.#onNodes.hasTold(nodeName, driver));
    return isTold ? told : new Map([...told, ...awaited.inventory]);
  }

  /** Takes off each row of `free` the devices of pods that are to run there and have none of them yet. */
  charge(
    free: Float64Array,
    axis: ResourceAxis,
    bins: readonly NodeBin[],
    podsOn: (bin: NodeBin) => readonly Pod[],
  ): Float64Array {
    if (this.#demands === undefined) return free;
    for (const [row, bin] of bins.entries()) {
      for (const pod of podsOn(bin)) {
        if (pod.resourceClaims.length === 0) continue;
        const claims = this.#claims.of(pod);
        if (typeof claims === "string") continue;
        const isMoving = pod.nodeName !== undefined && pod.nodeName !== bin.nodeName;
        axis.add(this.#demands.requestsFor(asked(claims, isMoving)), free, row, -1);
      }
    }
    return free;
  }

  /** Works out what the pods' claims ask for; sets apart those that can run nowhere, in words that say why. */
  plan(
    pods: readonly PlannedPod[],
    nominated: Nominated,
    bins: readonly NodeBin[],
  ): { readonly planned: readonly PlannedPod[]; readonly refused: readonly RefusedPod[] } {
    if (pods.every(({ resourceClaims }) => resourceClaims.length === 0)) return { planned: pods, refused: [] };
    const moving = new Set(pods.flatMap(({ uid, nodeName }) => (nodeName === undefined ? [] : [uid])));
    const holders = this.#holders(nominated);
    const stays = (reach: Reach): boolean => bins.some((bin) => !bin.leaving && isReached(bin, reach));
    const planned: PlannedPod[] = [];
    const refused: RefusedPod[] = [];
    for (const pod of [...pods].sort(byTurn)) {
      const one = pod.resourceClaims.length === 0 ? pod : this.#planOne(pod, moving, holders, stays);
      if (typeof one === "string") refused.push({ pod, reason: one });
      else planned.push(one);
    }
    return { planned, refused };
  }

  #planOne(
    pod: PlannedPod,
    moving: ReadonlySet<string>,
    holders: Map<string, string>,
    stays: (reach: Reach) => boolean,
  ): PlannedPod | string {
    if (this.#isIgnored) {
      return `the pod has the resource claim "${pod.resourceClaims[0]!.name}" (Dynamic Resource Allocation), and devices are planned with only where the setting ignore-dra-requests is false: set it so (its default is true)`;
    }
    const claims = this.#claims.of(pod);
    if (typeof claims === "string") return `the pod's ${claims}`;
    const open: ResolvedClaim[] = [];
    const reaches: Reach[] = [];
    for (const claim of claims) {
      const reach = this.#heldAt(pod, claim, moving, stays);
      if (typeof reach === "string") return reach;
      if (reach === undefined) open.push(claim);
      else reaches.push(reach);
    }
    const names = open.flatMap(({ shared }) => shared ?? []);
    const taken = names.find((name) => (holders.get(name) ?? podKey(pod)) !== podKey(pod));
    if (taken !== undefined) {
      return `the pod shares the ResourceClaim "${taken}" with ${holders.get(taken)}, which gets a node first: its devices are not allocated yet, and decide where this pod can run`;
    }
    for (const name of names) holders.set(name, podKey(pod));
    // A claim that gives its devices back counts among all of them: too much where others are kept, never too little.
    const anew = open.some(({ allocation }) => allocation !== undefined);
    const requests = open.length === 0 ? {} : this.#demands!.requestsFor(asked(claims, anew));
    const asking = open.length === 0 ? pod : { ...pod, requests: addResources(pod.requests, requests) };
    const reach = reaches.reduce(both, anywhere);
    return reach === anywhere ? asking : heldThere(asking, reach);
  }

  /** From where the claim's devices are reached; undefined: it has none, or they will be given back before this pod runs. */
  #heldAt(
    { uid, nodeName }: Pod,
    claim: ResolvedClaim,
    moving: ReadonlySet<string>,
    stays: (reach: Reach) => boolean,
  ): Reach | string | undefined {
    const { allocation, reservedFor, shared } = claim;
    if (allocation === undefined) return undefined;
    const isOthers = reservedFor.some((other) => other !== uid && !moving.has(other));
    if (nodeName !== undefined && (shared === undefined || !isOthers)) return undefined;
    const { nodeSelector } = allocation;
    if (nodeSelector === undefined) return anywhere;
    try {
      const reach = reachOfTerms(nodeSelector);
      return isOthers || stays(reach) ? reach : undefined;
    } catch (cause) {
      if (!(cause instanceof RequirementError)) throw cause;
      return `the nodes that the pod's allocated devices are reached from cannot be read: ${cause.message}`;
    }
  }

  /** By claim without devices that several pods may share: the one of them that has a place. */
  #holders(nominated: Nominated): Map<string, string> {
    const holders = new Map<string, string>();
    for (const pod of this.#pods) {
      if (!nominated.has(podKey(pod))) continue;
      const claims = this.#claims.of(pod);
      if (typeof claims === "string") continue;
      for (const { shared, allocation } of claims) {
        if (shared === undefined || allocation !== undefined) continue;
        const known = holders.get(shared);
        if (known === undefined || podKey(pod) < known) holders.set(shared, podKey(pod));
      }
    }
    return holders;
  }
}

/** What the claims ask for that have no devices; `anew`: as if none had any. */
function asked(claims: readonly ResolvedClaim[], anew: boolean): readonly DeviceDemand[] {
  return claims.flatMap(({ demand, allocation }) => (anew || allocation === undefined ? [demand] : []));
}

/** Every text that may name an attribute. */
function textsOf(claims: readonly ResolvedClaim[], known: Claims): readonly string[] {
  const texts = new Set<string>();
  for (const { demand } of new Set(claims)) {
    for (const { matchAttribute } of demand.constraints) texts.add(matchAttribute);
    for (const { alternatives } of demand.requests) {
      for (const { deviceClass, selectors } of alternatives) {
        for (const text of [...known.selectorsOf(deviceClass), ...selectors]) texts.add(text);
      }
    }
  }
  return [...texts];
}

function isReached({ shapes }: NodeBin, reach: Reach): boolean {
  const meets = (one: Requirements): boolean => [...one].every((need) => shapes[0]?.labels.surely(need) === true);
  return reach.some(meets);
}

function heldThere(pod: PlannedPod, held: Reach): PlannedPod | string {
  const alternatives = both(pod.reach?.alternatives ?? anywhere, held);
  if (alternatives.length === 0) {
    const place = pod.reach === undefined ? "" : `, and its volumes from ${reachWords(pod.reach.alternatives)}`;
    return `no node reaches what the pod needs: its allocated devices are reached from ${reachWords(held)}${place}`;
  }
  const what = pod.reach === undefined ? "allocated devices" : "volumes and allocated devices";
  return { ...pod, reach: { alternatives, text: reachText(alternatives), what } };
}

/** The more important pod comes first, then the older one, then by name. */
function byTurn(a: Pod, b: Pod): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  return a.createdAtMs - b.createdAtMs || (podKey(a) < podKey(b) ? -1 : 1);
}
