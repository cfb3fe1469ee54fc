// Reports of people about amounts, from Karpenter's and AWS's public issues: what is right in each, as tests. Numbers are
// those of docs/compatibility.md.
import { afterAll, describe, expect, it } from "vitest";
import { toDaemonSet, toPod } from "../../shared/api/index.ts";
import type { Pod } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { planning, pod as podDocument, pool as poolDocument } from "../cli/planning.ts";
import {
  asks,
  bound,
  daemonPod,
  daemonSet,
  gi,
  instanceType,
  joined,
  node,
  nowMs,
  pod,
  pods,
  pool,
  req,
  snapshot,
} from "../core/scheduling/fixtures.ts";

const mi = 1024 * 1024;
type Amounts = Record<string, string | number>;
const container = (requests: Amounts, more: object = {}) => ({ name: "c", resources: { requests }, ...more });
const sidecar = (cpu: string) => container({ cpu }, { restartPolicy: "Always" });
const requestsOf = (spec: object, status: object = {}) =>
  toPod({ kind: "Pod", metadata: { name: "p" }, spec, status }).requests;
const cpuOf = (spec: object, status?: object) => requestsOf(spec, status).cpu;

describe("28 (core#479, core#569, website#57373): sidecars", () => {
  it.each<[string, object, number]>([
    [
      "run beside init containers that come after them: 100m + 200m",
      { containers: [container({ cpu: "100m" })], initContainers: [sidecar("100m"), container({ cpu: "200m" })] },
      300,
    ],
    [
      "are not there yet while those before them run",
      { containers: [container({ cpu: "100m" })], initContainers: [container({ cpu: "200m" }), sidecar("100m")] },
      200,
    ],
    [
      "go on beside the containers",
      { containers: [container({ cpu: "300m" })], initContainers: [sidecar("100m"), container({ cpu: "200m" })] },
      400,
    ],
    [
      "add up, each from where it starts",
      {
        containers: [container({ cpu: "50m" })],
        initContainers: [sidecar("100m"), container({ cpu: "200m" }), sidecar("100m"), container({ cpu: "350m" })],
      },
      550,
    ],
    [
      "weigh nothing but the pod slot where they ask for nothing",
      { containers: [container({ cpu: "50m" })], initContainers: [sidecar("0")] },
      50,
    ],
  ])("28: %s", (_, spec, cpu) => {
    expect(cpuOf(spec)).toBe(cpu);
  });
});

describe("29: what a pod asks for beside its containers' requests", () => {
  const limited = (limits: Amounts, requests?: Amounts) => ({
    containers: [{ name: "c", resources: { limits, ...(requests === undefined ? {} : { requests }) } }],
  });
  it.each<[string, object, number]>([
    ["overhead comes on top", { containers: [container({ cpu: "1" })], overhead: { cpu: "250m" } }, 1250],
    [
      "also of init containers that ask for most",
      { containers: [container({ cpu: "1" })], initContainers: [container({ cpu: "2" })], overhead: { cpu: "250m" } },
      2250,
    ],
    ["a limit is the request where there is none", limited({ cpu: "2" }), 2000],
    ["and is not where there is one, even of nothing", limited({ cpu: "2" }, { cpu: "0" }), 0],
    [
      "for the pod as a whole counts instead of the sum",
      { containers: [container({ cpu: "2" })], resources: { requests: { cpu: "1" } } },
      1000,
    ],
    [
      "overhead comes on top of that too",
      { containers: [container({ cpu: "2" })], resources: { requests: { cpu: "1" } }, overhead: { cpu: "250m" } },
      1250,
    ],
  ])("29: %s", (_, spec, cpu) => {
    expect(cpuOf(spec)).toBe(cpu);
  });

  it("29: huge pages are a resource of their own, which no new node has and some nodes that are there do", () => {
    const requests = requestsOf({ containers: [container({ cpu: "1", "hugepages-2Mi": "64Mi" })] });
    expect(requests["hugepages-2Mi"]).toBe(64 * mi);
    const paged = node("n1", { allocatable: { cpu: 4000, memory: 8 * gi, pods: 20, "hugepages-2Mi": 128 * mi } });
    const given = { pods: pods(3, { requests }), nodes: [paged, node("n0")] };
    const plan = planProvisioning(snapshot(given));
    expect(plan.placements).toEqual([{ target: "n1", pods: ["default/p-000", "default/p-001"] }]);
    expect(plan.unschedulable[0]?.nodePools.default).toBe(
      "no instance type that it allows has hugepages-2Mi; the pod asks for 64Mi",
    );
  });

  const family = (...names: string[]) => [pool("default", { requirements: [req(instanceType, "In", ...names)] })];
  it("29: limits of a DaemonSet's template are its requests (aws#1573, core#2514)", () => {
    const template = { spec: limited({ cpu: "500m", memory: "1Gi" }) };
    const set = toDaemonSet({ kind: "DaemonSet", metadata: { name: "d" }, spec: { template } });
    expect(set.template.requests).toMatchObject({ cpu: 500, memory: gi });
    const small = { nodePools: family("a1.small", "a1.medium"), daemonSets: [set] };
    const cheapest = (cores: number) =>
      planProvisioning(snapshot({ ...small, pods: [pod("p", { requests: asks(cores) })] })).claims[0]?.instanceTypes[0];
    expect([cheapest(1.5), cheapest(1.6)]).toEqual(["a1.small", "a1.medium"]);
  });

  it.each<[string, Partial<Pod>, string]>([
    ["shows what a LimitRange made of the template (aws#3199, core#169)", { requests: asks(1, 1) }, "a1.medium"],
    [
      "of another set shows nothing",
      { requests: asks(1, 1), owner: { kind: "DaemonSet", name: "x", uid: "x" } },
      "a1.small",
    ],
  ])("29: a live pod of the set %s", (_, over, expected) => {
    const set = daemonSet("d", { requests: { pods: 1 } });
    const plan = planProvisioning(
      snapshot({
        nodePools: family("a1.small", "a1.medium"),
        daemonSets: [set],
        pods: [daemonPod(set, "gone", over), pod("p", { requests: asks(1.5) })],
      }),
    );
    expect(plan.claims[0]?.cheapest.instanceType).toBe(expected);
  });

  it("29: of several live pods the newest counts, which has what the range says now", () => {
    const set = daemonSet("d", { requests: { pods: 1 } });
    const live = (name: string, cores: number, ageMs: number) =>
      daemonPod(set, name, { requests: asks(cores, 0.5), createdAtMs: nowMs - ageMs });
    const plan = planProvisioning(
      snapshot({
        nodePools: family("a1.small", "a1.medium"),
        daemonSets: [set],
        pods: [live("n1", 1, 9_000), live("n2", 0.25, 1_000), live("n3", 1, 5_000), pod("p", { requests: asks(1.5) })],
      }),
    );
    expect(plan.claims[0]?.cheapest.instanceType).toBe("a1.small");
  });
});

describe("29: pods that are resized in place", () => {
  const spec = { containers: [container({ cpu: "1" })] };
  const has = (resources: Amounts | undefined, allocated?: Amounts, conditions: object[] = []) => ({
    conditions,
    containerStatuses: [
      {
        name: "c",
        ...(resources === undefined ? {} : { resources: { requests: resources } }),
        ...(allocated === undefined ? {} : { allocatedResources: allocated }),
      },
    ],
  });
  const pending = (reason: string) => [{ type: "PodResizePending", status: "True", reason }];
  it.each<[string, object, number]>([
    ["count as they ask where nothing else is known", {}, 1000],
    ["count as they ask where the kubelet says nothing of amounts", has(undefined, { cpu: "3" }), 1000],
    ["count what they still have while they shrink", has({ cpu: "2" }, { cpu: "1" }), 2000],
    ["count what they ask for while they grow", has({ cpu: "500m" }, { cpu: "500m" }), 1000],
    ["count what was allotted to them", has({ cpu: "500m" }, { cpu: "1500m" }), 1500],
    ["count what they ask for while that is put off", has({ cpu: "500m" }, { cpu: "500m" }, pending("Deferred")), 1000],
    ["count what they have where more can never be", has({ cpu: "500m" }, { cpu: "500m" }, pending("Infeasible")), 500],
  ])("29: %s", (_, status, cpu) => {
    expect(cpuOf(spec, status)).toBe(cpu);
  });

  it("29: sidecars likewise, init containers that end not", () => {
    const both = {
      containers: [{ name: "a" }],
      initContainers: [
        { ...sidecar("100m"), name: "s" },
        { ...container({ cpu: "100m" }), name: "i" },
      ],
    };
    const initContainerStatuses = ["s", "i"].map((name) => ({ name, resources: { requests: { cpu: "400m" } } }));
    expect(cpuOf(both, { initContainerStatuses })).toBe(500);
  });

  it.each<[string, object, number]>([
    ["by the most that is told of it", { resources: { requests: { cpu: "3", memory: "1Gi" } } }, 3000],
    ["by what it asks for where nothing is told", {}, 2000],
  ])("29: the pod as a whole counts %s", (_, status, cpu) => {
    const whole = { ...spec, resources: { requests: { cpu: "2" } } };
    expect(requestsOf(whole, status)).toEqual({ cpu, pods: 1 });
  });

  it("29: on their nodes take what they count for", () => {
    const requests = requestsOf(spec, has({ cpu: "3500m" }, { cpu: "3500m" }));
    const given = { nodes: [node("n1")], claims: [joined(node("n1"))], nodePools: [] };
    const plan = planProvisioning(snapshot({ ...given, pods: [bound("r", "n1", { requests }), pod("p")] }));
    expect(plan.unschedulable[0]?.reason).toContain("1 insufficient cpu");
  });
});

describe("29: a RuntimeClass, as admission applies it", () => {
  const world = planning();
  afterAll(() => world.end());
  const runtimeClass = (spec: object) => ({
    apiVersion: "node.k8s.io/v1",
    kind: "RuntimeClass",
    metadata: { name: "kata" },
    handler: "kata",
    ...spec,
  });
  const requests = async (klass: object, spec: object = {}) =>
    (await world.json(poolDocument, klass, podDocument("p", "1", { runtimeClassName: "kata", ...spec }))).nodeClaims[0]
      ?.requests;

  it.each<[string, object, object, string]>([
    ["adds its overhead", { overhead: { podFixed: { cpu: "250m" } } }, {}, "1250m"],
    ["adds it once", { overhead: { podFixed: { cpu: "250m" } } }, { overhead: { cpu: "250m" } }, "1250m"],
    ["adds nothing where it has none", {}, {}, "1"],
  ])("29: %s", async (_, klass, spec, cpu) => {
    expect((await requests(runtimeClass(klass), spec))?.cpu).toBe(cpu);
  });

  const scheduling = { nodeSelector: { runtime: "kata" }, tolerations: [{ key: "kata", operator: "Exists" }] };
  const kataPool = {
    ...poolDocument,
    metadata: { name: "kata" },
    spec: {
      template: {
        metadata: { labels: { runtime: "kata" } },
        spec: {
          nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
          requirements: [],
          taints: [{ key: "kata", effect: "NoSchedule" }],
        },
      },
    },
  };
  it.each<[string, object, string | undefined]>([
    ["sends pods to the nodes that it selects, whose taints it tolerates", { scheduling }, "kata"],
    ["leaves pods where they were without that", {}, "default"],
  ])("29: %s", async (_, klass, expected) => {
    const pending = podDocument("p", "1", { runtimeClassName: "kata" });
    const plan = await world.json(poolDocument, kataPool, runtimeClass(klass), pending);
    expect(plan.nodeClaims[0]?.nodePool).toBe(expected);
  });

  it("29: refuses a pod that selects other nodes than its class, as the API server does", async () => {
    const pending = podDocument("p", "1", { runtimeClassName: "kata", nodeSelector: { runtime: "runc" } });
    const { code, err } = await world.of([poolDocument, runtimeClass({ scheduling }), pending]);
    expect(code).toBe(1);
    expect(err).toContain('Pod p: nodeSelector: "runtime" is "runc" here and "kata" in RuntimeClass kata');
  });
});
