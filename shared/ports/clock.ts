/** Time, as epoch milliseconds. */
export interface Clock {
  now(): number;
  /** Resolves after that many milliseconds of this clock's time. */
  sleep(ms: number): Promise<void>;
}

/** Names that must not repeat. */
export interface Ids {
  /** A fresh token of lower-case letters and digits. */
  next(): string;
}
