import { describe, expect, it } from "vitest";
import { chunksOf } from "../../shared/controllers/chunks.ts";
import { createProvision } from "../../shared/controllers/index.ts";
import { OperationError } from "../../shared/ports/index.ts";
import { podSpec } from "../core/scheduling/fixtures.ts";
import { pendingPod } from "../simulation/fixtures.ts";
import { clusterName, createDesk, planned, startMs, wake } from "./desk.ts";

const waiting = (name: string, change = {}) => pendingPod(name, startMs, { unschedulable: true, ...change });

describe("provision", () => {
  it("commits a claim for pending pods, wakes lifecycle, and says so on the pods", async () => {
    const desk = await createDesk();
    desk.cluster.pods.put(waiting("web-1"));
    const report = await createProvision(desk.ports, desk.settings).run(wake("provision"));
    expect(report.counts).toMatchObject({ claimsCommitted: 1 });
    expect(await desk.claims()).toMatchObject([{ nodePool: "default", reason: "provisioned", createdAtMs: startMs }]);
    expect(desk.woken()).toEqual(["lifecycle"]);
    expect(desk.cluster.events).toMatchObject([{ kind: "Pod", name: "web-1", reason: "Nominated" }]);
  });

  it("whose wake is lost after the commit has lifecycle due at the next tick, and its repetition wakes it", async () => {
    const desk = await createDesk();
    desk.cluster.pods.put(waiting("web-1"));
    const down = async () => {
      throw new OperationError("SQS is away", { retry: "later", code: "unavailable", outcomeUnknown: true });
    };
    const deaf = { ...desk.ports, wakes: { send: down, sendAll: down } };
    await expect(createProvision(deaf, desk.settings).run(wake("provision"))).rejects.toThrow("SQS is away");
    expect(await desk.claims()).toHaveLength(1);
    expect((await desk.store.readDue(desk.clock.now())).map(({ controller }) => controller)).toEqual(["lifecycle"]);
    const report = await createProvision(desk.ports, desk.settings).run(wake("provision"));
    expect(report.counts.claimsCommitted).toBeUndefined();
    expect(desk.woken()).toContain("lifecycle");
  });

  it("plans nothing twice: what is committed is in flight", async () => {
    const desk = await createDesk();
    desk.cluster.pods.put(waiting("web-1"));
    const provision = createProvision(desk.ports, desk.settings);
    await provision.run(wake("provision"));
    await provision.run(wake("provision"));
    await desk.pass(60_000);
    await provision.run(wake("provision"));
    expect(await desk.claims()).toHaveLength(1);
  });

  it("plans nothing twice though ten runs go at once and none minds the lease", async () => {
    const desk = await createDesk({
      store: () => ({ takeLease: async () => ({ kind: "taken", requested: 0 }), releaseLease: async () => true }),
    });
    for (let i = 0; i < 7; i++) desk.cluster.pods.put(waiting(`web-${i}`));
    const provision = createProvision(desk.ports, desk.settings);
    const reports = await Promise.all(Array.from({ length: 10 }, () => provision.run(wake("provision"))));
    const committed = reports.reduce((sum, { counts }) => sum + (counts.claimsCommitted ?? 0), 0);
    expect(reports.some(({ counts }) => (counts.commitsLost ?? 0) > 0)).toBe(true);
    expect(await desk.claims()).toHaveLength(committed);
    const pods = (await desk.state()).placements.flatMap((placement) => placement.pods);
    expect([...pods].sort()).toEqual(Array.from({ length: 7 }, (_, i) => `default/web-${i}`));
  });

  it("says why a pod gets nothing", async () => {
    const desk = await createDesk();
    desk.cluster.pods.put(waiting("huge", { requests: { cpu: 1_000_000, pods: 1 } }));
    await createProvision(desk.ports, desk.settings).run(wake("provision"));
    expect(await desk.claims()).toEqual([]);
    expect(desk.cluster.events).toMatchObject([{ name: "huge", reason: "FailedScheduling", type: "Warning" }]);
    expect(desk.telemetry.gauged("karpenter_scheduler_unschedulable_pods_count")).toBe(1);
  });

  it("says it in one sentence for all pools, once each, and ends it after a word", async () => {
    const desk = await createDesk();
    const [pool] = desk.cluster.nodePools.list();
    const names = Array.from({ length: 40 }, (_, i) => `pool-${i}`);
    for (const name of names) {
      const requirements = [{ key: "team", operator: "In" as const, values: [`team-of-${name}`] }];
      desk.cluster.nodePools.put({ ...pool!, name, uid: name, requirements });
    }
    desk.cluster.pods.put(waiting("huge", { nodeSelector: { team: "nobody" } }));
    const provision = createProvision(desk.ports, desk.settings);
    await provision.run(wake("provision"));
    await desk.pass(6 * 60_000);
    await provision.run(wake("provision"));
    const events = desk.cluster.events.filter(({ kind }) => kind === "Pod");
    expect(events).toMatchObject([{ name: "huge", reason: "FailedScheduling", count: 2 }]);
    const { message } = events[0]!;
    expect(message.length).toBeLessThanOrEqual(1024);
    expect(message).toMatch(/^none of the 41 NodePools gives one: .*[\w"] …$/);
    expect(message.match(/pool-0:/g)).toHaveLength(1);
  });

  it("says on the NodePool what is odd about it", async () => {
    const desk = await createDesk();
    const [pool] = desk.cluster.nodePools.list();
    const families = { key: "karpenter.k8s.aws/instance-family", operator: "In", values: ["m"] } as const;
    desk.cluster.nodePools.put({ ...pool!, requirements: [...pool!.requirements, families] });
    desk.cluster.pods.put(waiting("web-1"));
    await createProvision(desk.ports, desk.settings).run(wake("provision"));
    const warnings = () => desk.cluster.events.filter(({ kind }) => kind === "NodePool");
    expect(warnings()).toMatchObject([
      { name: "default", reason: "PlanWarning", message: expect.stringContaining("instance-category"), count: 1 },
    ]);
    for (let minutes = 0; minutes < 60; minutes += 10) {
      await desk.pass(10 * 60_000);
      await createProvision(desk.ports, desk.settings).run(wake("provision"));
    }
    expect(warnings()).toMatchObject([{ count: 3 }]);
  });

  it("looks again when another commits first, and plans on what that left", async () => {
    let races = 0;
    const desk = await createDesk({
      store: (store) => ({
        async commit(cluster, head, chunk) {
          if (races++ > 0) return store.commit(cluster, head, chunk);
          const first = { ...chunk, id: "another" };
          await store.commit(cluster, head, first);
          return store.commit(cluster, head, chunk);
        },
      }),
    });
    desk.cluster.pods.put(waiting("web-1"));
    const report = await createProvision(desk.ports, desk.settings).run(wake("provision"));
    expect(report.counts.commitsLost).toBe(1);
    expect(await desk.claims()).toHaveLength(1);
  });

  it("leaves the rest to its next wake when it always loses", async () => {
    const desk = await createDesk({ store: () => ({ commit: async () => ({ kind: "lost" }) }) });
    desk.cluster.pods.put(waiting("web-1"));
    const report = await createProvision(desk.ports, desk.settings).run(wake("provision"));
    expect(report.counts.commitsLost).toBe(4);
    await desk.pass(1_000);
    expect(desk.woken()).toEqual(["provision"]);
  });

  it("decides nothing for a cluster without a head", async () => {
    const desk = await createDesk({ headless: true });
    desk.cluster.pods.put(waiting("web-1"));
    const report = await createProvision(desk.ports, desk.settings).run(wake("provision"));
    expect(report.counts).toEqual({});
    expect(desk.telemetry.lines).toMatchObject([
      { level: "error", message: expect.stringMatching(/has no head.*nothing is decided/) },
    ]);
  });

  it("leaves the wake to a run that is under way, and arranges for its death", async () => {
    const desk = await createDesk();
    await desk.store.takeLease(clusterName, "provision", "other", startMs, startMs + 60_000);
    desk.cluster.pods.put(waiting("web-1"));
    const report = await createProvision(desk.ports, desk.settings).run(wake("provision"));
    expect(report.counts).toEqual({ leftToHolder: 1 });
    expect(await desk.store.releaseLease(clusterName, "provision", "other", 0)).toBe(false);
    expect(await desk.store.readDue(startMs + 60_000)).toMatchObject([{ controller: "provision" }]);
  });

  it("runs once more for whoever asked while it ran", async () => {
    const asked = { times: 0 };
    const desk = await createDesk({
      cluster: (cluster) => ({
        async read(options) {
          if (asked.times++ === 0) await desk.store.takeLease(clusterName, "provision", "late", startMs, startMs + 1);
          return cluster.read(options);
        },
      }),
    });
    await createProvision(desk.ports, desk.settings).run(wake("provision"));
    expect(asked.times).toBe(2);
    const lease = await desk.store.takeLease(clusterName, "provision", "next", startMs, startMs + 1);
    expect(lease.kind).toBe("taken");
  });
});

describe("a lease that is asked for all the time", () => {
  it("is given up after three rounds, and another wake takes over", async () => {
    let asked = 0;
    const desk = await createDesk({
      store: (store) => ({
        async releaseLease(...args) {
          if (++asked < 8) await store.takeLease(clusterName, "provision", `late-${asked}`, startMs, startMs + 1);
          return store.releaseLease(...args);
        },
      }),
    });
    await createProvision(desk.ports, desk.settings).run(wake("provision"));
    expect(desk.woken()).toEqual(["provision"]);
    const lease = await desk.store.takeLease(clusterName, "provision", "next", startMs, startMs + 1);
    expect(lease.kind).toBe("taken");
  });
});

describe("a plan is cut into commits", () => {
  const options = { id: "p", reason: "provisioned", nowMs: startMs };
  const claims = (count: number, podsEach: number) =>
    Array.from({ length: count }, (_, i) =>
      planned(`c${i}`, { pods: Array.from({ length: podsEach }, (__, j) => `default/pod-${i}-${j}`) }),
    );

  it.each([
    [0, []],
    [1, [1]],
    [90, [90]],
    [91, [90, 1]],
    [200, [90, 90, 20]],
  ])("of at most ninety claims: %i", (count, sizes) => {
    expect(chunksOf({ claims: claims(count, 1), placements: [] }, options).map((chunk) => chunk.claims.length)).toEqual(
      sizes,
    );
  });

  it("with placements first, and no more pod names than an item holds", () => {
    const placements = Array.from({ length: 30 }, (_, i) => ({
      target: `node-${i}`,
      pods: Array.from({ length: 500 }, (__, j) => `default/pod-with-a-long-name-${i}-${j}`),
    }));
    const chunks = chunksOf({ claims: claims(2, 1), placements }, options);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.flatMap((chunk) => chunk.placements)).toEqual(placements);
    expect(chunks.map((chunk) => chunk.index)).toEqual(chunks.map((_, i) => i));
    expect(chunks.at(-1)!.claims).toHaveLength(2);
    for (const chunk of chunks) expect(JSON.stringify(chunk.placements).length).toBeLessThan(250_000);
  });
});

describe("NodeOverlays", () => {
  const overlay = (name: string, microUsd: number) =>
    ({
      uid: `uid-${name}`,
      name,
      resourceVersion: "",
      generation: 1,
      weight: 1,
      requirements: [],
      price: { kind: "price", microUsd },
      capacity: {},
    }) as const;

  async function run(nodeOverlay: boolean) {
    const desk = await createDesk({ gates: { nodeOverlay } });
    for (const one of [overlay("a", 7), overlay("b", 8)]) desk.cluster.nodeOverlays.put(one);
    await createProvision(desk.ports, desk.settings).run(wake("provision"));
    const told = (name: string) =>
      desk.cluster.conditionsOf("NodeOverlay", name).map(({ type, status, reason }) => `${type} ${status} ${reason}`);
    return [told("a"), told("b")];
  }

  it("are told whether they are in use, and if not, why", async () => {
    expect(await run(true)).toEqual([
      ["ValidationSucceeded True ValidationSucceeded", "Ready True Ready"],
      ["ValidationSucceeded False Conflict", "Ready False UnhealthyDependents"],
    ]);
  });

  it("are left alone while the feature gate is off", async () => {
    expect(await run(false)).toEqual([[], []]);
  });
});

describe("CapacityBuffers", () => {
  const buffer = (name: string, replicas: number, over: object = {}) => ({
    namespace: "default",
    name,
    generation: 1,
    strategy: "buffer.x-k8s.io/active-capacity",
    replicas,
    podTemplate: { name: "t", generation: 3 },
    template: podSpec(),
    ...over,
  });

  async function run(capacityBuffer: boolean) {
    const desk = await createDesk({ gates: { capacityBuffer } });
    const fault = { reason: "PodTemplateNotFound", message: "there is no PodTemplate default/x" };
    desk.cluster.capacityBuffers.put(buffer("spare", 2));
    desk.cluster.capacityBuffers.put({ ...buffer("stray", 0), fault });
    desk.cluster.capacityBuffers.put(buffer("theirs", 1, { strategy: "example.com/paused" }));
    const provision = createProvision(desk.ports, desk.settings);
    await provision.run(wake("provision"));
    const told = (name: string) =>
      desk.cluster
        .conditionsOf("CapacityBuffer", `default/${name}`)
        .map(({ type, status, reason }) => `${type} ${status} ${reason}`);
    return { desk, provision, told };
  }

  it("are told what they were understood as and where their room is; others' are left alone", async () => {
    const { desk, provision, told } = await run(true);
    expect(told("spare")).toEqual(["ReadyForProvisioning True Resolved", "Provisioning False RequiresNewCapacity"]);
    expect(desk.cluster.statusOf("CapacityBuffer", "default/spare")).toEqual({
      provisioningStrategy: "buffer.x-k8s.io/active-capacity",
      replicas: 2,
      podTemplateRef: { name: "t" },
      podTemplateGeneration: 3,
    });
    expect(told("stray")).toEqual([
      "ReadyForProvisioning False PodTemplateNotFound",
      "Provisioning False NotReadyForProvisioning",
    ]);
    expect(told("theirs")).toEqual([]);
    await provision.run(wake("provision"));
    expect(told("spare")[1]).toBe("Provisioning True FitsExistingCapacity");
  });

  it("are left alone while the feature gate is off", async () => {
    const { told } = await run(false);
    expect(told("spare")).toEqual([]);
  });
});
