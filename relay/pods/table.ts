// Pods in columns: a hundred thousand of them as objects with their texts take 45 MB and make every collection of garbage
// look at all of them; as numbers in typed arrays they take a fifth of that, and the collector passes over them. Whoever
// asks for a pod gets an object made for the occasion, with shared parts that are the same each time.

import type { ObjectTable } from "../object-table.ts";
import type { KeptPod, OwnerName, PodResources } from "../objects.ts";
import { Interned } from "./interned.ts";
import { UidIndex } from "./uid-index.ts";

const phases = ["Pending", "Running", "Succeeded", "Failed", "Unknown"] as const;
const phaseBits = 0b111;
const flag = {
  used: 1 << 3,
  seen: 1 << 4,
  isDaemon: 1 << 5,
  isStatic: 1 << 6,
  ready: 1 << 7,
  unschedulable: 1 << 8,
  gated: 1 << 9,
  nominated: 1 << 10,
  /** Its name begins with its owner's, and only what follows is kept. */
  namedAfterOwner: 1 << 11,
} as const;

const switches = ["isDaemon", "isStatic", "ready", "unschedulable", "gated", "nominated"] as const;
const times = ["createdAtMs", "scheduledAtMs", "startedAtMs", "readyAtMs"] as const;
const firstSlots = 1024;
/** V8 keeps the whole of a text for a longer part of it. */
const longestEnding = 12;

interface Columns {
  readonly flags: Uint16Array;
  readonly namespaces: Uint32Array;
  readonly owners: Uint32Array;
  readonly nodes: Uint32Array;
  readonly resources: Uint32Array;
  /** One column for each of `times`; NaN: undefined. */
  readonly times: readonly Float64Array[];
}

function columns(slots: number): Columns {
  return {
    flags: new Uint16Array(slots),
    namespaces: new Uint32Array(slots),
    owners: new Uint32Array(slots),
    nodes: new Uint32Array(slots),
    resources: new Uint32Array(slots),
    times: times.map(() => new Float64Array(slots)),
  };
}

/** Columns of that many slots with what these hold. */
function grown(from: Columns, slots: number): Columns {
  const to = columns(slots);
  for (const name of ["flags", "namespaces", "owners", "nodes", "resources"] as const) to[name].set(from[name]);
  for (const [index, column] of from.times.entries()) to.times[index]!.set(column);
  return to;
}

/** Pods by uid. A pod keeps its slot, so that `values` may go on while pods come and go. */
export class PodTable implements ObjectTable<KeptPod> {
  size = 0;
  #end = 0;
  #columns = columns(firstSlots);
  readonly #uids = new UidIndex();
  /** Names, or their endings. */
  readonly #names: string[] = [];
  readonly #free: number[] = [];
  readonly #texts = new Interned<string>();
  readonly #owners = new Interned<OwnerName | undefined>();
  readonly #nodes = new Interned<string | undefined>();
  readonly #resources = new Interned<PodResources>();
  /** What few pods have, by slot. */
  readonly #doNotDisrupt = new Map<number, string>();
  readonly #deletionAtMs = new Map<number, number>();

  get(uid: string): KeptPod | undefined {
    const slot = this.#uids.find(uid);
    return slot === undefined ? undefined : this.#read(slot);
  }

  set(uid: string, pod: KeptPod): void {
    let slot = this.#uids.find(uid);
    if (slot === undefined) {
      slot = this.#free.pop() ?? this.#end++;
      if (slot >= this.#columns.flags.length) this.#columns = grown(this.#columns, Math.ceil(this.#end * 1.25));
      this.#uids.add(uid, slot);
      this.size++;
      this.#write(slot, pod);
    } else {
      // What the pod keeps is held before it is released, so that its number stays.
      const { namespaces, owners, nodes, resources } = this.#columns;
      const former = [namespaces[slot]!, owners[slot]!, nodes[slot]!, resources[slot]!] as const;
      this.#write(slot, pod);
      this.#release(former);
    }
  }

  delete(uid: string): void {
    const slot = this.#uids.find(uid);
    if (slot === undefined) return;
    const { flags, namespaces, owners, nodes, resources } = this.#columns;
    this.#release([namespaces[slot]!, owners[slot]!, nodes[slot]!, resources[slot]!]);
    this.#uids.delete(slot);
    flags[slot] = 0;
    this.#names[slot] = "";
    this.#doNotDisrupt.delete(slot);
    this.#deletionAtMs.delete(slot);
    this.#free.push(slot);
    this.size--;
  }

  *values(): Generator<KeptPod, undefined> {
    for (let slot = 0; slot < this.#end; slot++) {
      if ((this.#columns.flags[slot]! & flag.used) !== 0) yield this.#read(slot);
    }
  }

  startList(): void {
    const { flags } = this.#columns;
    for (let slot = 0; slot < this.#end; slot++) flags[slot]! &= ~flag.seen;
  }

  see(uid: string): boolean {
    const slot = this.#uids.find(uid);
    if (slot === undefined || (this.#columns.flags[slot]! & flag.seen) !== 0) return false;
    this.#columns.flags[slot]! |= flag.seen;
    return true;
  }

  *unseen(): Generator<string, undefined> {
    for (let slot = 0; slot < this.#end; slot++) {
      if ((this.#columns.flags[slot]! & (flag.used | flag.seen)) === flag.used) yield this.#uids.uidAt(slot);
    }
  }

  #release([namespace, owner, node, resources]: readonly [number, number, number, number]): void {
    this.#texts.release(namespace);
    this.#owners.release(owner);
    this.#nodes.release(node);
    this.#resources.release(resources);
  }

  /** All but the uid. Leaves what was there before held. */
  #write(slot: number, pod: KeptPod): void {
    const { flags, namespaces, owners, nodes, resources, times: timeColumns } = this.#columns;
    let bits: number = phases.indexOf(pod.phase) | flag.used | (flags[slot]! & flag.seen);
    for (const name of switches) if (pod[name]) bits |= flag[name];
    const prefix = pod.owner === undefined ? "" : `${pod.owner.name}-`;
    const ending = pod.name.slice(prefix.length);
    if (prefix !== "" && ending.length <= longestEnding && pod.name.startsWith(prefix)) {
      bits |= flag.namedAfterOwner;
      this.#names[slot] = ending;
    } else this.#names[slot] = pod.name;
    flags[slot] = bits;
    namespaces[slot] = this.#texts.hold(pod.namespace);
    owners[slot] = this.#owners.hold(pod.owner);
    nodes[slot] = this.#nodes.hold(pod.nodeName);
    resources[slot] = this.#resources.hold(pod.resources);
    for (const [index, name] of times.entries()) timeColumns[index]![slot] = pod[name] ?? Number.NaN;
    keep(this.#doNotDisrupt, slot, pod.doNotDisrupt);
    keep(this.#deletionAtMs, slot, pod.deletionAtMs);
  }

  #read(slot: number): KeptPod {
    const { flags, namespaces, owners, nodes, resources, times: timeColumns } = this.#columns;
    const bits = flags[slot]!;
    const owner = this.#owners.at(owners[slot]!);
    const kept = this.#names[slot]!;
    const timeAt = (index: number) => {
      const ms = timeColumns[index]![slot]!;
      return Number.isNaN(ms) ? undefined : ms;
    };
    return {
      uid: this.#uids.uidAt(slot),
      namespace: this.#texts.at(namespaces[slot]!),
      name: (bits & flag.namedAfterOwner) === 0 ? kept : `${owner?.name}-${kept}`,
      owner,
      isDaemon: (bits & flag.isDaemon) !== 0,
      isStatic: (bits & flag.isStatic) !== 0,
      nodeName: this.#nodes.at(nodes[slot]!),
      phase: phases[bits & phaseBits]!,
      ready: (bits & flag.ready) !== 0,
      unschedulable: (bits & flag.unschedulable) !== 0,
      gated: (bits & flag.gated) !== 0,
      nominated: (bits & flag.nominated) !== 0,
      doNotDisrupt: this.#doNotDisrupt.get(slot),
      createdAtMs: timeColumns[0]![slot]!,
      scheduledAtMs: timeAt(1),
      startedAtMs: timeAt(2),
      readyAtMs: timeAt(3),
      deletionAtMs: this.#deletionAtMs.get(slot),
      resources: this.#resources.at(resources[slot]!),
    };
  }
}

function keep<T>(map: Map<number, T>, slot: number, value: T | undefined): void {
  if (value === undefined) map.delete(slot);
  else map.set(slot, value);
}
