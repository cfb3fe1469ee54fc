export type WakeTarget = "provision" | "disrupt" | "lifecycle" | "resolve-node-classes" | "collect-garbage";

/** "Look at this cluster." It carries no facts, at most how fresh to be; losing, repeating or reordering it costs time only. */
export interface Wake {
  readonly cluster: string;
  readonly target: WakeTarget;
  /** Look at a state at least as fresh as this resourceVersion. */
  readonly atLeast?: string;
}

export interface DelayedWake {
  readonly wake: Wake;
  /** Default 0; rounded up to what the queue can do (seconds). */
  readonly delayMs?: number;
}

export interface Wakes {
  /**
   * At most `maxWakeDelayMs` (15 minutes) of delay; later moments belong on the agenda (RangeError). Throws an
   * OperationError when the wake may not have been sent; sending it again is harmless.
   */
  send(wake: Wake, delayMs?: number): Promise<void>;
  /** Many at once, in as few requests as the queue allows. Those that can be sent are sent, also when others fail. */
  sendAll(wakes: readonly DelayedWake[]): Promise<void>;
}
