/** What is still open about a node while pods are put on it: numbered states, and where a pod's ask leads from one. */
export interface NodeStates {
  /** −1: no node can be both. */
  next(state: number, ask: number): number;
  /** False: `next` leads nowhere, or to where the type is not offered. True: not known to, at little cost. */
  mayTake(state: number, ask: number, type: number): boolean;
  offers(state: number, type: number): boolean;
  /** Micro-USD an hour. */
  price(state: number, type: number): number;
}

/** A way to open a node: an instance type under a start state (zone, capacity type, labels still open). */
export interface Candidate {
  readonly type: number;
  readonly start: number;
  /** What pods may use, by resource: allocatable less daemons, less what flexibility keeps free. */
  readonly room: Float64Array;
  /** Nodes that may be opened this way (a reservation's rest); Infinity: any number. */
  readonly limit: number;
}

/** Pods of a pool as numbers: `resources` columns, one row of `requests` a class. */
export interface PackingProblem {
  readonly resources: number;
  readonly classes: number;
  readonly requests: Float64Array;
  readonly counts: Int32Array;
  /** Row of the state table's transitions that a class asks for. */
  readonly asks: Int32Array;
  readonly candidates: readonly Candidate[];
  readonly states: NodeStates;
  readonly feeMicroUsd: number;
  /** What keeps pods off a node for the sake of others on it; undefined: nothing does. */
  readonly rules?: NodeRules;
}

/** Rules about pods on one node, which is begun and then filled. */
export interface NodeRules {
  /** A new node. */
  begin(): void;
  /** How many pods of the class it may still take; Infinity: any number. */
  room(c: number): number;
  /** Where `room` is 0: another pod may still let it in. */
  waits(c: number): boolean;
  take(c: number, count: number): void;
}

/** What one node holds, and how many such nodes. */
export interface Pattern {
  readonly candidate: number;
  readonly state: number;
  readonly priceMicroUsd: number;
  readonly classes: Int32Array;
  readonly counts: Int32Array;
}

export interface Bought {
  readonly pattern: Pattern;
  readonly nodes: number;
}

export interface Packing {
  readonly bought: readonly Bought[];
  readonly left: Int32Array;
  /** Prices and fees. */
  readonly costMicroUsd: number;
  /** No packing of these pods on these candidates costs less (0 where limited candidates make it meaningless). */
  readonly boundMicroUsd: number;
}
