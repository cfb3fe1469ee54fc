import { describe, expect, it } from "vitest";
import { createLifecycle } from "../../shared/controllers/index.ts";
import type { FleetRequest } from "../../shared/core/model/index.ts";
import { OperationError } from "../../shared/ports/index.ts";
import { pendingPod } from "../simulation/fixtures.ts";
import { clusterName, commitClaims, createDesk, planned, settledClaim, startMs, wake } from "./desk.ts";

const throttled = () => new OperationError("slow down", { retry: "later", code: "throttled" });

describe("launching", () => {
  it("seals one request for claims that ask for the same, pairs and names their instances, and mirrors them", async () => {
    const desk = await createDesk();
    await commitClaims(desk, planned("b"), planned("a"));
    const report = await createLifecycle(desk.ports, desk.settings).run(wake("lifecycle"));
    expect(report.counts).toMatchObject({ launchesSealed: 1, instancesLaunched: 2 });
    expect((await desk.claims()).map(({ name, instance }) => [name, instance?.id.at(-1)])).toEqual([
      ["a", "0"],
      ["b", "1"],
    ]);
    expect(desk.cloud.everyInstance().map(({ tags }) => tags["karpenter.sh/nodeclaim"])).toEqual(["a", "b"]);
    expect(desk.cluster.mirrors.list().map(({ name, phase }) => [name, phase])).toEqual([
      ["a", "Launched"],
      ["b", "Launched"],
    ]);
    expect(await desk.store.findInstance("i-00000000000000000")).toEqual({ cluster: clusterName, claim: "a" });
  });

  it("that is throttled sends the same bytes later and calls nothing a lack of capacity", async () => {
    const sent: string[] = [];
    const desk = await createDesk({
      cloud: (cloud) => ({
        async launch(request: FleetRequest) {
          sent.push(JSON.stringify(request));
          if (sent.length === 1) throw throttled();
          return cloud.launch(request);
        },
      }),
    });
    await commitClaims(desk, planned("a"));
    const lifecycle = createLifecycle(desk.ports, desk.settings);
    const report = await lifecycle.run(wake("lifecycle"));
    expect(report.failures).toMatchObject([{ message: "throttled: slow down" }]);
    expect(await desk.claims()).toMatchObject([{ launch: {} }]);
    expect(await desk.store.readRefusals("us-east-1", startMs)).toEqual([]);
    await desk.pass(10_000);
    await lifecycle.run(wake("lifecycle"));
    expect(sent).toHaveLength(2);
    expect(sent[1]).toBe(sent[0]);
    expect(desk.cloud.fleetsMade).toBe(1);
  });

  it("that is not allowed keeps its claim, tries anew after half a minute, and gives up after five minutes", async () => {
    const tokens = new Set<string>();
    const desk = await createDesk({
      cloud: () => ({
        async launch({ clientToken }: FleetRequest) {
          tokens.add(clientToken);
          throw new OperationError("no ec2:RunInstances", { retry: "never", code: "unauthorized" });
        },
      }),
    });
    await commitClaims(desk, planned("a"));
    const lifecycle = createLifecycle(desk.ports, desk.settings);
    await lifecycle.run(wake("lifecycle"));
    expect(await desk.claims()).toMatchObject([{ launchFailure: { reason: "Unauthorized" } }]);
    await desk.pass(29_000);
    await lifecycle.run(wake("lifecycle"));
    expect(tokens.size).toBe(1);
    await desk.pass(1_000);
    await lifecycle.run(wake("lifecycle"));
    expect(tokens.size).toBe(2);
    await desk.pass(5 * 60_000);
    await lifecycle.run(wake("lifecycle"));
    expect(await desk.claims()).toEqual([]);
    expect(await desk.store.readClaim(clusterName, "a")).toMatchObject({
      deletion: { reason: "launch_timeout" },
      goneAtMs: startMs + 5 * 60_000 + 30_000,
    });
  });

  it("without capacity notes the pools by zone id, ends the claim, and has it planned anew", async () => {
    const desk = await createDesk();
    for (const zone of ["us-east-1a", "us-east-1b"]) {
      desk.cloud.setCapacity(
        { instanceType: "m5.large", zone, capacityType: "on-demand" },
        zone === "us-east-1a" ? 1 : 0,
      );
    }
    await commitClaims(desk, planned("a"), planned("b"));
    await createLifecycle(desk.ports, desk.settings).run(wake("lifecycle"));
    expect(await desk.store.readRefusals("us-east-1", startMs)).toMatchObject([
      { instanceType: "m5.large", zoneId: "use1-az1", capacityType: "on-demand" },
      { instanceType: "m5.large", zoneId: "use1-az2", capacityType: "on-demand" },
    ]);
    expect((await desk.claims()).map(({ name }) => name)).toEqual(["a"]);
    expect(await desk.store.readClaim(clusterName, "b")).toMatchObject({
      deletion: { reason: "insufficient_capacity" },
    });
    expect(desk.woken()).toContain("provision");
  });

  it("past its window is never sent again: two empty look-ups two minutes apart settle it", async () => {
    let calls = 0;
    const desk = await createDesk({
      cloud: () => ({
        async launch() {
          calls++;
          throw new OperationError("no answer", { retry: "later", code: "timeout", outcomeUnknown: true });
        },
      }),
    });
    await commitClaims(desk, planned("a"));
    const lifecycle = createLifecycle(desk.ports, desk.settings);
    await lifecycle.run(wake("lifecycle"));
    await desk.pass(10 * 60_000);
    const sentBefore = calls;
    await lifecycle.run(wake("lifecycle"));
    expect((await desk.state()).launches).toMatchObject([{ emptyLookupAtMs: startMs + 10 * 60_000 }]);
    await desk.pass(119_000);
    await lifecycle.run(wake("lifecycle"));
    expect(await desk.claims()).toHaveLength(1);
    await desk.pass(1_000);
    await lifecycle.run(wake("lifecycle"));
    expect(await desk.claims()).toEqual([]);
    expect(calls).toBe(sentBefore);
  });

  it("past its window still finds an instance by its launch tag", async () => {
    const desk = await createDesk({
      cloud: (cloud) => ({
        async launch(request: FleetRequest) {
          await cloud.launch(request);
          throw new OperationError("no answer", { retry: "later", code: "timeout", outcomeUnknown: true });
        },
      }),
    });
    await commitClaims(desk, planned("a"));
    const lifecycle = createLifecycle(desk.ports, desk.settings);
    await lifecycle.run(wake("lifecycle"));
    await desk.pass(10 * 60_000);
    await lifecycle.run(wake("lifecycle"));
    expect(await desk.claims()).toMatchObject([{ name: "a", instance: { id: "i-00000000000000000" } }]);
  });

  it("whose token was used with other bytes adopts what bears its tag", async () => {
    let first = true;
    const desk = await createDesk({
      cloud: (cloud) => ({
        async launch(request: FleetRequest) {
          if (first) await cloud.launch({ ...request, overrides: request.overrides.slice(0, 1) });
          first = false;
          return cloud.launch(request);
        },
      }),
    });
    await commitClaims(desk, planned("a"));
    await createLifecycle(desk.ports, desk.settings).run(wake("lifecycle"));
    expect(await desk.claims()).toMatchObject([{ name: "a", instance: { id: "i-00000000000000000" } }]);
    expect(desk.cloud.everyInstance()).toHaveLength(1);
  });

  it("waits for the rest when a repetition tells of nothing and a look-up shows one of two", async () => {
    let sent = 0;
    let shown = 1;
    const desk = await createDesk({
      cloud: (cloud) => ({
        async launch(request: FleetRequest) {
          if (sent++ > 0) return { instances: [], refusals: [] };
          await cloud.launch(request);
          throw new OperationError("no answer", { retry: "later", code: "timeout", outcomeUnknown: true });
        },
        findByTags: async (wanted, options) => (await cloud.findByTags(wanted, options)).slice(0, shown),
      }),
    });
    await commitClaims(desk, planned("a"), planned("b"));
    const lifecycle = createLifecycle(desk.ports, desk.settings);
    await lifecycle.run(wake("lifecycle"));
    await desk.pass(5_000);
    await lifecycle.run(wake("lifecycle"));
    expect((await desk.state()).launches).toHaveLength(1);
    expect(await desk.claims()).toMatchObject([{ launch: {} }, { launch: {} }]);
    shown = 2;
    await desk.pass(5_000);
    await lifecycle.run(wake("lifecycle"));
    expect((await desk.claims()).map(({ instance }) => instance?.id.at(-1))).toEqual(["0", "1"]);
  });

  it("settles with what there is when the rest is not shown two minutes later either", async () => {
    const desk = await createDesk({
      cloud: (cloud) => ({
        async launch(request: FleetRequest) {
          const { instances } = await cloud.launch(request);
          return { instances: instances.slice(0, 1), refusals: [] };
        },
        findByTags: async (wanted, options) => (await cloud.findByTags(wanted, options)).slice(0, 1),
      }),
    });
    await commitClaims(desk, planned("a"), planned("b"));
    const lifecycle = createLifecycle(desk.ports, desk.settings);
    await lifecycle.run(wake("lifecycle"));
    await desk.pass(119_000);
    await lifecycle.run(wake("lifecycle"));
    expect((await desk.state()).launches).toHaveLength(1);
    await desk.pass(1_000);
    await lifecycle.run(wake("lifecycle"));
    expect(await desk.claims()).toMatchObject([
      { name: "a", instance: { id: "i-00000000000000000" } },
      { name: "b", launchFailure: { reason: "LaunchFailed" } },
    ]);
  });

  it("that may have worked before it was refused adopts its instance, also when EC2 shows it late", async () => {
    let sent = 0;
    let shows = false;
    const desk = await createDesk({
      cloud: (cloud) => ({
        async launch(request: FleetRequest) {
          if (sent++ > 0) throw new OperationError("no ec2:CreateFleet", { retry: "never", code: "unauthorized" });
          await cloud.launch(request);
          throw new OperationError("no answer", { retry: "later", code: "timeout", outcomeUnknown: true });
        },
        findByTags: async (wanted, options) => (shows ? cloud.findByTags(wanted, options) : []),
      }),
    });
    await commitClaims(desk, planned("a"));
    const lifecycle = createLifecycle(desk.ports, desk.settings);
    await lifecycle.run(wake("lifecycle"));
    await desk.pass(5_000);
    await lifecycle.run(wake("lifecycle"));
    expect(await desk.claims()).toMatchObject([{ launch: {} }]);
    shows = true;
    await desk.pass(5_000);
    await lifecycle.run(wake("lifecycle"));
    expect(await desk.claims()).toMatchObject([{ name: "a", instance: { id: "i-00000000000000000" } }]);
    expect(desk.cloud.everyInstance()).toHaveLength(1);
  });

  it("waits for a class that is not ready, and says so on the custom resource", async () => {
    const desk = await createDesk();
    const [nodeClass] = desk.cluster.nodeClasses.list();
    desk.cluster.nodeClasses.put({ ...nodeClass!, ready: false, readyMessage: "SubnetsReady: none found" });
    await commitClaims(desk, planned("a"));
    const lifecycle = createLifecycle(desk.ports, desk.settings);
    await lifecycle.run(wake("lifecycle"));
    await lifecycle.run(wake("lifecycle"));
    expect(desk.cloud.everyInstance()).toEqual([]);
    expect(desk.cluster.events).toMatchObject([{ kind: "NodeClaim", name: "a", reason: "NodeClassNotReady" }]);
  });
});

describe("claims by themselves", () => {
  it("that fail keep no others waiting", async () => {
    const desk = await createDesk({
      cluster: (cluster) => ({
        async mirrorClaim(claim, phase) {
          if (claim.name === "a")
            throw new OperationError("refused by a webhook", { retry: "never", code: "bad-request" });
          return cluster.mirrorClaim(claim, phase);
        },
      }),
    });
    await settledClaim(desk, "a");
    await settledClaim(desk, "b");
    const report = await createLifecycle(desk.ports, desk.settings).run(wake("lifecycle"));
    expect(report.failures).toEqual([{ object: "NodeClaim a", message: "bad-request: refused by a webhook" }]);
    expect(desk.cluster.mirrors.list().map(({ name }) => name)).toEqual(["b"]);
    // A webhook that refuses is not asked again before the net.
    expect(report.nextDueAtMs).toBeNull();
  });

  it("whose node bears the taint of a command that is no more get rid of it; others keep it", async () => {
    const desk = await createDesk();
    const taint = { key: "karpenter.sh/disrupted", value: "", effect: "NoSchedule" } as const;
    const own = { key: "team", value: "a", effect: "NoSchedule" } as const;
    for (const name of ["a", "b"]) {
      const { node } = await settledClaim(desk, name);
      desk.cluster.nodes.put({ ...node, taints: [own, taint] });
    }
    const { head } = await desk.state();
    const nowMs = desk.clock.now();
    const command = {
      id: "c",
      reason: "Empty",
      decision: "delete",
      candidates: ["b"],
      replacements: [],
      savingsMicroUsdPerHour: 0,
    } as const;
    await desk.store.commit(clusterName, head, {
      id: "p",
      index: 0,
      claims: [],
      placements: [],
      commands: [command],
      reason: "disrupted",
      createdAtMs: nowMs,
      nominatedUntilMs: nowMs,
    });
    const report = await createLifecycle(desk.ports, desk.settings).run(wake("lifecycle"));
    expect(report.counts).toMatchObject({ nodesUntainted: 1 });
    expect(desk.cluster.nodes.get("ip-a")?.taints).toEqual([own]);
    expect(desk.cluster.nodes.get("ip-b")?.taints).toEqual([own, taint]);
  });

  it("whose custom resource vanished get it again; one that outlived its record goes", async () => {
    const desk = await createDesk();
    const { claim } = await settledClaim(desk, "a");
    const lifecycle = createLifecycle(desk.ports, desk.settings);
    await lifecycle.run(wake("lifecycle"));
    desk.cluster.mirrors.remove("a");
    await lifecycle.run(wake("lifecycle"));
    expect(desk.cluster.mirrors.list()).toHaveLength(1);
    await desk.store.retireClaim(clusterName, "a", claim.version, startMs, startMs + 1);
    await lifecycle.run(wake("lifecycle"));
    expect(desk.cluster.mirrors.list()).toEqual([]);
  });

  it("that are to go are tainted, drained, terminated and released, in that order", async () => {
    const desk = await createDesk();
    const { node } = await settledClaim(desk, "a", { deletion: { requestedAtMs: startMs, reason: "drifted" } });
    const pod = desk.cluster.pods.put({
      ...pendingPod("web", startMs),
      nodeName: node.name,
      phase: "Running",
      ready: true,
    });
    const lifecycle = createLifecycle(desk.ports, desk.settings);
    await lifecycle.run(wake("lifecycle"));
    expect(desk.cluster.nodes.get(node.name)?.taints).toEqual([
      { key: "karpenter.sh/disrupted", value: "", effect: "NoSchedule" },
    ]);
    expect(desk.cluster.pods.get("default/web")?.deletionAtMs).toBe(startMs + 30_000);
    expect(desk.cloud.everyInstance()).toMatchObject([{ state: "pending" }]);
    desk.cluster.pods.remove(`${pod.namespace}/${pod.name}`);
    await lifecycle.run(wake("lifecycle"));
    expect(desk.cloud.everyInstance()).toMatchObject([{ state: "shutting-down" }]);
    expect(desk.cluster.nodes.get(node.name)).toBeDefined();
    await desk.pass(30_000);
    await lifecycle.run(wake("lifecycle"));
    expect(desk.cluster.nodes.list()).toEqual([]);
    expect(desk.cluster.mirrors.list()).toEqual([]);
    expect(await desk.claims()).toEqual([]);
    expect(desk.cluster.statusOf("NodePool", "default")).toEqual({
      nodes: 0,
      resources: { cpu: "0", "ephemeral-storage": "0", memory: "0", nodes: "0", pods: "0" },
    });
  });

  it("are counted on each NodePool that can be written, and as registered only once they are", async () => {
    let conflicts = 1;
    const desk = await createDesk({
      cluster: (cluster) => ({
        async setConditions(object, conditions, status) {
          if (object.name === "broken") throw new OperationError("refused", { retry: "never", code: "bad-request" });
          return cluster.setConditions(object, conditions, status);
        },
      }),
      store: (store) => ({
        async changeClaim(cluster, name, version, change) {
          if (change.registeredAtMs === undefined || conflicts-- <= 0)
            return store.changeClaim(cluster, name, version, change);
          return { kind: "conflict" };
        },
      }),
    });
    const [pool] = desk.cluster.nodePools.list();
    desk.cluster.nodePools.remove("default");
    desk.cluster.nodePools.put({ ...pool!, name: "broken", uid: "broken" });
    desk.cluster.nodePools.put(pool!);
    await settledClaim(desk, "a", { registeredAtMs: undefined, initializedAtMs: undefined });
    const lifecycle = createLifecycle(desk.ports, desk.settings);
    const first = await lifecycle.run(wake("lifecycle"));
    const second = await lifecycle.run(wake("lifecycle"));
    expect([first.counts.nodesRegistered, second.counts.nodesRegistered]).toEqual([undefined, 1]);
    expect(desk.telemetry.counted("karpenter_nodes_created_total", { nodepool: "default" })).toBe(1);
    expect(second.failures).toMatchObject([{ object: "NodePool broken" }]);
    expect(desk.cluster.statusOf("NodePool", "default")).toMatchObject({ nodes: 1 });
  });

  it("are counted on their NodePool", async () => {
    const desk = await createDesk();
    await settledClaim(desk, "b");
    await settledClaim(desk, "a", { registeredAtMs: undefined, initializedAtMs: undefined });
    await createLifecycle(desk.ports, desk.settings).run(wake("lifecycle"));
    expect(desk.cluster.statusOf("NodePool", "default")).toMatchObject({
      nodes: 2,
      resources: { cpu: "3860m", nodes: "2", pods: "58" },
    });
  });
});
