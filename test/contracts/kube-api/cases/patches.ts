import { expect } from "vitest";
import type { Case } from "../case.ts";
import { configMap, container, deployment, widget } from "../documents.ts";

const configMaps = "/api/v1/namespaces/{ns}/configmaps";
const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";
const widgets = "/apis/suite.example.com/v1/namespaces/{ns}/widgets";
const json = "application/json-patch+json";
const merge = "application/merge-patch+json";
const strategic = "application/strategic-merge-patch+json";

export const patchCases: readonly Case[] = [
  {
    title: "JSON patch adds, replaces, moves, copies and removes",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("one", { data: { a: "1", b: "2" } }), status: 201 },
      {
        send: `PATCH ${configMaps}/one`,
        type: json,
        body: [
          { op: "test", path: "/data/a", value: "1" },
          { op: "add", path: "/data/c", value: "3" },
          { op: "replace", path: "/data/a", value: "9" },
          { op: "copy", from: "/data/a", path: "/data/d" },
          { op: "move", from: "/data/b", path: "/data/e" },
          { op: "add", path: "/metadata/labels", value: { "example.com/x": "y" } },
          { op: "remove", path: "/data/c" },
          { op: "add", path: "/metadata/labels/example.com~1z", value: "w" },
        ],
        status: 200,
        shape: {
          data: { a: "9", d: "9", e: "2" },
          metadata: { labels: { "example.com/x": "y", "example.com/z": "w" } },
        },
        absent: ["data.b", "data.c"],
      },
    ],
  },
  {
    title: "a JSON patch whose test fails or whose place is missing is Invalid, one that is none a BadRequest",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("one"), status: 201 },
      {
        send: `PATCH ${configMaps}/one`,
        type: json,
        body: [{ op: "test", path: "/data/key", value: "x" }],
        status: 422,
        reason: "Invalid",
      },
      {
        send: `PATCH ${configMaps}/one`,
        type: json,
        body: [{ op: "remove", path: "/data/none" }],
        status: 422,
        reason: "Invalid",
      },
      { send: `PATCH ${configMaps}/one`, type: json, body: { data: {} }, status: 400, reason: "BadRequest" },
      { send: `PATCH ${configMaps}/none`, type: json, body: [], status: 404, reason: "NotFound" },
    ],
  },
  {
    title: "merge patch merges objects, replaces lists and removes with null",
    steps: [
      { send: `POST ${deployments}`, body: deployment("web"), status: 201 },
      {
        send: `PATCH ${deployments}/web`,
        type: merge,
        body: { metadata: { labels: { a: "1", b: "2" } }, spec: { replicas: 5 } },
        status: 200,
        shape: { metadata: { labels: { a: "1", b: "2" }, generation: 2 }, spec: { replicas: 5 } },
      },
      {
        send: `PATCH ${deployments}/web`,
        type: merge,
        body: {
          metadata: { labels: { a: null } },
          spec: { template: { spec: { containers: [{ name: "other", image: "x:1" }] } } },
        },
        status: 200,
        shape: {
          metadata: { labels: { b: "2" } },
          spec: { template: { spec: { containers: [{ name: "other", image: "x:1" }] } } },
        },
        absent: ["metadata.labels.a"],
      },
      {
        send: `PATCH ${deployments}/web`,
        type: merge,
        body: { spec: { replicas: null } },
        status: 200,
        shape: { spec: { replicas: 1 } },
      },
    ],
  },
  {
    title: "a patch with a stale revision is a Conflict, one with the newest goes through",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("one"), status: 201, keep: { rv: "metadata.resourceVersion" } },
      {
        send: `PATCH ${configMaps}/one`,
        type: merge,
        body: { metadata: { resourceVersion: "{rv}" }, data: { key: "a" } },
        status: 200,
      },
      {
        send: `PATCH ${configMaps}/one`,
        type: merge,
        body: { metadata: { resourceVersion: "{rv}" }, data: { key: "b" } },
        status: 409,
        reason: "Conflict",
      },
      {
        send: `PATCH ${configMaps}/one`,
        type: merge,
        body: { metadata: { uid: "11111111-2222-3333-4444-555555555555" }, data: { key: "b" } },
        status: 422,
        reason: "Invalid",
        text: "metadata.uid: Invalid value",
      },
    ],
  },
  {
    title: "strategic merge patch merges containers by name and ports by number",
    steps: [
      {
        send: `POST ${deployments}`,
        body: deployment("web", {
          template: {
            metadata: { labels: { app: "web" } },
            spec: {
              containers: [
                { ...container, env: [{ name: "A", value: "1" }] },
                { name: "side", image: "side:1" },
              ],
            },
          },
        }),
        status: 201,
      },
      {
        send: `PATCH ${deployments}/web`,
        type: strategic,
        body: {
          spec: {
            template: { spec: { containers: [{ name: "main", image: "main:2", env: [{ name: "B", value: "2" }] }] } },
          },
        },
        status: 200,
        shape: {
          spec: {
            template: {
              spec: {
                containers: [
                  {
                    name: "main",
                    image: "main:2",
                    env: expect.arrayContaining([
                      { name: "A", value: "1" },
                      { name: "B", value: "2" },
                    ]),
                  },
                  { name: "side", image: "side:1" },
                ],
              },
            },
          },
        },
      },
      {
        send: `PATCH ${deployments}/web`,
        type: strategic,
        body: { spec: { template: { spec: { containers: [{ name: "first", image: "first:1" }] } } } },
        status: 200,
        shape: {
          spec: { template: { spec: { containers: [{ name: "first" }, { name: "main" }, { name: "side" }] } } },
        },
      },
      {
        send: `PATCH ${deployments}/web`,
        type: strategic,
        body: { spec: { template: { spec: { containers: [{ name: "first", $patch: "delete" }] } } } },
        status: 200,
      },
      {
        send: `PATCH ${deployments}/web`,
        type: strategic,
        body: { spec: { template: { spec: { containers: [{ name: "side", $patch: "delete" }] } } } },
        status: 200,
        shape: { spec: { template: { spec: { containers: [{ name: "main" }] } } } },
      },
      {
        send: `PATCH ${deployments}/web`,
        type: strategic,
        body: {
          spec: { template: { spec: { containers: [{ $patch: "replace" }, { name: "new", image: "new:1" }] } } },
        },
        status: 200,
        shape: { spec: { template: { spec: { containers: [{ name: "new", image: "new:1" }] } } } },
      },
    ],
  },
  {
    title: "strategic merge patch knows directives: order, retained keys, deletion from plain lists",
    steps: [
      {
        send: `POST ${configMaps}`,
        body: configMap("one", { finalizers: ["example.com/a", "example.com/b"] }),
        status: 201,
      },
      {
        send: `PATCH ${configMaps}/one`,
        type: strategic,
        body: { metadata: { "$deleteFromPrimitiveList/finalizers": ["example.com/a"] } },
        status: 200,
        shape: { metadata: { finalizers: ["example.com/b"] } },
      },
      {
        send: `PATCH ${configMaps}/one`,
        type: strategic,
        body: {
          metadata: {
            finalizers: ["example.com/c"],
            "$setElementOrder/finalizers": ["example.com/c", "example.com/b"],
          },
        },
        status: 200,
        shape: { metadata: { finalizers: ["example.com/c", "example.com/b"] } },
      },
      {
        send: `PATCH ${configMaps}/one`,
        type: merge,
        body: { metadata: { finalizers: null } },
        status: 200,
        absent: ["metadata.finalizers"],
      },
      { send: `POST ${deployments}`, body: deployment("web"), status: 201 },
      {
        send: `PATCH ${deployments}/web`,
        type: strategic,
        body: { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } },
        status: 200,
        shape: { spec: { strategy: { type: "Recreate" } } },
        absent: ["spec.strategy.rollingUpdate"],
      },
    ],
  },
  {
    title: "taints merge by key; without a merge key they are replaced",
    steps: [
      { send: "POST /api/v1/nodes", body: { metadata: { name: "node-{ns}" } }, status: 201 },
      {
        send: "PATCH /api/v1/nodes/node-{ns}",
        type: strategic,
        body: { spec: { taints: [{ key: "karpenter.sh/disrupted", effect: "NoSchedule" }] } },
        status: 200,
        shape: { spec: { taints: [{ key: "karpenter.sh/disrupted", effect: "NoSchedule" }] } },
      },
      {
        send: "PATCH /api/v1/nodes/node-{ns}/status",
        type: strategic,
        body: { status: { conditions: [{ type: "Ready", status: "True" }] } },
        status: 200,
      },
      {
        send: "PATCH /api/v1/nodes/node-{ns}/status",
        type: strategic,
        body: {
          status: {
            conditions: [{ type: "DiskPressure", status: "False" }],
            addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
          },
        },
        status: 200,
        shape: {
          status: {
            conditions: expect.arrayContaining([
              expect.objectContaining({ type: "Ready" }),
              expect.objectContaining({ type: "DiskPressure" }),
            ]),
          },
        },
      },
      { send: "DELETE /api/v1/nodes/node-{ns}", status: 200 },
    ],
  },
  {
    title: "custom resources have no strategic merge patch, and bodies must be patches",
    steps: [
      { send: `POST ${widgets}`, body: widget("w", { colour: "red" }), status: 201 },
      {
        send: `PATCH ${widgets}/w`,
        type: strategic,
        body: { spec: { size: 2 } },
        status: 415,
        reason: "UnsupportedMediaType",
      },
      {
        send: `PATCH ${widgets}/w`,
        type: merge,
        body: { spec: { size: 2 } },
        status: 200,
        shape: { spec: { size: 2 } },
      },
      {
        send: `PATCH ${widgets}/w`,
        type: "application/json",
        body: { spec: { size: 2 } },
        status: 415,
        reason: "UnsupportedMediaType",
      },
    ],
  },
  {
    title: "patches are validated, may be dry, may be strict",
    steps: [
      { send: `POST ${deployments}`, body: deployment("web"), status: 201 },
      {
        send: `PATCH ${deployments}/web`,
        type: merge,
        body: { spec: { replicas: -2 } },
        status: 422,
        reason: "Invalid",
      },
      {
        send: `PATCH ${deployments}/web?dryRun=All`,
        type: merge,
        body: { spec: { replicas: 7 } },
        status: 200,
        shape: { spec: { replicas: 7 } },
      },
      { send: `GET ${deployments}/web`, status: 200, shape: { spec: { replicas: 2 } } },
      {
        send: `PATCH ${deployments}/web?fieldValidation=Strict`,
        type: merge,
        body: { spec: { replicaz: 7 } },
        status: 422,
        reason: "Invalid",
        text: 'strict decoding error: unknown field \\"spec.replicaz\\"',
      },
      {
        send: `PATCH ${deployments}/web?fieldValidation=Strict`,
        type: strategic,
        body: { spec: { replicaz: 7 } },
        status: 422,
        reason: "Invalid",
        text: 'strict decoding error: unknown field \\"spec.replicaz\\"',
      },
      { send: `PATCH ${deployments}/web?force=true`, type: merge, body: {}, status: 422, reason: "Invalid" },
    ],
  },
];
