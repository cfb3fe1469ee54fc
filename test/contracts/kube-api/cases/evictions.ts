import { expect } from "vitest";
import type { Case, Step } from "../case.ts";
import { budget, eviction, pod } from "../documents.ts";

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

export const evictionCases: readonly Case[] = [
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
