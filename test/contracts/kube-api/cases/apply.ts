import type { Case } from "../case.ts";
import { configMap, container, deployment, widget } from "../documents.ts";

const configMaps = "/api/v1/namespaces/{ns}/configmaps";
const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";
const widgets = "/apis/suite.example.com/v1/namespaces/{ns}/widgets";
const apply = "application/apply-patch+yaml";

function applied(name: string, data: Record<string, string>): Record<string, unknown> {
  return { ...configMap(name), data };
}

export const applyCases: readonly Case[] = [
  {
    title: "makes what is absent and changes what is there",
    steps: [
      {
        send: `PATCH ${configMaps}/one?fieldManager=us`,
        type: apply,
        body: applied("one", { a: "1" }),
        status: 201,
        shape: {
          data: { a: "1" },
          metadata: { managedFields: [{ manager: "us", operation: "Apply", fieldsV1: { "f:data": { "f:a": {} } } }] },
        },
      },
      {
        send: `PATCH ${configMaps}/one?fieldManager=us`,
        type: apply,
        body: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {a: '2', b: x}\n",
        status: 200,
        shape: { data: { a: "2", b: "x" } },
      },
    ],
  },
  {
    title: "the same configuration again changes nothing",
    steps: [
      {
        send: `PATCH ${configMaps}/one?fieldManager=us`,
        type: apply,
        body: applied("one", { a: "1" }),
        status: 201,
        keep: { rv: "metadata.resourceVersion" },
      },
      {
        send: `PATCH ${configMaps}/one?fieldManager=us`,
        type: apply,
        body: applied("one", { a: "1" }),
        status: 200,
        shape: { metadata: { resourceVersion: "{rv}" } },
      },
    ],
  },
  {
    title: "wants a field manager, and no managedFields of the client",
    steps: [
      {
        send: `PATCH ${configMaps}/one`,
        type: apply,
        body: applied("one", {}),
        status: 422,
        reason: "Invalid",
        text: "fieldManager",
      },
      {
        send: `PATCH ${configMaps}/one?fieldManager=us`,
        type: apply,
        body: configMap("one", { managedFields: [{ manager: "x", operation: "Apply", apiVersion: "v1" }] }),
        status: 400,
        reason: "BadRequest",
        text: "managedFields must be nil",
      },
      {
        send: `PATCH ${configMaps}/one?fieldManager=us`,
        type: apply,
        body: configMap("two"),
        status: 400,
        reason: "BadRequest",
      },
      { send: `GET ${configMaps}/one`, status: 404, reason: "NotFound" },
    ],
  },
  {
    title: "associative lists belong to their managers item by item",
    steps: [
      { send: `PATCH ${deployments}/web?fieldManager=us`, type: apply, body: deployment("web"), status: 201 },
      {
        send: `PATCH ${deployments}/web?fieldManager=mesh`,
        type: apply,
        body: {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "web" },
          spec: { template: { spec: { containers: [{ name: "proxy", image: "proxy:1" }] } } },
        },
        status: 200,
        shape: { spec: { template: { spec: { containers: [{ name: "main" }, { name: "proxy" }] } } } },
      },
      {
        send: `PATCH ${deployments}/web?fieldManager=us`,
        type: apply,
        body: deployment("web", {
          template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ ...container, image: "app:2" }] } },
        }),
        status: 200,
        shape: { spec: { template: { spec: { containers: [{ name: "main", image: "app:2" }, { name: "proxy" }] } } } },
      },
      {
        send: `PATCH ${deployments}/web?fieldManager=mesh`,
        type: apply,
        body: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" } },
        status: 200,
        shape: { spec: { template: { spec: { containers: [{ name: "main", image: "app:2" }] } } } },
      },
    ],
  },
  {
    title: "a uid never brings a deleted object back",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("one"), status: 201, keep: { uid: "metadata.uid" } },
      {
        send: `PATCH ${configMaps}/one?fieldManager=us`,
        type: apply,
        body: configMap("one", { uid: "{uid}", labels: { a: "b" } }),
        status: 200,
        shape: { metadata: { labels: { a: "b" } } },
      },
      { send: `DELETE ${configMaps}/one`, status: 200 },
      {
        send: `PATCH ${configMaps}/one?fieldManager=us`,
        type: apply,
        body: configMap("one", { uid: "{uid}" }),
        status: 409,
        reason: "Conflict",
      },
      { send: `GET ${configMaps}/one`, status: 404, reason: "NotFound" },
      { send: `POST ${configMaps}`, body: configMap("one"), status: 201 },
      {
        send: `PATCH ${configMaps}/one?fieldManager=us`,
        type: apply,
        body: configMap("one", { uid: "{uid}" }),
        status: 422,
        reason: "Invalid",
        text: "metadata.uid",
      },
    ],
  },
  {
    title: "custom resources are applied with their list keys, sets and defaults",
    steps: [
      {
        send: `PATCH ${widgets}/w?fieldManager=us`,
        type: apply,
        body: widget("w", { colour: "red", tags: ["a"], parts: [{ name: "p" }] }),
        status: 201,
        shape: { spec: { size: 1, parts: [{ name: "p", weight: 5 }] } },
        text: 'k:{\\"name\\":\\"p\\"}',
      },
      {
        send: `PATCH ${widgets}/w?fieldManager=them`,
        type: apply,
        body: {
          apiVersion: "suite.example.com/v1",
          kind: "Widget",
          metadata: { name: "w" },
          spec: { tags: ["b"], parts: [{ name: "q", weight: 2 }] },
        },
        status: 200,
        shape: { spec: { tags: ["a", "b"], parts: [{ name: "p" }, { name: "q" }] } },
      },
      {
        send: `PATCH ${widgets}/w?fieldManager=them`,
        type: apply,
        body: { apiVersion: "suite.example.com/v1", kind: "Widget", metadata: { name: "w" }, spec: { size: 3 } },
        status: 200,
        shape: { spec: { size: 3, tags: ["a"], parts: [{ name: "p" }] } },
      },
    ],
  },
  {
    title: "merged lists keep their own items between the applied ones, which come in the configuration's order",
    steps: [
      { send: `POST ${widgets}`, body: widget("w", { colour: "red", tags: ["b", "c"] }), status: 201 },
      {
        send: `PATCH ${widgets}/w?fieldManager=us`,
        type: apply,
        body: {
          apiVersion: "suite.example.com/v1",
          kind: "Widget",
          metadata: { name: "w", finalizers: ["example.com/x", "example.com/y"] },
          spec: { tags: ["a", "b"] },
        },
        status: 200,
        shape: { spec: { tags: ["a", "b", "c"] } },
      },
      {
        send: `PATCH ${widgets}/w?fieldManager=them`,
        type: apply,
        body: {
          apiVersion: "suite.example.com/v1",
          kind: "Widget",
          metadata: { name: "w", finalizers: ["example.com/z", "example.com/y"] },
        },
        status: 200,
        shape: { metadata: { finalizers: ["example.com/x", "example.com/z", "example.com/y"] } },
      },
      {
        send: `PATCH ${widgets}/w`,
        type: "application/merge-patch+json",
        body: { metadata: { finalizers: null } },
        status: 200,
      },
    ],
  },
  {
    title: "a field that the schema does not have fails",
    steps: [
      {
        send: `PATCH ${deployments}/web?fieldManager=us`,
        type: apply,
        body: { ...deployment("web"), nonsense: 1 },
        status: 500,
        text: "field not declared in schema",
      },
    ],
  },
  {
    title: "a dry run shows the result and stores nothing",
    steps: [
      {
        send: `PATCH ${configMaps}/one?fieldManager=us&dryRun=All`,
        type: apply,
        body: applied("one", { a: "1" }),
        status: 201,
      },
      { send: `GET ${configMaps}/one`, status: 404, reason: "NotFound" },
    ],
  },
];
