import { expect } from "vitest";
import type { Case } from "../case.ts";
import { configMap, pod, widget } from "../documents.ts";

const configMaps = "/api/v1/namespaces/{ns}/configmaps";
const pods = "/api/v1/namespaces/{ns}/pods";
const widgets = "/apis/suite.example.com/v1/namespaces/{ns}/widgets";
const merge = "application/merge-patch+json";

function event(type: string, name: string): unknown {
  return { type, object: { metadata: { name } } };
}

const revision = expect.stringMatching(/^\d+$/);

export const watchCases: readonly Case[] = [
  {
    title: "events after a revision come in order, with whole objects",
    steps: [
      { send: `GET ${configMaps}`, status: 200, keep: { rv: "metadata.resourceVersion" } },
      { send: `POST ${configMaps}`, body: configMap("a"), status: 201 },
      { send: `PATCH ${configMaps}/a`, type: merge, body: { data: { key: "other" } }, status: 200 },
      { send: `POST ${configMaps}`, body: configMap("b"), status: 201 },
      { send: `DELETE ${configMaps}/a`, status: 200 },
      {
        send: `WATCH ${configMaps}?watch=true&resourceVersion={rv}`,
        status: 200,
        events: [
          {
            type: "ADDED",
            object: {
              kind: "ConfigMap",
              apiVersion: "v1",
              metadata: { name: "a", resourceVersion: revision },
              data: { key: "value" },
            },
          },
          { type: "MODIFIED", object: { metadata: { name: "a" }, data: { key: "other" } } },
          event("ADDED", "b"),
          { type: "DELETED", object: { metadata: { name: "a" }, data: { key: "other" } } },
        ],
      },
    ],
  },
  {
    title: "an open watch sees what happens next",
    steps: [
      { send: `GET ${configMaps}`, status: 200, keep: { rv: "metadata.resourceVersion" } },
      {
        send: `WATCH ${configMaps}?watch=1&resourceVersion={rv}`,
        status: 200,
        during: [
          { send: `POST ${configMaps}`, body: configMap("a"), status: 201 },
          { send: `DELETE ${configMaps}/a`, status: 200 },
        ],
        events: [event("ADDED", "a"), event("DELETED", "a")],
      },
    ],
  },
  {
    title: "without a revision, or from 0, it begins with what is there",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("a"), status: 201 },
      { send: `POST ${configMaps}`, body: configMap("b"), status: 201 },
      { send: `GET ${configMaps}?resourceVersion=0`, status: 200, shape: { items: [{}, {}] }, eventually: true },
      { send: `WATCH ${configMaps}?watch=true`, status: 200, events: [event("ADDED", "a"), event("ADDED", "b")] },
      {
        send: `WATCH ${configMaps}?watch=true&resourceVersion=0`,
        status: 200,
        events: [event("ADDED", "a"), event("ADDED", "b")],
      },
    ],
  },
  {
    title: "sendInitialEvents streams the list and marks its end",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("a"), status: 201 },
      {
        send: `WATCH ${configMaps}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
        status: 200,
        events: [
          event("ADDED", "a"),
          {
            type: "BOOKMARK",
            object: {
              kind: "ConfigMap",
              metadata: { resourceVersion: revision, annotations: { "k8s.io/initial-events-end": "true" } },
            },
          },
        ],
      },
      { send: `GET ${configMaps}?watch=true&sendInitialEvents=true`, status: 422, reason: "Invalid" },
      {
        send: `GET ${configMaps}?watch=true&resourceVersionMatch=NotOlderThan&resourceVersion=1`,
        status: 422,
        reason: "Invalid",
      },
    ],
  },
  {
    title: "an object that begins or ceases to match is ADDED or DELETED",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("a"), status: 201, keep: { rv: "metadata.resourceVersion" } },
      { send: `PATCH ${configMaps}/a`, type: merge, body: { metadata: { labels: { pick: "me" } } }, status: 200 },
      { send: `PATCH ${configMaps}/a`, type: merge, body: { data: { key: "x" } }, status: 200 },
      {
        send: `PATCH ${configMaps}/a`,
        type: merge,
        body: { metadata: { labels: null } },
        status: 200,
        keep: { last: "metadata.resourceVersion" },
      },
      {
        send: `WATCH ${configMaps}?watch=true&resourceVersion={rv}&labelSelector=pick=me`,
        status: 200,
        events: [
          event("ADDED", "a"),
          event("MODIFIED", "a"),
          { type: "DELETED", object: { metadata: { name: "a", labels: { pick: "me" }, resourceVersion: "{last}" } } },
        ],
      },
    ],
  },
  {
    title: "fields select too: a pod leaves the watch of unbound pods when it is bound",
    steps: [
      { send: `GET ${pods}`, status: 200, keep: { rv: "metadata.resourceVersion" } },
      { send: `POST ${pods}`, body: pod("p"), status: 201 },
      {
        send: `POST ${pods}/p/binding`,
        body: { metadata: { name: "p" }, target: { kind: "Node", name: "n" } },
        status: 201,
      },
      {
        send: `WATCH ${pods}?watch=true&resourceVersion={rv}&fieldSelector=spec.nodeName=`,
        status: 200,
        events: [event("ADDED", "p"), event("DELETED", "p")],
      },
    ],
  },
  {
    title: "one object may be watched by name",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("a"), status: 201, keep: { rv: "metadata.resourceVersion" } },
      { send: `POST ${configMaps}`, body: configMap("b"), status: 201 },
      { send: `PATCH ${configMaps}/a`, type: merge, body: { data: { key: "x" } }, status: 200 },
      {
        send: `WATCH ${configMaps}?watch=true&resourceVersion={rv}&fieldSelector=metadata.name=a`,
        status: 200,
        events: [event("MODIFIED", "a")],
      },
      {
        send: `GET ${configMaps}/a?watch=true&resourceVersion={rv}`,
        status: 200,
        shape: { kind: "ConfigMap", data: { key: "x" } },
      },
      {
        send: `WATCH ${configMaps}?watch=true&resourceVersion={rv}&fieldSelector=metadata.name=b`,
        status: 200,
        events: [event("ADDED", "b")],
      },
    ],
  },
  {
    title: "a watch ends after its time",
    steps: [
      {
        send: `WATCH ${configMaps}?watch=true&timeoutSeconds=1&resourceVersion=0`,
        status: 200,
        events: [],
      },
      { send: `GET ${configMaps}?watch=true&timeoutSeconds=1&resourceVersion=0`, status: 200, text: /^$/ },
    ],
  },
  {
    title: "a revision before all history is Gone, inside the stream",
    steps: [
      {
        send: `WATCH /apis/suite.example.com/v1/widgets?watch=true&resourceVersion=2`,
        status: 200,
        events: [{ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } }],
      },
      { send: `GET ${configMaps}?watch=true&resourceVersion=soon`, status: 500 },
    ],
  },
  {
    title: "tables are watched row by row, with columns once",
    steps: [
      {
        send: `POST ${widgets}`,
        body: widget("w", { colour: "red" }),
        status: 201,
        keep: { rv: "metadata.resourceVersion" },
      },
      { send: `PATCH ${widgets}/w`, type: merge, body: { spec: { size: 2 } }, status: 200 },
      { send: `PATCH ${widgets}/w`, type: merge, body: { spec: { size: 3 } }, status: 200 },
      {
        send: `WATCH ${widgets}?watch=true&resourceVersion={rv}`,
        accept: "application/json;as=Table;v=v1;g=meta.k8s.io",
        status: 200,
        events: [
          {
            type: "MODIFIED",
            object: {
              kind: "Table",
              columnDefinitions: [{ name: "Name" }, { name: "Size" }, { name: "Ready" }, { name: "Note" }],
              rows: [{ cells: ["w", 2, null, null] }],
            },
          },
          { type: "MODIFIED", object: { kind: "Table", rows: [{ cells: ["w", 3, null, null] }] } },
        ],
      },
    ],
  },
];
