import { expect } from "vitest";
import type { Case, Step } from "../case.ts";
import { configMap, pod } from "../documents.ts";

const configMaps = "/api/v1/namespaces/{ns}/configmaps";
const pods = "/api/v1/namespaces/{ns}/pods";

function named(...names: string[]): unknown {
  return { items: names.map((name) => ({ metadata: { name } })) };
}

const three: readonly Step[] = [
  { send: `POST ${configMaps}`, body: configMap("a", { labels: { tier: "web", env: "prod" } }), status: 201 },
  { send: `POST ${configMaps}`, body: configMap("b", { labels: { tier: "db", env: "prod" } }), status: 201 },
  { send: `POST ${configMaps}`, body: configMap("c", { labels: { tier: "cache" } }), status: 201 },
];

export const listCases: readonly Case[] = [
  {
    title: "a list has a kind, a revision and its items in order of name",
    steps: [
      ...three,
      {
        send: `GET ${configMaps}`,
        status: 200,
        shape: {
          kind: "ConfigMapList",
          apiVersion: "v1",
          metadata: { resourceVersion: expect.stringMatching(/^\d+$/) },
          ...(named("a", "b", "c") as object),
        },
        absent: ["items.0.kind", "metadata.continue"],
      },
      { send: "GET /api/v1/namespaces/nowhere-{ns}/configmaps", status: 200, shape: { items: [] } },
      {
        send: "GET /api/v1/configmaps?labelSelector=tier=cache&fieldSelector=metadata.namespace={ns}",
        status: 200,
        shape: named("c"),
      },
    ],
  },
  {
    title: "label selectors: equality",
    steps: [
      ...three,
      { send: `GET ${configMaps}?labelSelector=tier%3Dweb`, status: 200, shape: named("a") },
      { send: `GET ${configMaps}?labelSelector=tier==web`, status: 200, shape: named("a") },
      { send: `GET ${configMaps}?labelSelector=tier!=web`, status: 200, shape: named("b", "c") },
      { send: `GET ${configMaps}?labelSelector=env=prod,tier=db`, status: 200, shape: named("b") },
    ],
  },
  {
    title: "label selectors: sets and existence",
    steps: [
      ...three,
      { send: `GET ${configMaps}?labelSelector=tier%20in%20(web,db)`, status: 200, shape: named("a", "b") },
      { send: `GET ${configMaps}?labelSelector=tier%20notin%20(web,db)`, status: 200, shape: named("c") },
      { send: `GET ${configMaps}?labelSelector=env`, status: 200, shape: named("a", "b") },
      { send: `GET ${configMaps}?labelSelector=!env`, status: 200, shape: named("c") },
      { send: `GET ${configMaps}?labelSelector=env,tier%20in%20(db)`, status: 200, shape: named("b") },
    ],
  },
  {
    title: "a selector that does not parse is a BadRequest",
    steps: [
      { send: `GET ${configMaps}?labelSelector=a%20b%20c`, status: 400, reason: "BadRequest" },
      { send: `GET ${configMaps}?labelSelector=a%20in%20b`, status: 400, reason: "BadRequest" },
      {
        send: `GET ${configMaps}?fieldSelector=spec.unheard=x`,
        status: 400,
        reason: "BadRequest",
        text: "is not a known field selector",
      },
      { send: `GET ${pods}?fieldSelector=spec.unheard=x`, status: 400, text: "field label not supported" },
      { send: `GET ${configMaps}?fieldSelector=plain`, status: 400, reason: "BadRequest" },
    ],
  },
  {
    title: "field selectors: name, node and phase of pods",
    steps: [
      { send: `POST ${pods}`, body: pod("free"), status: 201 },
      { send: `POST ${pods}`, body: pod("bound", { spec: { nodeName: "node-x" } }), status: 201 },
      { send: `GET ${pods}?fieldSelector=metadata.name=free`, status: 200, shape: named("free") },
      { send: `GET ${pods}?fieldSelector=spec.nodeName=node-x`, status: 200, shape: named("bound") },
      { send: `GET ${pods}?fieldSelector=spec.nodeName=`, status: 200, shape: named("free") },
      { send: `GET ${pods}?fieldSelector=spec.nodeName!=node-x`, status: 200, shape: named("free") },
      { send: `GET ${pods}?fieldSelector=status.phase=Pending`, status: 200, shape: named("bound", "free") },
      { send: `GET ${pods}?fieldSelector=status.phase!=Pending`, status: 200, shape: named() },
      {
        send: `GET ${pods}?fieldSelector=spec.nodeName=node-x,status.phase=Pending`,
        status: 200,
        shape: named("bound"),
      },
    ],
  },
  {
    title: "field selectors: what events are about",
    steps: [
      {
        send: "POST /api/v1/namespaces/{ns}/events",
        body: {
          metadata: { name: "e1" },
          involvedObject: { kind: "Pod", name: "p", namespace: "{ns}" },
          reason: "R",
          type: "Normal",
        },
        status: 201,
      },
      {
        send: "POST /api/v1/namespaces/{ns}/events",
        body: {
          metadata: { name: "e2" },
          involvedObject: { kind: "Node", name: "n", namespace: "{ns}" },
          reason: "S",
          type: "Warning",
        },
        status: 201,
      },
      {
        send: "GET /api/v1/namespaces/{ns}/events?fieldSelector=involvedObject.kind=Pod,involvedObject.name=p",
        status: 200,
        shape: named("e1"),
      },
      { send: "GET /api/v1/namespaces/{ns}/events?fieldSelector=type=Warning", status: 200, shape: named("e2") },
      { send: "GET /api/v1/namespaces/{ns}/events?fieldSelector=reason=R", status: 200, shape: named("e1") },
    ],
  },
  {
    title: "pages all show the revision of the first",
    steps: [
      ...three,
      {
        send: `GET ${configMaps}?limit=2`,
        status: 200,
        shape: { ...(named("a", "b") as object), metadata: { remainingItemCount: 1 } },
        keep: { next: "metadata.continue", rv: "metadata.resourceVersion" },
      },
      { send: `DELETE ${configMaps}/c`, status: 200 },
      { send: `POST ${configMaps}`, body: configMap("d"), status: 201 },
      {
        send: `GET ${configMaps}?limit=2&continue={next}`,
        status: 200,
        shape: { ...(named("c") as object), metadata: { resourceVersion: "{rv}" } },
        absent: ["metadata.continue", "metadata.remainingItemCount"],
      },
      { send: `GET ${configMaps}?limit=2&continue=garbage`, status: 400, reason: "BadRequest" },
    ],
  },
  {
    title: "resourceVersion: any, at least, exactly, of the future",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("a"), status: 201, keep: { rv: "metadata.resourceVersion" } },
      { send: `POST ${configMaps}`, body: configMap("b"), status: 201 },
      { send: `GET ${configMaps}?resourceVersion=0`, status: 200, shape: named("a", "b"), eventually: true },
      {
        send: `GET ${configMaps}?resourceVersion={rv}&resourceVersionMatch=NotOlderThan`,
        status: 200,
        shape: named("a", "b"),
        eventually: true,
      },
      {
        send: `GET ${configMaps}?resourceVersion={rv}&resourceVersionMatch=Exact`,
        status: 200,
        shape: { ...(named("a") as object), metadata: { resourceVersion: "{rv}" } },
      },
      { send: `GET ${configMaps}?resourceVersionMatch=Exact`, status: 422, reason: "Invalid" },
      { send: `GET ${configMaps}?resourceVersion=soon`, status: 400, reason: "BadRequest" },
      {
        send: `GET ${configMaps}?resourceVersion=999999999`,
        status: 504,
        reason: "Timeout",
        shape: { details: { causes: [{ reason: "ResourceVersionTooLarge" }] } },
      },
    ],
  },
];
