export type WakeTarget = "provision" | "disrupt" | "lifecycle" | "resolve-node-classes" | "collect-garbage";

/** "Look at this cluster." It carries no facts, at most how fresh to be; losing, repeating or reordering it costs time only. */
export interface Wake {
  readonly cluster: string;
  readonly target: WakeTarget;
  /** Look at a state at least as fresh as this resourceVersion. */
  readonly atLeast?: string;
}

export interface Wakes {
  /** At most 15 minutes of delay; later moments belong on the agenda. */
  send(wake: Wake, delayMs?: number): Promise<void>;
}
