import { expect } from "vitest";
import type { Case } from "../case.ts";
import { budget, configMap, deployment, pod, widget } from "../documents.ts";

const table = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
const metadata = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json";
const metadataList = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json";

/** Columns as [name, priority]. */
function columns(...wanted: (readonly [string, number])[]): unknown {
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    columnDefinitions: wanted.map(([name, priority]) => ({ name, priority })),
  };
}

const age = expect.stringMatching(/^\d+(s|m)/);
const name = ["Name", 0] as const;
const ageColumn = ["Age", 0] as const;
const containers = [
  ["Containers", 1],
  ["Images", 1],
  ["Selector", 1],
] as const;

export const tableCases: readonly Case[] = [
  {
    title: "pods",
    steps: [
      { send: "POST /api/v1/namespaces/{ns}/pods", body: pod("p"), status: 201 },
      {
        send: "GET /api/v1/namespaces/{ns}/pods",
        accept: table,
        status: 200,
        shape: {
          ...(columns(
            name,
            ["Ready", 0],
            ["Status", 0],
            ["Restarts", 0],
            ageColumn,
            ["IP", 1],
            ["Node", 1],
            ["Nominated Node", 1],
            ["Readiness Gates", 1],
          ) as object),
          rows: [
            {
              cells: ["p", "0/1", "Pending", expect.anything(), age, "<none>", "<none>", "<none>", "<none>"],
              object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: { name: "p" } },
            },
          ],
        },
        absent: ["rows.0.object.spec"],
      },
      {
        send: "GET /api/v1/namespaces/{ns}/pods/p?includeObject=Object",
        accept: table,
        status: 200,
        shape: { rows: [{ object: { kind: "Pod", spec: { restartPolicy: "Always" } } }] },
      },
      {
        send: "GET /api/v1/namespaces/{ns}/pods?includeObject=None",
        accept: table,
        status: 200,
        shape: { rows: [{ object: null }] },
      },
    ],
  },
  {
    title: "nodes",
    steps: [
      {
        send: "POST /api/v1/nodes",
        body: {
          metadata: { name: "node-{ns}", labels: { "node-role.kubernetes.io/worker": "" } },
          spec: { unschedulable: true },
          status: {
            nodeInfo: { kubeletVersion: "v1.36.0" },
            conditions: [{ type: "Ready", status: "True" }],
            addresses: [{ type: "InternalIP", address: "10.0.0.7" }],
          },
        },
        status: 201,
      },
      {
        send: "GET /api/v1/nodes/node-{ns}",
        accept: table,
        status: 200,
        shape: {
          ...(columns(
            name,
            ["Status", 0],
            ["Roles", 0],
            ageColumn,
            ["Version", 0],
            ["Internal-IP", 1],
            ["External-IP", 1],
            ["OS-Image", 1],
            ["Kernel-Version", 1],
            ["Container-Runtime", 1],
          ) as object),
          rows: [
            {
              cells: [
                "node-{ns}",
                "Ready,SchedulingDisabled",
                "worker",
                age,
                "v1.36.0",
                "10.0.0.7",
                "<none>",
                "<unknown>",
                "<unknown>",
                "<unknown>",
              ],
            },
          ],
        },
      },
      { send: "DELETE /api/v1/nodes/node-{ns}", status: 200 },
    ],
  },
  {
    title: "workloads",
    steps: [
      { send: "POST /apis/apps/v1/namespaces/{ns}/deployments", body: deployment("web", { replicas: 0 }), status: 201 },
      {
        send: "GET /apis/apps/v1/namespaces/{ns}/deployments",
        accept: table,
        status: 200,
        shape: {
          ...(columns(name, ["Ready", 0], ["Up-to-date", 0], ["Available", 0], ageColumn, ...containers) as object),
          rows: [{ cells: ["web", "0/0", 0, 0, age, "main", "registry.example/app:1.0", "app=web"] }],
        },
      },
      {
        send: "GET /apis/apps/v1/namespaces/{ns}/replicasets",
        accept: table,
        status: 200,
        shape: columns(name, ["Desired", 0], ["Current", 0], ["Ready", 0], ageColumn, ...containers),
      },
      {
        send: "GET /apis/apps/v1/namespaces/{ns}/daemonsets",
        accept: table,
        status: 200,
        shape: columns(
          name,
          ["Desired", 0],
          ["Current", 0],
          ["Ready", 0],
          ["Up-to-date", 0],
          ["Available", 0],
          ["Node Selector", 0],
          ageColumn,
          ...containers,
        ),
      },
      {
        send: "GET /apis/apps/v1/namespaces/{ns}/statefulsets",
        accept: table,
        status: 200,
        shape: columns(name, ["Ready", 0], ageColumn, ["Containers", 1], ["Images", 1]),
      },
      {
        send: "GET /apis/batch/v1/namespaces/{ns}/jobs",
        accept: table,
        status: 200,
        shape: columns(name, ["Status", 0], ["Completions", 0], ["Duration", 0], ageColumn, ...containers),
      },
    ],
  },
  {
    title: "events",
    steps: [
      {
        send: "POST /api/v1/namespaces/{ns}/events",
        body: {
          metadata: { name: "e" },
          involvedObject: { kind: "Pod", name: "p", namespace: "{ns}" },
          reason: "Tried",
          message: "said",
          type: "Warning",
          count: 3,
          source: { component: "suite" },
        },
        status: 201,
      },
      {
        send: "GET /api/v1/namespaces/{ns}/events",
        accept: table,
        status: 200,
        shape: {
          ...(columns(
            ["Last Seen", 0],
            ["Type", 0],
            ["Reason", 0],
            ["Object", 0],
            ["Subobject", 1],
            ["Source", 1],
            ["Message", 0],
            ["First Seen", 1],
            ["Count", 1],
            ["Name", 1],
          ) as object),
          rows: [
            { cells: [expect.anything(), "Warning", "Tried", "pod/p", "", "suite", "said", expect.anything(), 3, "e"] },
          ],
        },
      },
    ],
  },
  {
    title: "budgets, claims, classes, leases and the plain ones",
    steps: [
      {
        send: "POST /apis/policy/v1/namespaces/{ns}/poddisruptionbudgets",
        body: budget("b", { maxUnavailable: "50%", selector: {} }),
        status: 201,
      },
      {
        send: "GET /apis/policy/v1/namespaces/{ns}/poddisruptionbudgets",
        accept: table,
        status: 200,
        shape: {
          ...(columns(
            name,
            ["Min Available", 0],
            ["Max Unavailable", 0],
            ["Allowed Disruptions", 0],
            ageColumn,
          ) as object),
          rows: [{ cells: ["b", "N/A", "50%", 0, age] }],
        },
      },
      {
        send: "GET /api/v1/namespaces/{ns}/persistentvolumeclaims",
        accept: table,
        status: 200,
        shape: columns(
          name,
          ["Status", 0],
          ["Volume", 0],
          ["Capacity", 0],
          ["Access Modes", 0],
          ["StorageClass", 0],
          ["VolumeAttributesClass", 0],
          ageColumn,
          ["VolumeMode", 1],
        ),
      },
      {
        send: "GET /apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical",
        accept: table,
        status: 200,
        shape: {
          ...(columns(name, ["Value", 0], ["Global-Default", 0], ageColumn, ["PreemptionPolicy", 0]) as object),
          rows: [{ cells: ["system-node-critical", 2000001000, false, expect.anything(), "PreemptLowerPriority"] }],
        },
      },
      {
        send: "GET /apis/coordination.k8s.io/v1/namespaces/{ns}/leases",
        accept: table,
        status: 200,
        shape: columns(name, ["Holder", 0], ageColumn),
      },
      {
        send: "GET /api/v1/namespaces/{ns}",
        accept: table,
        status: 200,
        shape: { ...(columns(name, ["Status", 0], ageColumn) as object), rows: [{ cells: ["{ns}", "Active", age] }] },
      },
      {
        send: "GET /api/v1/namespaces/{ns}/configmaps",
        accept: table,
        status: 200,
        shape: columns(name, ["Data", 0], ageColumn),
      },
      {
        send: "GET /api/v1/namespaces/{ns}/services",
        accept: table,
        status: 200,
        shape: columns(name, ["Type", 0], ["Cluster-IP", 0], ["External-IP", 0], ["Port(s)", 0], ageColumn, [
          "Selector",
          1,
        ]),
      },
      {
        send: "GET /apis/storage.k8s.io/v1/storageclasses",
        accept: table,
        status: 200,
        shape: columns(
          name,
          ["Provisioner", 0],
          ["ReclaimPolicy", 0],
          ["VolumeBindingMode", 0],
          ["AllowVolumeExpansion", 0],
          ageColumn,
        ),
      },
      {
        send: "GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        accept: table,
        status: 200,
        shape: columns(name, ["Created At", 0]),
      },
    ],
  },
  {
    title: "custom resources show the columns of their definition",
    steps: [
      {
        send: "POST /apis/suite.example.com/v1/namespaces/{ns}/widgets",
        body: widget("w", { colour: "red", size: 4, note: "hello" }),
        status: 201,
      },
      {
        send: "GET /apis/suite.example.com/v1/namespaces/{ns}/widgets",
        accept: table,
        status: 200,
        shape: {
          ...(columns(name, ["Size", 0], ["Ready", 0], ["Note", 1]) as object),
          rows: [{ cells: ["w", 4, null, "hello"] }],
        },
      },
      {
        send: "PATCH /apis/suite.example.com/v1/namespaces/{ns}/widgets/w/status",
        type: "application/merge-patch+json",
        body: {
          status: {
            conditions: [
              { type: "Other", status: "False" },
              { type: "Ready", status: "True" },
            ],
          },
        },
        status: 200,
      },
      {
        send: "GET /apis/suite.example.com/v1/namespaces/{ns}/widgets",
        accept: table,
        status: 200,
        shape: { rows: [{ cells: ["w", 4, "True", "hello"] }] },
      },
    ],
  },
  {
    title: "metadata alone",
    steps: [
      { send: "POST /api/v1/namespaces/{ns}/configmaps", body: configMap("one", { labels: { a: "b" } }), status: 201 },
      {
        send: "GET /api/v1/namespaces/{ns}/configmaps",
        accept: metadataList,
        status: 200,
        shape: {
          kind: "PartialObjectMetadataList",
          apiVersion: "meta.k8s.io/v1",
          items: [{ metadata: { name: "one", labels: { a: "b" } } }],
        },
        absent: ["items.0.data"],
      },
      {
        send: "GET /api/v1/namespaces/{ns}/configmaps/one",
        accept: metadata,
        status: 200,
        shape: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: { name: "one" } },
        absent: ["data"],
      },
    ],
  },
];
