import { afterAll, describe, expect, it } from "vitest";
import { type Doc, planning, pod, pool } from "./planning.ts";

const { json, of, end } = planning();
afterAll(end);

const at = "2026-05-30T00:00:00Z";
const amounts = { cpu: "2", memory: "7Gi", pods: "10" };
const node = (
  metadata: Doc = {},
  spec: Doc = {},
  status: Doc = { allocatable: amounts, capacity: amounts, conditions: [{ type: "Ready", status: "True" }] },
): Doc => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: {
    name: "n1",
    labels: { "karpenter.sh/nodepool": "default", "node.kubernetes.io/instance-type": "m5.large" },
    ...metadata,
  },
  spec,
  status,
});
const claim = (status: Doc, metadata: Doc = {}): Doc => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodeClaim",
  metadata: { name: "nc1", labels: { "karpenter.sh/nodepool": "default" }, ...metadata },
  spec: {
    nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
    requirements: [{ key: "node.kubernetes.io/instance-type", operator: "In", values: ["m5.large"] }],
  },
  status,
});
const met = (...types: string[]): Doc[] =>
  types.map((type) => ({ type, status: "True", lastTransitionTime: at, reason: "x", message: "" }));
const three = [pod("a", "1"), pod("b", "1"), pod("c", "1")];
const aws = "aws:///us-east-1a/i-0123456";

describe("a machine that is both NodeClaim and Node counts once", () => {
  const launched = { nodeName: "n1", providerID: aws, capacity: amounts, allocatable: amounts };
  it.each<[string, Doc[]]>([
    ["a node without a provider id", [claim({ ...launched, conditions: met("Launched") }), node()]],
    ["initialized", [claim({ ...launched, conditions: met("Launched", "Registered", "Initialized") }), node()]],
    [
      "a provider id of another form",
      [
        claim({ ...launched, providerID: "kwok://n1", conditions: met("Launched") }),
        node({}, { providerID: "kwok://n1" }),
      ],
    ],
    ["provider ids that differ", [claim(launched), node({}, { providerID: "aws:///us-east-1a/i-0abcdef" })]],
    ["a claim without a provider id", [claim({ nodeName: "n1" }), node()]],
    [
      "two claims of one provider id",
      [claim(launched), claim(launched, { name: "nc2" }), node({}, { providerID: aws })],
    ],
    [
      "two nodes of one provider id, one of them the claim's",
      [
        claim({ providerID: aws, nodeName: "n1" }),
        node({}, { providerID: aws }),
        node({ name: "n2" }, { providerID: aws, unschedulable: true }),
      ],
    ],
  ])("%s", async (_, items) => {
    const plan = await json(pool, ...items, ...three);
    expect(plan.existingNodes).toMatchObject([{ node: "n1" }]);
    expect(plan.existingNodes[0].pods).toHaveLength(2);
    expect(plan.nodeClaims.flatMap(({ pods }: { pods: string[] }) => pods)).toHaveLength(1);
  });

  it("and one that says nothing of its readiness is ready; one that says it is not is not", async () => {
    const initialized = claim({ ...launched, conditions: met("Launched", "Registered", "Initialized") });
    const silent = await json(pool, initialized, node({}, {}, { allocatable: amounts }));
    expect(silent.disruption).toMatchObject([{ reason: "Empty", nodes: ["n1"] }]);
    const down = { allocatable: amounts, conditions: [{ type: "Ready", status: "False" }] };
    expect((await json(pool, initialized, node({}, {}, down))).disruption).toEqual([]);
  });

  it("and an initialized one can be empty", async () => {
    const plan = await json(
      pool,
      claim({ ...launched, conditions: met("Launched", "Registered", "Initialized") }),
      node(),
    );
    expect(plan.disruption).toMatchObject([{ reason: "Empty", nodes: ["n1"], savingsPerHour: 0.096 }]);
  });

  it("and a second claim of the same instance is told", async () => {
    const told = await of([pool, claim(launched), claim(launched, { name: "nc2" }), node()]);
    expect(told.err).toContain("NodeClaim nc2: left out, since its status.providerID is that of NodeClaim nc1\n");
  });

  it("and a stale claim does not take the node of the one that runs there", async () => {
    const plan = await json(
      pool,
      claim({ nodeName: "n1", conditions: met("Launched", "Registered", "Initialized") }, { name: "a" }),
      claim({ ...launched, conditions: met("Launched", "Registered", "Initialized") }),
      node({}, { providerID: aws }),
    );
    expect(plan.disruption).toMatchObject([{ nodes: ["n1"] }]);
  });
});

describe("a claim that says no amounts", () => {
  it("has those of its node, also against the pool's limits", async () => {
    const limited = { ...pool, spec: { ...(pool.spec as Doc), limits: { cpu: 2 } } };
    const plan = await json(
      limited,
      claim({ nodeName: "n1", providerID: aws }),
      node({}, { providerID: aws }),
      ...three,
    );
    expect(plan.existingNodes[0].pods).toHaveLength(2);
    expect(plan.nodeClaims).toEqual([]);
    expect(plan.unschedulable).toHaveLength(1);
  });

  it("and no labels costs what its node's type costs", async () => {
    const plan = await json(pool, claim({ nodeName: "n1", providerID: aws }), node({}, { providerID: aws }));
    expect(plan.cost.currentPerHour).toBe(0.096);
  });
});

describe("age", () => {
  it.each<[string, Doc[]]>([
    ["a claim that nobody says the creation of", [claim({ providerID: aws, allocatable: amounts })]],
    ["nor has a node", [claim({})]],
    [
      "a node that nobody says the creation of",
      [node(), { ...pod("w", "1", { nodeName: "n1" }), status: { phase: "Running" } }],
    ],
  ])("%s does not expire", async (_, items) => {
    const plan = await json(pool, ...items);
    expect(plan.disruption).toEqual([]);
    expect(plan.nextChangeAt).toBeNull();
  });

  it("that nobody knows uses no do-not-disrupt up", async () => {
    const guard = { annotations: { "karpenter.sh/do-not-disrupt": "1h" } };
    const bare = node(guard);
    expect((await json(pool, bare)).blocked).toEqual([
      { node: "n1", reasons: ["the node has karpenter.sh/do-not-disrupt"] },
    ]);
    expect((await json(pool, node({ ...guard, creationTimestamp: at }))).disruption).toMatchObject([{ nodes: ["n1"] }]);
  });

  it("that is known does expire", async () => {
    const old = { creationTimestamp: "2026-01-01T00:00:00Z" };
    expect((await json(pool, node(old))).disruption).toMatchObject([{ reason: "Expired", nodes: ["n1"] }]);
    expect(
      (await json(pool, claim({}, { name: "nc1", ...old, labels: { "karpenter.sh/nodepool": "default" } }))).disruption,
    ).toMatchObject([{ reason: "Expired", nodes: ["nc1"] }]);
  });
});

describe("nodes that are being deleted", () => {
  const dying = { name: "n1", deletionTimestamp: "2026-06-01T11:00:00Z", creationTimestamp: at };
  const since = { node: "n1", reason: "deleted", since: "2026-06-01T11:00:00Z" };
  it.each<[string, Doc[]]>([
    ["a pool's, without a claim", [node(dying)]],
    ["a pool's, whose claim does not know yet", [claim({ nodeName: "n1", providerID: aws }), node(dying)]],
    [
      "by their claims",
      [
        claim(
          { nodeName: "n1", providerID: aws },
          { ...dying, name: "nc1", labels: { "karpenter.sh/nodepool": "default" } },
        ),
        node(),
      ],
    ],
    ["nobody's", [node({ ...dying, labels: {} })]],
  ])("are told: %s", async (_, items) => {
    const running = { ...pod("w", "1", { nodeName: "n1" }), status: { phase: "Running" } };
    const plan = await json(pool, ...items, running);
    expect([plan.leaving, plan.blocked, plan.disruption]).toEqual([[since], [], []]);
    expect(plan.nodeClaims).toMatchObject([{ pods: ["default/w"] }]);
    expect(plan.cost.plannedPerHour).toBe(0.096);
    const { out } = await of([pool, ...items]);
    expect(out).toContain(
      "LEAVING ALREADY (1)\nNODE  SINCE                 REASON\nn1    2026-06-01T11:00:00Z  deleted\n",
    );
    expect(out).toContain("No pod waits for a place; 1 node leaving already.\n");
  });

  it("do not expire once more", async () => {
    const plan = await json(pool, node({ ...dying, creationTimestamp: "2026-01-01T00:00:00Z" }));
    expect([plan.leaving, plan.disruption]).toEqual([[since], []]);
  });
});
