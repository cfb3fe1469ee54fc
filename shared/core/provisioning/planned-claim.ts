import {
  annotations,
  hashVersion,
  type InstanceType,
  labels,
  type PlannedClaim,
  type Pod,
  type Snapshot,
} from "../model/index.ts";
import { Requirement, Requirements } from "../requirements/index.ts";
import { addResources } from "../resources/index.ts";
import {
  cheapestOffering,
  countValues,
  launchableTypes,
  type OpenClaim,
  podKey,
  type ResourceAxis,
  settleOwnLabels,
  valuesFor,
  type World,
} from "../scheduling/index.ts";
import { claimName } from "./claim-name.ts";

/** Types and final requirements depend on these only; many nodes of a plan are alike. */
interface Shape {
  readonly types: readonly InstanceType[];
  readonly requirements: Requirements;
  /** Whether a flexibility floor had to be lowered; undefined where the pool has none. */
  readonly relaxed?: boolean;
}

/** Turns solved claims into planned ones. One builder a plan: it keeps what nodes that are alike share. */
export class ClaimBuilder {
  readonly #snapshot: Snapshot;
  readonly #axis: ResourceAxis;
  readonly #shapes = new Map<string, Shape>();

  constructor({ snapshot, axis }: World) {
    this.#snapshot = snapshot;
    this.#axis = axis;
  }

  build(claim: OpenClaim, pods: readonly Pod[], index: number): PlannedClaim {
    const { nodePool, nodeClass, states } = claim.pool;
    const { types, requirements, relaxed } = this.#shapeOf(claim);
    const cheapest = cheapestOffering(types[0]!, requirements);
    const typeIndex = states.types.findIndex(({ name }) => name === types[0]!.name);
    const daemons = states.daemonRequests(claim.state, typeIndex);
    return {
      name: claimName(nodePool.name, this.#snapshot.head, index),
      nodePool: nodePool.name,
      nodePoolUid: nodePool.uid,
      nodePoolHash: nodePool.hash,
      nodeClass: nodeClass.name,
      nodeClassHash: nodeClass.hash,
      requirements: requirements.toSpecs(),
      instanceTypes: types.map(({ name }) => name),
      cheapest,
      labels: labelsOf(claim, requirements),
      annotations: {
        ...nodePool.annotations,
        [annotations.nodePoolHash]: nodePool.hash,
        [annotations.nodePoolHashVersion]: hashVersion,
        [annotations.nodeClassHash]: nodeClass.hash,
        [annotations.nodeClassHashVersion]: hashVersion,
        ...(types.some(({ overlaid }) => overlaid?.price) ? { [annotations.priceOverlayApplied]: "true" } : {}),
        ...(types.some(({ overlaid }) => overlaid?.capacity) ? { [annotations.capacityOverlayApplied]: "true" } : {}),
        ...(relaxed === undefined ? {} : { [annotations.minValuesRelaxed]: String(relaxed) }),
      },
      taints: nodePool.taints,
      startupTaints: nodePool.startupTaints,
      requests: addResources(this.#axis.read(claim.usage), daemons),
      expireAfterMs: nodePool.expireAfterMs,
      terminationGracePeriodMs: nodePool.terminationGracePeriodMs,
      pods: pods.map(podKey).sort(),
    };
  }

  #shapeOf(claim: OpenClaim): Shape {
    const { pool, state, usage, ceiling } = claim;
    const key = `${claim.poolIndex}/${state}/${usage.join(",")}/${ceiling === undefined ? "" : JSON.stringify(ceiling)}`;
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    const types = launchableTypes(pool, state, usage, ceiling)!;
    const shape = shapeWith(claim, types, finalRequirements(pool.states.requirements(state), types));
    this.#shapes.set(key, shape);
    return shape;
  }
}

/** A claim that was begun without its pool's floors says what is left of them. A reservation's has none. */
function shapeWith(
  { pool, reservation }: OpenClaim,
  types: readonly InstanceType[],
  requirements: Requirements,
): Shape {
  if (pool.floors.length === 0) return { types, requirements };
  if (reservation !== undefined) return { types, requirements, relaxed: false };
  const kept = pool.floors.map(({ key, minValues }) => {
    const found = Math.min(minValues, countValues(types, key, requirements));
    return { key, minValues: found, lowered: found < minValues };
  });
  const floored = kept.flatMap(({ key, minValues }) => requirements.get(key)?.withFloor(minValues) ?? []);
  const keys = new Set(kept.map(({ key }) => key));
  const others = [...requirements].filter(({ key }) => !keys.has(key));
  return {
    types,
    requirements: Requirements.from([...others, ...floored]),
    relaxed: kept.some(({ lowered }) => lowered),
  };
}

/** The state's requirements, held to the chosen types and to the capacity types that they are sold as (core#2642). */
function finalRequirements(state: Requirements, types: readonly InstanceType[]): Requirements {
  const capacityTypes = new Set(types.flatMap((type) => valuesFor(type, labels.capacityType, state)));
  return settleOwnLabels(state).with(
    Requirement.in(labels.capacityType, [...capacityTypes].sort()),
    Requirement.in(
      labels.instanceType,
      types.map(({ name }) => name),
    ),
  );
}

/** Template labels, and every label that has one value left; what only the launch settles is not among them. */
function labelsOf({ pool }: OpenClaim, requirements: Requirements): Record<string, string> {
  const all: Record<string, string> = { ...requirements.settledLabels(), ...pool.nodePool.labels };
  return Object.fromEntries(
    Object.keys(all)
      .sort()
      .map((key) => [key, all[key]!]),
  );
}
