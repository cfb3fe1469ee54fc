import { expect } from "vitest";
import type { Case } from "../case.ts";
import { deployment } from "../documents.ts";

const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";

/** What `kubectl create configmap c --from-literal=a=b` sends. */
const configMapInProtobuf = Buffer.from(
  "azhzAAoPCgJ2MRIJQ29uZmlnTWFwEhsKEQoBYxIAGgAiACoAMgA4AEIAEgYKAWESAWIaACIA",
  "base64",
).toString("latin1");

export const kindCases: readonly Case[] = [
  {
    title: "deployments get their defaults and generation 1",
    steps: [
      {
        send: `POST ${deployments}`,
        body: { ...deployment("web"), status: { replicas: 7 } },
        status: 201,
        shape: {
          metadata: { generation: 1 },
          spec: {
            replicas: 2,
            revisionHistoryLimit: 10,
            progressDeadlineSeconds: 600,
            strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
            template: {
              spec: {
                restartPolicy: "Always",
                dnsPolicy: "ClusterFirst",
                schedulerName: "default-scheduler",
                terminationGracePeriodSeconds: 30,
                securityContext: {},
                containers: [
                  {
                    name: "main",
                    imagePullPolicy: "IfNotPresent",
                    resources: {},
                    terminationMessagePath: "/dev/termination-log",
                    terminationMessagePolicy: "File",
                  },
                ],
              },
            },
          },
          status: {},
        },
        absent: ["status.replicas", "spec.template.spec.tolerations", "spec.template.spec.enableServiceLinks"],
      },
    ],
  },
  {
    title: "a deployment whose selector misses its template is Invalid",
    steps: [
      {
        send: `POST ${deployments}`,
        body: deployment("web", { selector: { matchLabels: { app: "other" } } }),
        status: 422,
        reason: "Invalid",
        shape: {
          message: expect.stringContaining(
            'Deployment.apps "web" is invalid: spec.template.metadata.labels: Invalid value',
          ),
          details: {
            name: "web",
            group: "apps",
            kind: "Deployment",
            causes: [{ reason: "FieldValueInvalid", field: "spec.template.metadata.labels" }],
          },
        },
      },
      {
        send: `POST ${deployments}`,
        body: deployment("web", { replicas: -1 }),
        status: 422,
        reason: "Invalid",
        text: "spec.replicas",
      },
    ],
  },
  {
    title: "other workloads get theirs",
    steps: [
      {
        send: "POST /apis/apps/v1/namespaces/{ns}/daemonsets",
        body: { ...deployment("agent", { replicas: undefined }), kind: "DaemonSet" },
        status: 201,
        shape: {
          metadata: { generation: 1 },
          spec: {
            revisionHistoryLimit: 10,
            updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
          },
          status: { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
        },
      },
      {
        send: "POST /apis/apps/v1/namespaces/{ns}/statefulsets",
        body: { ...deployment("db", { replicas: undefined, serviceName: "db" }), kind: "StatefulSet" },
        status: 201,
        shape: {
          spec: {
            replicas: 1,
            podManagementPolicy: "OrderedReady",
            updateStrategy: { rollingUpdate: { partition: 0 } },
          },
        },
      },
      {
        send: "POST /apis/apps/v1/namespaces/{ns}/replicasets",
        body: { ...deployment("set"), kind: "ReplicaSet" },
        status: 201,
        shape: { spec: { replicas: 2 }, status: { replicas: 0 } },
      },
      {
        send: "POST /apis/batch/v1/namespaces/{ns}/jobs",
        body: {
          metadata: { name: "job" },
          spec: {
            template: {
              spec: { restartPolicy: "Never", containers: [{ name: "main", image: "registry.example/app" }] },
            },
          },
        },
        status: 201,
        shape: {
          spec: {
            parallelism: 1,
            completions: 1,
            backoffLimit: 6,
            completionMode: "NonIndexed",
            suspend: false,
            selector: { matchLabels: { "batch.kubernetes.io/controller-uid": expect.any(String) } },
            template: {
              metadata: { labels: { "batch.kubernetes.io/job-name": "job" } },
              spec: { containers: [{ imagePullPolicy: "Always" }] },
            },
          },
        },
      },
    ],
  },
  {
    title: "services, secrets, claims and storage classes get their defaults",
    steps: [
      {
        send: "POST /api/v1/namespaces/{ns}/services",
        body: { metadata: { name: "web" }, spec: { selector: { app: "web" }, ports: [{ port: 80 }] } },
        status: 201,
        shape: {
          spec: {
            type: "ClusterIP",
            sessionAffinity: "None",
            clusterIP: expect.any(String),
            ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
          },
          status: { loadBalancer: {} },
        },
      },
      {
        send: "POST /api/v1/namespaces/{ns}/secrets",
        body: { metadata: { name: "key" }, stringData: { password: "geheim" } },
        status: 201,
        shape: { type: "Opaque", data: { password: "Z2VoZWlt" } },
        absent: ["stringData"],
      },
      {
        send: "POST /api/v1/namespaces/{ns}/persistentvolumeclaims",
        body: {
          metadata: { name: "disk" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } },
        },
        status: 201,
        shape: {
          spec: { volumeMode: "Filesystem", resources: { requests: { storage: "1Gi" } } },
          status: { phase: "Pending" },
        },
      },
      {
        send: "POST /apis/storage.k8s.io/v1/storageclasses",
        body: { metadata: { name: "class-{ns}" }, provisioner: "ebs.csi.aws.com" },
        status: 201,
        shape: { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" },
      },
      {
        send: "POST /apis/storage.k8s.io/v1/storageclasses",
        body: { metadata: { name: "none-{ns}" } },
        status: 422,
        reason: "Invalid",
        text: "provisioner",
      },
    ],
  },
  {
    title: "a new node is not ready, and keeps the status that its kubelet brings",
    steps: [
      {
        send: "POST /api/v1/nodes",
        body: {
          metadata: { name: "node-{ns}", labels: { "kubernetes.io/os": "linux" } },
          spec: {
            providerID: "aws:///us-east-1a/i-0123",
            taints: [{ key: "dedicated", value: "x", effect: "NoExecute" }],
          },
          status: { capacity: { cpu: "4", memory: "8388608Ki" } },
        },
        status: 201,
        shape: {
          spec: {
            providerID: "aws:///us-east-1a/i-0123",
            taints: [
              { key: "dedicated", value: "x", effect: "NoExecute" },
              { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" },
            ],
          },
          status: { capacity: { cpu: "4", memory: "8Gi" } },
        },
        absent: ["metadata.generation", "metadata.namespace"],
      },
      {
        send: "POST /api/v1/nodes",
        body: { metadata: { name: "bad-{ns}" }, spec: { taints: [{ key: "a", effect: "Sometimes" }] } },
        status: 422,
        reason: "Invalid",
        text: "metadata.taints[0].effect: Unsupported value",
      },
      { send: "DELETE /api/v1/nodes/node-{ns}", status: 200, shape: { kind: "Status", status: "Success" } },
    ],
  },
  {
    title: "an event lies where its object lies, or in default",
    steps: [
      {
        send: "POST /api/v1/namespaces/{ns}/events",
        body: { metadata: { name: "e" }, involvedObject: { kind: "Node", name: "n" }, reason: "R" },
        status: 422,
        reason: "Invalid",
        text: "does not match event.namespace",
      },
      {
        send: "POST /api/v1/namespaces/default/events",
        body: { metadata: { name: "e-{ns}" }, involvedObject: { kind: "Node", name: "n" }, reason: "R" },
        status: 201,
        shape: { source: {}, firstTimestamp: null, reportingComponent: "" },
      },
    ],
  },
  {
    title: "protobuf bodies are read",
    steps: [
      {
        send: "POST /api/v1/namespaces/{ns}/configmaps",
        body: configMapInProtobuf,
        type: "application/vnd.kubernetes.protobuf",
        status: 201,
        shape: { kind: "ConfigMap", metadata: { name: "c" }, data: { a: "b" } },
      },
    ],
  },
  {
    title: "events are made in either group and read in both",
    steps: [
      {
        send: "POST /api/v1/namespaces/{ns}/events",
        body: {
          metadata: { name: "old" },
          involvedObject: { kind: "Pod", name: "p", namespace: "{ns}" },
          reason: "Tried",
          message: "said",
          type: "Normal",
          source: { component: "suite" },
        },
        status: 201,
        shape: { message: "said", source: { component: "suite" } },
      },
      {
        send: "GET /apis/events.k8s.io/v1/namespaces/{ns}/events/old",
        status: 200,
        shape: {
          apiVersion: "events.k8s.io/v1",
          note: "said",
          reason: "Tried",
          regarding: { kind: "Pod", name: "p" },
          deprecatedSource: { component: "suite" },
        },
        absent: ["message", "involvedObject"],
      },
      {
        send: "POST /apis/events.k8s.io/v1/namespaces/{ns}/events",
        body: {
          metadata: { name: "new" },
          eventTime: "2026-01-01T00:00:00.000000Z",
          reportingController: "suite.example.com/x",
          reportingInstance: "x-1",
          action: "Try",
          reason: "Tried",
          regarding: { kind: "Pod", name: "p", namespace: "{ns}" },
          note: "noted",
          type: "Warning",
        },
        status: 201,
        shape: { note: "noted" },
      },
      {
        send: "GET /api/v1/namespaces/{ns}/events/new",
        status: 200,
        shape: {
          apiVersion: "v1",
          message: "noted",
          involvedObject: { name: "p" },
          reportingComponent: "suite.example.com/x",
        },
      },
    ],
  },
];
