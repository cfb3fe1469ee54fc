import { isDeepStrictEqual } from "node:util";
import { MapTable, type ObjectTable } from "./object-table.ts";
import { type KeptNode, type KeptNodeClaim, type KeptObjects, type KeptPod, type Kind, kinds } from "./objects.ts";
import { PodTable } from "./pods/table.ts";

/** `before` undefined: it is new; `after` undefined: it is gone. They differ in at least one kept field. */
export type ChangeListener<K extends Kind> = (
  before: KeptObjects[K] | undefined,
  after: KeptObjects[K] | undefined,
) => void;

/**
 * The cluster as last seen, for reading. Objects are never changed in place, but replaced; of pods every answer is an object
 * of its own, so compare their uids.
 */
export interface ClusterView {
  get<K extends Kind>(kind: K, uid: string): KeptObjects[K] | undefined;
  /** In no particular order; it is live, so don't keep the iterator. */
  all<K extends Kind>(kind: K): IterableIterator<KeptObjects[K]>;
  count(kind: Kind): number;
  node(name: string): KeptNode | undefined;
  /** The claim whose status names that node, or else has that node's provider id. */
  claimOfNode(nodeName: string): KeptNodeClaim | undefined;
  /** Whether the kind was listed at least once. A kind that the cluster doesn't serve yet never is. */
  isListed(kind: Kind): boolean;
  /** The newest resourceVersion seen; undefined before the first list. */
  resourceVersion(): string | undefined;
  /** Calls back after each change, in the order of the watch. Returns the function that ends it. */
  onChange<K extends Kind>(kind: K, listener: ChangeListener<K>): () => void;
}

/** The same, for the watches that fill it. */
export interface WritableView extends ClusterView {
  /** Says whether the list that is going on brought it for the first time. */
  put<K extends Kind>(kind: K, object: KeptObjects[K]): boolean;
  remove(kind: Kind, uid: string): void;
  /** What is put from here on is all there is. A list that was not ended is given up. */
  startList(kind: Kind): void;
  /** What was not put since the list began is gone. Marks the kind as listed. */
  endList(kind: Kind): void;
  /** Versions that are not decimal are ignored. */
  sawVersion(resourceVersion: string): void;
}

type Store = { readonly [K in Kind]: ObjectTable<KeptObjects[K]> };
type Listeners = { readonly [K in Kind]: Set<ChangeListener<K>> };

function perKind<T>(make: (kind: Kind) => unknown): T {
  return Object.fromEntries(kinds.map((kind) => [kind, make(kind)])) as T;
}

/** An empty view. It belongs to one event loop: reads between two events see one state. */
export function createView(): WritableView {
  const store = perKind<Store>((kind) => (kind === "Pod" ? new PodTable() : new MapTable()));
  const listeners = perKind<Listeners>(() => new Set());
  const listed = new Set<Kind>();
  const listing = new Set<Kind>();
  const nodes = new Map<string, KeptNode>();
  const claimsByNode = new Map<string, KeptNodeClaim>();
  const claimsByProvider = new Map<string, KeptNodeClaim>();
  let newest: bigint | undefined;

  function index<K extends Kind>(kind: K, before: KeptObjects[K] | undefined, after: KeptObjects[K] | undefined): void {
    if (kind === "Node") {
      move(nodes, (before as KeptNode)?.name, (after as KeptNode)?.name, before as KeptNode, after as KeptNode);
    } else if (kind === "NodeClaim") {
      const [was, is] = [before as KeptNodeClaim | undefined, after as KeptNodeClaim | undefined];
      move(claimsByNode, was?.nodeName, is?.nodeName, was, is);
      move(claimsByProvider, was?.providerId, is?.providerId, was, is);
    }
  }

  function change<K extends Kind>(kind: K, uid: string, after: KeptObjects[K] | undefined): void {
    const table = store[kind] as ObjectTable<KeptObjects[K]>;
    const before = table.get(uid);
    if (before === after || (before !== undefined && after !== undefined && isSame(kind, before, after))) return;
    if (after === undefined) table.delete(uid);
    else table.set(uid, after);
    index(kind, before, after);
    for (const listener of listeners[kind] as Set<ChangeListener<K>>) listener(before, after);
  }

  return {
    get: (kind, uid) => store[kind].get(uid) as never,
    all: (kind) => store[kind].values() as never,
    count: (kind) => store[kind].size,
    node: (name) => nodes.get(name),
    claimOfNode(nodeName) {
      const providerId = nodes.get(nodeName)?.providerId;
      return claimsByNode.get(nodeName) ?? (providerId === undefined ? undefined : claimsByProvider.get(providerId));
    },
    isListed: (kind) => listed.has(kind),
    resourceVersion: () => newest?.toString(),
    onChange(kind, listener) {
      const set = listeners[kind] as Set<typeof listener>;
      set.add(listener);
      return () => set.delete(listener);
    },
    put(kind, object) {
      change(kind, object.uid, object);
      return listing.has(kind) && store[kind].see(object.uid);
    },
    remove: (kind, uid) => change(kind, uid, undefined),
    startList(kind) {
      listing.add(kind);
      store[kind].startList();
    },
    endList(kind) {
      if (listing.delete(kind)) for (const uid of store[kind].unseen()) change(kind, uid, undefined);
      listed.add(kind);
    },
    sawVersion(resourceVersion) {
      if (!/^\d+$/.test(resourceVersion)) return;
      const version = BigInt(resourceVersion);
      if (newest === undefined || version > newest) newest = version;
    },
  };
}

/** Keeps an index in step. An entry that another object has taken over meanwhile is left to it. */
function move<T>(
  map: Map<string, T>,
  from: string | undefined,
  to: string | undefined,
  was: T | undefined,
  is: T | undefined,
): void {
  if (from !== undefined && map.get(from) === was) map.delete(from);
  if (to !== undefined && is !== undefined) map.set(to, is);
}

function isSame<K extends Kind>(kind: K, a: KeptObjects[K], b: KeptObjects[K]): boolean {
  return kind === "Pod" ? isSamePod(a as KeptPod, b as KeptPod) : isDeepStrictEqual(a, b);
}

/** Field by field, as pods change by the thousand; shared parts are mostly the same object. */
function isSamePod(a: KeptPod, b: KeptPod): boolean {
  for (const field in a) {
    const [one, other] = [a[field as keyof KeptPod], b[field as keyof KeptPod]];
    if (one !== other && !(typeof one === "object" && isDeepStrictEqual(one, other))) return false;
  }
  return true;
}
