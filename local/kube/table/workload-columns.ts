// Columns of nodes, pods and workloads, with the words that kubectl users know (CrashLoopBackOff, Terminating, SchedulingDisabled).
import { at, isObject, listAt, numberAt, objectAt, stringAt } from "../json.ts";
import { selectorText } from "../selectors.ts";
import type { Json, JsonObject, KubeObject } from "../types.ts";
import { ageColumn, type Column, count, field, nameColumn, wide } from "./columns.ts";
import { ageText, durationText } from "./duration.ts";

function orNone(text: string): string {
  return text === "" ? "<none>" : text;
}

function containersOf(object: KubeObject, ...path: string[]): JsonObject[] {
  return listAt(object, ...path, "containers").filter(isObject);
}

function containerColumns(...path: string[]): Column[] {
  return [
    wide({
      name: "Containers",
      cell: (o) =>
        containersOf(o, ...path)
          .map((c) => String(c.name))
          .join(","),
    }),
    wide({
      name: "Images",
      cell: (o) =>
        containersOf(o, ...path)
          .map((c) => String(c.image))
          .join(","),
    }),
  ];
}

const template = ["spec", "template", "spec"];
const selectorColumn = wide({ name: "Selector", cell: (o) => orNone(selectorText(at(o, "spec", "selector"))) });

function podStatuses(pod: KubeObject): JsonObject[] {
  return listAt(pod, "status", "containerStatuses").filter(isObject);
}

function readiness(pod: KubeObject): string {
  const ready = podStatuses(pod).filter(
    (status) => status.ready === true && isObject(at(status, "state", "running")),
  ).length;
  return `${ready}/${containersOf(pod, "spec").length}`;
}

/** The word in STATUS: the phase, unless a container or the deletion has something more telling to say. */
function podReason(pod: KubeObject): string {
  const { metadata } = pod;
  let reason = stringAt(pod, "status", "reason") ?? stringAt(pod, "status", "phase") ?? "Unknown";
  const gated = listAt(pod, "status", "conditions").some(
    (c) => stringAt(c, "type") === "PodScheduled" && stringAt(c, "reason") === "SchedulingGated",
  );
  if (gated) reason = "SchedulingGated";
  for (const status of podStatuses(pod)) {
    const waiting = stringAt(status, "state", "waiting", "reason");
    const ended = stringAt(status, "state", "terminated", "reason");
    if (waiting !== undefined) reason = waiting;
    else if (ended !== undefined) reason = ended;
  }
  if (metadata.deletionTimestamp === undefined) return reason;
  return stringAt(pod, "status", "reason") === "NodeLost" ? "Unknown" : "Terminating";
}

function restarts(pod: KubeObject): string {
  return String(podStatuses(pod).reduce((sum, status) => sum + (numberAt(status, "restartCount") ?? 0), 0));
}

function gates(pod: KubeObject): string {
  const wanted = listAt(pod, "spec", "readinessGates");
  if (wanted.length === 0) return "<none>";
  const held = wanted.filter((gate) =>
    listAt(pod, "status", "conditions").some(
      (c) => stringAt(c, "type") === stringAt(gate, "conditionType") && stringAt(c, "status") === "True",
    ),
  );
  return `${held.length}/${wanted.length}`;
}

function nodeStatus(node: KubeObject): string {
  const ready = listAt(node, "status", "conditions").find((c) => stringAt(c, "type") === "Ready");
  const words = [ready === undefined ? "Unknown" : stringAt(ready, "status") === "True" ? "Ready" : "NotReady"];
  if (at(node, "spec", "unschedulable") === true) words.push("SchedulingDisabled");
  return words.join(",");
}

const rolePrefix = "node-role.kubernetes.io/";

function nodeRoles(node: KubeObject): string {
  const labels = Object.entries(node.metadata.labels ?? {});
  const roles = labels.flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return [key.slice(rolePrefix.length)];
    return key === "kubernetes.io/role" && value !== "" ? [value] : [];
  });
  return orNone([...new Set(roles)].sort().join(","));
}

function nodeAddress(type: string): (node: KubeObject) => Json {
  return (node) => {
    const found = listAt(node, "status", "addresses").find((address) => stringAt(address, "type") === type);
    return stringAt(found, "address") ?? "<none>";
  };
}

function nodeSelector(object: KubeObject): string {
  const parts = Object.entries(objectAt(object, ...template, "nodeSelector"));
  return orNone(
    parts
      .map(([key, value]) => `${key}=${String(value)}`)
      .sort()
      .join(","),
  );
}

function jobStatus(job: KubeObject): string {
  const conditions = listAt(job, "status", "conditions").filter((c) => stringAt(c, "status") === "True");
  const has = (type: string): boolean => conditions.some((c) => stringAt(c, "type") === type);
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (job.metadata.deletionTimestamp !== undefined) return "Terminating";
  return has("Suspended") ? "Suspended" : "Running";
}

function jobDuration(job: KubeObject, now: number): string {
  const start = stringAt(job, "status", "startTime");
  if (start === undefined) return "";
  const end = stringAt(job, "status", "completionTime");
  return end === undefined ? ageText(start, now) : durationText(Date.parse(end) - Date.parse(start));
}

const pods: Column[] = [
  nameColumn,
  { name: "Ready", cell: readiness },
  { name: "Status", cell: podReason },
  { name: "Restarts", cell: restarts },
  ageColumn,
  wide({ name: "IP", cell: (o) => stringAt(o, "status", "podIP") ?? "<none>" }),
  wide({ name: "Node", cell: (o) => stringAt(o, "spec", "nodeName") ?? "<none>" }),
  wide({ name: "Nominated Node", cell: (o) => stringAt(o, "status", "nominatedNodeName") ?? "<none>" }),
  wide({ name: "Readiness Gates", cell: gates }),
];

const nodes: Column[] = [
  nameColumn,
  { name: "Status", cell: nodeStatus },
  { name: "Roles", cell: nodeRoles },
  ageColumn,
  field("Version", "status", "nodeInfo", "kubeletVersion"),
  wide({ name: "Internal-IP", cell: nodeAddress("InternalIP") }),
  wide({ name: "External-IP", cell: nodeAddress("ExternalIP") }),
  wide({ name: "OS-Image", cell: (o) => stringAt(o, "status", "nodeInfo", "osImage") || "<unknown>" }),
  wide({ name: "Kernel-Version", cell: (o) => stringAt(o, "status", "nodeInfo", "kernelVersion") || "<unknown>" }),
  wide({
    name: "Container-Runtime",
    cell: (o) => stringAt(o, "status", "nodeInfo", "containerRuntimeVersion") || "<unknown>",
  }),
];

const replicaColumns: Column[] = [
  nameColumn,
  count("Desired", "spec", "replicas"),
  count("Current", "status", "replicas"),
  count("Ready", "status", "readyReplicas"),
  ageColumn,
  ...containerColumns(...template),
  selectorColumn,
];

/** By storage name. */
export const workloadColumns: Record<string, readonly Column[]> = {
  pods,
  nodes,
  "deployments.apps": [
    nameColumn,
    {
      name: "Ready",
      cell: (o) => `${numberAt(o, "status", "readyReplicas") ?? 0}/${numberAt(o, "spec", "replicas") ?? 0}`,
    },
    count("Up-to-date", "status", "updatedReplicas"),
    count("Available", "status", "availableReplicas"),
    ageColumn,
    ...containerColumns(...template),
    selectorColumn,
  ],
  "replicasets.apps": replicaColumns,
  replicationcontrollers: replicaColumns,
  "statefulsets.apps": [
    nameColumn,
    {
      name: "Ready",
      cell: (o) => `${numberAt(o, "status", "readyReplicas") ?? 0}/${numberAt(o, "spec", "replicas") ?? 0}`,
    },
    ageColumn,
    ...containerColumns(...template),
  ],
  "daemonsets.apps": [
    nameColumn,
    count("Desired", "status", "desiredNumberScheduled"),
    count("Current", "status", "currentNumberScheduled"),
    count("Ready", "status", "numberReady"),
    count("Up-to-date", "status", "updatedNumberScheduled"),
    count("Available", "status", "numberAvailable"),
    { name: "Node Selector", cell: nodeSelector },
    ageColumn,
    ...containerColumns(...template),
    selectorColumn,
  ],
  "jobs.batch": [
    nameColumn,
    { name: "Status", cell: jobStatus },
    {
      name: "Completions",
      cell: (o) => `${numberAt(o, "status", "succeeded") ?? 0}/${numberAt(o, "spec", "completions") ?? 1}`,
    },
    { name: "Duration", cell: jobDuration },
    ageColumn,
    ...containerColumns(...template),
    selectorColumn,
  ],
  "cronjobs.batch": [
    nameColumn,
    field("Schedule", "spec", "schedule"),
    { name: "Timezone", cell: (o) => stringAt(o, "spec", "timeZone") ?? "<none>" },
    { name: "Suspend", type: "boolean", cell: (o) => (at(o, "spec", "suspend") === true ? "True" : "False") },
    { name: "Active", type: "integer", cell: (o) => listAt(o, "status", "active").length },
    {
      name: "Last Schedule",
      cell: (o, now) =>
        at(o, "status", "lastScheduleTime") === undefined
          ? "<none>"
          : ageText(stringAt(o, "status", "lastScheduleTime"), now),
    },
    ageColumn,
    ...containerColumns("spec", "jobTemplate", "spec", "template", "spec"),
    wide({ name: "Selector", cell: () => "<none>" }),
  ],
};
