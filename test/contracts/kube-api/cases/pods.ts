import { expect } from "vitest";
import type { Case } from "../case.ts";
import { container, pod } from "../documents.ts";

const pods = "/api/v1/namespaces/{ns}/pods";
const merge = "application/merge-patch+json";

export const podCases: readonly Case[] = [
  {
    title: "a pod gets its defaults, its tolerations, its priority and its class",
    steps: [
      {
        send: `POST ${pods}`,
        body: pod("p", {
          spec: {
            containers: [
              {
                ...container,
                resources: { limits: { cpu: "0.5", memory: "1024Mi" } },
                readinessProbe: { httpGet: { port: 80 } },
              },
            ],
            volumes: [{ name: "v", configMap: { name: "c" } }, { name: "e" }],
          },
        }),
        status: 201,
        shape: {
          spec: {
            restartPolicy: "Always",
            terminationGracePeriodSeconds: 30,
            dnsPolicy: "ClusterFirst",
            schedulerName: "default-scheduler",
            enableServiceLinks: true,
            preemptionPolicy: "PreemptLowerPriority",
            priority: 0,
            securityContext: {},
            tolerations: [
              { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 },
              {
                key: "node.kubernetes.io/unreachable",
                operator: "Exists",
                effect: "NoExecute",
                tolerationSeconds: 300,
              },
            ],
            containers: [
              {
                resources: { limits: { cpu: "500m", memory: "1Gi" }, requests: { cpu: "500m", memory: "1Gi" } },
                readinessProbe: {
                  timeoutSeconds: 1,
                  periodSeconds: 10,
                  successThreshold: 1,
                  failureThreshold: 3,
                  httpGet: { path: "/", port: 80, scheme: "HTTP" },
                },
              },
            ],
            volumes: [
              { name: "v", configMap: { name: "c", defaultMode: 420 } },
              { name: "e", emptyDir: {} },
            ],
          },
          status: { phase: "Pending", qosClass: "Guaranteed" },
        },
      },
    ],
  },
  {
    title: "quality of service follows requests and limits",
    steps: [
      { send: `POST ${pods}`, body: pod("best"), status: 201, shape: { status: { qosClass: "BestEffort" } } },
      {
        send: `POST ${pods}`,
        body: pod("burst", { spec: { containers: [{ ...container, resources: { requests: { cpu: 1 } } }] } }),
        status: 201,
        shape: { status: { qosClass: "Burstable" }, spec: { containers: [{ resources: { requests: { cpu: "1" } } }] } },
      },
    ],
  },
  {
    title: "quantities are stored in canonical form",
    steps: [
      {
        send: `POST ${pods}`,
        body: pod("p", {
          spec: {
            containers: [
              {
                ...container,
                resources: {
                  requests: {
                    cpu: "1500m",
                    memory: "1.5Gi",
                    "example.com/a": "1000",
                    "example.com/b": "1e3",
                    "ephemeral-storage": "2048Ki",
                  },
                  limits: { "example.com/a": "1k", "example.com/b": "1e3" },
                },
              },
            ],
          },
        }),
        status: 201,
        shape: {
          spec: {
            containers: [
              {
                resources: {
                  requests: {
                    cpu: "1500m",
                    memory: "1536Mi",
                    "example.com/a": "1k",
                    "example.com/b": "1e3",
                    "ephemeral-storage": "2Mi",
                  },
                },
              },
            ],
          },
        },
      },
      {
        send: `POST ${pods}`,
        body: pod("q", { spec: { containers: [{ ...container, resources: { requests: { "nvidia.com/gpu": 1 } } }] } }),
        status: 422,
        reason: "Invalid",
        text: "Limit must be set for non overcommitable resources",
      },
    ],
  },
  {
    title: "priority classes put their number on the pod",
    steps: [
      {
        send: "POST /apis/scheduling.k8s.io/v1/priorityclasses",
        body: { metadata: { name: "high-{ns}" }, value: 1000, preemptionPolicy: "Never" },
        status: 201,
      },
      {
        send: `POST ${pods}`,
        body: pod("p", { spec: { priorityClassName: "high-{ns}" } }),
        status: 201,
        shape: { spec: { priority: 1000, preemptionPolicy: "Never" } },
        eventually: true,
      },
      {
        send: `POST ${pods}`,
        body: pod("q", { spec: { priorityClassName: "none-{ns}" } }),
        status: 403,
        reason: "Forbidden",
        text: "no PriorityClass",
      },
      { send: "DELETE /apis/scheduling.k8s.io/v1/priorityclasses/high-{ns}", status: 200 },
    ],
  },
  {
    title: "what makes a pod invalid",
    steps: [
      {
        send: `POST ${pods}`,
        body: pod("p", { spec: { containers: [] } }),
        status: 422,
        reason: "Invalid",
        text: "spec.containers: Required value",
      },
      {
        send: `POST ${pods}`,
        body: pod("p", { spec: { containers: [{ name: "a" }] } }),
        status: 422,
        reason: "Invalid",
        text: "spec.containers[0].image: Required value",
      },
      {
        send: `POST ${pods}`,
        body: pod("p", { spec: { containers: [container, container] } }),
        status: 422,
        reason: "Invalid",
        text: "Duplicate value",
      },
      {
        send: `POST ${pods}`,
        body: pod("p", { spec: { restartPolicy: "Perhaps" } }),
        status: 422,
        reason: "Invalid",
        text: "spec.restartPolicy: Unsupported value",
      },
      {
        send: `POST ${pods}`,
        body: pod("p", {
          spec: { containers: [{ ...container, resources: { requests: { cpu: 2 }, limits: { cpu: 1 } } }] },
        }),
        status: 422,
        reason: "Invalid",
        text: "must be less than or equal to cpu limit",
      },
      {
        send: `POST ${pods}`,
        body: pod("p", { spec: { tolerations: [{ key: "a", operator: "Exists", value: "b" }] } }),
        status: 422,
        reason: "Invalid",
        text: "spec.tolerations[0]",
      },
      {
        send: `POST ${pods}`,
        body: pod("p", {
          spec: {
            affinity: {
              nodeAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: {
                  nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In" }] }],
                },
              },
            },
          },
        }),
        status: 422,
        reason: "Invalid",
        text: "values: Required value",
      },
      {
        send: `POST ${pods}`,
        body: pod("p", {
          spec: {
            topologySpreadConstraints: [{ maxSkew: 0, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" }],
          },
        }),
        status: 422,
        reason: "Invalid",
        text: "maxSkew",
      },
    ],
  },
  {
    title: "a pod's spec is fixed but for images and more tolerations",
    steps: [
      { send: `POST ${pods}`, body: pod("p"), status: 201 },
      {
        send: `PATCH ${pods}/p`,
        type: merge,
        body: { spec: { nodeSelector: { a: "b" } } },
        status: 422,
        reason: "Invalid",
        text: "pod updates may not change fields other than",
      },
      {
        send: `PATCH ${pods}/p`,
        type: "application/strategic-merge-patch+json",
        body: { spec: { containers: [{ name: "main", image: "new:1" }] } },
        status: 200,
        shape: { spec: { containers: [{ image: "new:1" }] } },
      },
      {
        send: `PATCH ${pods}/p`,
        type: "application/json-patch+json",
        body: [{ op: "add", path: "/spec/tolerations/-", value: { key: "x", operator: "Exists" } }],
        status: 200,
        shape: { spec: { tolerations: [{}, {}, { key: "x" }] } },
      },
      { send: `PATCH ${pods}/p`, type: merge, body: { metadata: { labels: { a: "b" } } }, status: 200 },
    ],
  },
  {
    title: "a pod is bound once",
    steps: [
      { send: `POST ${pods}`, body: pod("p"), status: 201 },
      {
        send: `POST ${pods}/p/binding`,
        body: {
          apiVersion: "v1",
          kind: "Binding",
          metadata: { name: "p", annotations: { "example.com/why": "room" } },
          target: { apiVersion: "v1", kind: "Node", name: "n1" },
        },
        status: 201,
        shape: { kind: "Status", status: "Success" },
      },
      {
        send: `GET ${pods}/p`,
        status: 200,
        shape: {
          spec: { nodeName: "n1" },
          metadata: { annotations: { "example.com/why": "room" } },
          status: {
            conditions: expect.arrayContaining([expect.objectContaining({ type: "PodScheduled", status: "True" })]),
          },
        },
      },
      {
        send: `POST ${pods}/p/binding`,
        body: { metadata: { name: "p" }, target: { kind: "Node", name: "n2" } },
        status: 409,
        reason: "Conflict",
        text: 'already assigned to node \\"n1\\"',
      },
      {
        send: `POST ${pods}/none/binding`,
        body: { metadata: { name: "none" }, target: { kind: "Node", name: "n2" } },
        status: 404,
        reason: "NotFound",
      },
      {
        send: `POST ${pods}`,
        body: pod("gated", { spec: { schedulingGates: [{ name: "example.com/gate" }] } }),
        status: 201,
      },
      {
        send: `POST ${pods}/gated/binding`,
        body: { metadata: { name: "gated" }, target: { kind: "Node", name: "n2" } },
        status: 409,
        reason: "Conflict",
      },
    ],
  },
];
