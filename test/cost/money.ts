// The tables of money in docs/cost.md, made from its tables of counts, prices and assumptions.
import { type Inputs, type Month, type Pods, podsMicroUsd, type Sums, sumsOf } from "./sums.ts";
import { tableOf } from "./tables.ts";

const busyHoursADay = 10;

/** The columns of both tables. */
export const months: Readonly<Record<string, Month>> = {
  "1 at rest": { clusters: 1, busyHoursADay: 0 },
  "1 busy": { clusters: 1, busyHoursADay },
  "1,000 at rest": { clusters: 1_000, busyHoursADay: 0 },
  "1,000 busy": { clusters: 1_000, busyHoursADay },
};

/** As the chart asks for them. */
export const relayPods: Pods = { replicas: 2, milliCpu: 100, mebibytes: 128 };
/** As its guide asks for them. */
const karpenterPods: Pods = { replicas: 2, milliCpu: 1_000, mebibytes: 1_024 };

export function usd(microUsd: number): string {
  const isLarge = microUsd >= 1_000_000_000;
  const text = (microUsd / 1_000_000).toFixed(isLarge ? 0 : 2);
  return `$${text.replace(/\B(?=(\d{3})+(\.|$))/g, ",")}`;
}

export function moneyTable(inputs: Inputs): string {
  const sums = Object.values(months).map((month) => sumsOf(inputs, month));
  const names = Object.keys(sums[0]!.lines);
  const row = (name: string, of: (sums: Sums) => number) => [name, ...sums.map((month) => usd(of(month)))];
  return tableOf(
    ["a month", ...Object.keys(months)],
    [...names.map((name) => row(name, ({ lines }) => lines[name]!)), row("**together**", ({ total }) => total)],
  );
}

export function comparisonTable(inputs: Inputs): string {
  const all = Object.values(months).map((month) => {
    const { total, nodes } = sumsOf(inputs, month);
    const relay = podsMicroUsd(inputs, relayPods, month.clusters);
    const karpenter = podsMicroUsd(inputs, karpenterPods, month.clusters);
    const autoMode = (nodes * inputs.assumed["percent of Auto Mode's fee"]!) / 100;
    return { total, nodes, relay, karpenter, autoMode };
  });
  const row = (name: string, of: (month: (typeof all)[number]) => number) => [name, ...all.map((m) => usd(of(m)))];
  return tableOf(
    ["a month", ...Object.keys(months)],
    [
      row("Timmerman, relays on nodes that are there", ({ total, relay }) => total + relay.node),
      row("Timmerman, relays on Fargate", ({ total, relay }) => total + relay.fargate),
      row("Karpenter's controllers on nodes that are there", ({ karpenter }) => karpenter.node),
      row("Karpenter's controllers on Fargate", ({ karpenter }) => karpenter.fargate),
      row("EKS Auto Mode's fee for these nodes", ({ autoMode }) => autoMode),
      row("for scale: the nodes themselves, on demand", ({ nodes }) => nodes),
    ],
  );
}
