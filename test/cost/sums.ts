// Counts times prices: what a month costs. Everything comes from docs/cost.md's own tables, so that whoever has other prices
// or other assumptions writes them there and has the sums made anew. Money in micro-USD.
import { functionSettings } from "../../stacks/function-settings.ts";
import { monthlyMicroUsd } from "../../stacks/metrics-price.ts";
import { type FunctionName, functionNames, queueNames } from "../../stacks/names.ts";
import { type Hour, type HourCounts, hourIn } from "./counted.ts";
import { readNumbers, readTable } from "./tables.ts";

export interface Inputs {
  readonly rest: Hour;
  /** At rest, each run in a new process. */
  readonly restNew: Hour;
  readonly busy: Hour;
  /** Micro-USD for `units` of it. */
  readonly prices: Readonly<Record<string, { readonly microUsd: number; readonly units: number }>>;
  readonly assumed: Readonly<Record<string, number>>;
}

export function inputsIn(page: string): Inputs {
  const prices = readTable(page, "prices");
  const [microUsd, units] = [readNumbers(prices, "micro-USD"), readNumbers(prices, "for so many")];
  return {
    rest: hourIn(page, "rest"),
    restNew: hourIn(page, "rest-new"),
    busy: hourIn(page, "busy"),
    prices: Object.fromEntries(Object.keys(prices).map((n) => [n, { microUsd: microUsd[n]!, units: units[n]! }])),
    assumed: readNumbers(readTable(page, "assumptions"), "value"),
  };
}

export interface Month {
  readonly clusters: number;
  readonly busyHoursADay: number;
}

export interface Sums {
  readonly lines: Readonly<Record<string, number>>;
  readonly total: number;
  /** What the clusters' nodes cost on demand. */
  readonly nodes: number;
}

/** One hour of all clusters, and how many of them the month has. */
interface Part {
  readonly hour: Hour;
  readonly hours: number;
  readonly isNew: boolean;
}

type Pick = (counts: HourCounts, name: FunctionName) => number;

/** Of these there is one for all clusters. */
const shared: readonly FunctionName[] = ["tick", "refresh-catalog"];
const messagesARequest = 10;
const readUnitBytes = 4_096;
/** The tick reads the registry this often: shared/runtime/cluster-source.ts. */
const registryReadsAnHour = 12;

export function sumsOf(inputs: Inputs, month: Month): Sums {
  const { assumed, prices } = inputs;
  const value = (name: string): number => required(assumed, name);
  const price = (name: string, amount: number): number => {
    const { microUsd, units } = required(prices, name);
    return (amount * microUsd) / units;
  };
  const hours = value("hours a month");
  const busyHours = (hours * month.busyHoursADay) / 24;
  const isAlone = month.clusters === 1;
  const parts: readonly Part[] = [
    { hour: isAlone ? inputs.restNew : inputs.rest, hours: hours - busyHours, isNew: isAlone },
    { hour: inputs.busy, hours: busyHours, isNew: false },
  ];
  const overParts = (of: (part: Part) => number) => parts.reduce((sum, part) => sum + part.hours * of(part), 0);
  const times = (name: FunctionName) => (shared.includes(name) ? 1 : month.clusters);
  const ofFunctions = (pick: Pick) =>
    overParts(({ hour }) =>
      functionNames.reduce((sum, name) => sum + times(name) * pick(hour.functions[name], name), 0),
    );
  const ofRelays = (pick: (counts: HourCounts) => number) => overParts(({ hour }) => month.clusters * pick(hour.relay));
  const other = (name: keyof Hour["others"]) => overParts(({ hour }) => month.clusters * hour.others[name]);
  const average = (name: keyof Hour["others"]) => Math.round(overParts(({ hour }) => hour.others[name]) / hours);

  const invocations = ofFunctions(({ invocations: runs }) => runs);
  const gbSeconds = overParts((part) =>
    functionNames.reduce((sum, name) => sum + times(name) * gbSecondsOf(part, name, value), 0),
  );
  // What the tick does more of with more clusters: the registry is as long, and its messages go ten a request.
  const { tick } = inputs.rest.functions;
  const registryUnits = Math.ceil((month.clusters * value("bytes of a registration")) / readUnitBytes) - 1;
  const tickSends = isAlone ? 0 : hours * tick.sqs * (month.clusters / messagesARequest - 1);
  const polls = queueNames.length * value("pollers of a queue") * ((hours * 3_600) / value("seconds of a long poll"));
  const messages =
    ofFunctions(({ sqs }) => sqs) +
    ofRelays(({ sqs }) => sqs) +
    tickSends +
    other("interruptions delivered") +
    2 * other("batches taken from queues");
  const runsASecond = invocations / (hours * 3_600);
  const tracedShare = Math.min(
    1,
    (1 + (value("percent traced beyond") / 100) * Math.max(0, runsASecond - 1)) / runsASecond,
  );
  const metrics = month.clusters * average("metrics of the cluster") + average("metrics of the deployment");
  const lines = {
    "Lambda, requests": price("lambda requests", invocations),
    "Lambda, duration": price("lambda GB-seconds", gbSeconds),
    "DynamoDB, reads": price(
      "table reads",
      ofFunctions(({ readUnits }) => readUnits) + hours * registryReadsAnHour * registryUnits,
    ),
    "DynamoDB, writes of functions": price(
      "table writes",
      ofFunctions(({ writeUnits }) => writeUnits),
    ),
    "DynamoDB, heartbeats": price(
      "table writes",
      ofRelays(({ writeUnits }) => writeUnits),
    ),
    "SQS, messages": price("SQS requests", messages),
    "SQS, polls of empty queues": price("SQS requests", polls),
    "EventBridge, decisions": price("bus events", other("decisions published")),
    "EventBridge Scheduler": price("schedules", hours * (tick.invocations + 1)),
    "S3, catalogs":
      price(
        "S3 reads",
        ofFunctions(({ s3Get }) => s3Get),
      ) + price("S3 writes", hours),
    "CloudWatch, logs": price(
      "log bytes",
      ofFunctions(({ logBytes }) => logBytes) + invocations * value("log bytes of Lambda a run"),
    ),
    "CloudWatch, metrics": monthlyMicroUsd(metrics),
    "CloudWatch, alarms": price("alarm metrics", value("metrics that alarms look at")),
    "CloudWatch, dashboards": price("dashboards", value("dashboards")),
    "X-Ray": price("traces", invocations * tracedShare),
  };
  return {
    lines,
    total: Object.values(lines).reduce((sum, line) => sum + line, 0),
    nodes: other("nodes' on-demand price, micro-USD"),
  };
}

/** Requests are taken as made one after the other: they are not all, so this is more than it is. */
function gbSecondsOf({ hour, isNew }: Part, name: FunctionName, value: (name: string) => number): number {
  const counts = hour.functions[name];
  const waits =
    counts.dynamodb * value("ms of a table request") +
    counts.sqs * value("ms of a send") +
    counts.ec2 * value("ms of an EC2 call") +
    counts.kube * value("ms of a Kubernetes call") +
    (counts.s3Get + counts.s3Put) * value("ms of an S3 request") +
    counts.bus * value("ms of a bus call") +
    counts.pricing * value("ms of a price list call");
  const start = isNew && name !== "tick" ? value("ms of a start") : 0;
  const ms = counts.invocations * (value(`ms of computing, ${name}`) + start) + waits;
  return (ms / 1_000) * (functionSettings[name].memoryMb / 1_024);
}

export interface Pods {
  readonly replicas: number;
  readonly milliCpu: number;
  readonly mebibytes: number;
}

/** Pods as a share of a node, by what they ask for more of; and each on Fargate, in its smallest fitting size. */
export function podsMicroUsd(inputs: Inputs, pods: Pods, clusters: number): { node: number; fargate: number } {
  const hours = required(inputs.assumed, "hours a month");
  const price = (name: string) => required(inputs.prices, name).microUsd;
  const share = Math.max(pods.milliCpu / 2_000, pods.mebibytes / 8_192);
  // Fargate adds 256 MiB for the kubelet, and rounds up to a quarter of a vCPU with half a GB, or one with two.
  const [cpus, gb] = pods.milliCpu <= 250 && pods.mebibytes + 256 <= 512 ? [0.25, 0.5] : [1, 2];
  const all = hours * pods.replicas * clusters;
  return {
    node: all * share * price("m5.large hours"),
    fargate: all * (cpus * price("Fargate vCPU-hours") + gb * price("Fargate GB-hours")),
  };
}

function required<V>(record: Readonly<Record<string, V>>, name: string): V {
  const found = record[name];
  if (found === undefined) throw new Error(`docs/cost.md says nothing of "${name}"`);
  return found;
}
