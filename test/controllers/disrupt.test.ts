import { describe, expect, it } from "vitest";
import { createDisrupt } from "../../shared/controllers/index.ts";
import { nodePool, pendingPod } from "../simulation/fixtures.ts";
import { clusterName, createDesk, settledClaim, startMs, wake } from "./desk.ts";

const { namespace: _space, name: _name, createdAtMs: _at, phase: _phase, ...template } = pendingPod("spare", 0);
const disrupted = { key: "karpenter.sh/disrupted", value: "", effect: "NoSchedule" };

describe("disrupt", () => {
  it("taints an empty node, looks again, and asks for its deletion", async () => {
    const desk = await createDesk();
    const { node } = await settledClaim(desk, "a");
    const report = await createDisrupt(desk.ports, desk.settings).run(wake("disrupt"));
    expect(report.counts).toMatchObject({ commandsCommitted: 1, deletionsRequested: 1, commandsDone: 1 });
    const [claim] = await desk.claims();
    expect(claim?.deletion).toEqual({
      requestedAtMs: startMs,
      reason: "empty",
      command: { id: expect.stringMatching(/^empty-a-/), decision: "delete", consolidationType: "empty" },
    });
    expect(desk.cluster.nodes.get(node.name)?.taints).toEqual([disrupted]);
    expect((await desk.state()).commands).toEqual([]);
    expect(desk.woken()).toContain("lifecycle");
  });

  it("rolls back, and says why, when a pod came before the taint was seen", async () => {
    let late = true;
    const desk = await createDesk({
      cluster: (cluster) => ({
        async podsOn(name) {
          if (late) desk.cluster.pods.put({ ...pendingPod("late", startMs), nodeName: name, phase: "Running" });
          late = false;
          return cluster.podsOn(name);
        },
      }),
    });
    const { node } = await settledClaim(desk, "a");
    const disrupt = createDisrupt(desk.ports, desk.settings);
    const report = await disrupt.run(wake("disrupt"));
    expect(report.counts).toMatchObject({ commandsCommitted: 1, commandsRolledBack: 1 });
    expect((await desk.claims())[0]?.deletion).toBeUndefined();
    expect((await desk.claims())[0]?.commandId).toBeUndefined();
    expect(desk.cluster.nodes.get(node.name)?.taints).toEqual([]);
    expect(desk.cluster.events).toMatchObject([
      { kind: "Node", reason: "DisruptionBlocked", message: "the node stays: pod default/late came to node ip-a" },
    ]);
    await disrupt.run(wake("disrupt"));
    expect((await desk.state()).commands).toEqual([]);
  });

  it("keeps a command whose taint it could not take off, and takes it off next time", async () => {
    let late = true;
    let contested = true;
    const desk = await createDesk({
      cluster: (cluster) => ({
        async podsOn(name) {
          if (late) desk.cluster.pods.put({ ...pendingPod("late", startMs), nodeName: name, phase: "Running" });
          late = false;
          return cluster.podsOn(name);
        },
        async patchNode(name, precondition, change) {
          if (contested && change.taints?.length === 0) return "changed";
          return cluster.patchNode(name, precondition, change);
        },
      }),
    });
    const { node } = await settledClaim(desk, "a");
    const disrupt = createDisrupt(desk.ports, desk.settings);
    await disrupt.run(wake("disrupt"));
    expect((await desk.state()).commands).toHaveLength(1);
    expect(desk.cluster.nodes.get(node.name)?.taints).toEqual([disrupted]);
    contested = false;
    await disrupt.run(wake("disrupt"));
    expect((await desk.state()).commands).toEqual([]);
    expect(desk.cluster.nodes.get(node.name)?.taints).toEqual([]);
    expect((await desk.claims())[0]?.deletion).toBeUndefined();
  });

  it("does not delete for a command that another run has rolled back meanwhile", async () => {
    let slow = true;
    const desk = await createDesk({
      store: (store) => ({
        async changeClaim(cluster, name, version, change) {
          const [command] = (await desk.state()).commands;
          if (slow && command !== undefined) await store.closeCommand(cluster, command.id, command.version);
          slow = false;
          return store.changeClaim(cluster, name, version, change);
        },
      }),
    });
    await settledClaim(desk, "a");
    const report = await createDisrupt(desk.ports, desk.settings).run(wake("disrupt"));
    expect(report.counts).toMatchObject({ commandsCommitted: 1 });
    expect(report.counts.deletionsRequested).toBeUndefined();
    expect((await desk.claims())[0]?.deletion).toBeUndefined();
  });

  it("keeps a command while a candidate is neither to go nor gone", async () => {
    let contested = true;
    const desk = await createDesk({
      store: (store) => ({
        async changeClaim(cluster, name, version, change) {
          const current = await store.readClaim(cluster, name);
          if (contested && current !== undefined) return { kind: "conflict", current };
          return store.changeClaim(cluster, name, version, change);
        },
      }),
    });
    await settledClaim(desk, "a");
    const disrupt = createDisrupt(desk.ports, desk.settings);
    const report = await disrupt.run(wake("disrupt"));
    expect(report.failures).toMatchObject([{ message: expect.stringContaining("its record changed at each of 4") }]);
    expect((await desk.state()).commands).toHaveLength(1);
    contested = false;
    await disrupt.run(wake("disrupt"));
    expect((await desk.state()).commands).toEqual([]);
    expect(await desk.claims()).toMatchObject([{ deletion: { reason: "empty" } }]);
  });

  it("has lifecycle due when a run ends between a deletion and its wake", async () => {
    const desk = await createDesk();
    await settledClaim(desk, "a");
    const gone = () => Promise.reject(new Error("gone"));
    const dying = { ...desk.ports, wakes: { send: gone, sendAll: gone } };
    await expect(createDisrupt(dying, desk.settings).run(wake("disrupt"))).rejects.toThrow("gone");
    expect(await desk.claims()).toMatchObject([{ deletion: { reason: "empty" } }]);
    expect((await desk.store.readDue(desk.clock.now())).map(({ controller }) => controller)).toContain("lifecycle");
  });

  it("commits nothing that a second look does not confirm", async () => {
    let reads = 0;
    const desk = await createDesk({
      cluster: (cluster) => ({
        async read(options) {
          if (++reads === 2)
            desk.cluster.pods.put({ ...pendingPod("late", startMs), nodeName: "ip-a", phase: "Running" });
          return cluster.read(options);
        },
      }),
    });
    await settledClaim(desk, "a");
    const report = await createDisrupt(desk.ports, desk.settings).run(wake("disrupt"));
    expect(reads).toBe(2);
    expect(report.counts).toEqual({});
    expect(desk.cluster.nodes.get("ip-a")?.taints).toEqual([]);
  });

  it("looks again soon when the second look chose another node, which was due only by then", async () => {
    let reads = 0;
    const desk = await createDesk({
      cluster: (cluster) => ({
        async read(options) {
          if (++reads === 1) await desk.pass(1_000);
          return cluster.read(options);
        },
      }),
    });
    desk.cluster.nodePools.put({ ...nodePool, budgets: [{ nodes: "1" }] });
    await settledClaim(desk, "a", { lastPodEventAtMs: startMs - 59_500 });
    await settledClaim(desk, "b");
    const disrupt = createDisrupt(desk.ports, desk.settings);
    expect((await disrupt.run(wake("disrupt"))).counts).toEqual({});
    await desk.pass(1_000);
    expect(desk.woken()).toEqual(["disrupt"]);
    expect((await disrupt.run(wake("disrupt"))).counts).toMatchObject({ commandsCommitted: 1 });
  });

  it("takes up a command that a crash left after its commit", async () => {
    const desk = await createDesk();
    await settledClaim(desk, "a");
    const crashing = { ...desk.ports, store: { ...desk.store, readState: failAfter(2, desk.store.readState) } };
    await expect(createDisrupt(crashing, desk.settings).run(wake("disrupt"))).rejects.toThrow("gone");
    expect((await desk.state()).commands).toHaveLength(1);
    await createDisrupt(desk.ports, desk.settings).run(wake("disrupt"));
    expect(await desk.claims()).toMatchObject([{ deletion: { reason: "empty" } }]);
  });

  it("lets expired claims go, pods or not, with their grace period as the deadline", async () => {
    const desk = await createDesk();
    const { node } = await settledClaim(desk, "a", { expireAfterMs: 0, terminationGracePeriodMs: 3_600_000 });
    desk.cluster.pods.put({ ...pendingPod("web", startMs), nodeName: node.name, phase: "Running" });
    await createDisrupt(desk.ports, desk.settings).run(wake("disrupt"));
    expect(await desk.claims()).toMatchObject([{ deletion: { reason: "expired", deadlineMs: startMs + 3_600_000 } }]);
    expect(desk.woken()).toEqual(["lifecycle", "provision"]);
  });

  it("leaves an empty node that holds room for a CapacityBuffer, and takes one that it doesn't need", async () => {
    const desk = await createDesk({ gates: { capacityBuffer: true } });
    await settledClaim(desk, "a");
    await settledClaim(desk, "b");
    const strategy = "buffer.x-k8s.io/active-capacity";
    const buffer = { namespace: "default", name: "spare", generation: 1, strategy, replicas: 1, template };
    desk.cluster.capacityBuffers.put(buffer);
    await createDisrupt(desk.ports, desk.settings).run(wake("disrupt"));
    expect((await desk.claims()).filter(({ deletion }) => deletion !== undefined)).toHaveLength(1);
  });

  it("puts the moment when more may go on the agenda", async () => {
    const desk = await createDesk();
    await settledClaim(desk, "a", { lastPodEventAtMs: startMs + 120_000 });
    const report = await createDisrupt(desk.ports, desk.settings).run(wake("disrupt"));
    expect(report.nextDueAtMs).toBe(startMs + 180_000);
    expect(await desk.store.readDue(startMs + 180_000)).toEqual([
      { cluster: clusterName, controller: "disrupt", dueAtMs: startMs + 180_000 },
    ]);
    expect(desk.woken()).toEqual([]);
  });
});

function failAfter<A extends unknown[], R>(
  calls: number,
  method: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  let left = calls;
  return (...args) => (left-- > 0 ? method(...args) : Promise.reject(new Error("gone")));
}
