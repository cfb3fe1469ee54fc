// Every exported handler on events as AWS delivers them (test/fixtures/events, written after the shapes that the SQS, EC2
// and AWS Health user guides document), with the embedded cluster and the EC2 endpoint behind the real adapters: what it
// did, what it measured (the EMF lines as CloudWatch parses them), what it gave back.
import { readFileSync } from "node:fs";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { handler as collectGarbage } from "../../functions/collect-garbage/handler.ts";
import { handler as disrupt } from "../../functions/disrupt/handler.ts";
import { handler as interrupt } from "../../functions/interrupt/handler.ts";
import { handler as lifecycle } from "../../functions/lifecycle/handler.ts";
import { handler as provision } from "../../functions/provision/handler.ts";
import { handler as resolveNodeClasses } from "../../functions/resolve-node-classes/handler.ts";
import { handler as tick } from "../../functions/tick/handler.ts";
import { createSeededIds } from "../../local/kube/ids.ts";
import { createApiServer } from "../../local/kube/server.ts";
import { applyManifest, readManifests } from "../../local/manifests.ts";
import { parseCatalog } from "../../shared/adapters/catalog/catalog-file.ts";
import { createMemoryClaimStore } from "../../shared/adapters/memory/claim-store.ts";
import { createMemoryRegistry } from "../../shared/adapters/memory/registry.ts";
import { createMemoryWakes } from "../../shared/adapters/memory/wakes.ts";
import type { WakeTarget } from "../../shared/ports/index.ts";
import type { ScheduledEvent } from "../../shared/runtime/event-schemas.ts";
import { composeFrom } from "../../shared/runtime/index.ts";
import { openRegion, catalog as sold } from "../local/ec2/small-region.ts";
import { environment } from "../runtime/environment.ts";
import { context, nowMs } from "./invoke.ts";

const read = (name: string) => readFileSync(new URL(`../fixtures/events/${name}.json`, import.meta.url), "utf8");
const wakesFor = (target: WakeTarget) =>
  JSON.parse(read("wakes").replaceAll('provision\\"', `${target}\\"`)) as SQSEvent;
const recorded = { gone: "2e1424d4-f796-459a-8184-9c92662be6d2", torn: "2e1424d4-f796-459a-8184-9c92662be6d3" };
const notOurs = [recorded.gone, recorded.torn];

/** Records are worked on at the same time, so that their order says nothing. */
const givenBack = ({ batchItemFailures }: SQSBatchResponse) =>
  batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).sort();

const nodeClass = {
  apiVersion: "karpenter.k8s.aws/v1",
  kind: "EC2NodeClass",
  metadata: { name: "default" },
  spec: {
    amiFamily: "AL2023",
    amiSelectorTerms: [{ id: "ami-0000000000000a001" }],
    instanceProfile: "nodes",
    subnetSelectorTerms: [{ tags: { "karpenter.sh/discovery": "demo" } }],
    securityGroupSelectorTerms: [{ tags: { "karpenter.sh/discovery": "demo" } }],
  },
};
const nodePool = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "default" },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
        requirements: [
          { key: "karpenter.sh/capacity-type", operator: "In", values: ["spot"] },
          { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
        ],
      },
    },
  },
};
const pending = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "default" },
  spec: { containers: [{ name: "web", image: "web", resources: { requests: { cpu: "1", memory: "1Gi" } } }] },
  status: {
    phase: "Pending",
    conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable" }],
  },
};

interface EmfLine {
  readonly _aws: {
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Metrics: readonly { readonly Name: string }[];
    }[];
  };
  readonly [field: string]: unknown;
}

/** What was written while a handler ran: log lines, and metrics by name as CloudWatch finds them. */
function spyOnOutput() {
  const lines: Record<string, unknown>[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => {
      for (const line of String(text).split("\n")) if (line.startsWith("{")) lines.push(JSON.parse(line));
      return true;
    });
  }
  return {
    logs: () => lines.filter((line) => line._aws === undefined),
    metric(name: string): unknown[] {
      return lines
        .filter((line): line is EmfLine => line._aws !== undefined)
        .filter(({ _aws }) =>
          _aws.CloudWatchMetrics.some(
            (set) => set.Namespace === "Timmerman" && set.Metrics.some((m) => m.Name === name),
          ),
        )
        .map((line) => line[name]);
    },
  };
}

describe("on recorded events, the exported handler", () => {
  const clock = { now: () => nowMs, sleep: async () => {} };
  const kube = createApiServer({ clock, ids: createSeededIds(1) });
  const store = createMemoryClaimStore();
  const wakes = createMemoryWakes(clock);
  let region: Awaited<ReturnType<typeof openRegion>>;
  let output: ReturnType<typeof spyOnOutput>;

  beforeAll(async () => {
    region = await openRegion({ clock });
    await kube.listen();
    const { server, token, ca } = kube.kubeconfig();
    const crds = new URL("../../charts/timmerman/files/crds", import.meta.url).pathname;
    for (const manifest of readManifests([crds])) applyManifest(kube.store, manifest);
    for (const object of [nodeClass, nodePool, pending]) applyManifest(kube.store, { object, source: "test" });
    const document = { name: "blue", endpoint: server, caBundle: Buffer.from(ca).toString("base64"), token };
    const { TIMMERMAN_CLUSTERS: _list, ...env } = environment;
    const catalog = parseCatalog(JSON.stringify(sold), "small region");
    let ids = 0;
    composeFrom({
      env: {
        ...env,
        AWS_ENDPOINT_URL_DYNAMODB: "http://127.0.0.1:9",
        AWS_ENDPOINT_URL_EC2: region.endpoint,
        AWS_ACCESS_KEY_ID: "local",
        AWS_SECRET_ACCESS_KEY: "local",
      },
      clock,
      ids: { next: () => `id${++ids}` },
      instead: {
        store,
        wakes,
        catalog: { read: async () => catalog },
        registry: createMemoryRegistry([{ name: "blue", region: "us-east-1", document: JSON.stringify(document) }]),
      },
    });
    await store.createHead("blue", {
      seq: 0,
      epoch: "e1",
      clusterUid: kube.store.get("namespaces", { name: "kube-system" }).metadata.uid!,
    });
  });
  afterAll(async () => {
    await Promise.all([region.close(), kube.close()]);
  });
  beforeEach(() => {
    output = spyOnOutput();
  });
  afterEach(() => vi.restoreAllMocks());

  const claims = async () => (await store.readState("blue", nowMs))!.claims;
  const woken = () => wakes.takeDue().map(({ cluster, target }) => `${cluster} ${target}`);

  it("of resolve-node-classes finds what a class selects, and gives back what is nobody's", async () => {
    expect(givenBack(await resolveNodeClasses(wakesFor("resolve-node-classes"), context))).toEqual(notOurs);
    const { status } = kube.store.get("ec2nodeclasses.karpenter.k8s.aws", { name: "default" });
    expect(status.subnets.map(({ id }: { id: string }) => id)).toHaveLength(2);
    expect(status.conditions).toContainEqual(expect.objectContaining({ type: "Ready", status: "True" }));
    expect(output.metric("timmerman_messages_failed_total").length).toBeGreaterThan(0);
  });

  it("of provision commits a claim for the pending pod, once for both wakes, and wakes lifecycle", async () => {
    woken();
    expect(givenBack(await provision(wakesFor("provision"), context))).toEqual(notOurs);
    const [claim, ...others] = await claims();
    expect(others).toEqual([]);
    expect(claim).toMatchObject({ nodePool: "default" });
    expect(woken()).toContain("blue lifecycle");
    expect(output.metric("karpenter_nodeclaims_created_total").flat()).toContain(1);
    expect(output.metric("timmerman_run_duration_seconds")).not.toEqual([]);
    expect(output.metric("timmerman_messages_failed_total").flat()).toContain(1);
    const logs = output.logs();
    expect(logs).toContainEqual(
      expect.objectContaining({ message: "the run is done", cluster: "blue", controller: "provision", level: "INFO" }),
    );
    expect(logs).toContainEqual(
      expect.objectContaining({
        level: "ERROR",
        message: "the message is given back to its queue",
        cluster: "gone",
        messageId: recorded.gone,
        function_request_id: context.awsRequestId,
      }),
    );
  });

  it("of lifecycle launches the claim's instance", async () => {
    expect(givenBack(await lifecycle(wakesFor("lifecycle"), context))).toEqual(notOurs);
    const [claim] = await claims();
    expect(claim?.instance).toMatchObject({ capacityType: "spot", zone: expect.stringMatching(/^us-east-1[ab]$/) });
    expect(output.metric("timmerman_nodeclaims_launched_total").flat()).toContain(1);
    expect(output.logs()).toContainEqual(
      expect.objectContaining({ message: "the run is done", cluster: "blue", controller: "lifecycle" }),
    );
  });

  it("of interrupt deletes the claim of a warned instance, drops what cannot be read, and gives back what EC2 does not show yet", async () => {
    const [claim] = await claims();
    const text = read("interruptions").replaceAll("i-0123456789abcdef0", claim!.instance!.id);
    const { Records } = JSON.parse(text) as SQSEvent;
    const response = await interrupt({ Records }, context);
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: Records[3]!.messageId }] });
    const [deleted] = await claims();
    expect(deleted?.deletion).toEqual({
      requestedAtMs: nowMs,
      reason: "spot_interrupted",
      deadlineMs: Date.UTC(2025, 9, 9, 8, 55, 15),
    });
    expect(await store.readRefusals("us-east-1", nowMs)).toMatchObject([{ capacityType: "spot" }]);
    expect(woken()).toEqual(expect.arrayContaining(["blue provision", "blue lifecycle"]));
    expect(output.metric("karpenter_interruption_received_messages_total").flat()).toContain(1);
    expect(output.metric("timmerman_messages_unreadable_total").flat()).toEqual(expect.arrayContaining([1]));
    expect(output.logs()).toContainEqual(
      expect.objectContaining({ level: "INFO", cluster: "blue", claim: deleted!.name, reason: "spot_interrupted" }),
    );
  });

  it("of disrupt looks at the cluster and leaves alone what is going", async () => {
    const [before] = await claims();
    expect(givenBack(await disrupt(wakesFor("disrupt"), context))).toEqual(notOurs);
    expect((await claims())[0]?.deletion).toEqual(before?.deletion);
    expect(output.metric("timmerman_run_duration_seconds")).not.toEqual([]);
  });

  it("of collect-garbage terminates nothing that has a claim", async () => {
    const [claim] = await claims();
    expect(givenBack(await collectGarbage(wakesFor("collect-garbage"), context))).toEqual(notOurs);
    expect(claim?.instance?.id).toBeDefined();
    const asked = region.ec2.calls().map(({ action }) => action);
    expect(asked).toContain("DescribeInstances");
    expect(asked).not.toContain("TerminateInstances");
    expect(output.metric("timmerman_run_duration_seconds")).not.toEqual([]);
  });

  it("of tick wakes what is due, and says how many relays are silent", async () => {
    await store.setAgenda("blue", "disrupt", nowMs - 1, { replace: true });
    await store.setAgenda("blue", "relay", nowMs - 1, { replace: true });
    const { wakesSent } = await tick(JSON.parse(read("minute")) as ScheduledEvent, context);
    expect(woken()).toEqual(expect.arrayContaining(["blue disrupt", "blue provision", "blue lifecycle"]));
    expect(wakesSent).toBeGreaterThanOrEqual(3);
    expect(output.metric("timmerman_silent_relays")).toEqual([1]);
  });
});
