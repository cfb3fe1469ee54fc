// Whatever stands in a manifest, `plan` ends with a plan or with one line that says where to look: never with a stack trace.
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { type Doc, planning, pod, pool, workload } from "./planning.ts";

const { of, ofText, end } = planning();
afterAll(end);

const object = (apiVersion: string, kind: string, rest: Doc): Doc => ({
  apiVersion,
  kind,
  metadata: { name: "x" },
  ...rest,
});
const at = "2026-05-30T00:00:00Z";
const selector = { matchLabels: { app: "x" }, matchExpressions: [{ key: "tier", operator: "In", values: ["web"] }] };
const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "x" };
const template = {
  metadata: { labels: { app: "x" }, annotations: { "karpenter.sh/do-not-disrupt": "1h" } },
  spec: {
    priorityClassName: "x",
    tolerations: [{ key: "a", operator: "Exists", effect: "NoSchedule" }],
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: "topology.kubernetes.io/zone",
        whenUnsatisfiable: "DoNotSchedule",
        labelSelector: selector,
      },
    ],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }] }],
        },
      },
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 5, podAffinityTerm: { topologyKey: "kubernetes.io/hostname", labelSelector: selector } },
        ],
      },
    },
    volumes: [{ name: "v", persistentVolumeClaim: { claimName: "v" } }],
    initContainers: [{ name: "i", restartPolicy: "Always", resources: { requests: { cpu: "10m" } } }],
    containers: [
      {
        name: "c",
        ports: [{ hostPort: 80 }],
        resources: { requests: { cpu: "1", memory: "1Gi" }, limits: { memory: "2Gi" } },
      },
    ],
  },
};
const conditions = ["Launched", "Registered", "Initialized"].map((type) => ({
  type,
  status: "True",
  lastTransitionTime: at,
}));
const amounts = { cpu: "2", memory: "7Gi", pods: "10" };
const base: readonly Doc[] = [
  pool,
  object("karpenter.sh/v1", "NodePool", {
    spec: {
      weight: 5,
      limits: { cpu: "100" },
      template: {
        metadata: { labels: { team: "a" } },
        spec: { nodeClassRef, requirements: [], taints: [{ key: "a", effect: "NoSchedule" }] },
      },
      disruption: { consolidateAfter: "1m", budgets: [{ nodes: "10%", schedule: "0 9 * * *", duration: "1h" }] },
    },
  }),
  object("karpenter.k8s.aws/v1", "EC2NodeClass", {
    spec: {
      role: "r",
      amiSelectorTerms: [{ alias: "al2023@latest" }],
      subnetSelectorTerms: [{ tags: { a: "b" } }],
      securityGroupSelectorTerms: [{ id: "sg-1" }],
    },
  }),
  object("v1", "Node", {
    metadata: {
      name: "n1",
      creationTimestamp: at,
      labels: { "karpenter.sh/nodepool": "default", "node.kubernetes.io/instance-type": "m5.large" },
    },
    spec: { taints: [{ key: "a", effect: "NoSchedule" }], providerID: "aws:///z-a/i-1" },
    status: {
      allocatable: amounts,
      capacity: amounts,
      conditions: [{ type: "Ready", status: "True", lastTransitionTime: at }],
    },
  }),
  object("karpenter.sh/v1", "NodeClaim", {
    metadata: { name: "nc1", creationTimestamp: at, labels: { "karpenter.sh/nodepool": "default" } },
    spec: {
      nodeClassRef,
      requirements: [{ key: "node.kubernetes.io/instance-type", operator: "In", values: ["m5.large"] }],
    },
    status: { nodeName: "n1", providerID: "aws:///z-a/i-1", capacity: amounts, allocatable: amounts, conditions },
  }),
  pod(
    "web",
    "1",
    {},
    {
      labels: { app: "x" },
      ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "x", controller: true }],
    },
  ),
  {
    ...pod("bound", "1", { nodeName: "n1" }),
    status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
  },
  { apiVersion: "v1", kind: "Pod", metadata: { generateName: "g-", ...template.metadata }, spec: template.spec },
  workload("Deployment", "d", { replicas: 2, template }),
  workload(
    "ReplicaSet",
    "x",
    { replicas: 1 },
    { metadata: { name: "x", ownerReferences: [{ kind: "Deployment", name: "d" }] } },
  ),
  workload("StatefulSet", "s", { replicas: 2, template, volumeClaimTemplates: [{ metadata: { name: "data" } }] }),
  workload(
    "Job",
    "j",
    { parallelism: 2, completions: 3 },
    { status: { succeeded: 1, conditions: [{ type: "Complete", status: "False" }] } },
  ),
  workload("DaemonSet", "ds", {
    template: { spec: { containers: [{ name: "c", resources: { requests: { cpu: "50m" } } }] } },
  }),
  object("v1", "Namespace", { metadata: { name: "default", labels: { a: "b" } } }),
  object("v1", "LimitRange", {
    spec: { limits: [{ type: "Container", default: { cpu: "1" }, defaultRequest: { cpu: "100m" } }] },
  }),
  object("policy/v1", "PodDisruptionBudget", {
    spec: { maxUnavailable: "50%", selector },
    status: { disruptionsAllowed: 1 },
  }),
  object("scheduling.k8s.io/v1", "PriorityClass", { value: 5, globalDefault: true }),
  object("storage.k8s.io/v1", "StorageClass", { provisioner: "x" }),
];

const oddities: readonly unknown[] = [
  ...[null, 0, -1, 1.5, 1e300, 1e9, true, false, "", "x", "-1", "1e999", "100%", "-5%", "\u{1F4A5}\n", "9".repeat(400)],
  ...[
    [],
    {},
    [null],
    [{}],
    ["x"],
    [[]],
    { a: null },
    { constructor: "x" },
    { toString: 1 },
    JSON.parse('{"__proto__":1}'),
  ],
  ...["true", "Never", "0s", "1Ei", "2026-13-45T00:00:00Z", "metadata.name", "kubernetes.io/hostname", "__proto__"],
  ...["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Always", "constructor"],
];

interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}
function placesOf(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== "object" || value === null) return found;
  const holder = value as Record<string, unknown>;
  for (const key of Object.keys(holder)) {
    found.push({ holder, key });
    placesOf(holder[key], found);
  }
  return found;
}

/** Where (as a share of all places), and what is put there: nothing, an oddity, or what stands at another place. */
const change = fc.record({
  where: fc.double({ min: 0, max: 0.999999, noNaN: true }),
  what: fc.oneof(
    { weight: 1, arbitrary: fc.constant({ kind: "gone" as const }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("odd" as const), value: fc.constantFrom(...oddities) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("odd" as const), value: fc.jsonValue() }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("moved" as const),
        from: fc.double({ min: 0, max: 0.999999, noNaN: true }),
      }),
    },
  ),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changed(documents: readonly Doc[], changes: readonly Change[]): Doc[] {
  const copy = structuredClone(documents) as Doc[];
  for (const { where, what } of changes) {
    const places = placesOf(copy);
    const place = places[Math.floor(where * places.length)];
    if (place === undefined) break;
    const { holder, key } = place;
    if (what.kind === "gone") delete holder[key];
    else if (what.kind === "odd") holder[key] = structuredClone(what.value);
    else {
      const source = places[Math.floor(what.from * places.length)]!;
      holder[key] = structuredClone(source.holder[source.key]);
    }
  }
  return copy;
}

const formats = fc.constantFrom("json", "yaml", "table");

function expectTold({ code, out, err }: Awaited<ReturnType<typeof of>>, format: string): void {
  if (code === 1) {
    expect(out).toBe("");
    expect(err).toMatch(/^timmerman plan: \S*in\.yaml: (document \d+: )?[^\n]+\n$/);
    return;
  }
  expect([0, 2]).toContain(code);
  if (format !== "json") return;
  const plan = JSON.parse(out);
  expect(code).toBe(plan.unschedulable.length > 0 ? 2 : 0);
  const placed = [
    ...plan.nodeClaims,
    ...plan.existingNodes,
    ...plan.unschedulable.map(({ pod: name }: { pod: string }) => ({ pods: [name] })),
  ];
  const names = placed.flatMap(({ pods }: { pods: string[] }) => pods);
  expect(new Set(names).size).toBe(names.length);
  const machines = plan.existingNodes.map(({ node }: { node: string }) => node);
  expect(new Set(machines).size).toBe(machines.length);
}

describe("no manifest brings plan down", () => {
  it("what the changes begin with can be read", async () => {
    expect((await of(base)).code).not.toBe(1);
  });

  it("with objects that are changed at random", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([...base], { minLength: 1 }),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        formats,
        async (documents, changes, format) => {
          expectTold(await of(changed(documents, changes), "-o", format), format);
        },
      ),
      { seed: 7, numRuns: 250 },
    );
  });

  it("with text that is cut, doubled and strewn with what means something in YAML", async () => {
    const text = base.map((document) => stringify(document)).join("---\n");
    const marks = [
      "*a ",
      "&a ",
      "<<: ",
      "- ",
      ": ",
      "{",
      "}",
      "[",
      "]",
      "\n",
      "\t",
      "'",
      '"',
      "|",
      ">",
      "!!binary ",
      "!!set ",
      "%",
      "---\n",
      "? ",
      "#",
      "\u0000",
      "~",
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length),
        fc.integer({ min: 1, max: 1500 }),
        fc.array(fc.tuple(fc.nat(1500), fc.nat(12), fc.constantFrom(...marks)), { maxLength: 4 }),
        async (from, length, edits) => {
          let part = text.slice(from, from + length);
          for (const [index, cut, mark] of edits) part = part.slice(0, index) + mark + part.slice(index + cut);
          expectTold(await ofText(part, "-o", "json"), "json");
        },
      ),
      { seed: 7, numRuns: 250 },
    );
  });
});
