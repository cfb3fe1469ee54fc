import type {
  CapacityReservation,
  CloudInstance,
  FleetRequest,
  LaunchRefusal,
  ReservationCount,
  ReservationTerm,
} from "../core/model/index.ts";

/** What a launch gave. A repeat of a token may give neither instances nor refusals: then look them up by launch tag. */
export interface FleetResult {
  readonly instances: readonly {
    readonly id: string;
    readonly instanceType: string;
    readonly zone: string;
    readonly subnetId: string;
    readonly capacityType: "on-demand" | "spot" | "reserved";
    readonly imageId: string;
  }[];
  readonly refusals: readonly LaunchRefusal[];
}

/** What EC2NodeClass selectors found. */
export interface ResolvedNetwork {
  readonly subnets: readonly {
    readonly id: string;
    readonly zone: string;
    readonly zoneId: string;
    readonly freeAddresses: number;
  }[];
  readonly securityGroups: readonly { readonly id: string; readonly name: string }[];
}

/**
 * The cloud's instances. Every method may be repeated. Failures are OperationErrors; `code` is one of throttled,
 * unauthorized, bad-request, idempotency-mismatch, not-found, unavailable, timeout.
 */
export interface Cloud {
  /** Sends a sealed request (templates are made first, by name, if absent). Same bytes, same token, same effect. */
  launch(request: FleetRequest): Promise<FleetResult>;
  /** Instances with all these tags, not terminated ones unless asked for; pages are followed. */
  findByTags(
    tags: Readonly<Record<string, string>>,
    options?: { includeTerminated?: boolean },
  ): Promise<readonly CloudInstance[]>;
  /** Those of the ids that EC2 knows; unknown ids are absent from the answer, never an error. At most 100 a call inside. */
  findByIds(ids: readonly string[]): Promise<readonly CloudInstance[]>;
  /** Ids that EC2 no longer knows are reported, not errors. */
  terminate(ids: readonly string[]): Promise<{ readonly notFound: readonly string[] }>;
  tag(id: string, tags: Readonly<Record<string, string>>): Promise<void>;
  resolveNetwork(terms: {
    readonly subnets: readonly { readonly tags?: Readonly<Record<string, string>>; readonly id?: string }[];
    readonly securityGroups: readonly {
      readonly tags?: Readonly<Record<string, string>>;
      readonly id?: string;
      readonly name?: string;
    }[];
  }): Promise<ResolvedNetwork>;
  /** Reservations that may be launched into (active, of Linux), with what is left of each; sorted by id. */
  findReservations(
    terms: readonly ReservationTerm[],
  ): Promise<readonly (CapacityReservation & Pick<ReservationCount, "left">)[]>;
  /** Images by id, name, owner or tags; aliases are resolved by `shared/core/launch` into name patterns. */
  findImages(
    terms: readonly {
      readonly id?: string;
      readonly name?: string;
      readonly owner?: string;
      readonly tags?: Readonly<Record<string, string>>;
    }[],
  ): Promise<
    readonly {
      readonly id: string;
      readonly name: string;
      readonly architecture: "x86_64" | "arm64";
      readonly createdAtMs: number;
      readonly deprecated: boolean;
    }[]
  >;
}
