import { expect } from "vitest";
import type { Case, Step } from "../case.ts";
import { budget, container, eviction, pod } from "../documents.ts";

const pods = "/api/v1/namespaces/{ns}/pods";
const budgets = "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets";
const merge = "application/merge-patch+json";

function running(name: string, ready: boolean): readonly Step[] {
  return [
    { send: `POST ${pods}`, body: pod(name, { labels: { app: "web" }, spec: { nodeName: "n" } }), status: 201 },
    {
      send: `PATCH ${pods}/${name}/status`,
      type: merge,
      body: { status: { phase: "Running", conditions: [{ type: "Ready", status: ready ? "True" : "False" }] } },
      status: 200,
    },
  ];
}

/** A budget whose status says how many disruptions it allows, as the disruption controller would. */
function allowing(
  name: string,
  disruptionsAllowed: number,
  spec: Record<string, unknown> = {},
  healthy = 1,
): readonly Step[] {
  return [
    {
      send: `POST ${budgets}`,
      body: budget(name, { minAvailable: 1, selector: { matchLabels: { app: "web" } }, ...spec }),
      status: 201,
    },
    {
      send: `PATCH ${budgets}/${name}/status`,
      type: merge,
      body: {
        status: {
          observedGeneration: 1,
          disruptionsAllowed,
          currentHealthy: healthy,
          desiredHealthy: 1,
          expectedPods: 2,
        },
      },
      status: 200,
    },
  ];
}

const gone: Step = { send: `GET ${pods}/p`, status: 200, text: "deletionTimestamp" };
const here: Step = { send: `GET ${pods}/p`, status: 200, absent: ["metadata.deletionTimestamp"] };

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
  {
    title: "without a budget a pod is evicted",
    steps: [
      ...running("p", true),
      {
        send: `POST ${pods}/p/eviction`,
        body: eviction("p"),
        status: 201,
        shape: { kind: "Status", status: "Success" },
      },
      {
        ...gone,
        shape: {
          status: {
            conditions: expect.arrayContaining([
              expect.objectContaining({ type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI" }),
            ]),
          },
        },
      },
      { send: `POST ${pods}/none/eviction`, body: eviction("none"), status: 404, reason: "NotFound" },
      { send: `POST ${pods}/p/eviction`, body: eviction("q"), status: 400, reason: "BadRequest" },
    ],
  },
  {
    title: "a budget that allows none answers TooManyRequests, and the pod stays",
    steps: [
      ...running("p", true),
      ...allowing("b", 0),
      {
        send: `POST ${pods}/p/eviction`,
        body: eviction("p"),
        status: 429,
        reason: "TooManyRequests",
        shape: {
          message: "Cannot evict pod as it would violate the pod's disruption budget.",
          details: {
            causes: [
              {
                reason: "DisruptionBudget",
                message: "The disruption budget b needs 1 healthy pods and has 1 currently",
              },
            ],
          },
        },
      },
      here,
    ],
  },
  {
    title: "a budget that allows one is spent",
    steps: [
      ...running("p", true),
      ...running("q", true),
      ...allowing("b", 1, {}, 2),
      { send: `POST ${pods}/p/eviction`, body: eviction("p"), status: 201 },
      {
        send: `GET ${budgets}/b`,
        status: 200,
        shape: {
          status: {
            disruptionsAllowed: 0,
            disruptedPods: { p: expect.any(String) },
            conditions: [{ type: "DisruptionAllowed", status: "False", reason: "InsufficientPods" }],
          },
        },
      },
      { send: `POST ${pods}/q/eviction`, body: eviction("q"), status: 429, reason: "TooManyRequests" },
    ],
  },
  {
    title: "a budget that nobody has looked at yet says so",
    steps: [
      ...running("p", true),
      {
        send: `POST ${budgets}`,
        body: budget("b", { minAvailable: 0, selector: { matchLabels: { app: "web" } } }),
        status: 201,
      },
      {
        send: `POST ${pods}/p/eviction`,
        body: eviction("p"),
        status: 429,
        reason: "TooManyRequests",
        text: "still being processed by the server",
        header: ["retry-after", /^10$/],
      },
    ],
  },
  {
    title: "two budgets for one pod are an error",
    steps: [
      ...running("p", true),
      ...allowing("b1", 1),
      ...allowing("b2", 1),
      { send: `POST ${pods}/p/eviction`, body: eviction("p"), status: 500, text: "more than one PodDisruptionBudget" },
      here,
    ],
  },
  {
    title: "an unready pod goes by the budget's policy",
    steps: [
      ...running("p", false),
      ...allowing("b", 0, {}, 0),
      { send: `POST ${pods}/p/eviction`, body: eviction("p"), status: 429, reason: "TooManyRequests" },
      {
        send: `PATCH ${budgets}/b`,
        type: merge,
        body: { spec: { unhealthyPodEvictionPolicy: "AlwaysAllow" } },
        status: 200,
      },
      { send: `POST ${pods}/p/eviction`, body: eviction("p"), status: 201 },
      gone,
    ],
  },
  {
    title: "an unready pod goes when its budget is healthy without it",
    steps: [
      ...running("p", false),
      ...allowing("b", 0, {}, 1),
      { send: `POST ${pods}/p/eviction`, body: eviction("p"), status: 201 },
      gone,
    ],
  },
  {
    title: "pods that don't run need no budget, and a dry eviction evicts nothing",
    steps: [
      { send: `POST ${pods}`, body: pod("p", { labels: { app: "web" }, spec: { nodeName: "n" } }), status: 201 },
      ...allowing("b", 0),
      { send: `POST ${pods}/p/eviction?dryRun=All`, body: eviction("p"), status: 201 },
      here,
      { send: `POST ${pods}/p/eviction`, body: eviction("p", { gracePeriodSeconds: 7 }), status: 201 },
      { ...gone, shape: { metadata: { deletionGracePeriodSeconds: 7 } } },
    ],
  },
  {
    title: "an eviction may name the pod it means",
    steps: [
      ...running("p", true),
      {
        send: `POST ${pods}/p/eviction`,
        body: eviction("p", { preconditions: { uid: "11111111-2222-3333-4444-555555555555" } }),
        status: 409,
        reason: "Conflict",
      },
      here,
    ],
  },
  {
    title: "budgets are checked",
    steps: [
      {
        send: `POST ${budgets}`,
        body: budget("b", { minAvailable: 1, maxUnavailable: 1, selector: {} }),
        status: 422,
        reason: "Invalid",
        text: "cannot be both set",
      },
      {
        send: `POST ${budgets}`,
        body: budget("b", { minAvailable: "half", selector: {} }),
        status: 422,
        reason: "Invalid",
        text: "minAvailable",
      },
      {
        send: `POST ${budgets}`,
        body: budget("b", { minAvailable: "50%", selector: {}, unhealthyPodEvictionPolicy: "Perhaps" }),
        status: 422,
        reason: "Invalid",
      },
      {
        send: `POST ${budgets}`,
        body: budget("b", { minAvailable: "50%", selector: {} }),
        status: 201,
        shape: {
          metadata: { generation: 1 },
          status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
        },
      },
    ],
  },
];
