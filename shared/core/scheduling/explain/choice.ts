import { own, type Resources } from "../../model/index.ts";
import { cheapestOffering } from "../choose-types.ts";
import { launchableTypes, type OpenClaim } from "../open-claim.ts";
import { atLeast, atMost } from "../readable-amounts.ts";
import type { World } from "../world.ts";
import type { Explainer } from "./explainer.ts";
import { amountObstacles, type Obstacle, type TypeView } from "./obstacles.ts";
import { namesOf } from "./words.ts";

/** Cheaper types that are told one by one; the nearest in price. */
const toldTypes = 5;

/** A type that costs less than the one that was chosen, and why it was not. */
export interface CheaperType {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: string;
  readonly priceMicroUsd: number;
  readonly ruledOutBy: string;
}

/** Why a claim has the types that it has. */
export interface TypeChoice {
  /** What all pods on it ask for together. */
  readonly together: string;
  readonly types: readonly string[];
  readonly cheaper: readonly CheaperType[];
  /** How many cheaper ones are not told. */
  readonly untold: number;
  /** Cheaper types that the pool's own requirements keep out, in words. */
  readonly keptOut?: string;
}

/** What ruled out the types that are cheaper than the cheapest that a claim may be launched as. */
export function typeChoice(world: World, explainer: Explainer, claim: OpenClaim): TypeChoice {
  const { pool, state, usage, ceiling = {} } = claim;
  const requirements = pool.states.requirements(state);
  const types = launchableTypes(pool, state, usage, claim.ceiling) ?? [];
  const requests = world.axis.read(usage);
  const together = world.axis.names
    .filter((name) => (requests[name] ?? 0) > 0)
    .map((name) => `${name} ${atLeast(requests[name]!, name)}`)
    .join(", ");
  const [cheapest] = types;
  if (cheapest === undefined) return { together, types: [], cheaper: [], untold: 0 };
  const most = cheapestOffering(cheapest, requirements).priceMicroUsd;
  const isCheaper = ({ offering }: TypeView): boolean => offering.priceMicroUsd < most;
  const ask = world.asks.intern(requirements);
  const judged = explainer
    .views(pool, ask)
    .filter(isCheaper)
    .map((view) => ({ view, obstacles: [...view.obstacles, ...amountObstacles(view, requests, ceiling)] }))
    .filter(({ obstacles }) => obstacles.length > 0)
    .sort(
      (a, b) =>
        b.view.offering.priceMicroUsd - a.view.offering.priceMicroUsd || (a.view.type.name < b.view.type.name ? -1 : 1),
    );
  const cheaper = judged.slice(0, toldTypes).map(({ view, obstacles }): CheaperType => {
    const { zone, capacityType, priceMicroUsd } = view.offering;
    const small = obstacles.filter(({ kind }) => kind === "resource").map(({ what }) => tooSmall(view, what, requests));
    const others = obstacles.filter(({ kind }) => kind !== "resource").map((one) => shortWords(one, claim));
    const together = small.length === 0 ? [] : [`too small for the pods together: ${small.join(" and ")}`];
    const ruledOutBy = [...others, ...together].join("; ");
    return { instanceType: view.type.name, zone, capacityType, priceMicroUsd, ruledOutBy };
  });
  const outside = explainer
    .outside(pool, ask)
    .filter(isCheaper)
    .filter((view) => amountObstacles(view, requests, ceiling).length === 0)
    .filter(({ obstacles }) => obstacles.every(({ kind }) => kind === "pool" || kind === "label"));
  const kept = namesOf(outside.map(({ type }) => type.name));
  return {
    together,
    types: types.map(({ name }) => name),
    cheaper,
    untold: judged.length - cheaper.length,
    ...(kept === "" ? {} : { keptOut: kept }),
  };
}

function tooSmall({ type, room }: TypeView, name: string, requests: Resources): string {
  const there = own(room, name) ?? 0;
  const daemons = (own(type.allocatable, name) ?? 0) > there ? " left by DaemonSets" : "";
  return `${atMost(Math.max(0, there), name)}${daemons} of the ${name} ${atLeast(requests[name]!, name)}`;
}

/** An obstacle that is no lack of amounts, in a few words. */
function shortWords({ kind, what }: Obstacle, claim: OpenClaim): string {
  const asked = claim.pool.states.requirements(claim.state).get(what);
  switch (kind) {
    case "refused":
      return "EC2 has no capacity for it now";
    case "reservation":
      return `reservation ${what} has no instance left`;
    case "limit":
      return `it would exceed what is left of the NodePool's limit of ${what}`;
    case "image":
      return `no image of EC2NodeClass "${what}" boots it`;
    case "place":
      return `not sold with ${asked}`;
    case "daemons":
      return `too small for the DaemonSets alone (${what})`;
    default:
      return `not ${asked ?? what}`;
  }
}
