import type { Pod } from "../../model/index.ts";
import type { NodeBin } from "../node-bins.ts";

/** A pod on a bin: bound to its node, or nominated to it. */
export interface Resident {
  readonly pod: Pod;
  /** Index of the bin. */
  readonly bin: number;
}

/** Residents that every selector judges alike. */
export interface LabelSet {
  readonly sample: Pod;
  readonly members: readonly Resident[];
}

/** All pods on bins, as topologies look at them. Worked out when first asked for: most worlds have none of it. */
export class Residents {
  readonly #bins: readonly NodeBin[];
  readonly #bound: ReadonlyMap<string, readonly Pod[]>;
  readonly #nominated: ReadonlyMap<string, readonly Pod[]>;
  #all: readonly Resident[] | undefined;
  #sets: readonly LabelSet[] | undefined;
  #repelling: readonly Resident[] | undefined;

  constructor(
    bins: readonly NodeBin[],
    bound: ReadonlyMap<string, readonly Pod[]>,
    nominated: ReadonlyMap<string, readonly Pod[]>,
  ) {
    this.#bins = bins;
    this.#bound = bound;
    this.#nominated = nominated;
  }

  get all(): readonly Resident[] {
    this.#all ??= this.#those(() => true);
    return this.#all;
  }

  #those(wanted: (pod: Pod) => boolean): readonly Resident[] {
    const found: Resident[] = [];
    this.#bins.forEach(({ target, nodeName }, bin) => {
      for (const pod of this.#bound.get(nodeName ?? "") ?? []) if (wanted(pod)) found.push({ pod, bin });
      for (const pod of this.#nominated.get(target) ?? []) if (wanted(pod)) found.push({ pod, bin });
    });
    return found;
  }

  /** Those with required anti-affinity, which holds against newcomers too. */
  get repelling(): readonly Resident[] {
    this.#repelling ??= this.#those((pod) => pod.requiredPodAntiAffinity.length > 0);
    return this.#repelling;
  }

  get sets(): readonly LabelSet[] {
    if (this.#sets === undefined) {
      const byText = new Map<string, { sample: Pod; members: Resident[] }>();
      for (const resident of this.all) {
        const { namespace, labels, hostPorts, deletionAtMs } = resident.pod;
        const ports = hostPorts.length === 0 ? "" : JSON.stringify(hostPorts);
        const text = `${namespace}\n${JSON.stringify(labels)}\n${ports}\n${deletionAtMs === undefined}`;
        const known = byText.get(text);
        if (known === undefined) byText.set(text, { sample: resident.pod, members: [resident] });
        else known.members.push(resident);
      }
      this.#sets = [...byText.values()];
    }
    return this.#sets;
  }
}
