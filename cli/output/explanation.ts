// Explanations of single pods (`timmerman plan --explain`), for people and as a field of `-o json`.
import type { PodExplanation } from "../../shared/core/provisioning/index.ts";
import { type Column, columns } from "./columns.ts";
import type { Paint } from "./paint.ts";

export interface PrintedExplanation {
  readonly pod: string;
  readonly outcome: PodExplanation["outcome"];
  readonly reason: string;
  readonly asks: readonly string[];
  /** The Node, or the NodeClaim before it has one. */
  readonly node?: string;
  readonly beside?: readonly string[];
  readonly existingNodes?: string;
  /** In the order in which they are asked. */
  readonly nodePools: PodExplanation["nodePools"];
  readonly instanceTypes?: {
    /** What all pods of the node ask for. */
    readonly together: string;
    readonly chosen: readonly string[];
    readonly cheaper: readonly {
      readonly instanceType: string;
      readonly zone: string;
      readonly capacityType: string;
      readonly pricePerHour: number;
      readonly ruledOutBy: string;
    }[];
    readonly cheaperNotListed: number;
    readonly keptOutByNodePool?: string;
  };
}

export function printedExplanation(of: PodExplanation, nodeNames: ReadonlyMap<string, string>): PrintedExplanation {
  const { pod, outcome, reason, asks, target, beside, nodes, nodePools, types } = of;
  return {
    pod,
    outcome,
    reason,
    asks,
    ...(target === undefined ? {} : { node: nodeNames.get(target) ?? target }),
    ...(beside === undefined ? {} : { beside }),
    ...(nodes === undefined ? {} : { existingNodes: nodes }),
    nodePools,
    ...(types === undefined
      ? {}
      : {
          instanceTypes: {
            together: types.together,
            chosen: types.types,
            cheaper: types.cheaper.map(({ priceMicroUsd, ruledOutBy, ...place }) => ({
              ...place,
              pricePerHour: priceMicroUsd / 1_000_000,
              ruledOutBy,
            })),
            cheaperNotListed: types.untold,
            ...(types.keptOut === undefined ? {} : { keptOutByNodePool: types.keptOut }),
          },
        }),
  };
}

/** Names of pods or types that a line holds. */
const maxNames = 8;

function some(names: readonly string[]): string {
  const more = names.length - maxNames;
  return `${names.slice(0, maxNames).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const cheaperColumns: readonly Column[] = [
  { title: "CHEAPER TYPE" },
  { title: "ZONE" },
  { title: "CAPACITY" },
  { title: "$/H", align: "right" },
  { title: "RULED OUT BY" },
];

export function explanationLines(of: PrintedExplanation, paint: Paint): string[] {
  const pools: readonly Column[] = [{ title: "NODEPOOL" }, { title: "WEIGHT", align: "right" }, { title: "SAYS" }];
  const said = of.nodePools.map(({ nodePool, weight, says }) => [nodePool, String(weight), says]);
  return [
    paint.bold(`WHY ${of.pod}`),
    of.outcome === "none" ? paint.red(of.reason) : of.reason,
    "It asks for:",
    ...of.asks.map((line) => `  ${line}`),
    ...(of.node === undefined ? [] : [`It goes to: ${of.node}`]),
    ...(of.beside === undefined || of.beside.length === 0 ? [] : [`Beside: ${some(of.beside)}`]),
    ...(of.existingNodes === undefined ? [] : [`Nodes that are there: ${of.existingNodes}`]),
    ...(said.length === 0 ? [] : columns(pools, said)),
    ...typeLines(of.instanceTypes),
  ];
}

function typeLines(types: PrintedExplanation["instanceTypes"]): string[] {
  if (types === undefined) return [];
  const { together, chosen, cheaper, cheaperNotListed, keptOutByNodePool } = types;
  const rows = cheaper.map(({ instanceType, zone, capacityType, pricePerHour, ruledOutBy }) => [
    instanceType,
    zone,
    capacityType,
    pricePerHour.toFixed(4),
    ruledOutBy,
  ]);
  return [
    `The node's pods ask for ${together} together; types that hold them, cheapest first: ${some(chosen)}`,
    ...(rows.length === 0 ? ["No type of the NodePool is cheaper."] : columns(cheaperColumns, rows)),
    ...(cheaperNotListed > 0 ? [`… and ${cheaperNotListed} cheaper ones`] : []),
    ...(keptOutByNodePool === undefined
      ? []
      : [`Cheaper, but kept out by what the NodePool or the node's pods require: ${keptOutByNodePool}`]),
  ];
}
