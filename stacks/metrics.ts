// What the functions measure: one list, from which dashboards and alarms take their names, docs/monitoring.md its tables
// and prices, and which a test holds against the lines that running controllers write. Names are Karpenter's where it has
// one; the labels that become CloudWatch dimensions are few on purpose, since CloudWatch bills every combination.
import { type Metric, metric } from "./metric.ts";
import {
  batched,
  capacityTypes,
  cloudErrors,
  cloudMethods,
  controllers,
  deletionReasons,
  disruptionReasons,
  messageTypes,
  offeringRefusalReasons,
  phases,
  refusalReasons,
} from "./metrics-labels.ts";

export const namespace = "Timmerman";

export type { Metric, MetricKind, Unit } from "./metric.ts";

const byCapacityType = { name: "capacity_type", values: capacityTypes };
const byPhase = { name: "phase", values: phases };
const byReason = (values: readonly string[]) => ({ name: "reason", values });
const byController = (values: readonly string[]) => ({ name: "controller", values });
const byMessageType = { name: "message_type", values: messageTypes };

export const metrics: readonly Metric[] = [
  // How things stand.
  metric("gauge", "timmerman_nodes", "lifecycle", "claims that have an instance", { label: byCapacityType }),
  metric("gauge", "timmerman_vcpus", "lifecycle", "vCPUs of these instances", { label: byCapacityType }),
  metric("gauge", "timmerman_memory_bytes", "lifecycle", "memory of these instances", { label: byCapacityType }),
  metric(
    "gauge",
    "timmerman_hourly_cost_micro_usd",
    "lifecycle",
    "what these instances cost an hour, at the prices they were launched at, in millionths of a dollar",
  ),
  metric("gauge", "timmerman_nodeclaims", "lifecycle", "claims by phase", { label: byPhase }),
  metric(
    "gauge",
    "timmerman_oldest_termination_seconds",
    "lifecycle",
    "how long ago the deletion was asked for that has taken the longest and is not done",
  ),
  metric(
    "gauge",
    "karpenter_scheduler_queue_depth",
    "provision",
    "pods that wait for a node, those included whose node is on its way",
  ),
  metric("gauge", "karpenter_scheduler_unschedulable_pods_count", "provision", "pods for which no node can be made"),
  metric(
    "gauge",
    "karpenter_voluntary_disruption_eligible_nodes",
    "disrupt",
    "nodes that could go for this reason, whether or not budgets allow it now",
    { label: byReason(disruptionReasons) },
  ),
  metric("gauge", "timmerman_silent_relays", "tick", "clusters whose relay has not been heard of for a minute", {
    perCluster: false,
  }),
  // What was done.
  metric("count", "karpenter_nodeclaims_created_total", "provision disrupt", "claims committed", {
    label: byReason(["provisioned", ...disruptionReasons]),
    properties: ["nodepool"],
  }),
  metric("count", "timmerman_nodeclaims_launched_total", "lifecycle", "claims that got an instance", {
    properties: ["nodepool", "capacity_type", "zone"],
  }),
  metric("count", "timmerman_launches_refused_total", "lifecycle", "claims whose launch gave no instance", {
    label: byReason(refusalReasons),
    properties: ["nodepool"],
  }),
  metric(
    "count",
    "karpenter_cloudprovider_instance_launch_failures_total",
    "lifecycle",
    "offerings that EC2 refused; one launch asks for up to sixty types",
    { label: byReason(offeringRefusalReasons), properties: ["capacity_type", "zone"] },
  ),
  metric("count", "karpenter_nodes_created_total", "lifecycle", "nodes registered", {
    properties: ["nodepool", "zone"],
  }),
  metric(
    "count",
    "karpenter_nodeclaims_disrupted_total",
    "disrupt lifecycle interrupt collect-garbage",
    "claims that are to go",
    { label: byReason(deletionReasons), properties: ["nodepool", "capacity_type"] },
  ),
  metric("count", "karpenter_voluntary_disruption_decisions_total", "disrupt", "disruption commands committed", {
    label: byReason(disruptionReasons),
    properties: ["decision"],
  }),
  metric(
    "count",
    "timmerman_voluntary_disruption_savings_micro_usd_total",
    "disrupt",
    "what these commands save an hour, in millionths of a dollar",
    { label: byReason(disruptionReasons) },
  ),
  metric("count", "karpenter_nodeclaims_terminated_total", "lifecycle", "claims that are gone", {
    properties: ["nodepool", "capacity_type", "zone"],
  }),
  metric("count", "karpenter_pods_eviction_requests_total", "lifecycle", "evictions asked for", {
    perCluster: false,
    properties: ["code"],
  }),
  // How long it took.
  metric(
    "duration",
    "karpenter_pods_scheduling_decision_duration_seconds",
    "provision",
    "from a pod's creation to the commit of its claim; the oldest pod of each claim",
  ),
  metric(
    "duration",
    "timmerman_nodeclaims_launch_duration_seconds",
    "lifecycle",
    "from a claim's commit to its instance",
    { properties: ["nodepool"] },
  ),
  metric(
    "duration",
    "timmerman_nodeclaims_registration_duration_seconds",
    "lifecycle",
    "from a claim's commit to its registered node",
    { properties: ["nodepool"] },
  ),
  metric(
    "duration",
    "timmerman_nodeclaims_initialization_duration_seconds",
    "lifecycle",
    "from a claim's commit to its initialized node",
    { properties: ["nodepool"] },
  ),
  metric(
    "duration",
    "timmerman_pods_ready_duration_seconds",
    "lifecycle",
    "from the creation of the oldest pod that a claim was made for to its initialized node",
    { properties: ["nodepool"] },
  ),
  metric(
    "duration",
    "karpenter_nodes_termination_duration_seconds",
    "lifecycle",
    "from a deletion's request to the end of the node's finalizer",
    { properties: ["nodepool"] },
  ),
  metric(
    "duration",
    "timmerman_run_duration_seconds",
    "provision disrupt lifecycle resolve-node-classes collect-garbage",
    "one run of a controller",
    { label: byController(controllers), perCluster: false, properties: ["cluster"] },
  ),
  metric(
    "duration",
    "karpenter_cloudprovider_duration_seconds",
    "lifecycle interrupt resolve-node-classes collect-garbage",
    "one call to EC2 with its repeats",
    { label: { name: "method", values: cloudMethods }, perCluster: false },
  ),
  metric(
    "duration",
    "karpenter_interruption_message_queue_duration_seconds",
    "interrupt",
    "from an interruption's time to its handling",
    { perCluster: false },
  ),
  // What went wrong.
  metric(
    "count",
    "timmerman_commits_lost_total",
    "provision disrupt",
    "commits that somebody else's came before; each is planned anew",
    { label: byController(["provision", "disrupt"]), perCluster: false, properties: ["cluster"] },
  ),
  metric(
    "count",
    "karpenter_cloudprovider_errors_total",
    "lifecycle interrupt resolve-node-classes collect-garbage",
    "calls to EC2 that failed; launches that it refuses are not among them",
    { label: { name: "error", values: cloudErrors }, perCluster: false, properties: ["method"] },
  ),
  metric(
    "count",
    "timmerman_object_failures_total",
    "provision disrupt lifecycle resolve-node-classes collect-garbage",
    "objects that failed alone and are tried again",
    { label: byController(controllers), perCluster: false, properties: ["cluster"] },
  ),
  metric(
    "count",
    "timmerman_messages_failed_total",
    "provision disrupt lifecycle resolve-node-classes collect-garbage interrupt",
    "messages given back to their queue",
    { label: byController(batched), perCluster: false, properties: ["code"] },
  ),
  metric("count", "timmerman_messages_unreadable_total", "interrupt", "messages that cannot be read and are dropped", {
    label: byController(["interrupt"]),
    perCluster: false,
  }),
  metric(
    "count",
    "timmerman_missing_heads_total",
    "provision disrupt lifecycle interrupt resolve-node-classes collect-garbage",
    "runs that found no head of their cluster, or that of another cluster of its name, and did nothing",
  ),
  metric(
    "count",
    "timmerman_garbage_refusals_total",
    "collect-garbage",
    "runs that found orphans and terminated none, as it looked like missing knowledge",
  ),
  metric(
    "count",
    "timmerman_orphans_found_total",
    "collect-garbage",
    "instances seen without a claim for the first time",
  ),
  metric(
    "count",
    "timmerman_orphans_terminated_total",
    "collect-garbage",
    "instances terminated because they still had no claim",
  ),
  metric(
    "count",
    "timmerman_decisions_lost_total",
    "lifecycle disrupt interrupt collect-garbage",
    "decision events that the event bus did not take",
    { perCluster: false },
  ),
  metric("count", "karpenter_interruption_received_messages_total", "interrupt", "interruption messages", {
    label: byMessageType,
    perCluster: false,
  }),
  metric(
    "count",
    "karpenter_interruption_deleted_messages_total",
    "interrupt",
    "queue messages of interruptions that are dealt with",
    { perCluster: false },
  ),
  metric(
    "count",
    "timmerman_foreign_interruptions_total",
    "interrupt",
    "interruptions of instances that are not this deployment's",
    { label: byMessageType, perCluster: false },
  ),
  // The catalog.
  metric("count", "timmerman_catalog_refreshes_total", "refresh-catalog", "catalogs written", {
    perCluster: false,
    properties: ["region"],
  }),
  metric(
    "count",
    "timmerman_catalog_refresh_failures_total",
    "refresh-catalog",
    "catalogs that could not be read from EC2",
    { perCluster: false, properties: ["region"] },
  ),
  metric(
    "count",
    "timmerman_catalog_price_list_failures_total",
    "refresh-catalog",
    "runs that kept the last known on-demand prices",
    { perCluster: false, properties: ["region"] },
  ),
  metric(
    "count",
    "timmerman_catalog_refusals_total",
    "refresh-catalog",
    "new catalogs refused because they lack too much",
    { perCluster: false, properties: ["region"] },
  ),
  metric("gauge", "timmerman_catalog_instance_types", "refresh-catalog", "instance types of the catalog", {
    perCluster: false,
    properties: ["region"],
  }),
  metric("gauge", "timmerman_catalog_offerings", "refresh-catalog", "offerings of the catalog", {
    perCluster: false,
    properties: ["region"],
  }),
  metric(
    "gauge",
    "timmerman_catalog_types_left_out",
    "refresh-catalog",
    "instance types without a price or a usable description",
    { perCluster: false, properties: ["region"] },
  ),
  metric("gauge", "timmerman_catalog_estimated_prices", "refresh-catalog", "prices taken from the shipped table", {
    perCluster: false,
    properties: ["region"],
  }),
  metric(
    "count",
    "timmerman_catalog_fallbacks_total",
    "provision disrupt lifecycle interrupt resolve-node-classes",
    "catalogs that were broken or gone, so that the shipped one was read",
    { perCluster: false, properties: ["region"] },
  ),
  metric(
    "gauge",
    "timmerman_catalog_age_seconds",
    "refresh-catalog provision disrupt lifecycle interrupt resolve-node-classes",
    "how old the catalog is that decisions are made with",
    { perCluster: false, properties: ["region"] },
  ),
];

const byName = new Map(metrics.map((one) => [one.name, one]));

/** Throws a RangeError for a name that no function writes: a dashboard or alarm on it would stay empty for ever. */
export function metricNamed(name: string): Metric {
  const found = byName.get(name);
  if (found === undefined) throw new RangeError(`no function writes a metric ${name}: see stacks/metrics.ts`);
  return found;
}

/**
 * Dimension sets that a metric is written with, `service` left out, which all have: of the deployment in sum and by label,
 * and of each cluster. A gauge by phase or capacity type has no sum: the highest of all is of no interest. That of reasons
 * and clusters is, so its maximum is what to look at.
 */
export function dimensionSets(
  { kind, label, perCluster }: Metric,
  withClusters = true,
): readonly (readonly string[])[] {
  const labels = label === undefined ? [] : [label.name];
  const own = labels.length === 0 || (kind === "gauge" && isPart(label)) ? [labels] : [[], labels];
  return perCluster && withClusters ? [...own, ...own.map((names) => ["cluster", ...names])] : own;
}

function isPart(label: Metric["label"]): boolean {
  return label === byPhase || label === byCapacityType;
}

/** What dashboards and alarms are told of a deployment. `Name` is a string, or an output that becomes one. */
export interface Monitored<Name = string> {
  /** Begins the names of dashboards and alarms, and is the functions' POWERTOOLS_SERVICE_NAME: the dimension `service`. */
  readonly deployment: string;
  readonly region: string;
  /** Folder name of the function that a queue feeds → the queue's name. */
  readonly queues: Readonly<Record<string, Name>>;
  /** The same → the name of the queue of its dead letters. */
  readonly deadLetterQueues: Readonly<Record<string, Name>>;
  /** Folder name → the function's name. */
  readonly functions: Readonly<Record<string, Name>>;
  readonly clusters: readonly string[];
  /** SNS topic that is told when an alarm goes off, and when it is over. */
  readonly topicArn?: Name;
  /** The alarms that can name a cluster, for each cluster too. */
  readonly alarmsPerCluster?: boolean;
  /** False: TIMMERMAN_METRICS_PER_CLUSTER is false (default true). */
  readonly metricsPerCluster?: boolean;
}
