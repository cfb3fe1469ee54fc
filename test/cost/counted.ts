// One counted hour as a table of docs/cost.md, and back.
import { type FunctionName, functionNames } from "../../stacks/names.ts";
import type { Counts } from "./meter.ts";
import { grouped, readNumbers, readTable, type Table, tableOf } from "./tables.ts";
import type { Bill } from "./world.ts";

export type HourName = "rest-new" | "rest" | "busy";

const columns = {
  runs: "invocations",
  "table reads": "readUnits",
  "table writes": "writeUnits",
  "table requests": "dynamodb",
  sends: "sqs",
  "EC2 calls": "ec2",
  "Kubernetes calls": "kube",
  "S3 reads": "s3Get",
  "S3 writes": "s3Put",
  "bus calls": "bus",
  "price list calls": "pricing",
  "log bytes": "logBytes",
} as const satisfies Readonly<Record<string, keyof Counts>>;
type Counted = (typeof columns)[keyof typeof columns];
export type HourCounts = Readonly<Record<Counted, number>>;

export interface Hour {
  readonly functions: Readonly<Record<FunctionName, HourCounts>>;
  readonly relay: HourCounts;
  readonly others: Readonly<Record<OtherName, number>>;
}

const others = {
  "decisions published": (bill: Bill) => bill.busEvents,
  "interruptions delivered": (bill: Bill) => bill.deliveries,
  "batches taken from queues": (bill: Bill) => bill.batches,
  "metrics of the deployment": (bill: Bill) => bill.metrics.deployment,
  "metrics of the cluster": (bill: Bill) => bill.metrics.cluster,
  "nodes' on-demand price, micro-USD": (bill: Bill) => bill.nodesMicroUsd,
} as const;
export type OtherName = keyof typeof others;

export function hourTable(bill: Bill): string {
  const spenders: readonly (readonly [string, Counts])[] = [...Object.entries(bill.functions), ["relay", bill.relay]];
  const rows = spenders.map(([name, counts]) => [
    name,
    ...Object.values(columns).map((field) => grouped(Math.round(counts[field]))),
  ]);
  return tableOf(["who", ...Object.keys(columns)], rows);
}

/** The rest of all hours, a column each. */
export function othersTable(bills: Readonly<Record<HourName, Bill>>): string {
  const hours = Object.values(bills);
  const rows = Object.entries(others).map(([name, of]) => [name, ...hours.map((bill) => grouped(of(bill)))]);
  return tableOf(["in an hour", ...Object.keys(bills)], rows);
}

export function hourIn(page: string, name: HourName): Hour {
  const table = readTable(page, name);
  const byField = Object.entries(columns).map(([title, field]) => [field, readNumbers(table, title)] as const);
  const countsOf = (who: string) => Object.fromEntries(byField.map(([field, by]) => [field, by[who]!])) as HourCounts;
  return {
    functions: Object.fromEntries(functionNames.map((who) => [who, countsOf(who)])) as Hour["functions"],
    relay: countsOf("relay"),
    others: readNumbers(readTable(page, "others"), name) as Hour["others"],
  };
}

/** Cells that differ by more than that share (and by more than two), as `row, column: 5 in the page, 7 counted`. */
export function differences(inPage: Table, counted: Table, share: number): readonly string[] {
  const number = (text: string | undefined) => Number(text?.replaceAll(",", ""));
  return Object.entries(counted).flatMap(([row, cells]) =>
    Object.entries(cells)
      .slice(1)
      .filter(([column, text]) => {
        const [there, now] = [number(inPage[row]?.[column]), number(text)];
        return !(Math.abs(there - now) <= Math.max(share === 0 ? 0 : 2, share * Math.max(there, now)));
      })
      .map(([column, text]) => `${row}, ${column}: ${inPage[row]?.[column]} in the page, ${text} counted`),
  );
}
