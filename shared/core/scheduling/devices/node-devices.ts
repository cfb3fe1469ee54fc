import type { ResourceSlice, Snapshot } from "../../model/index.ts";
import type { Inventory, Kinds } from "./kinds.ts";

const none: Inventory = new Map();

/**
 * The devices of nodes, as their drivers publish them, without those that claims have. Of a pool only the newest generation
 * counts, and only once it is complete. Devices that several nodes reach belong to none of them.
 */
export class NodeDevices {
  readonly #byNode = new Map<string, Inventory>();
  readonly #told: ReadonlySet<string>;

  constructor({ resourceSlices, resourceClaims }: Snapshot, kinds: Kinds) {
    const taken = new Set(
      resourceClaims.flatMap(({ allocation }) =>
        (allocation?.devices ?? []).map(({ driver, pool, device }) => `${driver} ${pool} ${device}`),
      ),
    );
    const slicesOf = new Map<string, ResourceSlice[]>();
    for (const slice of currentSlices(resourceSlices)) {
      if (slice.nodeName === undefined) continue;
      const known = slicesOf.get(slice.nodeName);
      if (known === undefined) slicesOf.set(slice.nodeName, [slice]);
      else known.push(slice);
    }
    for (const [node, slices] of slicesOf) {
      const isTaken = (driver: string, pool: string | undefined, device: string): boolean =>
        taken.has(`${driver} ${pool} ${device}`);
      this.#byNode.set(node, kinds.inventory(slices, isTaken));
    }
    this.#told = new Set(resourceSlices.map(({ nodeName, driver }) => `${driver} ${nodeName}`));
  }

  on(node: string): Inventory {
    return this.#byNode.get(node) ?? none;
  }

  /** The driver has published something for the node. */
  hasTold(node: string, driver: string): boolean {
    return this.#told.has(`${driver} ${node}`);
  }
}

function currentSlices(slices: readonly ResourceSlice[]): readonly ResourceSlice[] {
  const poolOf = ({ driver, pool }: ResourceSlice): string => `${driver} ${pool}`;
  const newest = new Map<string, number>();
  for (const slice of slices) {
    newest.set(poolOf(slice), Math.max(slice.generation, newest.get(poolOf(slice)) ?? slice.generation));
  }
  const current = slices.filter((slice) => slice.generation === newest.get(poolOf(slice)));
  const found = new Map<string, number>();
  for (const slice of current) found.set(poolOf(slice), (found.get(poolOf(slice)) ?? 0) + 1);
  return current.filter((slice) => found.get(poolOf(slice))! >= slice.slicesOfPool);
}
