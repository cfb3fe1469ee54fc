import type { NodeClaim } from "../../../shared/core/model/index.ts";
import type { Clock, Cluster } from "../../../shared/ports/index.ts";

/** When the suite's time begins. */
export const startMs = Date.UTC(2026, 5, 1, 12);
/** A uid that no object has. */
export const otherUid = "99999999-9999-4999-8999-999999999999";

/** A Kubernetes object as people write it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly [field: string]: unknown;
  };
  readonly spec?: unknown;
  readonly status?: unknown;
}

export interface Identity {
  readonly uid: string;
  readonly resourceVersion: string;
}

export interface Named {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** A cluster and a way around it: what people, the scheduler and other controllers would do to it. */
export interface ClusterSubject {
  readonly cluster: Cluster;
  /** Creates the object; where the manifest has a status, that too, whatever subresources it takes. */
  create(manifest: Manifest): Promise<Identity>;
  /** Sets a label, which moves the object's resourceVersion. */
  label(object: Named, key: string, value: string): Promise<void>;
  /** Deletes the object as `kubectl delete --wait=false` would. */
  remove(object: Named): Promise<void>;
  /** Status conditions of a custom resource. */
  conditions(
    object: Named,
  ): Promise<readonly { type: string; status: string; reason: string; lastTransitionTime: string }[]>;
  /** A field of a custom resource's status. */
  statusField(object: Named, field: string): Promise<unknown>;
  /** The record that a mirror shows, as far as it shows it. */
  shown(claim: string): Promise<NodeClaim>;
  /** Events of a namespace. */
  events(namespace: string): Promise<readonly { reason: string; message: string; count: number; objectUid: string }[]>;
  stop(): Promise<void>;
}

/** Begins a subject that takes its time from that clock. The cluster is empty but for what every cluster has. */
export type MakeClusterSubject = (clock: Clock) => Promise<ClusterSubject>;

/** A clock that stands until a test moves it; nobody waits for its sleeps. */
export function standingClock(startMs: number): Clock & { advance(ms: number): void } {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    sleep: async () => {},
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
