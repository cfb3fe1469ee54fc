import { expect } from "vitest";
import type { Case } from "../case.ts";
import { widget } from "../documents.ts";

const widgets = "/apis/suite.example.com/v1/namespaces/{ns}/widgets";
const merge = "application/merge-patch+json";

export const customCases: readonly Case[] = [
  {
    title: "defaults, pruning and the server's fields",
    steps: [
      {
        send: `POST ${widgets}`,
        body: {
          ...widget("w", {
            colour: "red",
            nonsense: 1,
            parts: [{ name: "p", odd: true }],
            limits: { cpu: 4, memory: "8Gi" },
          }),
          more: {},
        },
        status: 201,
        header: ["warning", /unknown field.*nonsense/],
        shape: {
          kind: "Widget",
          apiVersion: "suite.example.com/v1",
          metadata: { generation: 1, namespace: "{ns}", uid: expect.any(String) },
          spec: {
            colour: "red",
            size: 1,
            least: 0,
            parts: [{ name: "p", weight: 5 }],
            limits: { cpu: 4, memory: "8Gi" },
          },
        },
        absent: ["spec.nonsense", "more", "spec.parts.0.odd"],
      },
      {
        send: `POST ${widgets}?fieldValidation=Strict`,
        body: widget("x", { colour: "red", nonsense: 1 }),
        status: 400,
        reason: "BadRequest",
        text: "unknown field",
      },
    ],
  },
  {
    title: "the schema is enforced with field and reason",
    steps: [
      {
        send: `POST ${widgets}`,
        body: widget("w", { size: 3 }),
        status: 422,
        reason: "Invalid",
        shape: {
          message: expect.stringContaining('Widget.suite.example.com "w" is invalid'),
          details: {
            name: "w",
            group: "suite.example.com",
            kind: "Widget",
            causes: expect.arrayContaining([
              expect.objectContaining({ reason: "FieldValueRequired", field: "spec.colour" }),
            ]),
          },
        },
      },
      {
        send: `POST ${widgets}`,
        body: widget("w", { colour: "pink" }),
        status: 422,
        reason: "Invalid",
        text: 'supported values: \\"red\\", \\"green\\", \\"blue\\"',
      },
      {
        send: `POST ${widgets}`,
        body: widget("w", { colour: "red", size: 11 }),
        status: 422,
        reason: "Invalid",
        text: "should be less than or equal to 10",
      },
      {
        send: `POST ${widgets}`,
        body: widget("w", { colour: "red", size: "1" }),
        status: 422,
        reason: "Invalid",
        text: "must be of type integer",
      },
      {
        send: `POST ${widgets}`,
        body: widget("w", { colour: "red", note: "UPPER" }),
        status: 422,
        reason: "Invalid",
        text: "should match",
      },
      {
        send: `POST ${widgets}`,
        body: widget("w", { colour: "red", note: "x".repeat(21) }),
        status: 422,
        reason: "Invalid",
        text: "Too long",
      },
      {
        send: `POST ${widgets}`,
        body: widget("w", { colour: "red", tags: ["a", "a"] }),
        status: 422,
        reason: "Invalid",
        text: "Duplicate value",
      },
      {
        send: `POST ${widgets}`,
        body: widget("w", { colour: "red", tags: ["a", "b", "c", "d"] }),
        status: 422,
        reason: "Invalid",
        text: "Too many",
      },
      {
        send: `POST ${widgets}`,
        body: widget("w", { colour: "red", parts: [{ name: "a" }, { name: "a" }] }),
        status: 422,
        reason: "Invalid",
        text: "Duplicate value",
      },
      {
        send: `POST ${widgets}`,
        body: { apiVersion: "suite.example.com/v1", kind: "Widget", metadata: { name: "w" } },
        status: 422,
        reason: "Invalid",
        text: "spec: Required value",
      },
    ],
  },
  {
    title: "CEL rules run on create and, with the old value, on update",
    steps: [
      {
        send: `POST ${widgets}`,
        body: widget("w", { colour: "red", size: 1, least: 2 }),
        status: 422,
        reason: "Invalid",
        text: "size must not be below least",
      },
      { send: `POST ${widgets}`, body: widget("w", { colour: "red" }), status: 201 },
      {
        send: `PATCH ${widgets}/w`,
        type: merge,
        body: { spec: { colour: "blue" } },
        status: 422,
        reason: "Invalid",
        text: "colour is fixed",
      },
      { send: `PATCH ${widgets}/w`, type: merge, body: { spec: { size: 7 } }, status: 200 },
    ],
  },
  {
    title: "updates want a revision",
    steps: [
      {
        send: `POST ${widgets}`,
        body: widget("w", { colour: "red" }),
        status: 201,
        keep: { rv: "metadata.resourceVersion" },
      },
      {
        send: `PUT ${widgets}/w`,
        body: widget("w", { colour: "red", size: 2 }),
        status: 422,
        reason: "Invalid",
        text: "must be specified for an update",
      },
      {
        send: `PUT ${widgets}/w`,
        body: { ...widget("w", { colour: "red", size: 2 }), metadata: { name: "w", resourceVersion: "{rv}" } },
        status: 200,
        shape: { spec: { size: 2 } },
      },
      {
        send: `PATCH ${widgets}/w`,
        type: merge,
        body: { metadata: { uid: "11111111-2222-3333-4444-555555555555" } },
        status: 422,
        reason: "Invalid",
        text: "metadata.uid",
      },
      {
        send: `PATCH ${widgets}/w?fieldValidation=Strict`,
        type: merge,
        body: { spec: { nonsense: 2 } },
        status: 422,
        reason: "Invalid",
        text: 'unknown field \\"spec.nonsense\\"',
      },
    ],
  },
  {
    title: "a null is dropped where the schema does not allow it",
    steps: [
      {
        send: `POST ${widgets}`,
        body: widget("w", { colour: "red", size: null }),
        status: 201,
        shape: { spec: { size: 1 } },
      },
      {
        send: `PATCH ${widgets}/w`,
        type: merge,
        body: { spec: { size: null } },
        status: 200,
        shape: { spec: { size: 1 } },
      },
    ],
  },
  {
    title: "deletion answers with a Status, or with the object that waits for its finalizers",
    steps: [
      {
        send: `POST ${widgets}`,
        body: { ...widget("w", { colour: "red" }), metadata: { name: "w", finalizers: ["karpenter.sh/termination"] } },
        status: 201,
      },
      {
        send: `DELETE ${widgets}/w`,
        status: 200,
        shape: { kind: "Widget", metadata: { generation: 2, deletionGracePeriodSeconds: 0 } },
      },
      { send: `PATCH ${widgets}/w`, type: merge, body: { metadata: { finalizers: [] } }, status: 200 },
      {
        send: `GET ${widgets}/w`,
        status: 404,
        reason: "NotFound",
        shape: { message: 'widgets.suite.example.com "w" not found' },
      },
      { send: `POST ${widgets}`, body: widget("v", { colour: "red" }), status: 201 },
      {
        send: `DELETE ${widgets}/v`,
        status: 200,
        shape: {
          kind: "Status",
          status: "Success",
          details: { name: "v", group: "suite.example.com", kind: "widgets" },
        },
      },
    ],
  },
  {
    title: "widgets may be cluster-wide listed, but made in a namespace only",
    steps: [
      {
        send: `POST ${widgets}`,
        body: { ...widget("w", { colour: "green" }), metadata: { name: "w", labels: { in: "{ns}" } } },
        status: 201,
      },
      {
        send: "GET /apis/suite.example.com/v1/widgets?labelSelector=in={ns}",
        status: 200,
        shape: { kind: "WidgetList", items: [{ kind: "Widget", metadata: { namespace: "{ns}" } }] },
      },
      { send: "POST /apis/suite.example.com/v1/widgets", body: widget("w", { colour: "green" }), status: 404 },
      { send: "GET /apis/suite.example.com/v1/widgets/w", status: 404 },
    ],
  },
];
