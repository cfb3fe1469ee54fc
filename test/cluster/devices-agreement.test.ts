// Plans of random worlds with devices, played out with the real kube-scheduler: it must find every pod its devices where the
// plan put it, in the plan's order and in the opposite one. The test stands in for the drivers (ResourceSlices) and for the
// controller that makes claims from templates.
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openKubeCluster } from "../../shared/adapters/kube/index.ts";
import { declaredDevices } from "../../shared/core/catalog/index.ts";
import type { Pod, Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { ask as askFor, demand, driver, exactly } from "../core/scheduling/device-fixtures.ts";
import { deviceWorlds } from "../properties/device-worlds.ts";
import { keyOf } from "../properties/feasibility.ts";
import { nodeDocument, podDocument } from "./agreement-documents.ts";
import { type PinningScheduler, startPinningScheduler } from "./agreement-scheduler.ts";
import { type Stage, stageOf } from "./agreement-stage.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { installCrds } from "./crds.ts";
import { allocatedStatus, deviceClassDocument, resourceClaimDocument, sliceDocument } from "./device-documents.ts";
import { crdsIn, ourCrdFolder } from "./documents.ts";
import { send } from "./http.ts";

const noControlPlane = inject("noControlPlane");
const because = noControlPlane === undefined ? "" : ` (skipped: ${noControlPlane})`;
const seed = Number(process.env.TIMMERMAN_SEED ?? 20_261_201);
const worldsPlayed = Number(process.env.TIMMERMAN_WORLDS ?? 12);
const bindTimeoutMs = 15_000;

const pods = "/api/v1/namespaces/default/pods";
const claims = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
const classes = "/apis/resource.k8s.io/v1/deviceclasses";
const slices = "/apis/resource.k8s.io/v1/resourceslices";
const mergePatch = "application/merge-patch+json";

interface Played {
  readonly index: number;
  readonly world: Snapshot;
  readonly stage: Stage;
}

/** The drawn worlds in which most pods are placed. */
function sample(constrained: boolean): Played[] {
  return fc
    .sample(deviceWorlds(constrained), { seed, numRuns: worldsPlayed * 8 })
    .map((world, index) => ({ index, world, stage: stageOf(world, planProvisioning(world), "cheapest") }))
    .sort((a, b) => b.stage.planned.length - a.stage.planned.length)
    .slice(0, worldsPlayed);
}

describe.skipIf(noControlPlane !== undefined)(`kube-scheduler and plans of pods with devices${because}`, () => {
  let plane: ControlPlane;
  let scheduler: PinningScheduler;
  beforeAll(async () => {
    plane = await startControlPlane({
      serverArguments: ["--disable-admission-plugins=ServiceAccount,TaintNodesByCondition"],
    });
    await installCrds(plane, crdsIn(ourCrdFolder));
    scheduler = await startPinningScheduler(plane);
  });
  afterAll(async () => {
    await scheduler?.stop();
    await plane?.stop();
  });

  const ask = async (method: string, path: string, body?: object, contentType?: string) => {
    const answer = await send(plane, method, path, body, contentType);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const clear = async () => {
    for (const path of [pods, claims, classes, slices, "/api/v1/nodes"]) {
      const { items } = await ask("GET", path);
      for (const { metadata } of items) {
        if (metadata.finalizers !== undefined) {
          await ask("PATCH", `${path}/${metadata.name}`, { metadata: { finalizers: null } }, mergePatch);
        }
        await ask("DELETE", `${path}/${metadata.name}?gracePeriodSeconds=0`);
      }
    }
  };

  async function raise({ world, stage }: Played): Promise<void> {
    for (const one of world.deviceClasses) await ask("POST", classes, deviceClassDocument(one));
    for (const { name, allocation } of world.resourceClaims) {
      await ask("POST", claims, resourceClaimDocument(name, demand(exactly("gpu", askFor()))));
      await ask("PATCH", `${claims}/${name}/status`, allocatedStatus(allocation!, "gpu"), mergePatch);
    }
    for (const node of stage.nodes) {
      await ask("POST", "/api/v1/nodes", nodeDocument(node));
      const described = world.catalog.instanceTypes.find(
        ({ InstanceType }) => InstanceType === node.labels["node.kubernetes.io/instance-type"],
      );
      const known = world.resourceSlices.filter(({ nodeName }) => nodeName === node.name);
      const parts = world.nodes.some(({ name }) => name === node.name) ? known : declaredDevices(described!);
      for (const one of parts) await ask("POST", slices, sliceDocument(node.name, one.driver, one.devices));
    }
  }

  /** The pod's claim is made before it, as from its template. */
  async function bind(world: Snapshot, pod: Pod, node: string): Promise<string | undefined> {
    const { templateName } = pod.resourceClaims[0]!;
    const { demand: wanted } = world.resourceClaimTemplates.find(({ name }) => name === templateName)!;
    await ask("POST", claims, resourceClaimDocument(pod.name, wanted));
    scheduler.pin(new Map([[keyOf(pod), node]]));
    const document = podDocument(pod) as { readonly spec: object };
    const spec = { ...document.spec, resourceClaims: [{ name: "gpu", resourceClaimName: pod.name }] };
    await ask("POST", pods, { ...document, spec });
    const deadline = performance.now() + bindTimeoutMs;
    for (;;) {
      const { spec: seen, status } = await ask("GET", `${pods}/${pod.name}`);
      if (seen.nodeName === node) {
        const { status: held } = await ask("GET", `${claims}/${pod.name}`);
        return held?.allocation === undefined ? `${keyOf(pod)} is bound without its devices` : undefined;
      }
      const { message } = status.conditions?.find(({ type }: { type: string }) => type === "PodScheduled") ?? {};
      if (performance.now() > deadline) {
        return `${keyOf(pod)} is not bound to ${node}: ${message ?? scheduler.problem()}`;
      }
      await sleep(20);
    }
  }

  /** What the adapter reads of all this, where it differs from what was put there. */
  async function misread({ world, stage }: Played): Promise<string[]> {
    const { url, token, ca } = plane;
    const clock = { now: () => Date.now(), sleep: async (ms: number) => void (await sleep(ms)) };
    const cluster = openKubeCluster({ server: url, token, caPem: ca }, { clock });
    const leavingNodes = new Set(stage.nodes.map(({ name }) => name));
    const view = await cluster.read({ devices: true, leavingNodes });
    const demands = new Map(view.resourceClaims.map(({ name, demand: read }) => [name, read]));
    const wanted = new Map(world.resourceClaimTemplates.map(({ name, demand: of }) => [name, of]));
    return [
      ...view.unreadable.map(({ kind, name, field }) => `${kind} ${name} cannot be read: ${field}`),
      ...stage.planned.flatMap(({ pod }) => {
        const [read, of] = [demands.get(pod.name), wanted.get(pod.resourceClaims[0]!.templateName!)];
        return isDeepStrictEqual(read, of) ? [] : [`claim ${pod.name} reads as ${JSON.stringify(read)}`];
      }),
      ...world.resourceSlices.flatMap(({ nodeName, devices }) => {
        const read = view.resourceSlices.find((one) => one.nodeName === nodeName)?.devices;
        return isDeepStrictEqual(read, devices) ? [] : [`devices of ${nodeName} read as ${JSON.stringify(read)}`];
      }),
    ];
  }

  it.each([
    ["any devices", false],
    ["devices that match", true],
  ])(`agree on every pod of ${worldsPlayed} plans, for %s`, { timeout: 600_000 }, async (_, constrained) => {
    const wrong: string[] = [];
    let bound = 0;
    for (const played of sample(constrained)) {
      await raise(played);
      const { planned } = played.stage;
      for (const { pod, node } of played.index % 2 === 0 ? planned : [...planned].reverse()) {
        const problem = await bind(played.world, pod, node);
        if (problem === undefined) bound++;
        else wrong.push(`world ${played.index} of seed ${seed}: ${problem}`);
      }
      wrong.push(...(await misread(played)));
      await clear();
    }
    console.log(`kube-scheduler found ${bound} pods their devices (${driver} and others) where the plans put them`);
    expect(wrong).toEqual([]);
    expect(bound).toBeGreaterThan(worldsPlayed * 3);
  });
});
