// The whole relay against the embedded Kubernetes API over HTTPS and SQS on loopback. Sockets take real time, a few
// milliseconds; all waiting is the relay's, in time that the test moves.

import { fileURLToPath } from "node:url";
import { ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { KubeConfig } from "@kubernetes/client-node";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Queues, startQueues } from "../../local/aws/queues.ts";
import { createSeededIds } from "../../local/kube/ids.ts";
import { createApiServer } from "../../local/kube/server.ts";
import type { ApiServer, KubeObject } from "../../local/kube/types.ts";
import { applyManifest, readManifests } from "../../local/manifests.ts";
import { type Relay, type RelayOptions, startRelay } from "../../relay/relay.ts";
import { createSqsClient, createSqsWakes, parseWake } from "../../shared/adapters/sqs/index.ts";
import { OperationError, type Wake, type Wakes } from "../../shared/ports/index.ts";
import { handClock } from "../local/aws/hand-clock.ts";
import { type QuietLog, quietLog } from "./quiet-log.ts";
import { startProxy } from "./tcp-proxy.ts";

const crds = fileURLToPath(new URL("../../charts/timmerman/files/crds", import.meta.url));
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

interface Replica {
  readonly relay: Relay;
  readonly sent: Wake[];
  readonly beats: number[];
  readonly log: QuietLog;
  readonly sqs: { isAway: boolean };
}

interface Bed {
  readonly kube: ApiServer;
  readonly clock: ReturnType<typeof handClock>;
  start(given?: Partial<RelayOptions>): Replica;
  /** Moves time, a step at a time, until that holds. */
  until(holds: () => unknown): Promise<void>;
}

async function bed({ withCrds = true } = {}): Promise<Bed> {
  const clock = handClock();
  const kube = createApiServer({ clock, ids: createSeededIds(1), historyEvents: 50 });
  await kube.listen();
  stops.push(() => kube.close());
  if (withCrds) installCrds(kube);
  const connection = new KubeConfig();
  connection.loadFromString(kube.kubeconfig().yaml);
  return {
    kube,
    clock,
    start(given = {}) {
      const [sent, beats, sqs, log] = [[] as Wake[], [] as number[], { isAway: false }, quietLog()];
      const wakes: Wakes = {
        async send(wake) {
          if (sqs.isAway) throw new OperationError("SQS is away", { retry: "later", code: "unreachable" });
          sent.push(wake);
        },
        sendAll: async () => {},
      };
      const heartbeat = { beat: async (nowMs: number) => void beats.push(nowMs) };
      const relay = startRelay({ cluster: "c", connection, wakes, heartbeat, clock, random: () => 0, log, ...given });
      stops.push(() => relay.stop());
      return { relay, sent, beats, log, sqs };
    },
    until: (holds) =>
      vi.waitFor(
        () => {
          if (holds()) return;
          clock.pass(250);
          throw new Error("not yet");
        },
        { interval: 2, timeout: 30_000 },
      ),
  };
}

function installCrds(kube: ApiServer): void {
  for (const manifest of readManifests([crds])) applyManifest(kube.store, manifest);
}

function addPod(kube: ApiServer, name: string): void {
  const spec = { containers: [{ name: "main", image: "example/app:1" }] };
  kube.store.create("pods", { apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default" }, spec });
}

function makeUnschedulable(kube: ApiServer, name: string): void {
  const conditions = [{ type: "PodScheduled", status: "False", reason: "Unschedulable" }];
  kube.store.patch(
    "pods",
    { namespace: "default", name },
    "merge",
    { status: { conditions } },
    { subresource: "status" },
  );
}

const targets = (sent: readonly Wake[]) => sent.map(({ target }) => target).sort();
const isWatching = ({ relay }: Replica) => relay.notReady() === undefined;

describe("the relay", () => {
  it("lists, says that it is ready, beats, and wakes provision once for a burst, as fresh as what it saw", async () => {
    const { kube, start, until } = await bed();
    const one = start();
    await until(() => isWatching(one) && one.beats.length > 0 && one.sent.length >= 4);
    expect(one.log.lines.some(({ message }) => message === "watching for pending pods")).toBe(true);
    one.sent.length = 0;
    for (const name of ["a", "b", "c"]) {
      addPod(kube, name);
      makeUnschedulable(kube, name);
    }
    await until(() => one.sent.length > 0);
    expect(one.sent).toEqual([{ cluster: "c", target: "provision", atLeast: kube.store.resourceVersion() }]);
    await until(() => one.sent.length > 2);
    expect(new Set(targets(one.sent))).toEqual(new Set(["provision"]));
  });

  it("buffers while SQS is away, does not beat meanwhile, and sends what is due when it is back", async () => {
    const { kube, clock, start, until } = await bed();
    const one = start();
    await until(() => isWatching(one) && one.beats.length > 0 && one.sent.length >= 4);
    one.sqs.isAway = true;
    one.sent.length = 0;
    addPod(kube, "a");
    makeUnschedulable(kube, "a");
    await until(() => one.log.lines.some(({ message }) => message === "wake not sent"));
    const beats = one.beats.length;
    const awayMs = clock.now();
    await until(() => clock.now() - awayMs > 100_000);
    expect(one.beats).toHaveLength(beats);
    one.sqs.isAway = false;
    await until(() => one.sent.length > 0 && one.beats.length > beats);
    expect(one.sent[0]?.target).toBe("provision");
  });

  it("sees through a cut connection and an expired version what came and what went", async () => {
    const { kube, start, until } = await bed();
    const { yaml, server } = kube.kubeconfig();
    const proxy = await startProxy(Number(new URL(server).port));
    stops.push(() => proxy.close());
    const connection = new KubeConfig();
    connection.loadFromString(yaml.replaceAll(new URL(server).port, String(proxy.port)));
    const one = start({ connection });
    addPod(kube, "goes");
    await until(() => isWatching(one) && one.relay.view.count("Pod") === 1);
    proxy.cut();
    kube.store.delete("pods", { namespace: "default", name: "goes" });
    // More than the server remembers: going on from the last version is answered with 410.
    for (let at = 0; at < 60; at++) addPod(kube, `comes-${at}`);
    await until(() => one.log.lines.some(({ message }) => message === "watch interrupted"));
    proxy.mend();
    await until(() => one.relay.view.count("Pod") === 60);
    expect([...one.relay.view.all("Pod")].some(({ name }) => name === "goes")).toBe(false);
  });

  it("stops beating ninety seconds after it last heard of the cluster, though no connection was closed", async () => {
    const { kube, clock, start, until } = await bed();
    const { yaml, server } = kube.kubeconfig();
    const proxy = await startProxy(Number(new URL(server).port));
    stops.push(() => proxy.close());
    const connection = new KubeConfig();
    connection.loadFromString(yaml.replaceAll(new URL(server).port, String(proxy.port)));
    const one = start({ connection });
    await until(() => isWatching(one) && one.beats.length > 1);
    proxy.lose();
    addPod(kube, "unheard");
    const lostMs = clock.now();
    await until(() => clock.now() - lostMs > 240_000);
    expect(one.relay.view.count("Pod")).toBe(0);
    expect(one.beats.at(-1)).toBeLessThanOrEqual(lostMs + 90_000);
    const beats = one.beats.length;
    proxy.mend();
    await until(() => one.beats.length > beats && one.relay.view.count("Pod") === 1);
  });

  it("waits for CRDs that come later, and is ready without them", async () => {
    const { kube, start, until } = await bed({ withCrds: false });
    const one = start();
    await until(() => isWatching(one));
    expect(one.relay.view.isListed("NodePool")).toBe(false);
    one.sent.length = 0;
    installCrds(kube);
    kube.store.create("nodepools.karpenter.sh", poolOf("default"));
    await until(() => one.relay.view.count("NodePool") === 1);
    await until(() => targets(one.sent).includes("resolve-node-classes"));
  });

  it("wakes provision for an overlay, for a buffer, and for the PodTemplate that a buffer is counted in", async () => {
    const { kube, start, until } = await bed();
    const one = start();
    await until(() => isWatching(one) && one.sent.length >= 4);
    const wakesFor = async (change: () => void) => {
      one.sent.length = 0;
      change();
      await until(() => targets(one.sent).includes("provision"));
    };
    await wakesFor(() => kube.store.create("nodeoverlays.karpenter.sh", overlay));
    await wakesFor(() => kube.store.create("capacitybuffers.autoscaling.x-k8s.io", buffer));
    await wakesFor(() => kube.store.create("podtemplates", podTemplate));
    const key = { namespace: "default", name: "spare" };
    const metadata = { labels: { size: "large" } };
    await wakesFor(() => kube.store.patch("podtemplates", key, "merge", { template: { metadata } }));
    await wakesFor(() => kube.store.delete("capacitybuffers.autoscaling.x-k8s.io", key));
  });

  it("lets one of two replicas act; the other takes over at once when the first is stopped, and wakes everybody", async () => {
    const { kube, start, until } = await bed();
    const lease = { namespace: "kube-system", name: "timmerman-relay" };
    const first = start({ election: { ...lease, identity: "first" } });
    await until(() => first.relay.isLeader() && first.beats.length > 0);
    const second = start({ election: { ...lease, identity: "second" } });
    await until(() => isWatching(second));
    addPod(kube, "a");
    makeUnschedulable(kube, "a");
    const before = first.sent.length;
    await until(() => first.sent.length > before && second.relay.view.count("Pod") === 1);
    expect([second.sent, second.beats]).toEqual([[], []]);
    await first.relay.stop();
    await until(() => second.relay.isLeader() && second.sent.length >= 4 && second.beats.length > 0);
    expect(targets(second.sent.slice(0, 4))).toEqual(["disrupt", "lifecycle", "provision", "resolve-node-classes"]);
    expect(kube.store.get("leases.coordination.k8s.io", lease).spec.holderIdentity).toBe("second");
  });

  it("stops acting when its lease is taken, and goes on watching", async () => {
    const { kube, start, until } = await bed();
    const lease = { namespace: "kube-system", name: "timmerman-relay" };
    const one = start({ election: { ...lease, identity: "one" } });
    await until(() => one.relay.isLeader() && isWatching(one));
    kube.store.modify("leases.coordination.k8s.io", lease, (draft) => {
      draft.spec.holderIdentity = "thief";
    });
    await until(() => !one.relay.isLeader());
    one.sent.length = 0;
    addPod(kube, "a");
    makeUnschedulable(kube, "a");
    await until(() => one.relay.view.count("Pod") === 1);
    expect(one.sent).toEqual([]);
    // The thief never renews.
    await until(() => one.relay.isLeader() && one.sent.length > 0);
  });

  it("writes lastPodEventTime on the claim of a pod's node, and leaves other claims of that name alone", async () => {
    const { kube, clock, start, until } = await bed();
    const one = start();
    kube.store.create("nodes", { apiVersion: "v1", kind: "Node", metadata: { name: "node-1" } });
    const claim = kube.store.create("nodeclaims.karpenter.sh", claimOf("claim-1"));
    kube.store.patch(
      "nodeclaims.karpenter.sh",
      { name: "claim-1" },
      "merge",
      { status: { nodeName: "node-1" } },
      {
        subresource: "status",
      },
    );
    await until(() => isWatching(one) && one.relay.view.claimOfNode("node-1") !== undefined);
    addPod(kube, "a");
    kube.store.bind({ namespace: "default", name: "a" }, "node-1");
    const written = () => kube.store.get("nodeclaims.karpenter.sh", { name: "claim-1" }).status?.lastPodEventTime;
    await until(written);
    expect(Math.abs(Date.parse(written()) - clock.now())).toBeLessThan(60_000);
    expect(kube.store.get("nodeclaims.karpenter.sh", { name: "claim-1" }).metadata.uid).toBe(claim.metadata.uid);
    await until(() => targets(one.sent).filter((target) => target === "disrupt").length > 1);
  });

  it("wakes lifecycle for a pod that ends only where its node is drained", async () => {
    const { kube, clock, start, until } = await bed();
    const one = start();
    kube.store.create("nodes", { apiVersion: "v1", kind: "Node", metadata: { name: "node-1" } });
    for (const name of ["a", "b"]) {
      addPod(kube, name);
      kube.store.bind({ namespace: "default", name }, "node-1");
    }
    await until(() => isWatching(one) && one.relay.view.count("Pod") === 2);
    const rest = async () => {
      const beganMs = clock.now();
      await until(() => clock.now() - beganMs > 15_000);
      one.sent.length = 0;
    };
    await rest();
    kube.store.delete("pods", { namespace: "default", name: "a" }, { gracePeriodSeconds: 0 });
    await until(() => targets(one.sent).includes("disrupt"));
    expect(targets(one.sent)).toEqual(["disrupt"]);
    const taints = [{ key: "karpenter.sh/disrupted", effect: "NoSchedule" }];
    kube.store.patch("nodes", { name: "node-1" }, "merge", { spec: { taints } });
    await until(() => one.relay.view.node("node-1")?.taints.length === 1);
    await rest();
    kube.store.delete("pods", { namespace: "default", name: "b" }, { gracePeriodSeconds: 0 });
    await until(() => targets(one.sent).includes("disrupt"));
    expect(targets(one.sent)).toEqual(["disrupt", "lifecycle"]);
  });

  it("tells its series, the cluster's only where it acts", async () => {
    const { start, until } = await bed();
    const lease = { namespace: "kube-system", name: "timmerman-relay" };
    const first = start({ election: { ...lease, identity: "first" } });
    await until(() => first.relay.isLeader() && isWatching(first));
    const second = start({ election: { ...lease, identity: "second" } });
    await until(() => isWatching(second));
    const read = async ({ relay }: Replica) => {
      let text = "";
      for await (const piece of relay.metrics()) text += piece;
      return text;
    };
    const [acting, standing] = [await read(first), await read(second)];
    expect(acting).toContain("timmerman_relay_leader 1");
    expect(acting).toContain("karpenter_cluster_state_node_count");
    expect(standing).toContain("timmerman_relay_leader 0");
    expect(standing).not.toContain("karpenter_cluster_state_node_count");
  });

  it("sends real wakes through SQS", async () => {
    const { kube, start, until } = await bed();
    const queues: Queues = await startQueues();
    stops.push(() => queues.stop());
    const credentials = { accessKeyId: "local", secretAccessKey: "local" };
    const client = createSqsClient({ region: "us-east-1", endpoint: queues.url, credentials });
    stops.push(() => client.destroy());
    const names = ["provision", "disrupt", "lifecycle", "resolve-node-classes", "collect-garbage"] as const;
    const queueUrls = Object.fromEntries(names.map((name) => [name, queues.urlOf(name)])) as Record<
      (typeof names)[number],
      string
    >;
    let arrived = 0;
    stops.push(queues.onSent("provision", () => arrived++));
    const one = start({ wakes: createSqsWakes({ client, queueUrls }) });
    await until(() => isWatching(one) && arrived === 1);
    addPod(kube, "a");
    makeUnschedulable(kube, "a");
    await until(() => arrived >= 2);
    const QueueUrl = queues.urlOf("provision");
    const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    expect(Messages.map(({ Body }) => parseWake(Body!).cluster)).toContain("c");
  });
});

function poolOf(name: string): KubeObject {
  const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
  const spec = { template: { spec: { nodeClassRef, requirements: [], expireAfter: "Never" } } };
  return { apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name }, spec };
}

const overlay: KubeObject = {
  apiVersion: "karpenter.sh/v1alpha1",
  kind: "NodeOverlay",
  metadata: { name: "cheaper" },
  spec: { requirements: [], priceAdjustment: "-10%" },
};

const buffer: KubeObject = {
  apiVersion: "autoscaling.x-k8s.io/v1beta1",
  kind: "CapacityBuffer",
  metadata: { name: "spare", namespace: "default" },
  spec: { podTemplateRef: { name: "spare" }, replicas: 1 },
};

const podTemplate: KubeObject = {
  apiVersion: "v1",
  kind: "PodTemplate",
  metadata: { name: "spare", namespace: "default" },
  template: { spec: { containers: [{ name: "main", image: "example/app:1" }] } },
};

function claimOf(name: string): KubeObject {
  const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
  return {
    apiVersion: "karpenter.sh/v1",
    kind: "NodeClaim",
    metadata: { name },
    spec: { nodeClassRef, requirements: [] },
  };
}
