import { afterAll, describe, expect, it } from "vitest";
import { planning, pod, pool, workload } from "./planning.ts";

const world = planning();
afterAll(() => world.end());

const tainted = {
  ...pool,
  metadata: { name: "first" },
  spec: {
    ...(pool.spec as object),
    weight: 50,
    template: {
      spec: {
        ...(pool.spec as { template: { spec: object } }).template.spec,
        taints: [{ key: "gpu", effect: "NoSchedule" }],
      },
    },
  },
};
const small = { nodes: [], pods: [pod("web", "1"), pod("api", "2")] };
const explained = async (items: readonly unknown[], ...argv: string[]) =>
  JSON.parse((await world.of(items, "-o", "json", ...argv)).out).explanations;

describe("timmerman plan --explain", () => {
  it("is a field that comes last, and only when it is asked for", async () => {
    const without = JSON.parse((await world.of([pool, ...small.pods], "-o", "json")).out);
    const plan = JSON.parse((await world.of([pool, ...small.pods], "-o", "json", "--explain", "web")).out);
    expect(without).not.toHaveProperty("explanations");
    expect(Object.keys(plan).at(-1)).toBe("explanations");
    const { explanations, ...rest } = plan;
    expect(rest).toEqual(without);
    expect(explanations).toHaveLength(1);
  });

  it("says where a pod goes, what earlier pools said, and what ruled out the cheaper types", async () => {
    const [one] = await explained([pool, tainted, ...small.pods], "--explain", "default/web");
    expect(one).toMatchObject({
      pod: "default/web",
      outcome: "new-node",
      reason:
        "NodePool default gives a new node: m5.xlarge in z-a, on-demand, the only type that holds the node's pods together",
      asks: ["requests: cpu 1, pods 1"],
      beside: ["default/api"],
      nodePools: [
        { nodePool: "first", weight: 50, says: "its taint gpu:NoSchedule is not tolerated" },
        { nodePool: "default", says: "gives the node" },
      ],
      instanceTypes: {
        together: "cpu 3, pods 2",
        chosen: ["m5.xlarge"],
        cheaper: [
          {
            instanceType: "m5.large",
            zone: "z-a",
            capacityType: "on-demand",
            pricePerHour: 0.096,
            ruledOutBy: "too small for the pods together: 1.93 of the cpu 3",
          },
        ],
        cheaperNotListed: 0,
      },
    });
  });

  it("says of a pod without a place what each pool says", async () => {
    const huge = pod("huge", "64", { nodeSelector: { "topology.kubernetes.io/zone": "z-a" } });
    const [one] = await explained([pool, tainted, huge], "--explain", "huge");
    expect(one.outcome).toBe("none");
    expect(one.asks).toContain('must be on nodes with topology.kubernetes.io/zone In ["z-a"]');
    expect(one.nodePools.map(({ says }: { says: string }) => says)).toEqual([
      "its taint gpu:NoSchedule is not tolerated; and the most cpu that a node of it can give is 3.92 (m5.xlarge); the pod asks for 64",
      "the most cpu that a node of it can give is 3.92 (m5.xlarge); the pod asks for 64",
    ]);
  });

  const labels = {
    "karpenter.sh/nodepool": "default",
    "karpenter.sh/capacity-type": "on-demand",
    "node.kubernetes.io/instance-type": "m5.large",
    "topology.kubernetes.io/zone": "z-a",
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/os": "linux",
  };
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n-1", labels } };
  it("counts the nodes that are there", async () => {
    const [one] = await explained([pool, node, pod("web", "3")], "--explain", "web");
    expect(one).toMatchObject({ outcome: "new-node", existingNodes: "1 node: 1 insufficient cpu" });
  });

  it.each<[string, unknown, object]>([
    ["a node that has room", pod("web", "1"), { outcome: "existing-node", node: "n-1" }],
    ["one that runs", pod("web", "1", { nodeName: "n-1" }), { outcome: "running", node: "n-1" }],
    [
      "one that waits for a gate",
      pod("web", "1", { schedulingGates: [{ name: "quota" }] }),
      { outcome: "ignored", reason: "it is not planned: it waits for its scheduling gates: quota" },
    ],
  ])("tells %s", async (_, document, expected) => {
    expect(await explained([pool, node, document], "--explain", "web")).toMatchObject([expected]);
  });

  it("lists what a pod asks for as it was understood", async () => {
    const selector = { matchLabels: { app: "web" } };
    const spec = {
      tolerations: [{ key: "gpu", operator: "Exists" }],
      topologySpreadConstraints: [
        {
          topologyKey: "topology.kubernetes.io/zone",
          maxSkew: 1,
          whenUnsatisfiable: "DoNotSchedule",
          labelSelector: selector,
        },
      ],
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: "kubernetes.io/hostname", labelSelector: selector },
          ],
        },
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 7,
              preference: {
                matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "In", values: ["z-b"] }],
              },
            },
          ],
        },
      },
    };
    const [one] = await explained([pool, pod("web", "1", spec, { labels: { app: "web" } })], "--explain", "web");
    expect(one.asks).toEqual([
      "requests: cpu 1, pods 1",
      "tolerates taints gpu",
      "must be spread over topology.kubernetes.io/zone with pods app=web (maxSkew 1)",
      "must be far from pods app=web, by kubernetes.io/hostname",
      "prefers nodes with topology.kubernetes.io/zone In [z-b] (weight 7)",
    ]);
  });

  it("is a section of the table", async () => {
    const { out, code } = await world.of([pool, tainted, ...small.pods], "--explain", "web");
    expect(code).toBe(0);
    expect(out).toContain("WHY default/web\nNodePool default gives a new node: m5.xlarge");
    expect(out).toMatch(/\nNODEPOOL +WEIGHT +SAYS\nfirst +50 +its taint gpu:NoSchedule is not tolerated\n/);
    expect(out).toMatch(/\nm5\.large +z-a +on-demand +0\.0960 +too small for the pods together: 1\.93 of the cpu 3\n/);
  });

  it.each<[string, string, string]>([
    ["no pod has", "nobody", '--explain: there is no pod "nobody" in the input'],
    ["several pods have", "web", '--explain: 2 pods are named "web": default/web, other/web'],
  ])("refuses a name that %s", async (_, name, message) => {
    const items = [pool, pod("web", "1"), pod("web", "1", {}, { namespace: "other" })];
    const { code, err, out } = await world.of(items, "--explain", name);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(message);
  });

  it("explains pods of workloads, each pod once", async () => {
    const items = [pool, workload("Deployment", "app", { replicas: 2 })];
    const names = (await explained(items, "--explain", "app-1", "--explain", "default/app-1")).map(
      (one: { pod: string }) => one.pod,
    );
    expect(names).toEqual(["default/app-1"]);
  });
});
