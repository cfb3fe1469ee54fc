import { expect } from "vitest";
import type { Case } from "../case.ts";
import { configMap, container, deployment } from "../documents.ts";

const configMaps = "/api/v1/namespaces/{ns}/configmaps";
const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";
const apply = "application/apply-patch+yaml";

function applied(name: string, data: Record<string, string>): Record<string, unknown> {
  return { ...configMap(name), data };
}

export const ownershipCases: readonly Case[] = [
  {
    title: "another manager's field is a Conflict, unless forced, and then changes hands",
    steps: [
      { send: `PATCH ${deployments}/web?fieldManager=us`, type: apply, body: deployment("web"), status: 201 },
      {
        send: `PATCH ${deployments}/web?fieldManager=them`,
        type: apply,
        body: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec: { replicas: 9 } },
        status: 409,
        reason: "Conflict",
        shape: {
          message: expect.stringContaining('Apply failed with 1 conflict: conflict with "us": .spec.replicas'),
          details: {
            causes: [{ reason: "FieldManagerConflict", message: 'conflict with "us"', field: ".spec.replicas" }],
          },
        },
      },
      {
        send: `PATCH ${deployments}/web?fieldManager=them&force=true`,
        type: apply,
        body: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec: { replicas: 9 } },
        status: 200,
        shape: { spec: { replicas: 9 } },
      },
      {
        send: `PATCH ${deployments}/web?fieldManager=us`,
        type: apply,
        body: deployment("web"),
        status: 409,
        reason: "Conflict",
        text: 'conflict with \\"them\\"',
      },
    ],
  },
  {
    title: "the same value from two managers is shared, not a Conflict",
    steps: [
      { send: `PATCH ${configMaps}/one?fieldManager=us`, type: apply, body: applied("one", { a: "1" }), status: 201 },
      { send: `PATCH ${configMaps}/one?fieldManager=them`, type: apply, body: applied("one", { a: "1" }), status: 200 },
      {
        send: `PATCH ${configMaps}/one?fieldManager=us`,
        type: apply,
        body: applied("one", { b: "2" }),
        status: 200,
        shape: { data: { a: "1", b: "2" } },
      },
      {
        send: `PATCH ${configMaps}/one?fieldManager=them`,
        type: apply,
        body: applied("one", { b: "2" }),
        status: 200,
        shape: { data: { b: "2" } },
        absent: ["data.a"],
      },
    ],
  },
  {
    title: "what a manager no longer applies and nobody else owns goes",
    steps: [
      {
        send: `PATCH ${configMaps}/one?fieldManager=us`,
        type: apply,
        body: { ...configMap("one", { labels: { x: "1", y: "2" } }), data: { a: "1", b: "2" } },
        status: 201,
      },
      {
        send: `PATCH ${configMaps}/one`,
        type: "application/merge-patch+json",
        body: { data: { c: "3" } },
        status: 200,
      },
      {
        send: `PATCH ${configMaps}/one?fieldManager=us`,
        type: apply,
        body: { ...configMap("one", { labels: { x: "1" } }), data: { b: "2" } },
        status: 200,
        shape: { data: { b: "2", c: "3" }, metadata: { labels: { x: "1" } } },
        absent: ["data.a", "metadata.labels.y"],
      },
    ],
  },
  {
    title: "a plain update takes fields over, so that the next apply conflicts",
    steps: [
      { send: `PATCH ${configMaps}/one?fieldManager=us`, type: apply, body: applied("one", { a: "1" }), status: 201 },
      {
        send: `PATCH ${configMaps}/one?fieldManager=hand`,
        type: "application/merge-patch+json",
        body: { data: { a: "9" } },
        status: 200,
      },
      {
        send: `PATCH ${configMaps}/one?fieldManager=us`,
        type: apply,
        body: applied("one", { a: "1" }),
        status: 409,
        reason: "Conflict",
        text: 'conflict with \\"hand\\" using v1: .data.a',
      },
      {
        send: `PATCH ${configMaps}/one?fieldManager=us&force=true`,
        type: apply,
        body: applied("one", { a: "1" }),
        status: 200,
        shape: { data: { a: "1" } },
      },
    ],
  },
  {
    title: "atomic parts belong to one manager as a whole",
    steps: [
      {
        send: `PATCH ${deployments}/web?fieldManager=us`,
        type: apply,
        body: deployment("web"),
        status: 201,
        text: /"f:selector":\{\}/,
      },
      {
        send: "PATCH /api/v1/nodes/node-{ns}?fieldManager=us",
        type: apply,
        body: {
          apiVersion: "v1",
          kind: "Node",
          metadata: { name: "node-{ns}" },
          spec: { taints: [{ key: "a", effect: "NoSchedule" }] },
        },
        status: 201,
      },
      {
        send: "PATCH /api/v1/nodes/node-{ns}?fieldManager=them",
        type: apply,
        body: {
          apiVersion: "v1",
          kind: "Node",
          metadata: { name: "node-{ns}" },
          spec: { taints: [{ key: "b", effect: "NoSchedule" }] },
        },
        status: 409,
        reason: "Conflict",
        text: ".spec.taints",
      },
      { send: "DELETE /api/v1/nodes/node-{ns}", status: 200 },
    ],
  },
  {
    title: "conflicts with several managers are listed by manager",
    steps: [
      { send: `PATCH ${configMaps}/one?fieldManager=us`, type: apply, body: applied("one", { a: "1" }), status: 201 },
      {
        send: `PATCH ${configMaps}/one?fieldManager=hand`,
        type: "application/merge-patch+json",
        body: { data: { b: "1" } },
        status: 200,
      },
      {
        send: `PATCH ${configMaps}/one?fieldManager=them`,
        type: apply,
        body: applied("one", { a: "2", b: "2" }),
        status: 409,
        reason: "Conflict",
        shape: {
          message:
            'Apply failed with 2 conflicts: conflicts with "hand" using v1:\n- .data.b\nconflicts with "us":\n- .data.a',
        },
      },
    ],
  },
  {
    title: "what nobody owned belongs to whoever was there before the first apply",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("one"), status: 201 },
      {
        send: `PATCH ${configMaps}/one`,
        type: "application/merge-patch+json",
        body: { metadata: { managedFields: [{}] } },
        status: 200,
        absent: ["metadata.managedFields"],
      },
      {
        send: `PATCH ${configMaps}/one`,
        type: "application/merge-patch+json",
        body: { data: { key: "other" } },
        status: 200,
        absent: ["metadata.managedFields"],
      },
      {
        send: `PATCH ${configMaps}/one?fieldManager=us`,
        type: apply,
        body: applied("one", { key: "third" }),
        status: 409,
        reason: "Conflict",
        text: 'conflict with \\"before-first-apply\\" using v1: .data.key',
      },
    ],
  },
  {
    title: "a quantity is compared as it is written",
    steps: [
      {
        send: `PATCH ${deployments}/web?fieldManager=us`,
        type: apply,
        body: deployment("web", {
          template: {
            metadata: { labels: { app: "web" } },
            spec: { containers: [{ ...container, resources: { requests: { cpu: "0.5" } } }] },
          },
        }),
        status: 201,
        shape: { spec: { template: { spec: { containers: [{ resources: { requests: { cpu: "500m" } } }] } } } },
      },
      {
        send: `PATCH ${deployments}/web?fieldManager=them`,
        type: apply,
        body: deployment("web", {
          template: {
            metadata: { labels: { app: "web" } },
            spec: { containers: [{ ...container, resources: { requests: { cpu: "0.5" } } }] },
          },
        }),
        status: 409,
        reason: "Conflict",
        text: "resources.requests.cpu",
      },
    ],
  },
];
