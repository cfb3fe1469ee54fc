import type {
  DeviceAllocation,
  DeviceAsk,
  DeviceDemand,
  Pod,
  PodResourceClaim,
  ResourceClaim,
  Snapshot,
} from "../../model/index.ts";
import { selectorFault } from "./selectors.ts";

/** One claim of a pod as it stands. */
export interface ResolvedClaim {
  /** `namespace/name` of a claim that several pods may have; undefined: the pod's own. */
  readonly shared?: string;
  readonly demand: DeviceDemand;
  readonly allocation?: DeviceAllocation;
  /** Uids of pods that may use it now. */
  readonly reservedFor: readonly string[];
}

/** Looks up what pods' resource claims lead to. A text says what is wrong, to follow "the pod's ". */
export class Claims {
  readonly #claims: ReadonlyMap<string, ResourceClaim>;
  readonly #templates: ReadonlyMap<string, DeviceDemand>;
  readonly #classes: ReadonlyMap<string, readonly string[]>;
  readonly #faults = new Map<DeviceDemand, string | undefined>();

  constructor({ resourceClaims, resourceClaimTemplates, deviceClasses }: Snapshot) {
    this.#claims = new Map(resourceClaims.map((claim) => [`${claim.namespace}/${claim.name}`, claim]));
    this.#templates = new Map(
      resourceClaimTemplates.map(({ namespace, name, demand }) => [`${namespace}/${name}`, demand]),
    );
    this.#classes = new Map(deviceClasses.map(({ name, selectors }) => [name, selectors]));
  }

  /** Selectors of a DeviceClass that is there. */
  selectorsOf(deviceClass: string): readonly string[] {
    return this.#classes.get(deviceClass) ?? [];
  }

  /** The pod's claims, or what is wrong with the first that leads nowhere. */
  of(pod: Pod): readonly ResolvedClaim[] | string {
    const resolved: ResolvedClaim[] = [];
    for (const claim of pod.resourceClaims) {
      if (claim.isUnneeded === true) continue;
      const one = this.#resolve(pod, claim);
      if (typeof one === "string") return `resource claim "${claim.name}" ${one}`;
      resolved.push(one);
    }
    return resolved;
  }

  #resolve(pod: Pod, { claimName, templateName }: PodResourceClaim): ResolvedClaim | string {
    const isOwn = templateName !== undefined;
    const key = claimName === undefined ? undefined : `${pod.namespace}/${claimName}`;
    const claim = key === undefined ? undefined : this.#claims.get(key);
    if (claim === undefined) return this.#unmade(pod, claimName, templateName);
    if (claim.deletionAtMs !== undefined && claim.allocation === undefined) {
      return `leads to the ResourceClaim "${claim.name}", which is being deleted`;
    }
    if (isOwn && claim.ownerUid !== undefined && claim.ownerUid !== pod.uid) {
      return `leads to the ResourceClaim "${claim.name}", which was made for another pod`;
    }
    const fault = claim.allocation === undefined ? this.#faultOf(claim.demand) : undefined;
    if (fault !== undefined) return fault;
    return {
      ...(isOwn ? {} : { shared: key! }),
      demand: claim.demand,
      ...(claim.allocation === undefined ? {} : { allocation: claim.allocation }),
      reservedFor: claim.reservedFor,
    };
  }

  /** The control plane makes a pod's own claims from their template; until then it counts itself. */
  #unmade(pod: Pod, claimName: string | undefined, templateName: string | undefined): ResolvedClaim | string {
    if (templateName === undefined) {
      return claimName === undefined
        ? "names neither a ResourceClaim nor a ResourceClaimTemplate"
        : `leads to no ResourceClaim: there is no "${claimName}" in namespace "${pod.namespace}"`;
    }
    const demand = this.#templates.get(`${pod.namespace}/${templateName}`);
    if (demand === undefined) {
      return `leads to no ResourceClaimTemplate: there is no "${templateName}" in namespace "${pod.namespace}"`;
    }
    return this.#faultOf(demand) ?? { demand, reservedFor: [] };
  }

  #faultOf(demand: DeviceDemand): string | undefined {
    if (!this.#faults.has(demand)) this.#faults.set(demand, this.#judge(demand));
    return this.#faults.get(demand);
  }

  #judge({ requests, unplanned }: DeviceDemand): string | undefined {
    if (unplanned !== undefined) return `${unplanned}, which is not planned with`;
    for (const { name, alternatives } of requests) {
      for (const ask of alternatives) {
        const where = ask.name === name ? name : `${name}/${ask.name}`;
        const fault = this.#askFault(ask);
        if (fault !== undefined) return `has the request "${where}", which ${fault}`;
      }
    }
    return undefined;
  }

  #askFault({ deviceClass, selectors, unplanned }: DeviceAsk): string | undefined {
    if (unplanned !== undefined) return `${unplanned}: that is not planned with`;
    const ofClass = this.#classes.get(deviceClass);
    if (ofClass === undefined) return `wants the DeviceClass "${deviceClass}": there is none of that name`;
    for (const expression of [...ofClass, ...selectors]) {
      const fault = selectorFault(expression);
      if (fault === undefined) continue;
      const whose = ofClass.includes(expression) ? `of DeviceClass "${deviceClass}" ` : "";
      return `has the selector ${JSON.stringify(expression)} ${whose}that cannot be read: ${fault}`;
    }
    return undefined;
  }
}
