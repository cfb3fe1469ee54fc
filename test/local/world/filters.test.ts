// The filters of the embedded world's scheduler: by literals, and held to the judge of the planner's properties, which other
// hands wrote, on random worlds. The real kube-scheduler judges them in test/cluster.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNeighbourFilters, neighbourFilter } from "../../../local/cluster/filters/neighbours.ts";
import { nodeFitFilter } from "../../../local/cluster/filters/node-fit.ts";
import type { NodeRoom } from "../../../local/cluster/filters/room.ts";
import type { KubeObject } from "../../../local/kube/types.ts";
import type { Pod, Snapshot } from "../../../shared/core/model/index.ts";
import { planProvisioning } from "../../../shared/core/provisioning/index.ts";
import { nodeDocument, podDocument } from "../../cluster/agreement-documents.ts";
import { type Stage, stageOf } from "../../cluster/agreement-stage.ts";
import { node as modelNode } from "../../core/scheduling/fixtures.ts";
import { companies } from "../../properties/companies.ts";
import { neighbourFaults } from "../../properties/neighbours.ts";

const hostname = "kubernetes.io/hostname";
const host = (name: string) => ({ [hostname]: name });

function pod(spec: object = {}, labels: Record<string, string> = { app: "web" }, namespace = "default"): KubeObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace, labels }, spec };
}

function room(name: string, labels: Record<string, string>, pods: KubeObject[] = [], taints: object[] = []): NodeRoom {
  const node = { apiVersion: "v1", kind: "Node", metadata: { name, labels }, spec: { taints } };
  return { node, free: {}, allocatable: {}, pods };
}

const namespaces = new Map([
  ["default", {}],
  ["other", { tier: "back" }],
]);

/** The nodes that are left to a pod. */
function openTo(one: KubeObject, rooms: readonly NodeRoom[]): string[] {
  const filter = neighbourFilter(one, { rooms, namespaces });
  return rooms.filter((each) => filter(each) === undefined).map(({ node }) => node.metadata.name!);
}

const web = { matchLabels: { app: "web" } };
const rule = "requiredDuringSchedulingIgnoredDuringExecution";
const near = (...terms: object[]) => ({ affinity: { podAffinity: { [rule]: terms } } });
const away = (...terms: object[]) => ({ affinity: { podAntiAffinity: { [rule]: terms } } });
const onHost = (more: object = {}) => ({ topologyKey: hostname, labelSelector: web, ...more });

describe("topology spread", () => {
  const zones = (counts: Record<string, number>, podOf = () => pod()) =>
    Object.entries(counts).map(([zone, count]) => room(zone, { zone, all: "1" }, Array.from({ length: count }, podOf)));
  const spread = (more: object = {}) => ({
    topologySpreadConstraints: [
      { topologyKey: "zone", maxSkew: 1, whenUnsatisfiable: "DoNotSchedule", labelSelector: web, ...more },
    ],
  });
  const ending = () => ({ ...pod(), metadata: { ...pod().metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } });

  // biome-ignore format: a table
  it.each<[string, KubeObject, NodeRoom[], string[]]>([
    ["fills the emptiest", pod(spread()), zones({ a: 2, b: 1, c: 1 }), ["b", "c"]],
    ["lets others than its own go by what is there", pod(spread(), {}), zones({ a: 2, b: 1 }), ["a", "b"]],
    ["is no filter if it need not be kept", pod(spread({ whenUnsatisfiable: "ScheduleAnyway" })), zones({ a: 9, b: 0 }), ["a", "b"]],
    ["counts an empty domain until there are enough", pod(spread({ minDomains: 3 })), zones({ a: 1, b: 0 }), ["b"]],
    ["passes over pods that are going", pod(spread()), zones({ a: 2, b: 0 }, ending), ["a", "b"]],
    ["passes over other namespaces", pod(spread()), zones({ a: 2, b: 0 }, () => pod({}, { app: "web" }, "other")), ["a", "b"]],
    ["counts nothing for a selector of everything", pod(spread({ labelSelector: {} })), zones({ a: 2, b: 0 }), ["a", "b"]],
    ["counts its own revision", pod(spread({ matchLabelKeys: ["rev"] }), { app: "web", rev: "2" }), zones({ a: 2, b: 0 }), ["a", "b"]],
    ["refuses nodes without the label", pod(spread()), [...zones({ a: 0 }), room("x", {})], ["a"]],
    ["looks away from nodes that are not selected", pod({ ...spread(), nodeSelector: { zone: "a" } }), zones({ a: 2, b: 0 }), ["a", "b"]],
    ["looks at them if it is told to", pod({ ...spread({ nodeAffinityPolicy: "Ignore" }), nodeSelector: { zone: "a" } }), zones({ a: 2, b: 0 }), ["b"]],
  ])("%s", (_, one, rooms, open) => {
    expect(openTo(one, rooms)).toEqual(open);
  });

  it("looks at tainted nodes unless it is told not to", () => {
    const rooms = [
      room("a", { zone: "a" }, [pod()]),
      room("b", { zone: "b" }, [], [{ key: "k", effect: "NoSchedule" }]),
    ];
    expect(openTo(pod(spread()), rooms)).toEqual(["b"]);
    expect(openTo(pod(spread({ nodeTaintsPolicy: "Honor" })), rooms)).toEqual(["a", "b"]);
  });

  it("counts only nodes that have the labels of all constraints", () => {
    const both = [...spread().topologySpreadConstraints, ...spread({ topologyKey: "all" }).topologySpreadConstraints];
    const rooms = [room("a", { zone: "a", all: "1" }, [pod()]), room("b", { zone: "b" })];
    expect(openTo(pod({ topologySpreadConstraints: both }), rooms)).toEqual(["a"]);
  });
});

describe("pod affinity", () => {
  const two = [room("n1", host("n1"), [pod()]), room("n2", host("n2"))];
  const tier = { matchLabels: { tier: "back" } };
  const elsewhere = [room("n1", host("n1"), [pod({}, { app: "web" }, "other")]), room("n2", host("n2"))];

  // biome-ignore format: a table
  it.each<[string, KubeObject, NodeRoom[], string[]]>([
    ["goes where company is", pod(near(onHost()), {}), two, ["n1"]],
    ["lets the first of its kind go anywhere", pod(near(onHost())), [room("n1", host("n1")), room("n2", {})], ["n1"]],
    ["lets no other go first", pod(near(onHost()), {}), [room("n1", host("n1"))], []],
    ["wants every term to mean the same pod", pod(near(onHost(), onHost({ labelSelector: { matchLabels: { app: "db" } } })), {}), [room("n1", host("n1"), [pod(), pod({}, { app: "db" })])], []],
    ["stays in its namespace", pod(near(onHost()), {}), elsewhere, []],
    ["goes to namespaces by name", pod(near(onHost({ namespaces: ["other"] })), {}), elsewhere, ["n1"]],
    ["goes to namespaces by label", pod(near(onHost({ namespaceSelector: tier })), {}), elsewhere, ["n1"]],
    ["goes to all namespaces", pod(near(onHost({ namespaceSelector: {} })), {}), elsewhere, ["n1"]],
    ["keeps apart", pod(away(onHost()), {}), two, ["n2"]],
    ["keeps apart from other revisions", pod(away(onHost({ mismatchLabelKeys: ["rev"] })), { rev: "2" }), [room("n1", host("n1"), [pod({}, { app: "web", rev: "1" })]), room("n2", host("n2"), [pod({}, { app: "web", rev: "2" })])], ["n2"]],
    ["minds no node without the label", pod(away(onHost())), [room("n1", {}, [pod()])], ["n1"]],
    ["minds those who want to be apart from it", pod(), [room("n1", host("n1"), [pod(away(onHost()), {})]), room("n2", host("n2"))], ["n2"]],
    ["is not held off by what others merely like", pod(), [room("n1", host("n1"), [pod({ affinity: { podAntiAffinity: {} } }, {})])], ["n1"]],
  ])("%s", (_, one, rooms, open) => {
    expect(openTo(one, rooms)).toEqual(open);
  });
});

describe("host ports", () => {
  const port = (hostPort: number, more: object = {}) => ({ containerPort: 1, hostPort, ...more });
  const having = (...ports: object[]) => pod({ containers: [{ name: "c", ports }] });
  // biome-ignore format: a table
  it.each<[string, KubeObject, KubeObject, boolean]>([
    ["the same port", having(port(80)), having(port(80, { protocol: "TCP" })), false],
    ["another port", having(port(80)), having(port(81)), true],
    ["another protocol", having(port(80)), having(port(80, { protocol: "UDP" })), true],
    ["two addresses", having(port(80, { hostIP: "10.0.0.1" })), having(port(80, { hostIP: "10.0.0.2" })), true],
    ["an address and all", having(port(80, { hostIP: "10.0.0.1" })), having(port(80, { hostIP: "0.0.0.0" })), false],
    ["container ports alone", pod({ containers: [{ ports: [{ containerPort: 80 }] }] }), having(port(80)), true],
    ["a sidecar's", pod({ initContainers: [{ restartPolicy: "Always", ports: [port(80)] }] }), having(port(80)), false],
    ["an init container's", pod({ initContainers: [{ ports: [port(80)] }] }), having(port(80)), true],
  ])("of %s", (_, one, other, isOpen) => {
    expect(openTo(one, [room("n1", {}, [other])])).toEqual(isOpen ? ["n1"] : []);
  });
});

describe("filters of pods that are alike", () => {
  it("are remembered until one is bound", () => {
    const rooms = [room("n1", host("n1"))];
    const filters = createNeighbourFilters({ rooms, namespaces });
    const loner = pod(away(onHost()));
    expect(filters.for(loner)(rooms[0]!)).toBeUndefined();
    rooms[0]!.pods.push(loner);
    expect(filters.for({ ...loner })).toBe(filters.for(loner));
    filters.forget();
    expect(filters.for(loner)(rooms[0]!)).toContain("anti-affinity");
  });
});

describe("filters and judge", () => {
  /** A cluster in which all pods of a plan run, and the snapshot of it. */
  function settled(world: Snapshot): { stage: Stage; snapshot: Snapshot } {
    const plan = planProvisioning(world);
    const stage = stageOf(world, plan, "cheapest");
    const nodes = stage.nodes.map(({ name, labels, taints, allocatable }) =>
      modelNode(name, { labels: { ...labels, ...host(name) }, taints, allocatable }),
    );
    const running = [...stage.residents, ...stage.planned].map(({ pod: of, node }) => ({ ...of, nodeName: node }));
    return { stage, snapshot: { ...world, nodes, claims: [], pods: running } };
  }

  it("say the same of every pod on every node", () => {
    let refused = 0;
    fc.assert(
      fc.property(companies, (world) => {
        const { stage, snapshot } = settled(world);
        const running = [...stage.residents, ...stage.planned];
        const rooms = stage.nodes.map((seen): NodeRoom => {
          const there = running.filter(({ node }) => node === seen.name);
          const documents = there.map(({ pod: of }) => podDocument(of) as KubeObject);
          return { node: nodeDocument(seen) as KubeObject, free: {}, allocatable: {}, pods: documents };
        });
        const surroundings = { rooms, namespaces: new Map(world.namespaces.map((s) => [s.name, s.labels])) };
        const kinds = new Map(world.pods.map((one) => [one.name.split("-")[0]!, one]));
        for (const one of kinds.values()) {
          const { nodeName: _, ...rest } = one;
          const newcomer: Pod = { ...rest, name: "newcomer", uid: "newcomer" };
          const document = podDocument(newcomer) as KubeObject;
          const fits = nodeFitFilter(document, {});
          const filter = neighbourFilter(document, surroundings);
          for (const each of rooms.filter((candidate) => fits(candidate) === undefined)) {
            const target = each.node.metadata.name!;
            const after = { ...snapshot, pods: [...snapshot.pods, newcomer] };
            const placements = [{ target, pods: [`${newcomer.namespace}/newcomer`] }];
            const faults = neighbourFaults(after, { ...empty, placements });
            const refusal = filter(each);
            if (refusal !== undefined) refused++;
            expect(refusal === undefined, `${target}: ${refusal} or ${faults[0]}`).toBe(faults.length === 0);
          }
        }
      }),
      { seed: 20_261_202, numRuns: 15, endOnFailure: true },
    );
    expect(refused).toBeGreaterThan(50);
  });

  const empty = {
    claims: [],
    placements: [],
    unschedulable: [],
    ignored: [],
    warnings: [],
    buffers: [],
    nextChangeAtMs: null,
  };
});
