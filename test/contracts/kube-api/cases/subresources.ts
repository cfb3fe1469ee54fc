import type { Case } from "../case.ts";
import { deployment, pod, widget } from "../documents.ts";

const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";
const pods = "/api/v1/namespaces/{ns}/pods";
const widgets = "/apis/suite.example.com/v1/namespaces/{ns}/widgets";
const merge = "application/merge-patch+json";

export const subresourceCases: readonly Case[] = [
  {
    title: "status and spec don't touch each other",
    steps: [
      { send: `POST ${deployments}`, body: deployment("web"), status: 201 },
      {
        send: `PATCH ${deployments}/web/status`,
        type: merge,
        body: { spec: { replicas: 9 }, status: { replicas: 2, observedGeneration: 1 } },
        status: 200,
        shape: { spec: { replicas: 2 }, status: { replicas: 2 }, metadata: { generation: 1 } },
      },
      {
        send: `PATCH ${deployments}/web`,
        type: merge,
        body: { spec: { replicas: 3 }, status: { replicas: 8 } },
        status: 200,
        shape: { spec: { replicas: 3 }, status: { replicas: 2 }, metadata: { generation: 2 } },
      },
      {
        send: `PUT ${deployments}/web/status`,
        body: { ...deployment("web"), status: { replicas: 3 } },
        status: 200,
        shape: { spec: { replicas: 3 }, status: { replicas: 3 } },
      },
      { send: `GET ${deployments}/web/status`, status: 200, shape: { kind: "Deployment", status: { replicas: 3 } } },
    ],
  },
  {
    title: "custom resources have the same walls",
    steps: [
      {
        send: `POST ${widgets}`,
        body: { ...widget("w", { colour: "red" }), status: { size: 3 } },
        status: 201,
        absent: ["status"],
        shape: { metadata: { generation: 1 } },
        keep: { rv: "metadata.resourceVersion" },
      },
      {
        send: `PUT ${widgets}/w/status`,
        body: {
          ...widget("w", { colour: "blue" }),
          metadata: { name: "w", resourceVersion: "{rv}", labels: { not: "this" } },
          status: { size: 3 },
        },
        status: 200,
        shape: { spec: { colour: "red" }, status: { size: 3 }, metadata: { generation: 1 } },
        absent: ["metadata.labels"],
      },
      {
        send: `PATCH ${widgets}/w`,
        type: merge,
        body: { status: { size: 8 } },
        status: 200,
        shape: { status: { size: 3 } },
      },
      {
        send: `PATCH ${widgets}/w/status`,
        type: merge,
        body: { status: { size: "many" } },
        status: 422,
        reason: "Invalid",
      },
      {
        send: `PUT ${widgets}/w/status`,
        body: { ...widget("w", { colour: "red" }), status: {} },
        status: 422,
        reason: "Invalid",
        text: "metadata.resourceVersion",
      },
    ],
  },
  {
    title: "the status of a pod is the kubelet's, and it may label",
    steps: [
      { send: `POST ${pods}`, body: pod("p"), status: 201 },
      {
        send: `PATCH ${pods}/p/status`,
        type: "application/strategic-merge-patch+json",
        body: {
          metadata: { labels: { seen: "yes" } },
          status: {
            phase: "Running",
            podIP: "10.0.0.9",
            conditions: [{ type: "Ready", status: "True" }],
            containerStatuses: [
              { name: "main", ready: true, restartCount: 2, image: "x", imageID: "", state: { running: {} } },
            ],
          },
        },
        status: 200,
        shape: { status: { phase: "Running", podIP: "10.0.0.9" }, metadata: { labels: { seen: "yes" } } },
      },
      {
        send: `GET ${pods}/p`,
        accept: "application/json;as=Table;v=v1;g=meta.k8s.io",
        status: 200,
        text: '"1/1","Running"',
      },
    ],
  },
  {
    title: "the scale of a deployment is read and written",
    steps: [
      { send: `POST ${deployments}`, body: deployment("web"), status: 201 },
      {
        send: `GET ${deployments}/web/scale`,
        status: 200,
        shape: {
          kind: "Scale",
          apiVersion: "autoscaling/v1",
          metadata: { name: "web", namespace: "{ns}" },
          spec: { replicas: 2 },
          status: { replicas: 0, selector: "app=web" },
        },
        keep: { rv: "metadata.resourceVersion" },
      },
      {
        send: `PUT ${deployments}/web/scale`,
        body: {
          apiVersion: "autoscaling/v1",
          kind: "Scale",
          metadata: { name: "web", namespace: "{ns}", resourceVersion: "{rv}" },
          spec: { replicas: 4 },
        },
        status: 200,
        shape: { kind: "Scale", spec: { replicas: 4 } },
      },
      {
        send: `PUT ${deployments}/web/scale`,
        body: {
          apiVersion: "autoscaling/v1",
          kind: "Scale",
          metadata: { name: "web", namespace: "{ns}", resourceVersion: "{rv}" },
          spec: { replicas: 5 },
        },
        status: 409,
        reason: "Conflict",
      },
      {
        send: `PATCH ${deployments}/web/scale`,
        type: merge,
        body: { spec: { replicas: 0 } },
        status: 200,
        absent: ["spec.replicas"],
      },
      {
        send: `PATCH ${deployments}/web/scale`,
        type: merge,
        body: { spec: { replicas: -1 } },
        status: 422,
        reason: "Invalid",
      },
      { send: `GET ${deployments}/web`, status: 200, shape: { spec: { replicas: 0 }, metadata: { generation: 3 } } },
      { send: `GET ${deployments}/none/scale`, status: 404, reason: "NotFound" },
    ],
  },
  {
    title: "the scale of a custom resource follows its definition",
    steps: [
      { send: `POST ${widgets}`, body: widget("w", { colour: "red", size: 2 }), status: 201 },
      { send: `PATCH ${widgets}/w/status`, type: merge, body: { status: { size: 1, selector: "a=b" } }, status: 200 },
      {
        send: `GET ${widgets}/w/scale`,
        status: 200,
        shape: { kind: "Scale", spec: { replicas: 2 }, status: { replicas: 1, selector: "a=b" } },
      },
      {
        send: `PATCH ${widgets}/w/scale`,
        type: merge,
        body: { spec: { replicas: 5 } },
        status: 200,
        shape: { spec: { replicas: 5 } },
      },
      { send: `GET ${widgets}/w`, status: 200, shape: { spec: { size: 5 } } },
      {
        send: `PATCH ${widgets}/w/scale`,
        type: merge,
        body: { spec: { replicas: 50 } },
        status: 422,
        reason: "Invalid",
      },
    ],
  },
];
