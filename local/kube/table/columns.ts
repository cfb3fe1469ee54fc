// Columns of kinds other than pods, nodes and workloads.
import { at, isObject, listAt, numberAt, objectAt, stringAt } from "../json.ts";
import type { Json, KubeObject } from "../types.ts";
import { ageText } from "./duration.ts";

export interface Column {
  name: string;
  type?: string;
  format?: string;
  description?: string;
  /** Columns with a priority above 0 show with -o wide only. */
  priority?: number;
  cell: (object: KubeObject, nowMs: number) => Json;
}

export const nameColumn: Column = { name: "Name", format: "name", cell: (o) => o.metadata.name ?? "" };
export const ageColumn: Column = { name: "Age", cell: (o, now) => ageText(o.metadata.creationTimestamp, now) };
const createdColumn: Column = { name: "Created At", type: "date", cell: (o) => o.metadata.creationTimestamp ?? "" };

/** A column that shows one field. */
export function field(name: string, ...path: string[]): Column {
  return { name, cell: (object) => at(object, ...path) ?? "" };
}

export function count(name: string, ...path: string[]): Column {
  return { name, type: "integer", cell: (object) => numberAt(object, ...path) ?? 0 };
}

export function wide(column: Column): Column {
  return { ...column, priority: 1 };
}

const accessModeShort: Record<string, string> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

function accessModes(object: KubeObject): string {
  const modes =
    listAt(object, "status", "accessModes").length > 0
      ? listAt(object, "status", "accessModes")
      : listAt(object, "spec", "accessModes");
  return modes.map((mode) => accessModeShort[String(mode)] ?? String(mode)).join(",");
}

function orNotSet(object: KubeObject, ...path: string[]): string {
  const value = at(object, ...path);
  return value === undefined ? "N/A" : String(value);
}

function ports(service: KubeObject): string {
  const texts = listAt(service, "spec", "ports")
    .filter(isObject)
    .map((port) => {
      const node = numberAt(port, "nodePort");
      return `${String(port.port)}${node === undefined ? "" : `:${node}`}/${String(port.protocol ?? "TCP")}`;
    });
  return texts.length === 0 ? "<none>" : texts.join(",");
}

function entries(...fields: string[]): (object: KubeObject) => number {
  return (object) => fields.reduce((sum, name) => sum + Object.keys(objectAt(object, name)).length, 0);
}

function labelText(labels: Json | undefined): string {
  const parts = Object.entries(isObject(labels) ? labels : {}).map(([key, value]) => `${key}=${String(value)}`);
  return parts.length === 0 ? "<none>" : parts.sort().join(",");
}

function involved(event: KubeObject): string {
  const object = objectAt(event, "involvedObject");
  return `${String(object.kind ?? "").toLowerCase()}/${String(object.name ?? "")}`;
}

function lastSeen(event: KubeObject, now: number): string {
  const time =
    stringAt(event, "series", "lastObservedTime") ?? stringAt(event, "lastTimestamp") ?? stringAt(event, "eventTime");
  return ageText(time ?? event.metadata.creationTimestamp, now);
}

const roleBinding: Column[] = [
  nameColumn,
  { name: "Role", cell: (o) => `${String(at(o, "roleRef", "kind"))}/${String(at(o, "roleRef", "name"))}` },
  ageColumn,
];

/** By storage name. Kinds that are not here show Name and Created At, as the API server has it. */
export const columnsByResource: Record<string, readonly Column[]> = {
  namespaces: [nameColumn, field("Status", "status", "phase"), ageColumn],
  services: [
    nameColumn,
    field("Type", "spec", "type"),
    { name: "Cluster-IP", cell: (o) => stringAt(o, "spec", "clusterIP") ?? "<none>" },
    { name: "External-IP", cell: (o) => stringAt(o, "spec", "externalName") ?? "<none>" },
    { name: "Port(s)", cell: ports },
    ageColumn,
    wide({ name: "Selector", cell: (o) => labelText(at(o, "spec", "selector")) }),
  ],
  configmaps: [nameColumn, { name: "Data", type: "integer", cell: entries("data", "binaryData") }, ageColumn],
  secrets: [nameColumn, field("Type", "type"), { name: "Data", type: "integer", cell: entries("data") }, ageColumn],
  serviceaccounts: [
    nameColumn,
    { name: "Secrets", type: "integer", cell: (o) => listAt(o, "secrets").length },
    ageColumn,
  ],
  persistentvolumeclaims: [
    nameColumn,
    field("Status", "status", "phase"),
    field("Volume", "spec", "volumeName"),
    field("Capacity", "status", "capacity", "storage"),
    { name: "Access Modes", cell: (o) => (stringAt(o, "spec", "volumeName") ? accessModes(o) : "") },
    field("StorageClass", "spec", "storageClassName"),
    { name: "VolumeAttributesClass", cell: (o) => stringAt(o, "spec", "volumeAttributesClassName") ?? "<unset>" },
    ageColumn,
    wide(field("VolumeMode", "spec", "volumeMode")),
  ],
  persistentvolumes: [
    nameColumn,
    field("Capacity", "spec", "capacity", "storage"),
    { name: "Access Modes", cell: accessModes },
    field("Reclaim Policy", "spec", "persistentVolumeReclaimPolicy"),
    field("Status", "status", "phase"),
    {
      name: "Claim",
      cell: (o) => {
        const claim = objectAt(o, "spec", "claimRef");
        return claim.name === undefined ? "" : `${String(claim.namespace)}/${String(claim.name)}`;
      },
    },
    field("StorageClass", "spec", "storageClassName"),
    { name: "VolumeAttributesClass", cell: (o) => stringAt(o, "spec", "volumeAttributesClassName") ?? "<unset>" },
    field("Reason", "status", "reason"),
    ageColumn,
    wide(field("VolumeMode", "spec", "volumeMode")),
  ],
  "storageclasses.storage.k8s.io": [
    {
      ...nameColumn,
      cell: (o) => {
        const standard = o.metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true";
        return `${o.metadata.name}${standard ? " (default)" : ""}`;
      },
    },
    field("Provisioner", "provisioner"),
    field("ReclaimPolicy", "reclaimPolicy"),
    field("VolumeBindingMode", "volumeBindingMode"),
    { name: "AllowVolumeExpansion", cell: (o) => at(o, "allowVolumeExpansion") ?? false },
    ageColumn,
  ],
  "priorityclasses.scheduling.k8s.io": [
    nameColumn,
    count("Value", "value"),
    { name: "Global-Default", type: "boolean", cell: (o) => at(o, "globalDefault") ?? false },
    ageColumn,
    field("PreemptionPolicy", "preemptionPolicy"),
  ],
  "leases.coordination.k8s.io": [nameColumn, field("Holder", "spec", "holderIdentity"), ageColumn],
  "csinodes.storage.k8s.io": [
    nameColumn,
    { name: "Drivers", type: "integer", cell: (o) => listAt(o, "spec", "drivers").length },
    ageColumn,
  ],
  "poddisruptionbudgets.policy": [
    nameColumn,
    { name: "Min Available", cell: (o) => orNotSet(o, "spec", "minAvailable") },
    { name: "Max Unavailable", cell: (o) => orNotSet(o, "spec", "maxUnavailable") },
    count("Allowed Disruptions", "status", "disruptionsAllowed"),
    ageColumn,
  ],
  events: [
    { name: "Last Seen", cell: lastSeen },
    field("Type", "type"),
    field("Reason", "reason"),
    { name: "Object", cell: involved },
    wide(field("Subobject", "involvedObject", "fieldPath")),
    wide({
      name: "Source",
      cell: (o) => stringAt(o, "source", "component") ?? stringAt(o, "reportingComponent") ?? "",
    }),
    { name: "Message", cell: (o) => (stringAt(o, "message") ?? "").trim() },
    wide({
      name: "First Seen",
      cell: (o, now) => ageText(stringAt(o, "firstTimestamp") ?? o.metadata.creationTimestamp, now),
    }),
    wide({ name: "Count", type: "integer", cell: (o) => numberAt(o, "count") ?? 1 }),
    wide(nameColumn),
  ],
  "rolebindings.rbac.authorization.k8s.io": roleBinding,
  "clusterrolebindings.rbac.authorization.k8s.io": roleBinding,
  endpoints: [
    nameColumn,
    {
      name: "Endpoints",
      cell: (o) => {
        const addresses = listAt(o, "subsets").flatMap((s) =>
          listAt(s, "addresses").map((a) => stringAt(a, "ip") ?? ""),
        );
        return addresses.length === 0 ? "<none>" : addresses.join(",");
      },
    },
    ageColumn,
  ],
  default: [nameColumn, createdColumn],
};
