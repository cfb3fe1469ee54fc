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
      ["ns/web-5d9c-0", "ns/web-5d9c-1"],
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

  it("a LimitRange of another namespace does not", () => {
    const [filled] = podsOf({ ...limitRange, metadata: { name: "lr", namespace: "other" } }, pod("p", {}));
    expect(filled!.spec).toEqual({ containers: [{ name: "c" }] });
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
