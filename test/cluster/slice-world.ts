// What runs beside a real control plane in the slice: the functions' own composition on loopback endpoints (DynamoDB, the
// fleet endpoint), its controllers run by a plain loop in place of queues, and fake kubelets.
import { setTimeout as sleep } from "node:timers/promises";
import { createTable, startDynoxide } from "../../local/aws/dynamodb.ts";
import { createScaledClock } from "../../local/clock.ts";
import { createEc2, type Ec2 } from "../../local/ec2/ec2.ts";
import { connectKubelets } from "../../local/kubelet/api-client.ts";
import type { HostInstance } from "../../local/kubelet/documents.ts";
import { type Kubelets, startKubelets } from "../../local/kubelet/kubelets.ts";
import { readDefaultCatalog } from "../../shared/adapters/catalog/index.ts";
import { createDynamoClient } from "../../shared/adapters/dynamodb/index.ts";
import { createMemoryWakes } from "../../shared/adapters/memory/wakes.ts";
import { createDisrupt } from "../../shared/controllers/disrupt.ts";
import type { Controller, ControllerPorts, PlanningSettings } from "../../shared/controllers/index.ts";
import { createLifecycle } from "../../shared/controllers/lifecycle.ts";
import { createProvision } from "../../shared/controllers/provision.ts";
import { createResolveNodeClasses } from "../../shared/controllers/resolve-node-classes.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import type { WakeTarget } from "../../shared/ports/index.ts";
import { composeFrom, composition } from "../../shared/runtime/composition.ts";
import { send } from "./http.ts";
import type { SliceWorld, StartSliceWorld } from "./slice.ts";

const cluster = "slice";
const tableName = "timmerman";
const credentials = { accessKeyId: "local", secretAccessKey: "local" };
const discovery = { "karpenter.sh/discovery": "local" };
const loopMs = 250;
/** Every controller is woken this often, as a relay and a tick would between them. */
const wakeEveryMs = 1_000;

/** `note` gets what went wrong on the way, for the error of a test that waits in vain. */
export function sliceWorld(note: (line: string) => void): StartSliceWorld {
  return async (plane) => {
    const clock = createScaledClock({ speed: 1, startMs: Date.now() });
    const catalog = readDefaultCatalog();
    const ec2 = createEc2({
      clock,
      catalog,
      settings: { pendingMs: 500, shuttingDownMs: 500 },
      network: {
        subnets: catalog.zones.map((zone, index) => ({
          id: `subnet-0000000000000000${index}`,
          zone: zone.name,
          cidr: `10.0.${index * 16}.0/20`,
          tags: discovery,
        })),
        securityGroups: [{ id: "sg-00000000000000001", name: "nodes", tags: discovery }],
      },
    });
    const ec2Url = await ec2.listen();
    const dynamodb = await startDynoxide();
    const client = createDynamoClient({ region: catalog.region, endpoint: dynamodb.url, credentials });
    await createTable(client, tableName);
    client.destroy();

    const wakes = createMemoryWakes(clock);
    composeFrom({ clock, instead: { wakes }, env: environmentOf(plane, { ec2: ec2Url, dynamodb: dynamodb.url }) });
    const { ports, settings } = composition();
    const { body } = await send(plane, "GET", "/api/v1/namespaces/kube-system");
    await ports.store.createHead(cluster, { seq: 0, epoch: "e1", clusterUid: body.metadata.uid });

    const api = connectKubelets({ url: plane.url, token: plane.token, ca: plane.ca });
    const kubelets = startKubelets({
      api,
      clock,
      clusterName: cluster,
      timing: { joinMs: 1_000, readyMs: 500, podStartMs: 200, podStopMs: 200 },
      heartbeatMs: 10_000,
      onError: (what, error) => note(`kubelet: ${what}: ${error}`),
      onPodsLost: (node, pods) => note(`lost with ${node}: ${pods.join(", ")}`),
    });
    const loop = startLoop({
      ports,
      settings: { ...settings, planners: { provisioning: planProvisioning } },
      wakes,
      note,
      everyRound: () => observeInstances(ec2, kubelets),
    });
    return {
      runningInstances: async () => ec2.instances().filter(({ state }) => /^(pending|running)$/.test(state)).length,
      async stop() {
        await loop.stop();
        kubelets.stop();
        api.close();
        await ec2.close();
        await dynamodb.stop();
      },
    } satisfies SliceWorld;
  };
}

function environmentOf(
  plane: Parameters<StartSliceWorld>[0],
  endpoints: { readonly ec2: string; readonly dynamodb: string },
): Record<string, string> {
  const served = {
    name: cluster,
    endpoint: plane.url,
    caBundle: Buffer.from(plane.ca).toString("base64"),
    token: plane.functionsToken ?? plane.token,
    // Names the images to look for: those that the fleet endpoint has.
    kubernetesVersion: "1.34",
  };
  const queues = ["PROVISION", "DISRUPT", "LIFECYCLE", "RESOLVE_NODE_CLASSES", "COLLECT_GARBAGE"];
  return {
    ...Object.fromEntries(queues.map((queue) => [`TIMMERMAN_QUEUE_${queue}`, `http://127.0.0.1:1/${queue}`])),
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_EC2: endpoints.ec2,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    TIMMERMAN_DEPLOYMENT: "slice",
    TIMMERMAN_TABLE: tableName,
    TIMMERMAN_CLUSTERS: JSON.stringify([served]),
    LOG_LEVEL: "SILENT",
  };
}

interface LoopOptions {
  readonly ports: ControllerPorts;
  readonly settings: PlanningSettings;
  readonly wakes: ReturnType<typeof createMemoryWakes>;
  readonly note: (line: string) => void;
  everyRound(): void;
}

/** One wake after the other, whatever became of the one before. */
function startLoop({ ports, settings, wakes, note, everyRound }: LoopOptions): { stop(): Promise<void> } {
  const controllers: Partial<Record<WakeTarget, Controller>> = {
    "resolve-node-classes": createResolveNodeClasses(ports, settings),
    provision: createProvision(ports, settings),
    lifecycle: createLifecycle(ports, settings),
    disrupt: createDisrupt(ports, settings),
  };
  const targets = Object.keys(controllers) as WakeTarget[];
  let stopped = false;
  const run = async () => {
    let nextWakesAtMs = 0;
    while (!stopped) {
      try {
        everyRound();
      } catch (error) {
        note(`kubelets' host: ${error}`);
      }
      if (performance.now() >= nextWakesAtMs) {
        nextWakesAtMs = performance.now() + wakeEveryMs;
        await wakes.sendAll(targets.map((target) => ({ wake: { cluster, target } })));
      }
      for (const wake of wakes.takeDue()) {
        await controllers[wake.target]?.run(wake).then(
          ({ failures }) => {
            for (const { object, message } of failures) note(`${wake.target}: ${object}: ${message}`);
          },
          (error: unknown) => note(`${wake.target}: ${error}`),
        );
      }
      await sleep(loopMs);
    }
  };
  const running = run();
  return {
    async stop() {
      stopped = true;
      await running;
    },
  };
}

/** Shows the kubelets' host every instance as it stands. */
function observeInstances(ec2: Ec2, kubelets: Kubelets): void {
  ec2.settle();
  const { zones, region, instanceTypes } = readDefaultCatalog();
  const descriptions = new Map(instanceTypes.map((type) => [type.InstanceType, type]));
  for (const { id, state, pool, address, architecture } of ec2.instances()) {
    kubelets.observe({
      id,
      state,
      instanceType: pool.instanceType,
      zone: pool.zone,
      zoneId: zones.find(({ name }) => name === pool.zone)!.id,
      region,
      privateIp: address.address,
      privateDnsName: `ip-${address.address.replaceAll(".", "-")}.ec2.internal`,
      architecture,
      userData: ec2.userDataOf(id) ?? "",
      volumeGiB: 20,
      description: descriptions.get(pool.instanceType) as unknown as HostInstance["description"],
    });
  }
}
