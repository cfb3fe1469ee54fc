// Random small worlds for the plan's properties, from the literals of the scheduling fixtures.
import fc from "fast-check";
import type {
  DaemonSet,
  Node,
  NodeClaim,
  NodePool,
  NodeSelectorTerm,
  Pod,
  RequirementSpec,
  Snapshot,
  Taint,
  Toleration,
} from "../../shared/core/model/index.ts";
import {
  arch,
  asks,
  bound,
  capacityType,
  catalog,
  claim,
  cpuLabel,
  daemonSet,
  gi,
  instanceType,
  joined,
  node,
  nowMs,
  pod,
  pool,
  req,
  snapshot,
  taint,
  zone,
} from "../core/scheduling/fixtures.ts";

const zones = ["z-a", "z-b", "z-c"];
const typeNames = [
  "a1.small",
  "a1.medium",
  "a1.large",
  "a1.xlarge",
  "b2.medium",
  "b2.large",
  "c3.medium",
  "g4.large",
  "g4.xlarge",
];
const taints: Taint[] = [taint("dedicated", "x"), taint("gpu"), taint("soft", "", "PreferNoSchedule")];

const requirement: fc.Arbitrary<RequirementSpec> = fc.oneof(
  fc.subarray(zones, { minLength: 1 }).map((values) => req(zone, "In", ...values)),
  fc.subarray(zones, { minLength: 1, maxLength: 2 }).map((values) => req(zone, "NotIn", ...values)),
  fc.subarray(typeNames, { minLength: 2 }).map((values) => req(instanceType, "In", ...values)),
  fc.constantFrom("2", "4", "8").map((value) => req(cpuLabel, "Gt", value)),
  fc.constantFrom("4", "8", "16").map((value) => req(cpuLabel, "Lt", value)),
  fc.constantFrom("team-a", "team-b").map((value) => req("team", "In", value)),
  fc.constantFrom("team-a", "team-b").map((value) => req("team", "NotIn", value)),
  fc.constant(req("team", "Exists")),
  fc.constant(req("team", "DoesNotExist")),
);

const tolerations: fc.Arbitrary<Toleration[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Toleration[]>([]) },
  { weight: 1, arbitrary: fc.constant<Toleration[]>([{ operator: "Exists" as const }]) },
  { weight: 2, arbitrary: fc.constant<Toleration[]>([{ key: "dedicated", operator: "Equal" as const, value: "x" }]) },
  {
    weight: 1,
    arbitrary: fc.constant<Toleration[]>([{ key: "gpu", operator: "Exists" as const, effect: "NoSchedule" as const }]),
  },
);

const requests = fc
  .tuple(
    fc.constantFrom(0.1, 0.5, 1, 2, 3.5, 6, 12, 40),
    fc.constantFrom(0.25, 1, 2, 6, 14),
    fc.constantFrom(0, 0, 0, 1),
  )
  .map(([cores, gib, gpus]) => asks(cores, gib, gpus === 0 ? {} : { "nvidia.com/gpu": gpus }));

const term: fc.Arbitrary<NodeSelectorTerm> = fc
  .array(requirement, { maxLength: 2 })
  .map((expressions) => ({ expressions, fields: [] }));

const podOver: fc.Arbitrary<Partial<Pod>> = fc
  .record({
    requests,
    tolerations,
    nodeSelector: fc.oneof(
      { weight: 4, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.constantFrom(...zones).map((z) => ({ [zone]: z })) },
      { weight: 1, arbitrary: fc.constant({ team: "team-a" }) },
      { weight: 1, arbitrary: fc.constant({ [capacityType]: "on-demand" }) },
    ),
    terms: fc.option(fc.array(term, { maxLength: 3 }), { freq: 4, nil: undefined }),
  })
  .map(({ terms, ...over }) => (terms === undefined ? over : { ...over, requiredNodeAffinity: terms }));

const pods: fc.Arbitrary<Pod[]> = fc
  .array(fc.tuple(podOver, fc.integer({ min: 1, max: 5 })), { maxLength: 6 })
  .map((groups) =>
    groups.flatMap(([over, count], g) => Array.from({ length: count }, (_, i) => pod(`g${g}-${i}`, over))),
  );

const limits = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 40 }).map((cores) => ({ cpu: cores * 1000 })) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 }).map((nodes) => ({ nodes })) },
  {
    weight: 1,
    arbitrary: fc.record({ memory: fc.integer({ min: 0, max: 60 }).map((n) => n * gi), cpu: fc.constant(24_000) }),
  },
);

const nodePool = (name: string): fc.Arbitrary<NodePool> =>
  fc
    .record({
      weight: fc.constantFrom(1, 1, 10, 50),
      limits,
      taints: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 2, arbitrary: fc.subarray(taints, { maxLength: 2 }) },
      ),
      startupTaints: fc.constantFrom([], [taint("cni", "wait")]),
      labels: fc.constantFrom({}, {}, { team: "team-a" }, { tier: "web" }),
      capacity: fc.constantFrom(
        ["on-demand"],
        ["spot", "on-demand"],
        ["spot"],
        ["reserved", "on-demand"],
        ["reserved"],
      ),
      more: fc.array(fc.oneof(requirement, fc.constant(req("team", "In", "team-a", "team-b", "team-c"))), {
        maxLength: 2,
      }),
      arch: fc.constantFrom([], [req(arch, "In", "amd64")]),
    })
    .map(({ capacity, more, arch: archs, labels, ...over }) => {
      const own = "team" in labels ? more.filter(({ key }) => key !== "team") : more;
      return pool(name, {
        ...over,
        labels: labels as Record<string, string>,
        requirements: [req(capacityType, "In", ...capacity), ...archs, ...own],
      });
    });

const daemonSets: fc.Arbitrary<DaemonSet[]> = fc
  .array(
    fc.record({
      requests: fc.constantFrom(asks(0.1, 0.1), asks(0.5, 0.5), asks(3, 1)),
      tolerations,
      terms: fc.option(fc.array(term, { minLength: 1, maxLength: 2 }), { nil: undefined }),
    }),
    { maxLength: 2 },
  )
  .map((sets) =>
    sets.map(({ terms, ...over }, i) =>
      daemonSet(`d${i}`, terms === undefined ? over : { ...over, requiredNodeAffinity: terms }),
    ),
  );

interface There {
  readonly node?: Node;
  readonly claim?: NodeClaim;
  readonly pods: readonly Pod[];
}

const there = (index: number): fc.Arbitrary<There> =>
  fc
    .record({
      kind: fc.constantFrom("unmanaged", "managed", "young", "pending", "leaving"),
      zone: fc.constantFrom(...zones),
      taints: fc.constantFrom([], [], [taints[0]!], [taint("cni", "wait")]),
      team: fc.constantFrom({}, { team: "team-a" }),
      cores: fc.constantFrom(0.5, 2, 3.5),
    })
    .map(({ kind, zone: where, taints: on, team, cores }): There => {
      const name = `n${index}`;
      const base = node(name);
      const labels = { ...base.labels, ...(team as Record<string, string>), [zone]: where };
      const full = node(name, { labels, taints: on });
      const occupant = bound(`b${index}`, name, { requests: asks(cores, 1) });
      if (kind === "unmanaged") return { node: full, pods: [occupant] };
      if (kind === "pending")
        return {
          claim: claim(`c-${name}`, {
            instanceTypes: ["a1.medium", "a1.large"],
            labels: { "karpenter.sh/nodepool": "default", ...(team as Record<string, string>) },
          }),
          pods: [],
        };
      const managed = joined(full);
      if (kind === "leaving")
        return {
          node: full,
          claim: { ...managed, deletion: { requestedAtMs: 1, reason: "drifted" } },
          pods: [occupant],
        };
      if (kind === "managed") return { node: full, claim: managed, pods: [occupant] };
      const { initializedAtMs: _, ...young } = managed;
      return { node: full, claim: { ...young, startupTaints: [taint("cni", "wait")] }, pods: [] };
    });

/** A world of up to three pools, three nodes or claims, two DaemonSets, thirty pods. */
export const worlds: fc.Arbitrary<Snapshot> = fc
  .record({
    pools: fc
      .integer({ min: 0, max: 3 })
      .chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => nodePool(["default", "second", "third"][i]!)))),
    pending: pods,
    daemonSets,
    present: fc.integer({ min: 0, max: 3 }).chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => there(i)))),
    reserved: fc.constantFrom(
      [],
      [{ id: "cr-1", instanceType: "a1.large", zone: "z-b", count: 1 }],
      [
        { id: "cr-1", instanceType: "a1.small", zone: "z-a", count: 2 },
        { id: "cr-2", instanceType: "g4.large", zone: "z-c", count: 1 },
      ],
    ),
    refused: fc.array(
      fc.record({
        instanceType: fc.constantFrom(...typeNames),
        zone: fc.constantFrom(...zones),
        capacityType: fc.constantFrom("spot" as const, "on-demand" as const),
        untilMs: fc.integer({ min: nowMs - 5, max: nowMs + 5_000 }),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ pools, pending, daemonSets: sets, present, refused, reserved }) =>
    snapshot({
      catalog: reserved.length === 0 ? catalog : { ...catalog, reserved },
      nodePools: pools,
      pods: [...pending, ...present.flatMap(({ pods: on }) => on)],
      daemonSets: sets,
      nodes: present.flatMap(({ node: one }) => (one === undefined ? [] : [one])),
      claims: present.flatMap(({ claim: one }) => (one === undefined ? [] : [one])),
      refusals: refused,
    }),
  );
