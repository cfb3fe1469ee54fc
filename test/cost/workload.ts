// What the counted cluster has to do. Nodes are of four vCPUs, so that how many there are does not hang on today's prices.
import type { KubeObject } from "../../local/kube/types.ts";
import { applyManifest, readManifests } from "../../local/manifests.ts";
import type { Bill, CostWorld } from "./world.ts";

const minuteMs = 60_000;

/** Nodes of the cluster at rest. */
export const standingNodes = 20;
/** Pods that come and go in a busy hour, on a tenth as many nodes. */
export const wavePods = 100;
export const waveNodes = 10;
/** Pods of the Deployment that is rolled out anew in a busy hour. */
export const rolledPods = 20;

function deployment(name: string, replicas: number, cpu: string, release: string): KubeObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "default" },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name }, annotations: { release } },
        spec: { containers: [{ name: "main", image: "app", resources: { requests: { cpu, memory: "1Gi" } } }] },
      },
    },
  } as unknown as KubeObject;
}

const apply = (world: CostWorld, object: KubeObject) =>
  applyManifest(world.kube.store, { object, source: "the counted workload" });

/** A cluster with its nodes, each full, and nothing that waits. */
export async function settleCluster(world: CostWorld): Promise<void> {
  const manifests = ["nodepool.yaml", "ec2nodeclass.yaml"].map(
    (file) => readManifests([new URL(`../../local/manifests/${file}`, import.meta.url).pathname])[0]!.object,
  );
  const [pool, nodeClass] = manifests as [KubeObject, KubeObject];
  pool.spec.template.spec.requirements.push({ key: "karpenter.k8s.aws/instance-cpu", operator: "In", values: ["4"] });
  pool.spec.disruption.budgets = [{ nodes: "50%" }];
  for (const object of [nodeClass, pool]) apply(world, object);
  await world.pass(minuteMs);
  apply(world, deployment("standing", standingNodes, "3700m", "1"));
  await world.pass(30 * minuteMs);
}

/** An hour with a wave of pods, a rollout and a spot interruption, after which the cluster is as it was. */
export async function busyHour(world: CostWorld): Promise<Bill> {
  const steps: readonly (readonly [number, () => void])[] = [
    [0, () => apply(world, deployment("wave", wavePods, "350m", "1"))],
    [10, () => apply(world, deployment("rolled", rolledPods, "100m", String(world.clock.now())))],
    [20, () => interruptSpot(world)],
    [35, () => apply(world, deployment("wave", 0, "350m", "1"))],
  ];
  for (const [minutes, step] of steps) world.clock.after(minutes * minuteMs, step);
  return await world.measure(60 * minuteMs);
}

/** The rolled Deployment's first release, which the busy hours replace. */
export async function deployFirstRelease(world: CostWorld): Promise<void> {
  apply(world, deployment("rolled", rolledPods, "100m", "first"));
  await world.pass(15 * minuteMs);
}

function interruptSpot(world: CostWorld): void {
  const newest = world.ec2
    .instances()
    .filter(({ state }) => state === "running")
    .findLast(({ id }) => world.ec2.interrupt(id));
  if (newest === undefined) throw new Error("no spot instance is there to be interrupted");
}

export function runningPods(world: CostWorld): number {
  return world.kube.store.list("pods").items.filter((pod) => pod.status?.phase === "Running").length;
}

export function nodes(world: CostWorld): number {
  return world.kube.store.list("nodes").items.length;
}
