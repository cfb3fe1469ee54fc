// Plans of random worlds with volumes, played out with the real kube-scheduler: it must bind every pod where the plan put it,
// beside what runs there. The test stands in for the volume controller, the provisioner and the controller of ephemeral
// volumes; new nodes attach as many volumes as they were planned to.
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Pod, ProvisioningPlan, Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { keyOf, type Seen } from "../properties/feasibility.ts";
import { storedWorlds } from "../properties/stored-worlds.ts";
import { limitOf } from "../properties/volumes-judge.ts";
import { nodeDocument, podDocument } from "./agreement-documents.ts";
import { type PinningScheduler, startPinningScheduler } from "./agreement-scheduler.ts";
import { type Stage, stageOf } from "./agreement-stage.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { send } from "./http.ts";
import {
  claimDocument,
  claimSpec,
  classDocument,
  csiNodeDocument,
  given,
  provisioned,
  volumeDocument,
} from "./storage-documents.ts";

const noControlPlane = inject("noControlPlane");
const because = noControlPlane === undefined ? "" : ` (skipped: ${noControlPlane})`;
const seed = Number(process.env.TIMMERMAN_SEED ?? 20_261_204);
const worldsPlayed = Number(process.env.TIMMERMAN_WORLDS ?? 12);
const bindTimeoutMs = 15_000;

const zoneLabel = "topology.kubernetes.io/zone";
const drivers = ["ebs.csi.aws.com", "efs.csi.aws.com"];
const pods = "/api/v1/namespaces/default/pods";
const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
const volumes = "/api/v1/persistentvolumes";
const classes = "/apis/storage.k8s.io/v1/storageclasses";
const csiNodes = "/apis/storage.k8s.io/v1/csinodes";
const mergePatch = "application/merge-patch+json";

interface Played {
  readonly index: number;
  readonly world: Snapshot;
  readonly plan: ProvisioningPlan;
  readonly stage: Stage;
}

/** The drawn worlds in which most pods with volumes are placed. */
function sample(): Played[] {
  const storing = ({ planned }: Stage) => planned.filter(({ pod }) => pod.volumes.length > 0).length;
  return fc
    .sample(storedWorlds, { seed, numRuns: worldsPlayed * 12 })
    .map((world, index) => {
      const plan = planProvisioning(world);
      return { index, world, plan, stage: stageOf(world, plan, "cheapest") };
    })
    .sort((a, b) => storing(b.stage) - storing(a.stage))
    .slice(0, worldsPlayed);
}

describe.skipIf(noControlPlane !== undefined)(`kube-scheduler and plans of pods with volumes${because}`, () => {
  let plane: ControlPlane;
  let scheduler: PinningScheduler;
  beforeAll(async () => {
    plane = await startControlPlane({
      serverArguments: [
        "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition,StorageObjectInUseProtection",
      ],
    });
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
    for (const path of [pods, claims, volumes, classes, csiNodes, "/api/v1/nodes"]) {
      const { items } = await ask("GET", path);
      for (const { metadata } of items) await ask("DELETE", `${path}/${metadata.name}?gracePeriodSeconds=0`);
    }
  };

  async function raise({ world, stage, plan }: Played): Promise<void> {
    for (const one of world.storageClasses) await ask("POST", classes, classDocument(one));
    for (const one of world.persistentVolumes) await ask("POST", volumes, volumeDocument(one));
    for (const one of world.persistentVolumeClaims) {
      // One that is going, or whose volume is gone, no planned pod has.
      if (one.deletionAtMs === undefined && !one.lost) await ask("POST", claims, claimDocument(one));
    }
    const made = new Set(plan.claims.map(({ name }) => name));
    for (const node of stage.nodes) {
      await ask("POST", "/api/v1/nodes", nodeDocument(node));
      const type = node.labels["node.kubernetes.io/instance-type"]!;
      const known = made.has(node.name)
        ? { name: node.name, attachLimits: limitsOf(world, type) }
        : world.csiNodes.find(({ name }) => name === node.name);
      if (known !== undefined) await ask("POST", csiNodes, csiNodeDocument(known));
    }
    for (const { pod, node } of stage.residents) await ask("POST", pods, podDocument(pod, node));
  }

  /** Does what the controllers of storage would do for a pod that kube-scheduler waits with. */
  async function serve(world: Snapshot, pod: Pod, uid: string, node: Seen): Promise<void> {
    for (const { name, claimName, ephemeral, storageClassName } of pod.volumes) {
      let claim = (await send(plane, "GET", `${claims}/${claimName}`)).body;
      if (claim.kind !== "PersistentVolumeClaim" && ephemeral) {
        const owner = {
          apiVersion: "v1",
          kind: "Pod",
          name: pod.name,
          uid,
          controller: true,
          blockOwnerDeletion: true,
        };
        const spec = { ...claimSpec, ...given("storageClassName", storageClassName) };
        claim = await ask("POST", claims, { metadata: { name: claimName, ownerReferences: [owner] }, spec });
        expect(claimName).toBe(`${pod.name}-${name}`);
      }
      const chosen = claim.metadata?.annotations?.["volume.kubernetes.io/selected-node"];
      if (chosen !== node.name || claim.spec.volumeName !== undefined) continue;
      const found = world.storageClasses.find((one) => one.name === claim.spec.storageClassName)!;
      const made = provisioned({ namespace: "default", name: claimName }, found.driver, node.labels[zoneLabel]!);
      await ask("POST", volumes, made.volume);
      await ask("PATCH", `${claims}/${claimName}`, made.patch, mergePatch);
    }
  }

  async function bind(world: Snapshot, pod: Pod, node: Seen): Promise<string | undefined> {
    scheduler.pin(new Map([[keyOf(pod), node.name]]));
    const { metadata } = await ask("POST", pods, podDocument(pod));
    const deadline = performance.now() + bindTimeoutMs;
    for (;;) {
      await serve(world, pod, metadata.uid, node);
      const { spec, status } = await ask("GET", `${pods}/${pod.name}`);
      if (spec.nodeName === node.name) return undefined;
      const { message } = status.conditions?.find(({ type }: { type: string }) => type === "PodScheduled") ?? {};
      if (performance.now() > deadline)
        return `${keyOf(pod)} is not bound to ${node.name}: ${message ?? scheduler.problem()}`;
      await sleep(20);
    }
  }

  it(`agree on every pod of ${worldsPlayed} plans`, { timeout: 600_000 }, async () => {
    const wrong: string[] = [];
    let [bound, withVolumes] = [0, 0];
    for (const played of sample()) {
      await raise(played);
      for (const { pod, node } of played.stage.planned) {
        const on = played.stage.nodes.find(({ name }) => name === node)!;
        const problem = await bind(played.world, pod, on);
        if (problem === undefined) bound++;
        else wrong.push(`world ${played.index} of seed ${seed}: ${problem}`);
        if (pod.volumes.length > 0) withVolumes++;
      }
      await clear();
    }
    console.log(`kube-scheduler bound ${bound} pods where the plans put them, ${withVolumes} of them with volumes`);
    expect(wrong).toEqual([]);
    expect(withVolumes).toBeGreaterThan(worldsPlayed * 2);
  });
});

function limitsOf(world: Snapshot, type: string): Record<string, number | null> {
  return Object.fromEntries(
    drivers.map((driver) => {
      const limit = limitOf(world, type, driver);
      return [driver, Number.isFinite(limit) ? limit : null];
    }),
  );
}
