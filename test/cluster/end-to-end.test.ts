// A deployment at work on a real control plane: the main job from the guide's manifests to the last node gone, while relays
// are killed, take over and come back, and SQS is away. Time is real, but for the tick, which comes more often; whatever is
// waited for has two minutes, as machines are slow.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DescribeInstancesResult } from "@aws-sdk/client-ec2";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { dynoxideAvailable } from "../../local/aws/dynamodb.ts";
import type { RelayProcess } from "./chart-relay.ts";
import { collections, type Document, documentsIn, ourExampleFolder, shared } from "./documents.ts";
import { type EndToEndWorld, startEndToEndWorld } from "./end-to-end-world.ts";
import { provideHelm } from "./helm.ts";
import { send } from "./http.ts";

const program = await provideHelm();
const noStore = dynoxideAvailable() ? undefined : "DynamoDB's emulator is not installed";
const missing = inject("noControlPlane") ?? ("reason" in program ? program.reason : noStore);
const patienceMs = 120_000;
const lookEveryMs = 300;
const podsEach = 3;

const guide = join(shared, "guide");
/** Where the guide isn't at hand, the project's own examples, which say the same. */
const manifests = documentsIn(existsSync(guide) ? guide : ourExampleFolder);
const deployments = "/apis/apps/v1/namespaces/default/deployments";
const pods = "/api/v1/namespaces/default/pods";
const nodeClaims = collections.NodeClaim!;

// biome-ignore lint/suspicious/noExplicitAny: the test looks into whatever the server says
type Item = any;

/** Pods that only nodes of that size may run, so that every Deployment needs a node of its own. */
function deploymentOn(cpu: string) {
  const labels = { app: `on-${cpu}` };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: labels.app, namespace: "default" },
    spec: {
      replicas: podsEach,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 1,
          nodeSelector: { "karpenter.k8s.aws/instance-cpu": cpu },
          containers: [
            { name: "web", image: "registry.example/web:1", resources: { requests: { cpu: "500m", memory: "256Mi" } } },
          ],
        },
      },
    },
  };
}

/** The first class and pool; the page's other pools are variants. */
function isOfGuide({ kind, metadata }: Document): boolean {
  return (kind === "EC2NodeClass" || kind === "NodePool") && metadata.name === "default";
}

/** The sum of the series whose lines begin like this. */
function sumOf(metrics: string, beginning: string): number {
  const lines = metrics.split("\n").filter((line) => line.startsWith(beginning));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}

const wakesSent = "timmerman_relay_wakes_sent_total";
const provisionSent = `${wakesSent}{target="provision"}`;

const title = `a deployment on a real control plane${missing === undefined ? "" : ` (skipped: ${missing})`}`;
describe.skipIf(missing !== undefined)(title, { timeout: 2 * patienceMs }, () => {
  let world: EndToEndWorld;
  /** Relays that live, the acting one first once it is known. */
  let relays: RelayProcess[] = [];
  const sizes: string[] = [];

  beforeAll(async () => {
    world = await startEndToEndWorld("path" in program ? program.path : "");
    relays = await Promise.all(["relay-a", "relay-b"].map(world.startRelay));
    for (const relay of relays) await untilSo("the relay is ready", async () => (await relay.get("/readyz")) === 200);
  }, 3 * patienceMs);
  afterAll(async () => {
    await Promise.all(relays.map((relay) => relay.stop()));
    await world?.stop();
  });

  const items = async (path: string): Promise<Item[]> => (await send(world.plane, "GET", path)).body.items;
  const create = async (path: string, document: object) => {
    const { status, body } = await send(world.plane, "POST", path, document);
    expect(status, JSON.stringify(body)).toBe(201);
  };
  const metricOf = async (relay: RelayProcess, beginning: string) => sumOf(await relay.metrics(), beginning);
  const isLeader = async (relay: RelayProcess) => (await metricOf(relay, "timmerman_relay_leader ")) === 1;

  /** Pods of a new size, for which there is no node yet. */
  const ask = async (cpu: string) => {
    sizes.push(cpu);
    await create(deployments, deploymentOn(cpu));
  };
  const instances = () => world.ec2.instances().filter(({ state }) => state === "pending" || state === "running");

  /** Every pod runs, and there is one node, one instance and one claim for each size that was asked for. */
  const isServed = async () => {
    const running = (await items(pods)).filter(({ status }) => status.phase === "Running");
    const [nodes, claims] = [await items("/api/v1/nodes"), await items(nodeClaims)];
    const counts = [nodes.length, claims.length, instances().length];
    return running.length === podsEach * sizes.length && counts.every((count) => count === sizes.length);
  };

  /** Silent relays at each tick since the sample with that number. */
  const silentSince = (from: number) =>
    world.telemetry.samples
      .slice(from)
      .filter(({ name }) => name === "timmerman_silent_relays")
      .map(({ value }) => value);

  it("gives the guide's pods nodes, and one relay of two acts", async () => {
    for (const { document } of manifests.filter(({ document }) => isOfGuide(document))) {
      await create(collections[document.kind]!, document);
    }
    await ask("4");
    await untilSo("the pods run", isServed);

    const acts = await Promise.all(relays.map(isLeader));
    expect([...acts].sort()).toEqual([false, true]);
    if (acts[1]) relays.reverse();
    const [leader, standby] = relays as [RelayProcess, RelayProcess];
    expect(await metricOf(leader, provisionSent)).toBeGreaterThan(0);
    expect(await metricOf(standby, wakesSent)).toBe(0);
    // Nobody else writes it.
    await untilSo("the claim tells of its pods", async () =>
      (await items(nodeClaims)).every(({ status }) => status.lastPodEventTime !== undefined),
    );
  });

  it("goes on with the other relay when the one that acts is killed", async () => {
    const [leader, standby] = relays as [RelayProcess, RelayProcess];
    await leader.kill();
    relays = [standby];
    await ask("8");
    await untilSo("the other relay acts", () => isLeader(standby));
    await untilSo("the new pods run", isServed);
    expect(await metricOf(standby, provisionSent)).toBeGreaterThan(0);
  });

  it("loses nothing while SQS is away", async () => {
    const [relay] = relays as [RelayProcess];
    const before = await metricOf(relay, "timmerman_relay_wakes_failed_total");
    world.sqs.shut();
    await ask("16");
    await untilSo("a wake is kept for later", async () => {
      const metrics = await relay.metrics();
      const waits = sumOf(metrics, 'timmerman_relay_wakes_pending{target="provision"}') === 1;
      return waits && sumOf(metrics, "timmerman_relay_wakes_failed_total") > before + 1;
    });
    expect((await items(nodeClaims)).length).toBe(sizes.length - 1);
    world.sqs.open();
    await untilSo("the pods run", isServed);
  });

  it("serves pods by the tick while no relay is there", async () => {
    await untilSo("the relay is heard", async () => silentSince(0).at(-1) === 0);
    const [relay] = relays as [RelayProcess];
    await relay.kill();
    relays = [];
    const [samples, calls] = [world.telemetry.samples.length, world.calls.length];
    await untilSo("the tick finds the relay silent", async () => silentSince(samples).includes(1));

    const askedMs = performance.now();
    await ask("32");
    await untilSo("there is a claim", async () => (await items(nodeClaims)).length === sizes.length);
    expect(performance.now() - askedMs).toBeLessThan(60_000);
    // Its own wakes for what was there before are over by now.
    const wakers = world.calls
      .slice(calls)
      .filter(({ service, input }) => service === "sqs" && /\/provision$/.test(String(input.QueueUrl)))
      .map(({ from }) => from);
    expect(wakers).toContain("tick");
    await untilSo("the pods run", isServed);
  });

  it("doubles nothing when a relay comes back, and is woken by it again", async () => {
    const relay = await world.startRelay("relay-c");
    relays = [relay];
    await untilSo("it acts", () => isLeader(relay));
    await untilSo("it is heard", async () => silentSince(0).at(-1) === 0);
    const before = await metricOf(relay, provisionSent);
    const samples = world.telemetry.samples.length;
    await ask("2");
    await untilSo("the pods run", isServed);
    expect(await metricOf(relay, provisionSent)).toBeGreaterThan(before);
    expect(silentSince(samples)).not.toContain(1);

    const claims = await items(nodeClaims);
    expect(claims.map(({ status }) => status.providerID).sort()).toEqual(
      (await items("/api/v1/nodes")).map(({ spec }) => spec.providerID).sort(),
    );
    expect(claimsOfInstances()).toEqual(claims.map(({ metadata }) => metadata.name).sort());
  });

  it("takes every node away when the Deployments are scaled to zero", async () => {
    // As a user would who does not want to wait a minute for each node.
    const disruption = { consolidateAfter: "1s", budgets: [{ nodes: "100%" }] };
    for (const { metadata } of await items(collections.NodePool!)) {
      await patch(`${collections.NodePool}/${metadata.name}`, { spec: { disruption } });
    }
    for (const cpu of sizes) await patch(`${deployments}/on-${cpu}/scale`, { spec: { replicas: 0 } });
    await untilSo("every node is gone", async () => {
      const left = [...(await items("/api/v1/nodes")), ...(await items(nodeClaims)), ...instances()];
      return left.length === 0;
    });
    // Nothing was launched that is not accounted for, from the first to the last.
    expect(claimsOfInstances()).toHaveLength(sizes.length);
    expect(new Set(claimsOfInstances()).size).toBe(sizes.length);
    expect(await world.deadLetters()).toBe(0);
  });

  /** The claim that each instance was launched for, of all that ever were. */
  function claimsOfInstances(): (string | undefined)[] {
    const { Reservations = [] } = world.ec2.call<DescribeInstancesResult>("DescribeInstances", {});
    const launched = Reservations.flatMap(({ Instances = [] }) => Instances);
    expect(launched).toHaveLength(world.ec2.instances().length);
    return launched.map(({ Tags = [] }) => Tags.find(({ Key }) => Key === "karpenter.sh/nodeclaim")?.Value).sort();
  }

  const patch = async (path: string, document: object) => {
    const { status, body } = await send(world.plane, "PATCH", path, document, "application/merge-patch+json");
    expect(status, JSON.stringify(body)).toBe(200);
  };

  async function untilSo(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + patienceMs;
    while (!(await isSo())) {
      if (performance.now() > deadline) throw new Error(`${what}: not in ${patienceMs / 1000} s\n${await look()}`);
      await sleep(lookEveryMs);
    }
  }

  /** What the cluster looks like, for whoever waited in vain. */
  async function look(): Promise<string> {
    const lines = [...world.notes].slice(-30).map(([note, count]) => `${count} × ${note}`);
    for (const path of ["/api/v1/pods", "/api/v1/nodes", nodeClaims]) {
      for (const { metadata, spec, status } of await items(path)) {
        const conditions = (status?.conditions ?? []).map((c: Item) => `${c.type}=${c.status} ${c.message ?? ""}`);
        lines.push(`${path.split("/").at(-1)} ${metadata.name} ${spec?.nodeName ?? ""} ${conditions.join("; ")}`);
      }
    }
    lines.push(...world.telemetry.lines.slice(-20).map(({ level, message }) => `${level} ${message}`));
    lines.push(...(await Promise.all(relays.map(async (relay) => (await relay.metrics()).slice(0, 4_000)))));
    return lines.join("\n");
  }
});
