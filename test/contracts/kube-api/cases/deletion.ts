import type { Case } from "../case.ts";
import { configMap, deployment, pod } from "../documents.ts";

const configMaps = "/api/v1/namespaces/{ns}/configmaps";
const pods = "/api/v1/namespaces/{ns}/pods";
const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";
const merge = "application/merge-patch+json";

function owned(name: string, more: Record<string, unknown> = {}): unknown {
  return configMap(name, {
    ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", name: "owner", uid: "{uid}", ...more }],
  });
}

export const deletionCases: readonly Case[] = [
  {
    title: "an object goes at once, and the answer says which",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("one"), status: 201, keep: { uid: "metadata.uid" } },
      {
        send: `DELETE ${configMaps}/one`,
        status: 200,
        shape: {
          kind: "Status",
          apiVersion: "v1",
          status: "Success",
          details: { name: "one", kind: "configmaps", uid: "{uid}" },
        },
      },
      {
        send: `GET ${configMaps}/one`,
        status: 404,
        reason: "NotFound",
        shape: { message: 'configmaps "one" not found', details: { name: "one", kind: "configmaps" } },
      },
      { send: `DELETE ${configMaps}/one`, status: 404, reason: "NotFound" },
    ],
  },
  {
    title: "preconditions on uid and revision hold",
    steps: [
      {
        send: `POST ${configMaps}`,
        body: configMap("one"),
        status: 201,
        keep: { uid: "metadata.uid", rv: "metadata.resourceVersion" },
      },
      {
        send: `DELETE ${configMaps}/one`,
        body: {
          kind: "DeleteOptions",
          apiVersion: "v1",
          preconditions: { uid: "11111111-2222-3333-4444-555555555555" },
        },
        status: 409,
        reason: "Conflict",
        text: "does not match the UID in record",
      },
      {
        send: `DELETE ${configMaps}/one`,
        body: { preconditions: { resourceVersion: "1" } },
        status: 409,
        reason: "Conflict",
      },
      {
        send: `DELETE ${configMaps}/one`,
        body: { preconditions: { uid: "{uid}", resourceVersion: "{rv}" } },
        status: 200,
      },
    ],
  },
  {
    title: "a dry deletion deletes nothing",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("one"), status: 201 },
      { send: `DELETE ${configMaps}/one?dryRun=All`, status: 200 },
      { send: `GET ${configMaps}/one`, status: 200 },
    ],
  },
  {
    title: "finalizers keep an object, marked, until the last is gone",
    steps: [
      {
        send: `POST ${configMaps}`,
        body: configMap("one", { finalizers: ["example.com/a", "example.com/b"] }),
        status: 201,
      },
      {
        send: `DELETE ${configMaps}/one`,
        status: 200,
        shape: {
          kind: "ConfigMap",
          metadata: { deletionGracePeriodSeconds: 0, finalizers: ["example.com/a", "example.com/b"] },
        },
        keep: { at: "metadata.deletionTimestamp" },
      },
      { send: `DELETE ${configMaps}/one`, status: 200, shape: { metadata: { deletionTimestamp: "{at}" } } },
      {
        send: `POST ${configMaps}`,
        body: configMap("one"),
        status: 409,
        reason: "AlreadyExists",
        text: 'object is being deleted: configmaps \\"one\\" already exists',
      },
      {
        send: `PATCH ${configMaps}/one`,
        type: merge,
        body: { metadata: { finalizers: ["example.com/a", "example.com/c"] } },
        status: 422,
        reason: "Invalid",
        text: "no new finalizers can be added",
      },
      {
        send: `PATCH ${configMaps}/one`,
        type: merge,
        body: { metadata: { finalizers: ["example.com/b"] } },
        status: 200,
      },
      {
        send: `PATCH ${configMaps}/one`,
        type: merge,
        body: { data: { key: "still here" } },
        status: 200,
        shape: { data: { key: "still here" } },
      },
      { send: `PATCH ${configMaps}/one`, type: merge, body: { metadata: { finalizers: null } }, status: 200 },
      { send: `GET ${configMaps}/one`, status: 404, reason: "NotFound" },
    ],
  },
  {
    title: "marking counts as a generation",
    steps: [
      {
        send: `POST ${deployments}`,
        body: { ...deployment("web"), metadata: { name: "web", finalizers: ["example.com/a"] } },
        status: 201,
      },
      { send: `DELETE ${deployments}/web`, status: 200, shape: { metadata: { generation: 2 } } },
      { send: `PATCH ${deployments}/web`, type: merge, body: { metadata: { finalizers: [] } }, status: 200 },
      { send: `GET ${deployments}/web`, status: 404 },
    ],
  },
  {
    title: "pods that run nowhere go at once, bound ones get their grace period",
    steps: [
      { send: `POST ${pods}`, body: pod("free"), status: 201 },
      { send: `DELETE ${pods}/free`, status: 200, shape: { kind: "Pod", metadata: { name: "free" } } },
      { send: `GET ${pods}/free`, status: 404 },
      {
        send: `POST ${pods}`,
        body: pod("bound", { spec: { nodeName: "n", terminationGracePeriodSeconds: 45 } }),
        status: 201,
      },
      {
        send: `DELETE ${pods}/bound`,
        status: 200,
        shape: { kind: "Pod", metadata: { deletionGracePeriodSeconds: 45 } },
        keep: { at: "metadata.deletionTimestamp" },
      },
      {
        send: `GET ${pods}/bound`,
        status: 200,
        shape: { metadata: { deletionTimestamp: "{at}" }, status: { phase: "Pending" } },
      },
      {
        send: `DELETE ${pods}/bound?gracePeriodSeconds=60`,
        status: 200,
        shape: { metadata: { deletionGracePeriodSeconds: 45 } },
      },
      {
        send: `DELETE ${pods}/bound?gracePeriodSeconds=5`,
        status: 200,
        shape: { metadata: { deletionGracePeriodSeconds: 5 } },
      },
      { send: `DELETE ${pods}/bound`, body: { gracePeriodSeconds: 0 }, status: 200 },
      { send: `GET ${pods}/bound`, status: 404 },
    ],
  },
  {
    title: "pods that have ended go at once",
    steps: [
      { send: `POST ${pods}`, body: pod("done", { spec: { nodeName: "n" } }), status: 201 },
      { send: `PATCH ${pods}/done/status`, type: merge, body: { status: { phase: "Succeeded" } }, status: 200 },
      { send: `DELETE ${pods}/done`, status: 200 },
      { send: `GET ${pods}/done`, status: 404 },
    ],
  },
  {
    title: "collections go by selector",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("a", { labels: { x: "1" } }), status: 201 },
      { send: `POST ${configMaps}`, body: configMap("b", { labels: { x: "1" } }), status: 201 },
      { send: `POST ${configMaps}`, body: configMap("c"), status: 201 },
      {
        send: `DELETE ${configMaps}?labelSelector=x=1`,
        status: 200,
        shape: { kind: "ConfigMapList", items: [{ metadata: { name: "a" } }, { metadata: { name: "b" } }] },
      },
      { send: `GET ${configMaps}`, status: 200, shape: { items: [{ metadata: { name: "c" } }] } },
      { send: "DELETE /api/v1/configmaps", status: 405, reason: "MethodNotAllowed" },
      { send: "DELETE /api/v1/namespaces", status: 405, reason: "MethodNotAllowed" },
    ],
  },
  {
    title: "an unknown propagation policy is refused",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("one"), status: 201 },
      { send: `DELETE ${configMaps}/one`, body: { propagationPolicy: "Sideways" }, status: 422, reason: "Invalid" },
    ],
  },
  {
    title: "background: dependents go after their owner",
    needs: "controllers",
    steps: [
      {
        send: `POST ${deployments}`,
        body: deployment("owner", { replicas: 0 }),
        status: 201,
        keep: { uid: "metadata.uid" },
      },
      { send: `POST ${configMaps}`, body: owned("child"), status: 201 },
      {
        send: `DELETE ${deployments}/owner`,
        body: { propagationPolicy: "Background" },
        status: 200,
        shape: { kind: "Status", status: "Success" },
      },
      { send: `GET ${configMaps}/child`, status: 404, eventually: true },
    ],
  },
  {
    title: "foreground: the owner waits for what blocks it",
    needs: "controllers",
    steps: [
      {
        send: `POST ${deployments}`,
        body: deployment("owner", { replicas: 0 }),
        status: 201,
        keep: { uid: "metadata.uid" },
      },
      {
        send: `POST ${configMaps}`,
        body: { ...(owned("child", { blockOwnerDeletion: true }) as object) },
        status: 201,
      },
      {
        send: `PATCH ${configMaps}/child`,
        type: merge,
        body: { metadata: { finalizers: ["example.com/hold"] } },
        status: 200,
      },
      {
        send: `DELETE ${deployments}/owner`,
        body: { propagationPolicy: "Foreground" },
        status: 200,
        shape: { kind: "Deployment", metadata: { finalizers: ["foregroundDeletion"] } },
      },
      { send: `GET ${configMaps}/child`, status: 200, text: "deletionTimestamp", eventually: true },
      { send: `GET ${deployments}/owner`, status: 200, text: "foregroundDeletion" },
      { send: `PATCH ${configMaps}/child`, type: merge, body: { metadata: { finalizers: null } }, status: 200 },
      { send: `GET ${configMaps}/child`, status: 404, eventually: true },
      { send: `GET ${deployments}/owner`, status: 404, eventually: true },
    ],
  },
  {
    title: "orphan: dependents stay and forget their owner",
    needs: "controllers",
    steps: [
      {
        send: `POST ${deployments}`,
        body: deployment("owner", { replicas: 0 }),
        status: 201,
        keep: { uid: "metadata.uid" },
      },
      { send: `POST ${configMaps}`, body: owned("child"), status: 201 },
      { send: `GET ${configMaps}/child`, status: 200 },
      { send: `DELETE ${deployments}/owner`, body: { propagationPolicy: "Orphan" }, status: 200 },
      { send: `GET ${deployments}/owner`, status: 404, eventually: true },
      { send: `GET ${configMaps}/child`, status: 200, absent: ["metadata.ownerReferences"], eventually: true },
    ],
  },
  {
    title: "a namespace is emptied, takes nothing new, and goes",
    needs: "controllers",
    steps: [
      { send: `POST ${configMaps}`, body: configMap("held", { finalizers: ["example.com/hold"] }), status: 201 },
      { send: `POST ${configMaps}`, body: configMap("plain"), status: 201 },
      {
        send: "DELETE /api/v1/namespaces/{ns}",
        status: 200,
        shape: { kind: "Namespace", status: { phase: "Terminating" } },
      },
      { send: `GET ${configMaps}/plain`, status: 404, eventually: true },
      {
        send: `POST ${configMaps}`,
        body: configMap("late"),
        status: 403,
        reason: "Forbidden",
        text: "because it is being terminated",
        eventually: true,
      },
      { send: "GET /api/v1/namespaces/{ns}", status: 200, shape: { spec: { finalizers: ["kubernetes"] } } },
      { send: `GET ${configMaps}/held`, status: 200, text: "deletionTimestamp", eventually: true },
      { send: `PATCH ${configMaps}/held`, type: merge, body: { metadata: { finalizers: null } }, status: 200 },
      { send: "GET /api/v1/namespaces/{ns}", status: 404, eventually: true },
    ],
  },
];
