import { describe, expect, it } from "vitest";
import { parseDocuments } from "../../cli/input/documents.ts";
import { sortByKind } from "../../cli/input/objects.ts";
import { admittedPods } from "../../cli/input/snapshot.ts";

type Doc = Record<string, unknown>;
const template = { metadata: { labels: { app: "x" } }, spec: { containers: [{ name: "c" }] } };
const workload = (kind: string, name: string, spec: Doc, rest: Doc = {}): Doc => ({
  apiVersion: kind === "Job" ? "batch/v1" : "apps/v1",
  kind,
  metadata: { name, namespace: "ns" },
  spec: { template, ...spec },
  ...rest,
});
const pod = (name: string, metadata: Doc, spec: Doc = {}): Doc => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "ns", ...metadata },
  spec: { containers: [{ name: "c" }], ...spec },
});

const owned = (name: string, owner: Doc): Doc => ({
  metadata: { name, namespace: "ns", ownerReferences: [{ apiVersion: "apps/v1", controller: true, ...owner }] },
});
const ended = (type: string): Doc => ({ status: { conditions: [{ type, status: "True" }] } });

function podsOf(...items: Doc[]): { metadata: { name: string; namespace: string }; spec: Doc }[] {
  const objects = sortByKind(parseDocuments(JSON.stringify({ apiVersion: "v1", kind: "List", items }), "f"));
  return admittedPods(objects).map(({ document }) => document as never);
}
const names = (...items: Doc[]): string[] =>
  podsOf(...items).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);

describe("workloads become pending pods", () => {
  it.each<[string, Doc[], string[]]>([
    ["a Deployment", [workload("Deployment", "web", { replicas: 2 })], ["ns/web-0", "ns/web-1"]],
    ["one replica where none is said", [workload("Deployment", "web", {})], ["ns/web-0"]],
    ["none at all", [workload("Deployment", "web", { replicas: 0 })], []],
    ["a ReplicaSet", [workload("ReplicaSet", "rs", { replicas: 1 })], ["ns/rs-0"]],
    ["a StatefulSet", [workload("StatefulSet", "db", { replicas: 2 })], ["ns/db-0", "ns/db-1"]],
    ["a Job", [workload("Job", "j", { parallelism: 3 })], ["ns/j-0", "ns/j-1", "ns/j-2"]],
    ["a Job with fewer completions", [workload("Job", "j", { parallelism: 3, completions: 2 })], ["ns/j-0", "ns/j-1"]],
    [
      "a Job half done",
      [workload("Job", "j", { parallelism: 3, completions: 4 }, { status: { succeeded: 3 } })],
      ["ns/j-0"],
    ],
    ["a suspended Job", [workload("Job", "j", { parallelism: 3, suspend: true })], []],
    [
      "not where a pod is owned by it",
      [
        workload("StatefulSet", "db", { replicas: 2 }),
        pod("db-0", { ownerReferences: [{ kind: "StatefulSet", name: "db", controller: true }] }),
      ],
      ["ns/db-0"],
    ],
    [
      "not a Deployment whose ReplicaSet's pod is there",
      [
        workload("Deployment", "web", { replicas: 2 }),
        pod("web-5d9c-abc", {
          labels: { "pod-template-hash": "5d9c" },
          ownerReferences: [{ kind: "ReplicaSet", name: "web-5d9c", controller: true }],
        }),
      ],
      ["ns/web-5d9c-abc"],
    ],
    [
      "a Deployment by its ReplicaSet, once",
      [
        workload("Deployment", "web", { replicas: 2 }),
        workload(
          "ReplicaSet",
          "web-5d9c",
          { replicas: 2 },
          {
            metadata: {
              name: "web-5d9c",
              namespace: "ns",
              ownerReferences: [{ kind: "Deployment", name: "web", controller: true }],
            },
          },
        ),
      ],
      ["ns/web-0", "ns/web-1"],
    ],
    [
      "a Deployment whose old ReplicaSet has none left",
      [
        workload("Deployment", "web", { replicas: 1 }),
        workload("ReplicaSet", "web-old", { replicas: 0 }, owned("web-old", { kind: "Deployment", name: "web" })),
      ],
      ["ns/web-0"],
    ],
    [
      "not a Deployment whose ReplicaSet of another name has a pod",
      [
        workload("Deployment", "web", { replicas: 2 }),
        workload("ReplicaSet", "other", { replicas: 2 }, owned("other", { kind: "Deployment", name: "web" })),
        pod("p", { ownerReferences: [{ kind: "ReplicaSet", name: "other" }] }),
      ],
      ["ns/p"],
    ],
    [
      "a ReplicaSet of a Deployment that is not there",
      [workload("ReplicaSet", "rs", { replicas: 1 }, owned("rs", { kind: "Deployment", name: "web" }))],
      ["ns/rs-0"],
    ],
    [
      "a Job whose namesake of another group has a pod",
      [
        workload("Job", "j", {}),
        pod("p", { ownerReferences: [{ apiVersion: "batch.volcano.sh/v1alpha1", kind: "Job", name: "j" }] }),
      ],
      ["ns/p", "ns/j-0"],
    ],
    [
      "beside a pod of one of its names",
      [pod("web-1", {}), workload("Deployment", "web", { replicas: 2 })],
      ["ns/web-1", "ns/web-deployment-0", "ns/web-deployment-1"],
    ],
    [
      "beside pods of all the names that come to mind",
      [pod("web-0", {}), pod("web-deployment-0", {}), workload("Deployment", "web", {})],
      ["ns/web-0", "ns/web-deployment-0", "ns/web-deployment-2-0"],
    ],
    ["not a Job that is complete", [workload("Job", "j", {}, ended("Complete"))], []],
    ["not a Job that failed", [workload("Job", "j", { parallelism: 2 }, ended("Failed"))], []],
    [
      "not a Job of a work queue that has seen a success",
      [workload("Job", "j", { parallelism: 3 }, { status: { succeeded: 1 } })],
      [],
    ],
    [
      "not a Job with all its completions",
      [workload("Job", "j", { completions: 2 }, { status: { succeeded: 3 } })],
      [],
    ],
    [
      "two of one name",
      [workload("Deployment", "web", { replicas: 1 }), workload("StatefulSet", "web", { replicas: 1 })],
      ["ns/web-0", "ns/web-statefulset-0"],
    ],
  ])("%s", (_, items, expected) => {
    expect(names(...items)).toEqual(expected);
  });

  it("as objects of their own, with owner, labels and spec of the template", () => {
    const [first, second] = podsOf(workload("Deployment", "web", { replicas: 2 }));
    expect(first).toEqual({
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: "web-0",
        namespace: "ns",
        labels: { app: "x" },
        ownerReferences: [
          { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "Deployment/ns/web", controller: true },
        ],
      },
      spec: { containers: [{ name: "c" }] },
    });
    expect(second!.spec).not.toBe(first!.spec);
  });

  it("with a StatefulSet's claims as volumes", () => {
    const [first] = podsOf(workload("StatefulSet", "db", { volumeClaimTemplates: [{ metadata: { name: "data" } }] }));
    expect(first!.spec.volumes).toEqual([{ name: "data", persistentVolumeClaim: { claimName: "data-db-0" } }]);
  });

  it.each<[string, Doc, string]>([
    ["a count as a text", { replicas: "3" }, 'spec.replicas: expected a number, got "3"'],
    ["part of a pod", { replicas: 2.5 }, "spec.replicas: expected a whole number from 0 on, got 2.5"],
    ["fewer than none", { replicas: -3 }, "spec.replicas: expected a whole number from 0 on, got -3"],
    ["far too many", { replicas: 1e9 }, "its 1000000000 pods are more than a plan takes (200000 altogether)"],
    ["no template", { template: null }, "spec.template: is missing"],
    ["an empty template", { template: {} }, "spec.template.spec: is missing"],
    ["a template that is none", { template: { spec: 5 } }, "spec.template.spec: expected an object, got 5"],
    ["volumes that are none", { template: { spec: { volumes: 0 } } }, "spec.template.spec.volumes: expected a list"],
    ["a claim template without a name", { volumeClaimTemplates: [{}] }, "spec.volumeClaimTemplates[0].metadata.name"],
    ["a claim template that is none", { volumeClaimTemplates: ["x"] }, "spec.volumeClaimTemplates[0]: expected an"],
  ])("unless they have %s", (_, spec, problem) => {
    const said = () =>
      podsOf(workload("StatefulSet", "db", { volumeClaimTemplates: [{ metadata: { name: "d" } }], ...spec }));
    expect(said).toThrow("f: document 1: items[0]: StatefulSet ns/db: ");
    expect(said).toThrow(problem);
  });
});

describe("what admission adds", () => {
  const limitRange: Doc = {
    apiVersion: "v1",
    kind: "LimitRange",
    metadata: { name: "lr", namespace: "ns" },
    spec: { limits: [{ type: "Container", default: { cpu: "1", memory: "1Gi" }, defaultRequest: { cpu: "100m" } }] },
  };
  it.each<[string, Doc | undefined, Doc]>([
    [
      "defaults where nothing is said",
      undefined,
      { requests: { cpu: "100m", memory: "1Gi" }, limits: { cpu: "1", memory: "1Gi" } },
    ],
    [
      "a limit is its own request",
      { limits: { cpu: "2" } },
      { requests: { cpu: "2", memory: "1Gi" }, limits: { cpu: "2", memory: "1Gi" } },
    ],
    [
      "a request stays",
      { requests: { cpu: "3" } },
      { requests: { cpu: "3", memory: "1Gi" }, limits: { cpu: "1", memory: "1Gi" } },
    ],
  ])("LimitRange: %s", (_, resources, expected) => {
    const [filled] = podsOf(limitRange, pod("p", {}, { containers: [{ name: "c", resources }] }));
    expect((filled!.spec.containers as Doc[])[0]!.resources).toEqual(expected);
  });

  it.each<[string, Doc, string]>([
    ["limits", { limits: 5 }, "spec.limits: expected a list of objects"],
    ["limit", { limits: [null] }, "spec.limits: expected a list of objects"],
    ["default", { limits: [{ type: "Container", default: { cpu: "lots" } }] }, "spec.limits[0].default.cpu: "],
    [
      "amount",
      { limits: [{ type: "Container", default: { cpu: [] } }] },
      "spec.limits[0].default.cpu: expected a quantity",
    ],
  ])("LimitRange: a %s that is none is refused", (_, spec, problem) => {
    expect(() => podsOf({ ...limitRange, spec })).toThrow(`f: document 1: items[0]: LimitRange ns/lr: ${problem}`);
  });

  it("a LimitRange of another namespace does not", () => {
    const [filled] = podsOf({ ...limitRange, metadata: { name: "lr", namespace: "other" } }, pod("p", {}));
    expect(filled!.spec).toEqual({ containers: [{ name: "c" }] });
  });

  it("PriorityClass: one without a number is refused", () => {
    const odd = { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name: "odd" }, value: "9" };
    expect(() => podsOf(odd)).toThrow("PriorityClass odd: value: expected a whole number");
  });

  it("PriorityClass: the named one, else the global default, and never over a priority that is there", () => {
    const priority = (name: string, value: number, rest: Doc = {}): Doc => ({
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      metadata: { name },
      value,
      ...rest,
    });
    const filled = podsOf(
      priority("high", 1000),
      priority("usual", 5, { globalDefault: true }),
      pod("a", {}, { priorityClassName: "high" }),
      pod("b", {}),
      pod("c", {}, { priorityClassName: "high", priority: 7 }),
    );
    expect(filled.map(({ spec }) => spec.priority)).toEqual([1000, 5, 7]);
  });
});
