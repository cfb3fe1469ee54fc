import { type InstanceType, labels, type NodeClass, type NodePool, type PlanWarning } from "../model/index.ts";
import { RequirementError, Requirements } from "../requirements/index.ts";
import { expandInstanceFamilies } from "./families.ts";
import { typeMeets } from "./selection.ts";

/** What every node of the pool's template is. */
export function templateRequirements(pool: NodePool, requirements: Requirements): Requirements {
  return requirements
    .intersection(Requirements.fromLabels(pool.labels))
    .intersection(
      Requirements.fromLabels({ [labels.nodePool]: pool.name, [labels.nodeClass]: pool.nodeClassRef.name }),
    );
}

/** A pool's template, and the types that meet it. Warnings tell what was read otherwise than it is written. */
export interface PoolTypes {
  readonly template: Requirements;
  readonly types: readonly InstanceType[];
  readonly warnings: readonly PlanWarning[];
}

/** @throws RequirementError if a requirement of the pool cannot be read */
export function poolTypes(pool: NodePool, all: readonly InstanceType[]): PoolTypes {
  const { requirements, warnings } = expandInstanceFamilies(pool, all);
  const template = templateRequirements(pool, Requirements.of(requirements));
  return { template, types: all.filter((type) => typeMeets(type, template)), warnings };
}

/** The pools whose class is there and whose text can be read: what overlays are judged by. */
export function overlaidPools(
  pools: readonly NodePool[],
  nodeClasses: readonly NodeClass[],
  typesOf: (nodeClass: NodeClass) => readonly InstanceType[],
): readonly PoolTypes[] {
  const classes = new Map(nodeClasses.map((nodeClass) => [nodeClass.name, nodeClass]));
  return pools.flatMap((pool) => {
    const nodeClass = classes.get(pool.nodeClassRef.name);
    if (nodeClass === undefined) return [];
    try {
      return [poolTypes(pool, typesOf(nodeClass))];
    } catch (cause) {
      if (!(cause instanceof RequirementError)) throw cause;
      return [];
    }
  });
}
