/** Instances of one type in one zone that are paid for and kept. */
export interface CapacityReservation {
  readonly id: string;
  readonly ownerId: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly type: "default" | "capacity-block";
  /** Instances in it may be taken away again. */
  readonly interruptible: boolean;
  readonly matching: "open" | "targeted";
  /** Undefined: it has no end. */
  readonly endAtMs?: number;
}

/** How many instances a reservation has left, as EC2 says. */
export interface ReservationCount {
  readonly id: string;
  readonly left: number;
}

/** One way to select reservations; the fields of one term are AND'd. */
export interface ReservationTerm {
  readonly id?: string;
  readonly ownerID?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly instanceMatchCriteria?: "open" | "targeted";
}
