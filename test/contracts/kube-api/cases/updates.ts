import { expect } from "vitest";
import type { Case } from "../case.ts";
import { configMap, deployment, widget } from "../documents.ts";

const configMaps = "/api/v1/namespaces/{ns}/configmaps";
const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";
const widgets = "/apis/suite.example.com/v1/namespaces/{ns}/widgets";
const leases = "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases";

export const updateCases: readonly Case[] = [
  {
    title: "an update with the newest revision goes through, with an older one it is a Conflict",
    steps: [
      {
        send: `POST ${configMaps}`,
        body: configMap("one"),
        status: 201,
        keep: { rv: "metadata.resourceVersion", uid: "metadata.uid" },
      },
      {
        send: `PUT ${configMaps}/one`,
        body: configMap("one", { resourceVersion: "{rv}", data: { key: "second" } }),
        status: 200,
        shape: { metadata: { uid: "{uid}" }, data: { key: "second" } },
        keep: { rv2: "metadata.resourceVersion" },
      },
      {
        send: `PUT ${configMaps}/one`,
        body: configMap("one", { resourceVersion: "{rv}", data: { key: "third" } }),
        status: 409,
        reason: "Conflict",
        shape: {
          message:
            'Operation cannot be fulfilled on configmaps "one": the object has been modified; please apply your changes to the latest version and try again',
          details: { name: "one", kind: "configmaps" },
        },
      },
      { send: `GET ${configMaps}/one`, status: 200, shape: { metadata: { resourceVersion: "{rv2}" } } },
    ],
  },
  {
    title: "an update without a revision overwrites a built-in object",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("one"), status: 201 },
      {
        send: `PUT ${configMaps}/one`,
        body: configMap("one", { data: { other: "x" } }),
        status: 200,
        shape: { data: { other: "x" } },
        absent: ["data.key"],
      },
      { send: `PUT ${configMaps}/none`, body: configMap("none"), status: 404, reason: "NotFound" },
      { send: `PUT ${configMaps}/one`, body: configMap("two"), status: 400, reason: "BadRequest" },
      {
        send: `PUT ${configMaps}/one`,
        body: configMap("one", { resourceVersion: "soon" }),
        status: 500,
      },
    ],
  },
  {
    title: "a foreign uid is a Conflict",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("one"), status: 201 },
      {
        send: `PUT ${configMaps}/one`,
        body: configMap("one", { uid: "11111111-2222-3333-4444-555555555555" }),
        status: 409,
        reason: "Conflict",
        text: "Precondition failed: UID in precondition",
      },
    ],
  },
  {
    title: "an update that changes nothing keeps the revision",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("one"), status: 201, keep: { rv: "metadata.resourceVersion" } },
      {
        send: `PUT ${configMaps}/one`,
        body: configMap("one"),
        status: 200,
        shape: { metadata: { resourceVersion: "{rv}" } },
      },
    ],
  },
  {
    title: "what belongs to the server stays",
    steps: [
      {
        send: `POST ${configMaps}`,
        body: configMap("one"),
        status: 201,
        keep: { uid: "metadata.uid", made: "metadata.creationTimestamp" },
      },
      {
        send: `PUT ${configMaps}/one`,
        body: configMap("one", {
          creationTimestamp: "2001-01-01T00:00:00Z",
          labels: { a: "b" },
        }),
        status: 200,
        shape: { metadata: { uid: "{uid}", creationTimestamp: "{made}", labels: { a: "b" } } },
        absent: ["metadata.deletionTimestamp"],
      },
    ],
  },
  {
    title: "the generation counts changes of the spec, not of labels",
    steps: [
      { send: `POST ${deployments}`, body: deployment("web"), status: 201, shape: { metadata: { generation: 1 } } },
      {
        send: `PUT ${deployments}/web`,
        body: deployment("web", { replicas: 3 }),
        status: 200,
        shape: { metadata: { generation: 2 } },
      },
      {
        send: `PUT ${deployments}/web`,
        body: { ...deployment("web", { replicas: 3 }), metadata: { name: "web", labels: { a: "b" } } },
        status: 200,
        shape: { metadata: { generation: 2, labels: { a: "b" } } },
      },
      {
        send: `POST ${widgets}`,
        body: widget("w", { colour: "red" }),
        status: 201,
        shape: { metadata: { generation: 1 } },
        keep: { rv: "metadata.resourceVersion" },
      },
      {
        send: `PUT ${widgets}/w`,
        body: { ...widget("w", { colour: "red", size: 4 }), metadata: { name: "w", resourceVersion: "{rv}" } },
        status: 200,
        shape: { metadata: { generation: 2 }, spec: { size: 4 } },
      },
    ],
  },
  {
    title: "immutable fields stay",
    steps: [
      { send: `POST ${deployments}`, body: deployment("web"), status: 201 },
      {
        send: `PUT ${deployments}/web`,
        body: deployment("web", {
          selector: { matchLabels: { app: "other" } },
          template: { metadata: { labels: { app: "other" } }, spec: { containers: [{ name: "main", image: "x" }] } },
        }),
        status: 422,
        reason: "Invalid",
        text: "field is immutable",
      },
      { send: `POST ${configMaps}`, body: { ...configMap("fixed"), immutable: true }, status: 201 },
      {
        send: `PUT ${configMaps}/fixed`,
        body: { ...configMap("fixed", { data: { key: "other" } }), immutable: true },
        status: 422,
        reason: "Invalid",
        text: "field is immutable when `immutable` is set",
      },
    ],
  },
  {
    title: "a lease is made by PUT and then wants its revision",
    steps: [
      {
        send: `PUT ${leases}/lock`,
        body: { metadata: { name: "lock" }, spec: { holderIdentity: "a", leaseDurationSeconds: 15 } },
        status: 201,
        shape: { spec: { holderIdentity: "a" } },
        keep: { rv: "metadata.resourceVersion" },
      },
      {
        send: `PUT ${leases}/lock`,
        body: { metadata: { name: "lock" }, spec: { holderIdentity: "b", leaseDurationSeconds: 15 } },
        status: 422,
        reason: "Invalid",
        text: "metadata.resourceVersion",
      },
      {
        send: `PUT ${leases}/lock`,
        body: {
          metadata: { name: "lock", resourceVersion: "{rv}" },
          spec: { holderIdentity: "b", leaseDurationSeconds: 15 },
        },
        status: 200,
        shape: { spec: { holderIdentity: "b" } },
      },
      {
        send: `PUT ${leases}/lock`,
        body: {
          metadata: { name: "lock", resourceVersion: "{rv}" },
          spec: { holderIdentity: "c", leaseDurationSeconds: 15 },
        },
        status: 409,
        reason: "Conflict",
      },
    ],
  },
  {
    title: "updates are tracked by field manager, which falls back to the user agent",
    steps: [
      {
        send: `POST ${configMaps}?fieldManager=maker`,
        body: configMap("one"),
        status: 201,
        shape: {
          metadata: {
            managedFields: [
              {
                manager: "maker",
                operation: "Update",
                apiVersion: "v1",
                fieldsType: "FieldsV1",
                fieldsV1: { "f:data": { ".": {}, "f:key": {} } },
              },
            ],
          },
        },
      },
      {
        send: `PATCH ${configMaps}/one`,
        type: "application/merge-patch+json",
        body: { data: { more: "x" } },
        agent: "agent/2.1 (linux)",
        status: 200,
        text: /"manager":"agent","operation":"Update".*"f:more":\{\}/,
      },
      {
        send: `GET ${configMaps}/one`,
        status: 200,
        shape: { metadata: { managedFields: [expect.anything(), expect.anything()] } },
      },
    ],
  },
  {
    title: "node updates keep the provider id once it is set",
    steps: [
      { send: "POST /api/v1/nodes", body: { metadata: { name: "node-{ns}" } }, status: 201 },
      {
        send: "PATCH /api/v1/nodes/node-{ns}",
        type: "application/merge-patch+json",
        body: { spec: { providerID: "aws:///z/i-1" } },
        status: 200,
        shape: { spec: { providerID: "aws:///z/i-1" } },
      },
      {
        send: "PATCH /api/v1/nodes/node-{ns}",
        type: "application/merge-patch+json",
        body: { spec: { providerID: "aws:///z/i-2" } },
        status: 422,
        reason: "Invalid",
        text: "providerID",
      },
      {
        send: "PATCH /api/v1/nodes/node-{ns}",
        type: "application/strategic-merge-patch+json",
        body: { spec: { unschedulable: true } },
        status: 200,
        shape: { spec: { unschedulable: true, taints: [{ key: "node.kubernetes.io/not-ready" }] } },
      },
      { send: "DELETE /api/v1/nodes/node-{ns}", status: 200 },
    ],
  },
];
