// NodeOverlays on instance types: other prices, extended resources. Answers to Karpenter's nodeoverlay controller. It differs
// on purpose where an overlay asks for a label that a pool leaves open, or for a zone: such a capacity counts only on nodes
// that are held to it, where Karpenter ignores the overlay or counts it everywhere (core#2765).
import { type InstanceType, labels, type NodeOverlay, type Offering, type PriceChange } from "../model/index.ts";
import { type Requirement, RequirementError, Requirements, wellKnownLabels } from "../requirements/index.ts";
import { offeringAllows, offeringLabels, typeMeets } from "./selection.ts";

/** An overlay whose requirements could be read, sorted by what settles them. */
export interface ReadOverlay {
  readonly overlay: NodeOverlay;
  /** On the labels that types bring. */
  readonly ofType: Requirements;
  /** On the labels of zones and ways to buy. */
  readonly ofOffering: Requirements;
  /** On all other labels: the pool's own. */
  readonly ofPool: Requirements;
}

/** Why an overlay is not in use, under Karpenter's reasons (facts §3.8). */
export interface OverlayFault {
  readonly reason: "RuntimeValidation" | "Conflict";
  readonly message: string;
}

/** A pool as overlays see it: what all its nodes are, and its types. */
export interface OverlaidPool {
  readonly template: Requirements;
  readonly types: readonly InstanceType[];
}

export interface JudgedOverlays {
  /** The heaviest first, then by name: what an earlier one says of a price or resource counts. */
  readonly active: readonly ReadOverlay[];
  readonly faults: ReadonlyMap<string, OverlayFault>;
}

/**
 * Which overlays are in use. One that cannot be read is not; of two that have the same weight and say something of the same
 * price or resource, the second by name is not.
 */
export function judgeOverlays(overlays: readonly NodeOverlay[], pools: readonly OverlaidPool[]): JudgedOverlays {
  const active: ReadOverlay[] = [];
  const faults = new Map<string, OverlayFault>();
  for (const overlay of [...overlays].sort(byWeight)) {
    const read = readOverlay(overlay);
    if ("reason" in read) {
      faults.set(overlay.name, read);
      continue;
    }
    const rival = active.find((other) => other.overlay.weight === overlay.weight && clash(other, read, pools));
    if (rival === undefined) active.push(read);
    else {
      const message = `NodeOverlay ${rival.overlay.name} has the same weight and says something of the same price or resource; give one of them another weight`;
      faults.set(overlay.name, { reason: "Conflict", message });
    }
  }
  return { active, faults };
}

function byWeight(a: NodeOverlay, b: NodeOverlay): number {
  return b.weight - a.weight || (a.name < b.name ? -1 : 1);
}

function readOverlay(overlay: NodeOverlay): ReadOverlay | OverlayFault {
  try {
    const all = [...Requirements.of(overlay.requirements)];
    const nothing = all.find(({ impossible }) => impossible);
    if (nothing !== undefined) {
      return { reason: "RuntimeValidation", message: `spec.requirements: nothing satisfies ${nothing.key}` };
    }
    const kindOf = ({ key }: Requirement): keyof Omit<ReadOverlay, "overlay"> => {
      if (offeringLabels.has(key)) return "ofOffering";
      return key !== labels.nodePool && wellKnownLabels.has(key) ? "ofType" : "ofPool";
    };
    const of = (kind: keyof Omit<ReadOverlay, "overlay">) =>
      Requirements.from(all.filter((one) => kindOf(one) === kind));
    return { overlay, ofType: of("ofType"), ofOffering: of("ofOffering"), ofPool: of("ofPool") };
  } catch (cause) {
    if (!(cause instanceof RequirementError)) throw cause;
    return { reason: "RuntimeValidation", message: `spec.requirements: ${cause.message}` };
  }
}

function clash(a: ReadOverlay, b: ReadOverlay, pools: readonly OverlaidPool[]): boolean {
  const prices = a.overlay.price !== undefined && b.overlay.price !== undefined;
  const resources = Object.keys(a.overlay.capacity).some((name) => Object.hasOwn(b.overlay.capacity, name));
  if ((!prices && !resources) || !a.ofPool.intersects(b.ofPool)) return false;
  return pools.some(({ template, types }) => {
    if (!template.compatible(a.ofPool) || !template.compatible(b.ofPool)) return false;
    const both = a.ofOffering.intersection(b.ofOffering);
    return types.some(
      (type) =>
        typeMeets(type, a.ofType) &&
        typeMeets(type, b.ofType) &&
        type.offerings.some((offering) => offeringAllows(offering, both)),
    );
  });
}

/** Every node that `facts` describe has what is required. */
function implied(required: Requirements, facts: Requirements): boolean {
  for (const requirement of required) {
    const fact = facts.get(requirement.key);
    if (
      fact === undefined ? !requirement.absent : !fact.intersection(requirement).withFloor(fact.minValues).equals(fact)
    ) {
      return false;
    }
  }
  return true;
}

/**
 * The types as overlays show them on nodes that are what `facts` say. Types that none concerns stay the same objects, and
 * without overlays so does the list.
 */
export function overlaidTypes(
  types: readonly InstanceType[],
  active: readonly ReadOverlay[],
  facts: Requirements,
): readonly InstanceType[] {
  const here = active.filter(({ ofPool }) => implied(ofPool, facts));
  return here.length === 0 ? types : types.map((type) => overlaid(type, here, facts));
}

function overlaid(type: InstanceType, active: readonly ReadOverlay[], facts: Requirements): InstanceType {
  const own = active.filter(({ ofType }) => typeMeets(type, ofType));
  if (own.length === 0) return type;
  let repriced = false;
  const offerings = type.offerings.map((offering): Offering => {
    const first = own.find(({ overlay, ofOffering }) => overlay.price && offeringAllows(offering, ofOffering));
    if (first === undefined) return offering;
    repriced = true;
    return { ...offering, priceMicroUsd: changedPrice(offering.priceMicroUsd, first.overlay.price!) };
  });
  const possible = type.offerings.filter((offering) => offeringAllows(offering, facts));
  const more: Record<string, number> = {};
  for (const { overlay, ofOffering } of own) {
    if (possible.length === 0 || !possible.every((offering) => offeringAllows(offering, ofOffering))) continue;
    for (const [name, amount] of Object.entries(overlay.capacity)) if (!Object.hasOwn(more, name)) more[name] = amount;
  }
  const enlarged = Object.keys(more).length > 0;
  if (!repriced && !enlarged) return type;
  return {
    ...type,
    offerings,
    ...(enlarged ? { capacity: { ...type.capacity, ...more }, allocatable: { ...type.allocatable, ...more } } : {}),
    overlaid: { price: repriced, capacity: enlarged },
  };
}

/** Never below nothing, and in whole micro-USD. */
function changedPrice(priceMicroUsd: number, change: PriceChange): number {
  switch (change.kind) {
    case "price":
      return change.microUsd;
    case "amount":
      return Math.max(0, priceMicroUsd + change.microUsd);
    case "share":
      return Math.max(0, Math.round((priceMicroUsd * (1_000_000 + change.ppm)) / 1_000_000));
  }
}

/** What nodes of the pool must be held to for an overlay to count that does not count on all of them. */
export function openOverlays(active: readonly ReadOverlay[], template: Requirements): readonly Requirements[] {
  return active
    .filter(({ overlay, ofOffering, ofPool }) => {
      if (!template.compatible(ofPool)) return false;
      const narrows = Object.keys(overlay.capacity).length > 0 && ofOffering.size > 0;
      return narrows || !implied(ofPool, template);
    })
    .map(({ ofOffering, ofPool }) => ofOffering.intersection(ofPool));
}
