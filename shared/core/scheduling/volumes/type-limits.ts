import { ebsAttachLimit } from "../../catalog/index.ts";
import {
  type Catalog,
  type CsiNode,
  type InstanceTypeDescription,
  labels,
  type NodeClass,
  own,
  type Snapshot,
} from "../../model/index.ts";

const ebsDriver = "ebs.csi.aws.com";
/** More than any node holds. */
export const unbounded = 1_000_000;

/**
 * How many volumes a driver will attach to a node that is not there yet. What the CSINodes of its type say counts first,
 * the most of them: a driver that starts anew counts less for volumes that are attached then. EBS' bound follows from
 * what EC2 says of the type. Of other drivers nothing is known but what they say elsewhere.
 */
export class TypeLimits {
  readonly #catalog: Catalog;
  readonly #nodeClasses: ReadonlyMap<string, NodeClass>;
  /** By driver: the most that any node has. */
  readonly #anywhere = new Map<string, number>();
  /** By driver and type. */
  readonly #seen = new Map<string, number>();
  #descriptions: ReadonlyMap<string, InstanceTypeDescription> | undefined;

  constructor({ catalog, nodes, nodeClasses }: Snapshot, csiNodes: ReadonlyMap<string, CsiNode>) {
    this.#catalog = catalog;
    this.#nodeClasses = new Map(nodeClasses.map((nodeClass) => [nodeClass.name, nodeClass]));
    for (const node of nodes) {
      const type = own(node.labels, labels.instanceType) ?? "";
      for (const [driver, count] of Object.entries(csiNodes.get(node.name)?.attachLimits ?? {})) {
        if (count === null) continue;
        this.#anywhere.set(driver, Math.max(count, this.#anywhere.get(driver) ?? 0));
        this.#seen.set(`${driver} ${type}`, Math.max(count, this.#seen.get(`${driver} ${type}`) ?? 0));
      }
    }
  }

  /** False: nothing bounds the driver anywhere. */
  knows(driver: string): boolean {
    return driver === ebsDriver || this.#anywhere.has(driver);
  }

  of(driver: string, typeName: string, nodeClassName: string): number {
    const seen = this.#seen.get(`${driver} ${typeName}`);
    if (seen !== undefined) return seen;
    if (driver !== ebsDriver) return this.#anywhere.get(driver) ?? unbounded;
    this.#descriptions ??= new Map(this.#catalog.instanceTypes.map((one) => [one.InstanceType, one]));
    const description = this.#descriptions.get(typeName);
    const nodeClass = this.#nodeClasses.get(nodeClassName);
    return description === undefined ? unbounded : ebsAttachLimit(description, nodeClass?.blockDevices.length ?? 1);
  }
}
