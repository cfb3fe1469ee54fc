import { type InstanceType, labels, type Offering, own, type Pod } from "../model/index.ts";
import { type Requirements, wellKnownLabels } from "../requirements/index.ts";
import { exceeding } from "../resources/index.ts";
import { nodeNameKey } from "./asks.ts";
import { imageLack } from "./bootable-types.ts";
import { missedFloor } from "./choose-types.ts";
import type { LimitLedger } from "./ledger.ts";
import { limitsExceeded } from "./limits.ts";
import { typesHolding } from "./open-claim.ts";
import type { Pool } from "./pool.ts";
import { isOpen, offeringAllows, typeMeets } from "./pool-space.ts";
import { atLeast, atMost } from "./readable-amounts.ts";
import { type SolverClass, startsFor } from "./solver-classes.ts";
import { formatTaint, untoleratedTaint } from "./taints.ts";
import type { World } from "./world.ts";

const offeringKeys: readonly (readonly [string, (offering: Offering) => string])[] = [
  [labels.zone, ({ zone }) => zone],
  [labels.capacityType, ({ capacityType }) => capacityType],
];

/** Why no node of this pool takes the pods of a class: the obstacle that comes first on the way to a node. */
export function explainPool(world: World, ledger: LimitLedger, pool: Pool, one: SolverClass): string {
  const { sample, selection } = one;
  const taint = untoleratedTaint(sample.tolerations, pool.nodePool.taints);
  if (taint !== undefined) return `its taint ${formatTaint(taint)} is not tolerated`;
  if (selection.alternatives.length === 0) {
    return `the pod's node affinity selects nothing${selection.error === undefined ? "" : `: ${selection.error}`}`;
  }
  const reasons = selection.alternatives.map((ask) => explainAsk(world, ledger, pool, sample, ask));
  return [...new Set(reasons)].join("; or, by its other terms: ");
}

function explainAsk(world: World, ledger: LimitLedger, pool: Pool, pod: Pod, ask: number): string {
  const wanted = world.asks.get(ask);
  if (!(wanted.get(nodeNameKey)?.absent ?? true)) return "the pod asks for a node by its name, which no new node has";
  const clash = pool.template.incompatibility(wanted, { allowUndefined: wellKnownLabels });
  if (clash !== undefined) return clash;
  const requirements = pool.template.intersection(wanted);
  const { types } = pool.states;
  const lack = imageLack(pool, pod, requirements);
  if (types.length === 0) return lack ?? "no instance type meets the NodePool's requirements";
  const meeting = types.filter((type) => typeMeets(type, requirements));
  if (meeting.length === 0 && lack !== undefined) return lack;
  if (meeting.length === 0) return `none of its ${types.length} instance types meets ${wanted}`;
  const sold = meeting.filter((type) => type.offerings.some((offering) => offeringAllows(offering, requirements)));
  if (sold.length === 0) return soldElsewhere(meeting, requirements);
  const open = sold.filter((type) =>
    type.offerings.some((offering) => isOpen(offering) && offeringAllows(offering, requirements)),
  );
  if (open.length === 0) return `EC2 has no capacity now for any of its ${sold.length} instance types that fit`;
  const starts = startsFor(pool, ask);
  const usage = new Float64Array(world.axis.size);
  world.axis.write(pod.requests, usage, 0);
  const holding = starts.flatMap((state) => typesHolding(pool, state, usage, undefined));
  if (holding.length === 0) return lack ?? tooSmall(world, pool, pod, starts);
  const remaining = ledger.remaining(pool);
  const within = holding.filter((t) => limitsExceeded(remaining, types[t]!.capacity).length === 0);
  if (within.length === 0) return limitReached(world, ledger, pool, holding);
  const missed = missedFloor(
    [...new Set(within)].map((t) => types[t]!),
    requirements,
  );
  if (missed !== undefined) {
    const { key, minValues, found } = missed;
    const hint =
      world.snapshot.settings.minValuesPolicy === "BestEffort"
        ? " (relaxing it, BestEffort, is not planned for yet)"
        : "";
    return `only ${found} values of ${key} are left for this pod, and the NodePool wants at least ${minValues}${hint}`;
  }
  return "the limits or floors of the NodePool leave no type that could hold it";
}

/** No type that would do is sold in that place and way: what was asked for, and what there is. */
function soldElsewhere(types: readonly InstanceType[], requirements: Requirements): string {
  const asked = offeringKeys.flatMap(([key]) => requirements.get(key) ?? []).map(String);
  const there = offeringKeys.map(([key, valueIn]) => {
    const values = new Set(types.flatMap(({ offerings }) => offerings.map(valueIn)).filter((value) => value !== ""));
    return `${key} ${[...values].sort().join(", ")}`;
  });
  return `none of its ${types.length} instance types that fit is sold with ${asked.join(", ")}; they are sold with ${there.join("; ")}`;
}

/** The nearest miss: of the types in question, the one that lacks the fewest resources, and by how much. */
function tooSmall(world: World, pool: Pool, pod: Pod, starts: readonly number[]): string {
  const width = world.axis.size;
  const largest: Record<string, number> = {};
  const owners: Record<string, string> = {};
  for (const state of starts) {
    const room = pool.states.room(state);
    pool.states.types.forEach((type, t) => {
      if (!pool.states.offers(state, t)) return;
      for (let r = 0; r < width; r++) {
        const name = world.axis.names[r]!;
        const amount = room[t * width + r]!;
        if (amount > (own(largest, name) ?? -1)) {
          largest[name] = amount;
          owners[name] = type.name;
        }
      }
    });
  }
  if (
    !starts.some((state) =>
      pool.states.types.some((_, t) => pool.states.offers(state, t) && holdsDaemons(world, pool, state, t)),
    )
  ) {
    return "its DaemonSets alone are more than any instance type that the pod allows can hold";
  }
  const lacking = exceeding(pod.requests, largest);
  if (lacking.length === 0) {
    return `no single instance type has enough of everything at once: ${amounts(pod)}`;
  }
  return lacking
    .map((name) => {
      const asked = atLeast(pod.requests[name]!, name);
      return (own(largest, name) ?? 0) <= 0
        ? `no instance type that it allows has ${name}; the pod asks for ${asked}`
        : `the most ${name} that a node of it can give is ${atMost(largest[name]!, name)} (${owners[name]}); the pod asks for ${asked}`;
    })
    .join("; ");
}

function holdsDaemons(world: World, pool: Pool, state: number, type: number): boolean {
  const width = world.axis.size;
  return pool.states
    .room(state)
    .subarray(type * width, (type + 1) * width)
    .every((amount) => amount >= 0);
}

function amounts(pod: Pod): string {
  return Object.keys(pod.requests)
    .filter((name) => pod.requests[name]! > 0)
    .sort()
    .map((name) => `${name} ${atLeast(pod.requests[name]!, name)}`)
    .join(", ");
}

function limitReached(world: World, ledger: LimitLedger, pool: Pool, holding: readonly number[]): string {
  const remaining = ledger.remaining(pool);
  const { limits } = pool.nodePool;
  // The type that exceeds the fewest limits shows best what is in the way.
  const [nearest] = holding
    .map((t) => limitsExceeded(remaining, pool.states.types[t]!.capacity))
    .sort((a, b) => a.length - b.length || (a.join() < b.join() ? -1 : 1));
  const spent = nearest!.map(
    (name) => `${name} ${atMost(limits[name]!, name)}, of which ${atMost(Math.max(0, remaining[name]!), name)} is left`,
  );
  const before = world.limits.get(pool.nodePool.name) ?? {};
  const others = nearest!.some((name) => (own(before, name) ?? 0) !== (own(remaining, name) ?? 0))
    ? " after this plan's other nodes"
    : "";
  return `its limits allow no further node that could hold the pod: ${spent.join(", ")}${others}`;
}
