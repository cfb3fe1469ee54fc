import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAll, toDaemonSet, toPod, UnreadableObjectError } from "../../shared/api/index.ts";

const pod = (spec: object = {}, metadata: object = {}, status: object = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web-0", namespace: "shop", ...metadata },
  spec: { containers: [{ name: "c" }], ...spec },
  status,
});

describe("toPod", () => {
  it("fills in what a manifest leaves out", () => {
    expect(toPod({ kind: "Pod", metadata: { name: "a" }, spec: { containers: [] } })).toEqual({
      uid: "Pod/a",
      namespace: "default",
      name: "a",
      resourceVersion: "",
      createdAtMs: 0,
      labels: {},
      annotations: {},
      requests: { pods: 1 },
      nodeSelector: {},
      preferredNodeAffinity: [],
      requiredPodAffinity: [],
      requiredPodAntiAffinity: [],
      preferredPodAffinity: [],
      preferredPodAntiAffinity: [],
      topologySpread: [],
      tolerations: [],
      hostPorts: [],
      volumes: [],
      resourceClaims: [],
      schedulingGates: [],
      priority: 0,
      terminationGracePeriodMs: 30_000,
      phase: "Pending",
      unschedulable: true,
      ready: false,
      mirror: false,
    });
  });

  it("reads a bound pod that is on its way out", () => {
    const read = toPod(
      pod(
        { nodeName: "n1", priorityClassName: "system-node-critical", terminationGracePeriodSeconds: 5 },
        {
          uid: "u1",
          resourceVersion: "7",
          creationTimestamp: "2026-01-31T12:00:00Z",
          deletionTimestamp: "2026-01-31T13:00:00Z",
          labels: { app: "web" },
          annotations: { "kubernetes.io/config.mirror": "x" },
          ownerReferences: [
            { kind: "Node", name: "n1", uid: "n" },
            { kind: "ReplicaSet", name: "web", uid: "r", controller: true },
          ],
        },
        {
          phase: "Running",
          nominatedNodeName: "n2",
          conditions: [
            { type: "Ready", status: "True" },
            { type: "PodScheduled", status: "True" },
          ],
        },
      ),
    );
    expect(read).toMatchObject({
      uid: "u1",
      namespace: "shop",
      resourceVersion: "7",
      createdAtMs: 1769860800000,
      deletionAtMs: 1769864400000,
      phase: "Running",
      nodeName: "n1",
      nominatedNodeName: "n2",
      unschedulable: false,
      ready: true,
      mirror: true,
      owner: { kind: "ReplicaSet", name: "web", uid: "r" },
      priority: 2_000_001_000,
      priorityClassName: "system-node-critical",
      terminationGracePeriodMs: 5000,
    });
  });

  it.each([
    [[], true],
    [[{ type: "PodScheduled", status: "False", reason: "Unschedulable" }], true],
    [[{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }], false],
    [[{ type: "PodScheduled", status: "True" }], false],
  ])("with conditions %j is unschedulable: %s", (conditions, expected) => {
    expect(toPod(pod({}, {}, { conditions })).unschedulable).toBe(expected);
  });

  it("carries where it wants to be", () => {
    const term = { matchExpressions: [{ key: "zone", operator: "In", values: ["a"] }] };
    const near = {
      topologyKey: "zone",
      labelSelector: { matchLabels: { app: "web" } },
      namespaces: ["x"],
      matchLabelKeys: ["v"],
    };
    const read = toPod(
      pod({
        nodeSelector: { arch: "arm64" },
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [term, { matchFields: [{ key: "metadata.name", operator: "In", values: ["n"] }] }, {}],
            },
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, preference: term }],
          },
          podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [near] },
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 9, podAffinityTerm: { topologyKey: "host", namespaceSelector: {} } },
            ],
          },
        },
        topologySpreadConstraints: [
          { topologyKey: "zone", maxSkew: 2, whenUnsatisfiable: "DoNotSchedule", minDomains: 3 },
        ],
      }),
    );
    const expression = { key: "zone", operator: "In", values: ["a"] };
    expect(read).toMatchObject({
      nodeSelector: { arch: "arm64" },
      requiredNodeAffinity: [
        { expressions: [expression], fields: [] },
        { expressions: [], fields: [{ key: "metadata.name", operator: "In", values: ["n"] }] },
        { expressions: [], fields: [] },
      ],
      preferredNodeAffinity: [{ weight: 5, term: { expressions: [expression], fields: [] } }],
      requiredPodAffinity: [
        {
          topologyKey: "zone",
          labelSelector: { matchLabels: { app: "web" }, matchExpressions: [] },
          namespaces: ["x"],
          matchLabelKeys: ["v"],
          mismatchLabelKeys: [],
        },
      ],
      requiredPodAntiAffinity: [],
      preferredPodAntiAffinity: [
        { weight: 9, term: { topologyKey: "host", namespaceSelector: { matchLabels: {}, matchExpressions: [] } } },
      ],
      topologySpread: [
        {
          topologyKey: "zone",
          maxSkew: 2,
          minDomains: 3,
          whenUnsatisfiable: "DoNotSchedule",
          matchLabelKeys: [],
          nodeAffinityPolicy: "Honor",
          nodeTaintsPolicy: "Ignore",
        },
      ],
    });
  });

  it("carries ports, volumes, claims, gates and tolerations", () => {
    const read = toPod(
      pod({
        containers: [
          {
            ports: [{ containerPort: 80 }, { containerPort: 81, hostPort: 8081, protocol: "UDP", hostIP: "10.0.0.1" }],
          },
        ],
        initContainers: [
          { restartPolicy: "Always", ports: [{ containerPort: 82, hostPort: 8082 }] },
          { ports: [{ containerPort: 83, hostPort: 8083 }] },
        ],
        volumes: [
          { name: "tmp", emptyDir: {} },
          { name: "data", persistentVolumeClaim: { claimName: "web-data" } },
          { name: "scratch", ephemeral: { volumeClaimTemplate: { spec: { storageClassName: "gp3" } } } },
        ],
        resourceClaims: [{ name: "gpu", resourceClaimName: "x" }],
        schedulingGates: [{ name: "wait" }],
        tolerations: [
          { operator: "Exists" },
          { key: "a", value: "b", effect: "NoSchedule" },
          { key: "c", operator: "Exists", effect: "NoExecute", tolerationSeconds: 30 },
        ],
      }),
    );
    expect(read).toMatchObject({
      hostPorts: [
        { hostIp: "10.0.0.1", protocol: "UDP", port: 8081 },
        { hostIp: "0.0.0.0", protocol: "TCP", port: 8082 },
      ],
      volumes: [
        { name: "data", claimName: "web-data", ephemeral: false },
        { name: "scratch", claimName: "web-0-scratch", ephemeral: true, storageClassName: "gp3" },
      ],
      resourceClaims: [{ name: "gpu", claimName: "x" }],
      schedulingGates: ["wait"],
      tolerations: [
        { operator: "Exists" },
        { key: "a", operator: "Equal", value: "b", effect: "NoSchedule" },
        { key: "c", operator: "Exists", effect: "NoExecute", tolerationSeconds: 30 },
      ],
    });
  });

  it("takes every port of a pod on the host's network", () => {
    const read = toPod(pod({ hostNetwork: true, containers: [{ ports: [{ containerPort: 80 }] }] }));
    expect(read.hostPorts).toEqual([{ hostIp: "0.0.0.0", protocol: "TCP", port: 80 }]);
  });
});

const affinity = "requiredDuringSchedulingIgnoredDuringExecution";
const node = (expression: object) => ({
  affinity: { nodeAffinity: { [affinity]: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } } },
});

describe("a pod that cannot be read says which field is wrong", () => {
  it.each<[object, string, RegExp]>([
    [
      { containers: [{}, { resources: { requests: { cpu: "lots" } } }] },
      "spec.containers[1].resources.requests.cpu",
      /"lots" is not a quantity/,
    ],
    [
      { containers: [{ resources: { limits: { memory: true } } }] },
      "spec.containers[0].resources.limits.memory",
      /expected a quantity/,
    ],
    [
      { initContainers: [{ resources: { requests: { memory: "-1" } } }] },
      "spec.initContainers[0].resources.requests.memory",
      /negative/,
    ],
    [{ overhead: { cpu: "x" } }, "spec.overhead.cpu", /not a quantity/],
    [{ containers: "c" }, "spec.containers", /expected a list, got "c"/],
    [{ containers: [null] }, "spec.containers[0]", /expected an object, got null/],
    [{ nodeSelector: { fast: true } }, "spec.nodeSelector.fast", /a text \(put it in quotes\), got true/],
    [
      node({ key: "a", operator: "Near" }),
      `spec.affinity.nodeAffinity.${affinity}.nodeSelectorTerms[0].matchExpressions[0].operator`,
      /one of In, NotIn, .*got "Near"/,
    ],
    [
      node({ key: "a", operator: "In" }),
      `spec.affinity.nodeAffinity.${affinity}.nodeSelectorTerms[0].matchExpressions[0].values`,
      /needs at least one value/,
    ],
    [
      node({ key: "a", operator: "Gt", values: ["four"] }),
      `spec.affinity.nodeAffinity.${affinity}.nodeSelectorTerms[0].matchExpressions[0].values`,
      /exactly one whole number/,
    ],
    [
      node({ key: "a", operator: "In", values: [1] }),
      `spec.affinity.nodeAffinity.${affinity}.nodeSelectorTerms[0].matchExpressions[0].values[0]`,
      /a text/,
    ],
    [
      { affinity: { nodeAffinity: { [affinity]: { nodeSelectorTerms: [] } } } },
      `spec.affinity.nodeAffinity.${affinity}.nodeSelectorTerms`,
      /is empty/,
    ],
    [
      { affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: {} }] } } },
      "spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey",
      /expected a text, got nothing/,
    ],
    [{ tolerations: [{ effect: "NoSchedule" }] }, "spec.tolerations[0].operator", /must be Exists/],
    [{ tolerations: [{ key: "a", operator: "Like" }] }, "spec.tolerations[0].operator", /one of Equal/],
    [
      { topologySpreadConstraints: [{ topologyKey: "zone", maxSkew: 0, whenUnsatisfiable: "DoNotSchedule" }] },
      "spec.topologySpreadConstraints[0].maxSkew",
      /1 or more/,
    ],
    [
      { volumes: [{ name: "v", persistentVolumeClaim: {} }] },
      "spec.volumes[0].persistentVolumeClaim.claimName",
      /a text/,
    ],
  ])("%j", (spec, field, message) => {
    let object: unknown;
    try {
      toPod(pod(spec));
    } catch (error) {
      object = (error as UnreadableObjectError).object;
    }
    expect(object).toMatchObject({ kind: "Pod", name: "shop/web-0", field, message: expect.stringMatching(message) });
  });

  it.each([
    [{}, "metadata.name"],
    [{ metadata: { name: "" } }, "metadata.name"],
    [null, ""],
    ["pod", ""],
    [{ metadata: [] }, "metadata"],
  ])("%j", (document, field) => {
    expect(() => toPod(document)).toThrow(expect.objectContaining({ object: expect.objectContaining({ field }) }));
  });

  it("and stands in nobody's way", () => {
    const bad = pod({ containers: [{ resources: { requests: { cpu: "lots" } } }] }, { name: "bad" });
    const { objects, unreadable } = readAll([pod(), bad, pod({}, { name: "web-1" })], toPod);
    expect(objects.map(({ name }) => name)).toEqual(["web-0", "web-1"]);
    expect(unreadable).toEqual([
      {
        kind: "Pod",
        name: "shop/bad",
        field: "spec.containers[0].resources.requests.cpu",
        message: '"lots" is not a quantity: expected a number with an optional suffix, such as "1500m" or "2Gi"',
      },
    ]);
  });

  it("whatever the JSON, nothing but UnreadableObjectError is thrown", () => {
    const fields = [
      "metadata",
      "spec",
      "status",
      "name",
      "containers",
      "affinity",
      "tolerations",
      "volumes",
      "resources",
      "requests",
    ];
    const json = fc.jsonValue();
    const nested = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: "small" },
        json,
        fc.array(tie("node"), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom(...fields), tie("node")),
      ),
    })).node;
    fc.assert(
      fc.property(nested, nested, (metadata, spec) => {
        try {
          toPod({ kind: "Pod", metadata: { name: "p", ...(metadata as object) }, spec });
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableObjectError);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("toDaemonSet", () => {
  const daemonSet = (spec: object) => ({
    kind: "DaemonSet",
    metadata: { name: "logs", namespace: "kube-system", uid: "d1" },
    spec: { template: { metadata: { labels: { app: "logs" } }, spec } },
  });

  it("reads its template as a pod's specification", () => {
    const limits = { cpu: "100m" };
    expect(toDaemonSet(daemonSet({ containers: [{ resources: { limits } }] }))).toMatchObject({
      uid: "d1",
      namespace: "kube-system",
      name: "logs",
      template: { labels: { app: "logs" }, requests: { cpu: 100, pods: 1 } },
    });
  });

  it("names fields from its own root", () => {
    const bad = daemonSet({ containers: [{ resources: { limits: { cpu: "x" } } }] });
    expect(() => toDaemonSet(bad)).toThrow(
      "DaemonSet kube-system/logs: spec.template.spec.containers[0].resources.limits.cpu",
    );
  });
});

describe("node affinity", () => {
  const terms = (term: object) => ({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
  });

  it("knows one field of nodes: another is refused, as labels go to matchExpressions", () => {
    const field = (key: string) => terms({ matchFields: [{ key, operator: "In", values: ["n1"] }] });
    expect(toPod(pod(field("metadata.name"))).requiredNodeAffinity).toHaveLength(1);
    expect(() => toPod(pod(field("kubernetes.io/arch")))).toThrow(
      'nodeSelectorTerms[0].matchFields[0].key: matchFields knows only metadata.name, not "kubernetes.io/arch"',
    );
  });

  it("takes bounds with a sign", () => {
    const bound = { key: "rank", operator: "Gt", values: ["-1"] };
    expect(toPod(pod(terms({ matchExpressions: [bound] }))).requiredNodeAffinity?.[0]?.expressions).toEqual([bound]);
  });
});
