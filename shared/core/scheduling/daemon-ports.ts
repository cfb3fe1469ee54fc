import type { HostPort } from "../model/index.ts";
import { labels } from "../model/index.ts";
import { Requirement, Requirements } from "../requirements/index.ts";
import { type Daemon, runsOnType, toleratesAll } from "./daemons.ts";
import type { Pool } from "./pool.ts";
import { typeMeets } from "./pool-space.ts";
import { portsClash } from "./topology/groups.ts";
import type { World } from "./world.ts";

type Places = Pick<World, "asks" | "pools" | "daemons">;

const kept = new WeakMap<World["pools"], Map<string, Requirements>>();

/** Names of the pool's types on whose nodes the daemon runs, as far as types go. */
function typesWith(daemon: Daemon, { states, nodePool }: Pool, asks: World["asks"]): readonly string[] {
  if (!toleratesAll(daemon, nodePool.taints)) return [];
  const wanted = daemon.selection.alternatives.filter((ask) => states.next(states.root, ask) >= 0);
  return states.types
    .filter((type) => runsOnType(daemon, type) && wanted.some((ask) => typeMeets(type, asks.get(ask))))
    .map(({ name }) => name);
}

/** The daemon runs on every new node of the pool, so that its host ports are never free there. */
export function isEverywhere(daemon: Daemon, pool: Pool, asks: World["asks"]): boolean {
  return pool.states.types.length > 0 && typesWith(daemon, pool, asks).length === pool.states.types.length;
}

/**
 * What a pod with these host ports must ask of a node beside: to be none of the types on which a daemon has one of them
 * (core#2975). Where a daemon is on every type of a pool, no node of that pool will do, which is said otherwise.
 */
export function withoutDaemonPorts({ asks, pools, daemons }: Places, ports: readonly HostPort[]): Requirements {
  if (ports.length === 0 || daemons.length === 0) return Requirements.none;
  let known = kept.get(pools);
  if (known === undefined) {
    known = new Map();
    kept.set(pools, known);
  }
  const key = JSON.stringify(ports);
  let found = known.get(key);
  if (found === undefined) {
    const clashing = daemons.filter(({ hostPorts }) =>
      hostPorts.some((other) => ports.some((port) => portsClash(port, other))),
    );
    const names = clashing.flatMap((daemon) =>
      pools.pools.filter((pool) => !isEverywhere(daemon, pool, asks)).flatMap((pool) => typesWith(daemon, pool, asks)),
    );
    found =
      names.length === 0
        ? Requirements.none
        : Requirements.from([
            Requirement.of({ key: labels.instanceType, operator: "NotIn", values: [...new Set(names)].sort() }),
          ]);
    known.set(key, found);
  }
  return found;
}
