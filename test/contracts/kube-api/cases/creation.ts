import { expect } from "vitest";
import type { Case } from "../case.ts";
import { configMap, deployment, pod } from "../documents.ts";

const configMaps = "/api/v1/namespaces/{ns}/configmaps";
const pods = "/api/v1/namespaces/{ns}/pods";
const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";

export const creationCases: readonly Case[] = [
  {
    title: "the server writes uid, time and revision, and keeps the rest",
    steps: [
      {
        send: `POST ${configMaps}`,
        body: configMap("one", { labels: { a: "b" } }),
        status: 201,
        shape: {
          kind: "ConfigMap",
          metadata: {
            name: "one",
            namespace: "{ns}",
            labels: { a: "b" },
            uid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-/),
            resourceVersion: expect.stringMatching(/^\d+$/),
            creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
          },
          data: { key: "value" },
        },
        absent: ["metadata.generation"],
      },
      {
        send: `GET ${configMaps}/one`,
        status: 200,
        shape: { kind: "ConfigMap", apiVersion: "v1", data: { key: "value" } },
      },
    ],
  },
  {
    title: "a name that exists is AlreadyExists",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("one"), status: 201 },
      {
        send: `POST ${configMaps}`,
        body: configMap("one"),
        status: 409,
        reason: "AlreadyExists",
        shape: { message: 'configmaps "one" already exists', details: { name: "one", kind: "configmaps" } },
      },
    ],
  },
  {
    title: "generateName makes a name of the prefix and five letters",
    steps: [
      {
        send: `POST ${configMaps}`,
        body: { metadata: { generateName: "some-" } },
        status: 201,
        shape: {
          metadata: { generateName: "some-", name: expect.stringMatching(/^some-[bcdfghjklmnpqrstvwxz2456789]{5}$/) },
        },
      },
      {
        send: `POST ${configMaps}`,
        body: { metadata: {} },
        status: 422,
        reason: "Invalid",
        text: "name or generateName is required",
      },
    ],
  },
  {
    title: "a namespace that does not exist is NotFound, one that differs is a BadRequest",
    steps: [
      { send: "POST /api/v1/namespaces/none-such/configmaps", body: configMap("one"), status: 404, reason: "NotFound" },
      {
        send: `POST ${configMaps}`,
        body: configMap("one", { namespace: "default" }),
        status: 400,
        reason: "BadRequest",
      },
      {
        send: "POST /api/v1/configmaps",
        body: configMap("one", { namespace: "default" }),
        status: 405,
        reason: "MethodNotAllowed",
      },
    ],
  },
  {
    title: "names follow the rules of their kind",
    steps: [
      {
        send: `POST ${configMaps}`,
        body: configMap("Not_A_Name"),
        status: 422,
        reason: "Invalid",
        text: "RFC 1123 subdomain",
      },
      { send: `POST ${configMaps}`, body: configMap("a.dotted.name"), status: 201 },
      {
        send: "POST /api/v1/namespaces",
        body: { metadata: { name: "a.b" } },
        status: 422,
        reason: "Invalid",
        text: "must not contain dots",
      },
      {
        send: `POST ${configMaps}`,
        body: configMap("labelled", { labels: { "bad key!": "x" } }),
        status: 422,
        reason: "Invalid",
        text: "metadata.labels",
      },
      {
        send: `POST ${configMaps}`,
        body: configMap("labelled", { labels: { ok: "not ok!" } }),
        status: 422,
        reason: "Invalid",
        text: "metadata.labels",
      },
      {
        send: `POST ${configMaps}`,
        body: configMap("finalized", { finalizers: ["unqualified"] }),
        status: 422,
        reason: "Invalid",
        text: "metadata.finalizers",
      },
    ],
  },
  {
    title: "a body of another kind or version, or that is none, is a BadRequest",
    steps: [
      { send: `POST ${configMaps}`, body: pod("one"), status: 400, reason: "BadRequest" },
      {
        send: `POST ${deployments}`,
        body: { ...deployment("one"), apiVersion: "apps/v1beta1" },
        status: 400,
        reason: "BadRequest",
      },
      { send: `POST ${configMaps}`, body: "{not json", status: 400, reason: "BadRequest" },
      { send: `POST ${configMaps}`, body: "a,b,c", type: "text/csv", status: 415, reason: "UnsupportedMediaType" },
    ],
  },
  {
    title: "YAML bodies are taken",
    steps: [
      {
        send: `POST ${configMaps}`,
        body: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  a: b\n",
        type: "application/yaml",
        status: 201,
        shape: { data: { a: "b" } },
      },
    ],
  },
  {
    title: "a value of the wrong type is a BadRequest that names the field",
    steps: [
      {
        send: `POST ${deployments}`,
        body: deployment("one", { replicas: "two" }),
        status: 400,
        reason: "BadRequest",
        text: "replicas",
      },
      {
        send: `POST ${pods}`,
        body: pod("one", {
          spec: { containers: [{ name: "a", image: "b", resources: { requests: { cpu: "lots" } } }] },
        }),
        status: 400,
        reason: "BadRequest",
        text: "quantities must match",
      },
    ],
  },
  {
    title: "a field that nobody knows is dropped with a warning, refused when strict, dropped in silence when ignored",
    steps: [
      {
        send: `POST ${configMaps}`,
        body: { ...configMap("warned"), nonsense: 1 },
        status: 201,
        header: ["warning", /unknown field.*nonsense/],
        absent: ["nonsense"],
      },
      {
        send: `POST ${configMaps}?fieldValidation=Strict`,
        body: { ...configMap("strict"), nonsense: 1 },
        status: 400,
        reason: "BadRequest",
        text: "strict decoding error: unknown field",
      },
      {
        send: `POST ${configMaps}?fieldValidation=Ignore`,
        body: { ...configMap("ignored"), nonsense: 1 },
        status: 201,
        header: ["warning", /^undefined$/],
      },
      { send: `POST ${configMaps}?fieldValidation=Loud`, body: configMap("loud"), status: 422, reason: "Invalid" },
    ],
  },
  {
    title: "a dry run answers as if and stores nothing",
    steps: [
      {
        send: `POST ${configMaps}?dryRun=All`,
        body: configMap("dry"),
        status: 201,
        shape: { metadata: { name: "dry", uid: expect.any(String) } },
      },
      { send: `GET ${configMaps}/dry`, status: 404, reason: "NotFound" },
      { send: `POST ${configMaps}?dryRun=Some`, body: configMap("dry"), status: 422, reason: "Invalid" },
      { send: `POST ${configMaps}?dryRun=All`, body: configMap("DRY"), status: 422, reason: "Invalid" },
    ],
  },
];
