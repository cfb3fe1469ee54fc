import { describe, expect, it } from "vitest";
import { createLifecycle, createResolveNodeClasses } from "../../shared/controllers/index.ts";
import { OperationError } from "../../shared/ports/index.ts";
import { type Bends, createDesk, type Desk, settledClaim, startMs, wake } from "./desk.ts";

type Class = ReturnType<Desk["cluster"]["nodeClasses"]["list"]>[number];
type Pool = ReturnType<Desk["cluster"]["nodePools"]["list"]>[number];

async function resolved(change: { class?: Partial<Class>; pool?: Partial<Pool>; bends?: Bends }): Promise<Desk> {
  const desk = await createDesk(change.bends);
  const [nodeClass] = desk.cluster.nodeClasses.list();
  const [pool] = desk.cluster.nodePools.list();
  desk.cluster.nodeClasses.put({ ...nodeClass!, ready: false, ...change.class });
  desk.cluster.nodePools.put({ ...pool!, ...change.pool });
  await createResolveNodeClasses(desk.ports, desk.settings).run(wake("resolve-node-classes"));
  return desk;
}

const verdicts = (desk: Desk, kind: "EC2NodeClass" | "NodePool") =>
  Object.fromEntries(
    desk.cluster.conditionsOf(kind, "default").map(({ type, status, reason }) => [type, `${status} ${reason}`]),
  );

describe("resolve-node-classes", () => {
  it("writes what the selectors found, and wakes those who waited", async () => {
    const desk = await resolved({});
    expect(desk.cluster.statusOf("EC2NodeClass", "default")).toEqual({
      subnets: [
        { id: "subnet-a", zone: "us-east-1a", zoneID: "use1-az1" },
        { id: "subnet-b", zone: "us-east-1b", zoneID: "use1-az2" },
      ],
      securityGroups: [{ id: "sg-nodes", name: "nodes" }],
      amis: [
        {
          id: "ami-standard",
          name: "amazon-eks-node-al2023-x86_64-standard-1.34-v20260201",
          requirements: [
            { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
            { key: "karpenter.k8s.aws/instance-gpu-count", operator: "DoesNotExist" },
            { key: "karpenter.k8s.aws/instance-accelerator-count", operator: "DoesNotExist" },
          ],
        },
      ],
      capacityReservations: [],
      instanceProfile: "node-role",
    });
    expect(verdicts(desk, "EC2NodeClass")).toMatchObject({
      Ready: "True Ready",
      AMIsReady: "True AMIsReady",
      CapacityReservationsReady: "True CapacityReservationsReady",
    });
    expect(verdicts(desk, "NodePool")).toEqual({
      ValidationSucceeded: "True ValidationSucceeded",
      NodeClassReady: "True Ready",
      Ready: "True Ready",
    });
    expect(desk.woken()).toEqual(["lifecycle", "provision"]);
    expect(desk.cluster.nodeClasses.list()).toMatchObject([{ ready: true }]);
  });

  it("has those who waited due at the next tick when the answer to its write is lost", async () => {
    const desk = await resolved({
      bends: {
        cluster: (cluster) => ({
          async setConditions(object, conditions, status) {
            const outcome = await cluster.setConditions(object, conditions, status);
            if (object.kind === "NodePool") return outcome;
            throw new OperationError("no answer", { retry: "later", code: "timeout", outcomeUnknown: true });
          },
        }),
      },
    });
    expect(desk.cluster.nodeClasses.list()).toMatchObject([{ ready: true }]);
    const due = await desk.store.readDue(desk.clock.now());
    expect(due.map(({ controller }) => controller).sort()).toEqual(["lifecycle", "provision"]);
  });

  it("wakes those who waited also for other images of a class that is ready", async () => {
    const unknown = { amis: [], subnets: [], securityGroupIds: [], capacityReservations: [] };
    const desk = await resolved({ class: { ready: true, resolved: unknown } });
    expect(desk.woken()).toEqual(["lifecycle", "provision"]);
    const requirements = desk.cluster.nodeClasses.get("default")!.resolved.amis[0]!.requirements;
    expect(requirements.map(({ values }) => values)).toEqual([["amd64"], [], []]);
    await createResolveNodeClasses(desk.ports, desk.settings).run(wake("resolve-node-classes"));
    await desk.pass(60_000);
    expect(desk.woken()).not.toContain("provision");
  });

  it("has news only where a class has changed", async () => {
    const desk = await createDesk();
    const run = () => createResolveNodeClasses(desk.ports, desk.settings).run(wake("resolve-node-classes"));
    desk.cluster.nodeClasses.put({ ...desk.cluster.nodeClasses.list()[0]!, ready: false });
    expect((await run()).counts).toEqual({ classesChanged: 1 });
    expect((await run()).counts).toEqual({});
  });

  it("counts the nodes of a pool anew, should a count have been lost", async () => {
    const desk = await resolved({});
    expect(desk.cluster.statusOf("NodePool", "default")).toMatchObject({ nodes: 0, resources: { nodes: "0" } });
    await settledClaim(desk, "a");
    await createResolveNodeClasses(desk.ports, desk.settings).run(wake("resolve-node-classes"));
    expect(desk.cluster.statusOf("NodePool", "default")).toMatchObject({ nodes: 1, resources: { nodes: "1" } });
  });

  const nowhere = [{ tags: { "karpenter.sh/discovery": "nowhere" } }];
  it.each<[string, Partial<Class>, string, string]>([
    ["no subnet", { subnetSelectorTerms: nowhere }, "SubnetsReady", "False SubnetsNotFound"],
    [
      "no security group",
      { securityGroupSelectorTerms: nowhere },
      "SecurityGroupsReady",
      "False SecurityGroupsNotFound",
    ],
    ["no image", { amiSelectorTerms: [{ id: "ami-none" }] }, "AMIsReady", "False AMINotFound"],
    [
      "an alias nobody knows",
      { amiSelectorTerms: [{ alias: "ubuntu@latest" }] },
      "AMIsReady",
      "False UnsupportedAlias",
    ],
    ["too much user data", { userData: "x".repeat(20_000) }, "ValidationSucceeded", "False UserDataSizeLimitExceeded"],
    [
      "settings that cannot be combined",
      { amiFamily: "Bottlerocket", userData: "[settings.kubernetes]" },
      "ValidationSucceeded",
      "False UserDataInvalid",
    ],
  ])("says what is wrong with a class: %s", async (_title, change, type, expected) => {
    const desk = await resolved({ class: change });
    expect(verdicts(desk, "EC2NodeClass")).toMatchObject({ [type]: expected, Ready: "False UnhealthyDependents" });
    expect(verdicts(desk, "NodePool")).toMatchObject({
      NodeClassReady: "False UnhealthyDependents",
      Ready: "False UnhealthyDependents",
    });
    expect(desk.woken()).toEqual([]);
  });

  it.each<[string, Parameters<typeof resolved>[0], object]>([
    [
      "its class is not there",
      { pool: { nodeClassRef: { group: "g", kind: "EC2NodeClass", name: "other" } } },
      { NodeClassReady: "False NodeClassNotFound" },
    ],
    ["its class is being deleted", { class: { deletionAtMs: 1 } }, { NodeClassReady: "False NodeClassTerminating" }],
    [
      "its class cannot be resolved now",
      {
        bends: {
          cloud: () => ({
            findImages: async () =>
              Promise.reject(new OperationError("slow down", { retry: "later", code: "throttled" })),
          }),
        },
      },
      { NodeClassReady: "Unknown NodeClassReadinessUnknown", Ready: "Unknown UnhealthyDependents" },
    ],
    [
      "nothing satisfies its requirements",
      {
        pool: {
          requirements: [
            { key: "a", operator: "In", values: ["x"] },
            { key: "a", operator: "NotIn", values: ["x"] },
          ],
        },
      },
      { ValidationSucceeded: "False NodePoolValidationFailed" },
    ],
    [
      "a requirement cannot be read",
      { pool: { requirements: [{ key: "a", operator: "Gt", values: ["x"] }] } },
      { ValidationSucceeded: "False NodePoolValidationFailed" },
    ],
  ])("says what is wrong with a pool: %s", async (_title, change, expected) => {
    expect(verdicts(await resolved(change), "NodePool")).toMatchObject(expected);
  });
});

describe("an EC2NodeClass that is deleted", () => {
  const run = (desk: Desk) => createResolveNodeClasses(desk.ports, desk.settings).run(wake("resolve-node-classes"));

  it("stays while claims use it, says so, and goes after the last", async () => {
    const desk = await resolved({});
    const { claim } = await settledClaim(desk, "a", { deletion: { requestedAtMs: startMs, reason: "empty" } });
    desk.cluster.requestDeletion("EC2NodeClass", "default");
    const report = await run(desk);
    expect(report.nextDueAtMs).toBe(startMs + 60_000);
    await run(desk);
    expect(desk.cluster.nodeClasses.get("default")).toMatchObject({ deletionAtMs: startMs });
    expect(desk.cluster.events).toMatchObject([
      {
        kind: "EC2NodeClass",
        name: "default",
        type: "Normal",
        reason: "WaitingOnNodeClaimTermination",
        message: "1 NodeClaim still uses it: a",
        count: 2,
      },
    ]);
    expect(verdicts(desk, "NodePool")).toMatchObject({ NodeClassReady: "False NodeClassTerminating" });
    desk.woken();

    const lifecycle = createLifecycle(desk.ports, desk.settings);
    for (let turn = 0; turn < 30 && (await desk.claims()).length > 0; turn++) {
      desk.cluster.pods.list().forEach(({ namespace, name }) => void desk.cluster.pods.remove(`${namespace}/${name}`));
      await lifecycle.run(wake("lifecycle"));
      await desk.pass(10_000);
    }
    expect(await desk.claims()).toEqual([]);
    expect(desk.cloud.everyInstance().find(({ id }) => id === claim.instance!.id)?.state).toBe("terminated");
    expect(desk.woken()).toContain("resolve-node-classes");
    await run(desk);
    expect(desk.cluster.nodeClasses.list()).toEqual([]);
  });

  it("that no claim uses goes at once", async () => {
    const desk = await resolved({});
    desk.cluster.requestDeletion("EC2NodeClass", "default");
    await run(desk);
    expect(desk.cluster.nodeClasses.list()).toEqual([]);
    expect(desk.cluster.events).toEqual([]);
  });

  it("is neither held nor let go where the claims are not known", async () => {
    const held: string[] = [];
    const note = (name: string) => {
      held.push(name);
      return "done" as const;
    };
    const desk = await resolved({
      bends: {
        headless: true,
        cluster: () => ({
          holdNodeClass: async (name) => note(name),
          releaseNodeClass: async (name) => note(name),
        }),
      },
    });
    desk.cluster.nodeClasses.put({ ...desk.cluster.nodeClasses.get("default")!, deletionAtMs: startMs });
    await run(desk);
    expect(held).toEqual([]);
  });

  it("is resolved also if it may not be held", async () => {
    const forbid = async () => Promise.reject(new OperationError("not allowed", { retry: "never", code: "forbidden" }));
    const desk = await resolved({ bends: { cluster: () => ({ holdNodeClass: forbid }) } });
    expect(verdicts(desk, "EC2NodeClass")).toMatchObject({ Ready: "True Ready" });
  });

  it("is tried again when it cannot be let go now", async () => {
    let failures = 1;
    const desk = await resolved({
      bends: {
        cluster: (cluster) => ({
          async releaseNodeClass(name, precondition) {
            if (failures-- > 0) throw new OperationError("slow down", { retry: "later", code: "throttled" });
            return cluster.releaseNodeClass(name, precondition);
          },
        }),
      },
    });
    desk.cluster.requestDeletion("EC2NodeClass", "default");
    const report = await run(desk);
    expect(report.failures).toMatchObject([{ object: "EC2NodeClass default" }]);
    expect(report.nextDueAtMs).toBe(startMs + 10_000);
    await run(desk);
    expect(desk.cluster.nodeClasses.list()).toEqual([]);
  });
});
