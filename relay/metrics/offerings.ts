import { claimNotes, labels } from "../../shared/core/model/index.ts";
import type { ClusterView } from "../view.ts";
import { gauge } from "./definition.ts";
import type { Family } from "./exposition.ts";
import { createGauge, type LabelValues } from "./instruments.ts";

const offeringLabels = ["instance_type", "capacity_type", "zone"];

export const offeringSeries = {
  cores: gauge(
    "karpenter_cloudprovider_instance_type_cpu_cores",
    ["instance_type"],
    "vCPUs of an instance type that is in use.",
  ),
  memory: gauge(
    "karpenter_cloudprovider_instance_type_memory_bytes",
    ["instance_type"],
    "Memory of an instance type that is in use, before anything is taken off.",
  ),
  price: gauge(
    "karpenter_cloudprovider_instance_type_offering_price_estimate",
    offeringLabels,
    "USD an hour of an offering that is in use, as of its latest launch.",
  ),
} as const;

const cpuKey = "karpenter.k8s.aws/instance-cpu";
const memoryKey = "karpenter.k8s.aws/instance-memory";
const mebibyte = 2 ** 20;

type Row = readonly [values: LabelValues, value: number];

/**
 * What is known of instance types and offerings without a catalog: what nodes say of their own in Karpenter's labels, and
 * what claims were launched at. That is all that a sum over nodes can ask for.
 */
export function createOfferingSeries(view: ClusterView): readonly Family[] {
  return [
    createGauge(offeringSeries.cores, () => typeRows(view, cpuKey, 1)),
    createGauge(offeringSeries.memory, () => typeRows(view, memoryKey, mebibyte)),
    createGauge(offeringSeries.price, () => priceRows(view)),
  ];
}

/** Of a whole number in a label of every type's nodes, times its unit. */
function* typeRows(view: ClusterView, key: string, unit: number): Generator<Row> {
  const seen = new Set<string>();
  for (const node of view.all("Node")) {
    const type = node.labels[labels.instanceType];
    const amount = node.labels[key];
    if (type === undefined || amount === undefined || !/^\d+$/.test(amount) || seen.has(type)) continue;
    seen.add(type);
    yield [[type], Number(amount) * unit];
  }
}

function* priceRows(view: ClusterView): Generator<Row> {
  const latest = new Map<string, { readonly row: Row; readonly createdAtMs: number }>();
  for (const { annotations, labels: own, createdAtMs } of view.all("NodeClaim")) {
    const microUsd = annotations[claimNotes.priceMicroUsd];
    const values = [own[labels.instanceType], own[labels.capacityType], own[labels.zone]];
    if (microUsd === undefined || !/^\d+$/.test(microUsd) || !values.every((value) => value !== undefined)) continue;
    const key = values.join(" ");
    if ((latest.get(key)?.createdAtMs ?? Number.NEGATIVE_INFINITY) >= createdAtMs) continue;
    latest.set(key, { row: [values, Number(microUsd) / 1e6], createdAtMs });
  }
  for (const { row } of latest.values()) yield row;
}
