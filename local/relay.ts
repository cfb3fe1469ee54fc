// The in-cluster relay in the embedded world: its own code in this process, in the world's time, over HTTPS like a pod of the
// cluster. Only what a deployment would give it (address, queues, heartbeat) is given here. One replica needs no election.
import { type Relay, startRelay } from "../relay/relay.ts";
import { usualTiming } from "../relay/watch/reflector.ts";
import { createDynamoClient, createHeartbeat } from "../shared/adapters/dynamodb/index.ts";
import { connectionOf } from "../shared/adapters/kube/access.ts";
import { heartbeatTimeoutMs } from "../shared/core/limits.ts";
import type { Settings } from "../shared/core/model/index.ts";
import { type ClaimStore, relayAgenda, type Wakes } from "../shared/ports/index.ts";
import type { WorldClock } from "./clock.ts";
import type { ApiServer } from "./kube/types.ts";

export interface WorldRelayOptions {
  readonly cluster: string;
  readonly kube: ApiServer;
  readonly clock: WorldClock;
  readonly wakes: Wakes;
  readonly heartbeat: WorldHeartbeat;
  readonly settings: Pick<Settings, "batchIdleMs" | "batchMaxMs">;
  onError(component: string, key: string, error: unknown): void;
}

export interface WorldHeartbeat {
  beat(nowMs: number): Promise<void>;
  stop(): void;
}

export interface TableOptions {
  readonly region: string;
  readonly endpoint: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly tableName: string;
  readonly cluster: string;
}

/** The relay's own heartbeat, with a client of its own as in a pod. */
export function heartbeatInTable({ tableName, cluster, ...access }: TableOptions): WorldHeartbeat {
  const client = createDynamoClient(access);
  return { ...createHeartbeat({ client, tableName, cluster }), stop: () => client.destroy() };
}

/** The same entry of the agenda where claims are kept in memory. */
export function heartbeatInMemory(store: ClaimStore, cluster: string): WorldHeartbeat {
  return {
    async beat(nowMs) {
      await store.setAgenda(cluster, relayAgenda, nowMs + heartbeatTimeoutMs, { replace: true });
    },
    stop: () => {},
  };
}

/** Starts it. What it warns of is an error in a world where nothing is ever away. */
export function startWorldRelay(options: WorldRelayOptions): Relay {
  const { cluster, kube, clock, wakes, heartbeat, settings } = options;
  const { server, token, ca } = kube.kubeconfig();
  const complain = (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
    const { error, problem, kind, target, nodeClaim } = fields;
    const about = kind ?? target ?? nodeClaim;
    options.onError("relay", about === undefined ? message : `${about}: ${message}`, error ?? problem ?? "");
  };
  return startRelay({
    cluster,
    connection: connectionOf({ server, token, caPem: ca }),
    wakes,
    heartbeat,
    // The world's time is never set back.
    clock: { ...clock, elapsed: clock.now },
    random: Math.random,
    log: { debug: () => {}, info: () => {}, warn: complain, error: complain },
    batch: { idleMs: settings.batchIdleMs, longestMs: settings.batchMaxMs },
    // Bookmarks come in real time, and a watch counts as dead by the relay's clock.
    timing: { watch: { ...usualTiming, silenceMs: usualTiming.silenceMs * Math.max(1, clock.speed) } },
  });
}
