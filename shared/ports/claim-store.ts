import type {
  CapacityType,
  Command,
  FleetRequest,
  Head,
  Launch,
  NodeClaim,
  Placement,
  PlanChunk,
  RefusedOffering,
} from "../core/model/index.ts";

/**
 * What one consistent read of a cluster's items gives. The head is read first: whatever is committed while the rest is
 * read makes a commit on this head lose. Claims that are gone and launches that are settled are left out.
 */
export interface StoredState {
  readonly head: Head;
  /** By name. */
  readonly claims: readonly NodeClaim[];
  /** By id. */
  readonly launches: readonly Launch[];
  /** Live at `nowMs` of the read, by end: those of a chunk, and the pods that its new claims were made for. */
  readonly placements: readonly (Placement & { readonly planId: string; readonly untilMs: number })[];
  /** By id. */
  readonly commands: readonly StoredCommand[];
}

export interface StoredCommand extends Command {
  readonly version: number;
  readonly openedAtMs: number;
  /** Names of the claims that replace the candidates. */
  readonly replacementNames: readonly string[];
}

/** `lost`: somebody else committed first; look again. */
export type CommitOutcome = { readonly kind: "committed"; readonly head: Head } | { readonly kind: "lost" };

/** `conflict`: the record is at another version; `current` is what stands there (undefined: nothing). */
export type ClaimWrite =
  | { readonly kind: "written"; readonly claim: NodeClaim }
  | { readonly kind: "conflict"; readonly current?: NodeClaim };

/** Fields of a record that evidence may set; undefined removes. */
export type ClaimChange = {
  readonly [K in Exclude<keyof NodeClaim, "name" | "version" | "createdAtMs">]?: NodeClaim[K] | undefined;
};

/** Instances for the ordered claims of a launch; fewer than claims if EC2 gave fewer. */
export interface LaunchPairing {
  readonly claim: string;
  readonly claimVersion: number;
  readonly change: ClaimChange;
  readonly instanceId: string;
}

/**
 * Where NodeClaims, plans, launches and commands live. Reads are consistent; each write is one conditional transaction
 * that either happened or did not, and an unknown outcome is settled inside by reading what the write would have left.
 */
export interface ClaimStore {
  /** Creates the head if it is absent; returns what stands there. Only init, recover and adopt call this. */
  createHead(cluster: string, head: Head): Promise<Head>;
  readHead(cluster: string): Promise<Head | undefined>;
  readState(cluster: string, nowMs: number): Promise<StoredState | undefined>;
  readClaim(cluster: string, name: string): Promise<NodeClaim | undefined>;

  /**
   * head.seq n → n+1 if it is still n (same epoch), the plan item, each claim and command if absent. The claims are
   * `chunk.claims` and the replacements of `chunk.commands`; each candidate gets the command's id, if it is still there
   * and in no other command. The same chunk again is committed, not lost. OperationError `too-large` (never) when the
   * chunk does not fit one transaction, `claim-exists` (never) when a claim's name is taken.
   */
  commit(cluster: string, head: Head, chunk: PlanChunk): Promise<CommitOutcome>;

  /** Writes evidence into a claim's record if it is still at `version`. The same change again is written, not a conflict. */
  changeClaim(cluster: string, name: string, version: number, change: ClaimChange): Promise<ClaimWrite>;
  /** Marks it gone: out of every state read; `readClaim` finds it until `forgetAtMs`, for explanations. */
  retireClaim(
    cluster: string,
    name: string,
    version: number,
    goneAtMs: number,
    forgetAtMs: number,
  ): Promise<ClaimWrite>;

  /**
   * Writes the launch item if absent and its id into each claim, if each is still at its version and has no launch.
   * The same launch again is sealed, not lost. OperationError `too-large` (never) above `maxClaimsPerLaunch`, or when
   * the request does not fit an item.
   */
  sealLaunch(
    cluster: string,
    launch: {
      readonly id: string;
      readonly request: FleetRequest;
      readonly sealedAtMs: number;
      readonly sendBeforeMs: number;
    },
    claims: readonly { readonly name: string; readonly version: number }[],
  ): Promise<"sealed" | "lost">;
  readLaunch(cluster: string, id: string): Promise<Launch | undefined>;
  /**
   * Pairs instances with claims and writes `instance#<id>` for each, if the launch is still unsettled and every claim at
   * its version. The same pairs and failures again are settled, not lost.
   */
  settleLaunch(
    cluster: string,
    id: string,
    settledAtMs: number,
    pairs: readonly LaunchPairing[],
    failed: readonly { readonly claim: string; readonly claimVersion: number; readonly change: ClaimChange }[],
  ): Promise<"settled" | "lost">;
  /** Notes when a look-up by launch tag first found nothing; the launch's version grows. */
  noteEmptyLookup(cluster: string, id: string, version: number, atMs: number): Promise<"noted" | "lost">;
  /** Which claim an instance belongs to, of whatever cluster. */
  findInstance(instanceId: string): Promise<{ readonly cluster: string; readonly claim: string } | undefined>;

  /** Removes the command, and its id from the candidates that are still there. A command that is gone is closed. */
  closeCommand(cluster: string, id: string, version: number): Promise<"closed" | "lost">;

  /** Offerings that EC2 refuses, shared by all clusters of a region. The last note of an offering, or of a reservation, counts. */
  noteRefusals(
    region: string,
    refusals: readonly {
      readonly instanceType: string;
      readonly zoneId: string;
      readonly capacityType: CapacityType;
      readonly reservationId?: string;
      readonly untilMs: number;
    }[],
  ): Promise<void>;
  readRefusals(
    region: string,
    nowMs: number,
  ): Promise<readonly (Omit<RefusedOffering, "zone"> & { readonly zoneId: string })[]>;

  /**
   * Advisory: saves work, guards nothing. `busy` bumps `requested`, so that the holder runs again. An expired lease is
   * taken over; the holder itself may take it again (longer).
   */
  takeLease(
    cluster: string,
    controller: string,
    holder: string,
    nowMs: number,
    untilMs: number,
  ): Promise<{ readonly kind: "taken"; readonly requested: number } | { readonly kind: "busy" }>;
  /**
   * True: nobody asked since it was taken (or since the last call), and it is released; also when somebody else has
   * taken it over. False: run again, then call with the same `requested`.
   */
  releaseLease(cluster: string, controller: string, holder: string, requested: number): Promise<boolean>;

  /**
   * When a controller is next due (null: not at all). An earlier time replaces a later one, and any time one that is past
   * at `nowMs`; `replace` sets it whatever it was, `ifAbsent` only where nothing stands, or nothing up to `latestMs`. True:
   * it was set by this call. False: a moment at least as early (any, with `ifAbsent`) stands there already, so whoever set
   * that has arranged for it.
   */
  setAgenda(
    cluster: string,
    controller: string,
    dueAtMs: number | null,
    options?: { replace?: boolean; ifAbsent?: boolean; latestMs?: number; nowMs?: number },
  ): Promise<boolean>;
  /** What is due at `nowMs`, earliest first. May lag behind the writes by seconds. */
  readDue(
    nowMs: number,
  ): Promise<readonly { readonly cluster: string; readonly controller: string; readonly dueAtMs: number }[]>;
}
