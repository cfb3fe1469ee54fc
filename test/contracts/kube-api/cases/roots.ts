import { expect } from "vitest";
import type { Case } from "../case.ts";

const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

export const rootCases: readonly Case[] = [
  {
    title: "probes answer ok, without a token too",
    steps: [
      { send: "GET /healthz", status: 200, text: /^ok$/ },
      { send: "GET /livez", status: 200, text: /^ok$/ },
      { send: "GET /readyz", status: 200, text: /^ok$/ },
      { send: "GET /readyz", token: "", status: 200, text: /^ok$/ },
    ],
  },
  {
    title: "the version is that of Kubernetes 1.36",
    steps: [
      {
        send: "GET /version",
        status: 200,
        shape: { major: "1", minor: "36", gitVersion: expect.stringContaining("v1.36.") },
      },
    ],
  },
  {
    title: "a request without or with a wrong token is Unauthorized",
    steps: [
      {
        send: "GET /api/v1/namespaces",
        token: "wrong",
        status: 401,
        reason: "Unauthorized",
        shape: { kind: "Status", code: 401 },
      },
      { send: "POST /api/v1/namespaces", token: "wrong", body: {}, status: 401, reason: "Unauthorized" },
    ],
  },
  {
    title: "the core group is discovered in both forms",
    steps: [
      { send: "GET /api", status: 200, shape: { kind: "APIVersions", versions: ["v1"] } },
      {
        send: "GET /api",
        accept: aggregated,
        status: 200,
        header: ["content-type", /as=APIGroupDiscoveryList/],
        shape: { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2" },
        text: '"resource":"pods"',
      },
    ],
  },
  {
    title: "the other groups are discovered in both forms",
    steps: [
      { send: "GET /apis", status: 200, shape: { kind: "APIGroupList", apiVersion: "v1" }, text: '"name":"apps"' },
      { send: "GET /apis", accept: aggregated, status: 200, text: '"resource":"deployments"' },
      { send: "GET /apis", accept: aggregated, status: 200, text: '"resource":"widgets"', eventually: true },
    ],
  },
  {
    title: "a group names its versions",
    steps: [
      {
        send: "GET /apis/apps",
        status: 200,
        shape: {
          kind: "APIGroup",
          apiVersion: "v1",
          name: "apps",
          versions: [{ groupVersion: "apps/v1", version: "v1" }],
          preferredVersion: { groupVersion: "apps/v1", version: "v1" },
        },
      },
      {
        send: "GET /apis/suite.example.com",
        status: 200,
        shape: { name: "suite.example.com", preferredVersion: { groupVersion: "suite.example.com/v1" } },
      },
    ],
  },
  {
    title: "a version names its resources, verbs and short names",
    steps: [
      {
        send: "GET /api/v1",
        status: 200,
        shape: { kind: "APIResourceList", groupVersion: "v1" },
        text: /"name":"pods\/eviction".*"kind":"Eviction"/,
      },
      { send: "GET /api/v1", status: 200, text: /"name":"nodes".*"shortNames":\["no"\]/ },
      {
        send: "GET /apis/policy/v1",
        status: 200,
        shape: {
          groupVersion: "policy/v1",
          resources: [
            {
              name: "poddisruptionbudgets",
              singularName: "poddisruptionbudget",
              namespaced: true,
              kind: "PodDisruptionBudget",
              verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
              shortNames: ["pdb"],
            },
            { name: "poddisruptionbudgets/status", kind: "PodDisruptionBudget", verbs: ["get", "patch", "update"] },
          ],
        },
      },
      {
        send: "GET /apis/apps/v1",
        status: 200,
        text: /"name":"deployments\/scale".*"group":"autoscaling","version":"v1","kind":"Scale"/,
      },
      { send: "GET /apis/suite.example.com/v1", status: 200, text: /"name":"widgets".*"shortNames":\["wd"\]/ },
    ],
  },
  {
    title: "what is not served is NotFound",
    steps: [
      { send: "GET /api/v1/gadgets", status: 404 },
      { send: "GET /apis/none.example.com/v1/gadgets", status: 404 },
      { send: "GET /apis/apps/v1beta1/deployments", status: 404 },
      { send: "GET /no/such/root", status: 404 },
      { send: "GET /api/v1/namespaces/{ns}/pods/none/nothing", status: 404, reason: "NotFound" },
    ],
  },
  {
    title: "OpenAPI v3 has an index and says that writes take fieldValidation",
    steps: [
      {
        send: "GET /openapi/v3",
        status: 200,
        text: '"apis/apps/v1":{"serverRelativeURL":"/openapi/v3/apis/apps/v1?hash=',
      },
      {
        send: "GET /openapi/v3/apis/apps/v1",
        status: 200,
        text: '"io.k8s.api.apps.v1.Deployment"',
        shape: { openapi: "3.0.0" },
      },
      { send: "GET /openapi/v3/apis/apps/v1", status: 200, text: '"fieldValidation"' },
      {
        send: "GET /openapi/v3/apis/suite.example.com/v1",
        status: 200,
        text: '"com.example.suite.v1.Widget"',
        eventually: true,
      },
    ],
  },
  {
    title: "a media type that nobody serves is NotAcceptable",
    steps: [
      { send: "GET /api/v1/namespaces", accept: "text/csv", status: 406 },
      { send: "GET /api/v1/namespaces/{ns}", accept: "application/yaml", status: 200, text: "kind: Namespace" },
      { send: "GET /api/v1/namespaces/{ns}", accept: "*/*", status: 200, shape: { kind: "Namespace" } },
    ],
  },
  {
    title: "a cluster begins with its namespaces and priority classes",
    steps: [
      {
        send: "GET /api/v1/namespaces/kube-system",
        status: 200,
        shape: { status: { phase: "Active" } },
        eventually: true,
      },
      {
        send: "GET /apis/scheduling.k8s.io/v1/priorityclasses/system-cluster-critical",
        status: 200,
        shape: { value: 2000000000, preemptionPolicy: "PreemptLowerPriority" },
        eventually: true,
      },
      {
        send: "GET /api/v1/namespaces/default/services/kubernetes",
        status: 200,
        shape: { spec: { type: "ClusterIP" } },
        eventually: true,
      },
    ],
  },
  {
    title: "an administrator asks whether it may, and may",
    steps: [
      {
        send: "POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        body: {
          apiVersion: "authorization.k8s.io/v1",
          kind: "SelfSubjectAccessReview",
          spec: { resourceAttributes: { verb: "delete", resource: "nodes" } },
        },
        status: 201,
        shape: { kind: "SelfSubjectAccessReview", status: { allowed: true } },
      },
    ],
  },
];
