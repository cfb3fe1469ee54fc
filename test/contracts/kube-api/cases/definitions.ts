import { expect } from "vitest";
import type { Case } from "../case.ts";
import { widgets as definition } from "../documents.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const gadgets = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "gadgets.g{ns}.example.com" },
  spec: {
    group: "g{ns}.example.com",
    scope: "Cluster",
    names: { kind: "Gadget", plural: "gadgets" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        },
      },
      {
        name: "v1beta1",
        served: true,
        storage: false,
        deprecated: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        },
      },
    ],
  },
};

export const definitionCases: readonly Case[] = [
  {
    title: "an established definition has accepted names and conditions",
    steps: [
      {
        send: `GET ${definitions}/widgets.suite.example.com`,
        status: 200,
        shape: {
          spec: { conversion: { strategy: "None" } },
          status: {
            acceptedNames: {
              kind: "Widget",
              plural: "widgets",
              singular: "widget",
              listKind: "WidgetList",
              shortNames: ["wd"],
            },
            storedVersions: ["v1"],
            conditions: expect.arrayContaining([
              expect.objectContaining({ type: "NamesAccepted", status: "True", reason: "NoConflicts" }),
              expect.objectContaining({ type: "Established", status: "True", reason: "InitialNamesAccepted" }),
            ]),
          },
        },
      },
    ],
  },
  {
    title: "a definition is served, in each of its versions, and gone once it is deleted",
    steps: [
      {
        send: `POST ${definitions}`,
        body: gadgets,
        status: 201,
        shape: { spec: { names: { singular: "gadget", listKind: "GadgetList" } } },
      },
      {
        send: "GET /apis/g{ns}.example.com/v1/gadgets",
        status: 200,
        shape: { kind: "GadgetList", items: [] },
        eventually: true,
      },
      {
        send: "POST /apis/g{ns}.example.com/v1/gadgets",
        body: {
          apiVersion: "g{ns}.example.com/v1",
          kind: "Gadget",
          metadata: { name: "g" },
          spec: { free: { form: [1, "a"] } },
        },
        status: 201,
        eventually: true,
      },
      {
        send: "GET /apis/g{ns}.example.com/v1beta1/gadgets/g",
        status: 200,
        shape: { apiVersion: "g{ns}.example.com/v1beta1", spec: { free: { form: [1, "a"] } } },
        header: ["warning", /deprecated/],
        eventually: true,
      },
      {
        send: `DELETE ${definitions}/gadgets.g{ns}.example.com`,
        status: 200,
        shape: { kind: "CustomResourceDefinition" },
      },
      { send: "GET /apis/g{ns}.example.com/v1/gadgets", status: 404, eventually: true },
      { send: `GET ${definitions}/gadgets.g{ns}.example.com`, status: 404, eventually: true },
    ],
  },
  {
    title: "a wrong definition is refused",
    steps: [
      {
        send: `POST ${definitions}`,
        body: { ...definition, metadata: { name: "other.suite.example.com" } },
        status: 422,
        reason: "Invalid",
        text: "must be spec.names.plural",
      },
      {
        send: `POST ${definitions}`,
        body: { ...gadgets, spec: { ...gadgets.spec, versions: [{ name: "v1", served: true, storage: true }] } },
        status: 422,
        reason: "Invalid",
        text: "openAPIV3Schema: Required value",
      },
      {
        send: `POST ${definitions}`,
        body: {
          ...gadgets,
          spec: {
            ...gadgets.spec,
            versions: [
              {
                name: "v1",
                served: true,
                storage: true,
                schema: { openAPIV3Schema: { type: "object", properties: { spec: {} } } },
              },
            ],
          },
        },
        status: 422,
        reason: "Invalid",
        text: "must not be empty for specified object fields",
      },
      { send: `POST ${definitions}`, body: definition, status: 409, reason: "AlreadyExists" },
    ],
  },
];
