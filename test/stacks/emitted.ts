// Everything that controllers and handlers measure, measured: small worlds in which each of it happens at least once, and
// the CloudWatch metrics that become of it through the real adapter.
import { Logger } from "@aws-lambda-powertools/logger";
import { vi } from "vitest";
import { handler as interruptHandler } from "../../functions/interrupt/handler.ts";
import { handler as provisionHandler } from "../../functions/provision/handler.ts";
import { createShelfSource, defaultCatalogSource } from "../../shared/adapters/catalog/index.ts";
import { evictPod } from "../../shared/adapters/kube/evict-pod.ts";
import { createMemoryCatalogShelf } from "../../shared/adapters/memory/catalog-shelf.ts";
import { createMemoryClaimStore } from "../../shared/adapters/memory/claim-store.ts";
import { createMemoryTelemetry, type Sample } from "../../shared/adapters/memory/telemetry.ts";
import { createPowertoolsTelemetry } from "../../shared/adapters/powertools/index.ts";
import {
  createCollectGarbage,
  createDisrupt,
  createInterrupt,
  createLifecycle,
  createProvision,
} from "../../shared/controllers/index.ts";
import { createRefreshCatalog } from "../../shared/controllers/refresh-catalog.ts";
import { OperationError } from "../../shared/ports/index.ts";
import { announcedStore } from "../../shared/runtime/announced-store.ts";
import { commitClaims, createDesk, planned, settledClaim, wake } from "../controllers/desk.ts";
import { composeOnMemory, context, sqsEvent } from "../functions/invoke.ts";
import { createWorld } from "../simulation/world.ts";

const minute = 60_000;
const throttled = () => new OperationError("slowly", { retry: "later", code: "throttled" });
const nowMs = 1_760_000_000_000;

/** Pods come and go, spot has no capacity at first, an instance is interrupted, another is nobody's. */
async function life(): Promise<readonly Sample[]> {
  const world = await createWorld();
  for (const zone of ["us-east-1a", "us-east-1b"]) {
    for (const instanceType of ["m5.large", "m5.xlarge", "c5.large", "c5.xlarge"]) {
      world.cloud.setCapacity({ instanceType, zone, capacityType: "spot" }, 0);
    }
  }
  world.life.workloads.push({ name: "web", replicas: 12 });
  await world.runFor(5 * minute);
  const [own] = world.cloud.everyInstance();
  await world.interrupt(own!.id);
  await world.runFor(5 * minute);
  world.life.workloads[0]!.replicas = 0;
  await world.runFor(20 * minute);
  return world.telemetry.samples;
}

/** Instances without claims: one is found and terminated, many are taken for missing knowledge. */
async function orphans(count: number): Promise<readonly Sample[]> {
  const desk = await createDesk();
  const { claim } = await settledClaim(desk, "a");
  const { tags } = desk.cloud.everyInstance().find(({ id }) => id === claim.instance!.id)!;
  for (let at = 0; at < count; at++) {
    const overrides = [
      {
        instanceType: "m5.large",
        zone: "us-east-1a",
        subnetId: "subnet-a",
        imageId: "ami-standard",
        priceMicroUsd: 1,
        template: "t",
      },
    ];
    const request = {
      clientToken: `stray-${at}`,
      count: 1,
      capacityType: "on-demand",
      templates: [],
      overrides,
    } as const;
    const strayTags = { ...tags, "timmerman/launch": `stray-${at}`, "karpenter.sh/nodeclaim": "" };
    await desk.cloud.launch({ ...request, allocationStrategy: "lowest-price", tags: strayTags });
  }
  const collect = createCollectGarbage(desk.ports, desk.settings);
  for (let looks = 0; looks < 4; looks++) {
    await desk.pass(6 * minute);
    await collect.run(wake("collect-garbage"));
  }
  return desk.telemetry.samples;
}

/** Runs whose cluster has no head, whose commits lose, whose objects fail, whose launches cannot be asked for. */
async function mishaps(): Promise<readonly Sample[]> {
  const headless = await createDesk({ headless: true });
  await createLifecycle(headless.ports, headless.settings).run(wake("lifecycle"));
  const losing = await createDesk({ store: () => ({ commit: async () => ({ kind: "lost" }) }) });
  losing.cluster.pods.put(pendingPod);
  const full = await createDesk();
  full.cluster.pods.put({ ...pendingPod, requests: { cpu: 1_000_000, pods: 1 } });
  await createProvision(full.ports, full.settings).run(wake("provision"));
  await createProvision(losing.ports, losing.settings).run(wake("provision"));
  const quiet = await createDesk();
  await settledClaim(quiet, "a");
  quiet.ports.store.commit = async () => ({ kind: "lost" });
  await quiet.pass(30 * minute);
  const foreign = { kind: "spot_interrupted", instanceId: "i-0f0f", atMs: 0, eventId: "e" } as const;
  await createInterrupt(quiet.ports, quiet.settings).run([foreign]);
  await createDisrupt(quiet.ports, quiet.settings).run(wake("disrupt"));
  const failing = await createDesk({
    cloud: () => ({
      tag: async () => {
        throw throttled();
      },
    }),
  });
  await commitClaims(failing, planned("a"), planned("b", { instanceTypes: ["none.large"] }));
  await createLifecycle(failing.ports, failing.settings).run(wake("lifecycle"));
  return [losing, full, headless, quiet, failing].flatMap(({ telemetry }) => telemetry.samples);
}

const pendingPod: Parameters<Awaited<ReturnType<typeof createDesk>>["cluster"]["pods"]["put"]>[0] = {
  namespace: "default",
  name: "web",
  createdAtMs: 0,
  phase: "Pending",
  unschedulable: true,
  ready: false,
  mirror: false,
  labels: {},
  annotations: {},
  requests: { cpu: 500, memory: 1_000_000_000, pods: 1 },
  nodeSelector: {},
  preferredNodeAffinity: [],
  requiredPodAffinity: [],
  requiredPodAntiAffinity: [],
  preferredPodAffinity: [],
  preferredPodAntiAffinity: [],
  topologySpread: [],
  tolerations: [],
  hostPorts: [],
  volumes: [],
  resourceClaims: [],
  schedulingGates: [],
  priority: 0,
  terminationGracePeriodMs: 30_000,
};

/** The exported handlers: messages that cannot be read, that fail, and one that is dealt with; and an eviction. */
async function messages(): Promise<readonly Sample[]> {
  const { telemetry } = composeOnMemory();
  const warning = { source: "aws.ec2", "detail-type": "EC2 Instance State-change Notification", version: "0", id: "e" };
  const about = { account: "123456789012", region: "us-east-1", time: "2025-10-09T08:53:00Z", resources: [] };
  const running = JSON.stringify({ ...warning, ...about, detail: { "instance-id": "i-0ccc", state: "running" } });
  const stopping = JSON.stringify({ ...warning, ...about, detail: { "instance-id": "i-0ccc", state: "stopping" } });
  await interruptHandler(sqsEvent(["no JSON", running, stopping]), context);
  await provisionHandler(sqsEvent(['{"cluster":"blue","target":"provision"}']), context);
  const pod = { namespace: "default", name: "web", uid: "u" };
  await evictPod(async () => ({ status: 201, body: {} }), pod, undefined, telemetry);
  return telemetry.samples;
}

/** A bus that takes no event. */
async function deafBus(): Promise<readonly Sample[]> {
  const telemetry = createMemoryTelemetry();
  const publish = async () => {
    throw throttled();
  };
  const store = announcedStore(createMemoryClaimStore(), {
    decisions: { publish },
    telemetry,
    clock: { now: () => nowMs },
  });
  const desk = await createDesk();
  await store.createHead("blue", { seq: 0, epoch: "e1", clusterUid: "u" });
  const head = (await store.readHead("blue"))!;
  const plan = { id: "p", index: 0, claims: [planned("a")], placements: [], commands: [], reason: "provisioned" };
  await store.commit("blue", head, { ...plan, createdAtMs: nowMs, nominatedUntilMs: nowMs });
  await store.changeClaim("blue", "a", 1, { deletion: { requestedAtMs: desk.clock.now(), reason: "empty" } });
  return telemetry.samples;
}

/** Catalogs: one that is written, one refused for lacking nearly everything, one whose market cannot be read, one gone. */
async function catalogs(): Promise<readonly Sample[]> {
  const telemetry = createMemoryTelemetry();
  const shelf = createMemoryCatalogShelf();
  const described = (InstanceType: string) => ({
    InstanceType,
    ProcessorInfo: { SupportedArchitectures: ["x86_64"] },
    VCpuInfo: { DefaultVCpus: 2 },
    MemoryInfo: { SizeInMiB: 8192 },
    NetworkInfo: { Ipv4AddressesPerInterface: 10, MaximumNetworkInterfaces: 3 },
  });
  let types = 20;
  let atMs = nowMs;
  const zone = "eu-west-1a";
  const refresh = createRefreshCatalog({
    clusters: {
      open: () => Promise.reject(new Error("no cluster is needed")),
      list: async () => [
        { name: "a", region: "eu-west-1" },
        { name: "b", region: "eu-north-1" },
      ],
    },
    clock: { now: () => atMs, sleep: async () => {} },
    telemetry,
    shelf,
    market: {
      async describe(region) {
        if (region === "eu-north-1") throw throttled();
        const names = Array.from({ length: types }, (_, at) => `t${at}.large`);
        return {
          zones: [{ name: zone, id: "euw1-az1" }],
          instanceTypes: names.map(described),
          offerings: names.map((instanceType) => ({ instanceType, zone })),
          spotPrices: names.slice(1).map((instanceType) => ({ instanceType, zone, price: 0.04, atMs: 1 })),
        };
      },
      listPrices: () => Promise.reject(throttled()),
    },
    shippedPrices: async () => ({ "t1.large": 0.2 }),
  });
  await refresh.run().catch(() => undefined);
  types = 1;
  atMs += 60 * minute;
  await refresh.run().catch(() => undefined);
  const source = createShelfSource({
    shelf: { find: async (region) => ({ ...(await shelf.find("eu-west-1"))!, key: region }), load: shelf.load },
    otherwise: defaultCatalogSource,
    clock: { now: () => atMs },
    telemetry,
  });
  await source.read("us-east-1");
  return telemetry.samples;
}

/** Everything of all these worlds. */
export async function everySample(): Promise<readonly Sample[]> {
  const parts = [life(), orphans(1), orphans(6), mishaps(), messages(), deafBus(), catalogs()];
  return (await Promise.all(parts)).flat();
}

/** What CloudWatch makes of a sample: names, dimension sets, units and the other keys of the line. */
export interface Emitted {
  readonly name: string;
  readonly unit: string;
  readonly sets: readonly (readonly string[])[];
  readonly properties: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

interface EmfLine extends Record<string, unknown> {
  readonly _aws: {
    readonly CloudWatchMetrics: readonly [
      {
        readonly Dimensions: readonly (readonly string[])[];
        readonly Metrics: readonly [{ readonly Name: string; readonly Unit: string }];
      },
    ];
  };
}

/** Each sample as a line of the real adapter; those that it leaves out (zeros) are left out. */
export function linesOf(samples: readonly Sample[], perCluster = true): readonly Emitted[] {
  const written: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockImplementation((text) => {
      written.push(String(text));
      return true;
    }),
  );
  const known = new Set<string>();
  for (const { kind, name, value, labels } of samples) {
    const key = JSON.stringify([name, labels, value === 0]);
    if (known.has(key)) continue;
    known.add(key);
    const logger = new Logger({ serviceName: "timmerman" });
    const telemetry = createPowertoolsTelemetry({ logger, namespace: "Timmerman", serviceName: "one", perCluster });
    telemetry[kind](name, value, labels);
    telemetry.flush();
  }
  for (const spy of spies) spy.mockRestore();
  return written.map((text) => {
    const { _aws, ...line } = JSON.parse(text) as EmfLine;
    const [{ Dimensions, Metrics }] = _aws.CloudWatchMetrics;
    const { Name: name, Unit: unit } = Metrics[0];
    const dimensions = new Set(Dimensions.flat());
    const labels = Object.fromEntries(
      [...dimensions].filter((one) => one !== "service").map((one) => [one, String(line[one])]),
    );
    const properties = Object.keys(line).filter((key) => key !== name && !dimensions.has(key));
    const sets = Dimensions.map((set) => set.filter((one) => one !== "service"));
    return { name, unit, sets, properties, labels };
  });
}
