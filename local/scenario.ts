// One pass of the main job, as a user would drive it: apply, wait, lose a spot node, scale down, wait.
import type { WorldClock } from "./clock.ts";
import type { KubeObject, ObjectStore } from "./kube/types.ts";
import type { Ledger } from "./ledger.ts";
import { workloadPods } from "./observer.ts";
import type { Terminal } from "./show/terminal.ts";
import type { Interruption, PassResult } from "./summary.ts";

/** A wait fails only when it took this long in the world and in reality: a slow host is no reason. */
const patienceMs = { world: 20 * 60_000, real: 60_000 };
const checkEveryMs = 500;

export interface ScenarioOptions {
  readonly kube: ObjectStore;
  readonly clock: WorldClock;
  readonly ledger: Ledger;
  readonly terminal: Terminal;
  readonly startMs: number;
  readonly workloads: readonly KubeObject[];
  apply(object: KubeObject): void;
  /** Warns a spot instance; false if it can't be interrupted. */
  interrupt(instanceId: string): boolean;
  /** Resolves when the ledger is up to date. */
  look(): Promise<void>;
}

/** Undefined: it came true. Otherwise how long it was waited for, in words. */
async function waitUntil(clock: WorldClock, isSo: () => boolean): Promise<string | undefined> {
  const worldStart = clock.now();
  const realStart = performance.now();
  while (!isSo()) {
    const worldMs = clock.now() - worldStart;
    if (worldMs > patienceMs.world && performance.now() - realStart > patienceMs.real) {
      return `${Math.round(worldMs / 60_000)} minutes`;
    }
    await clock.sleep(checkEveryMs);
  }
  return undefined;
}

/** Plays the pass; its result says how far it came. */
export async function playPass(options: ScenarioOptions): Promise<PassResult> {
  const { kube, clock, terminal, startMs } = options;
  const say = (text: string) => terminal.news(clock.now() - startMs, text, "strong");
  const running = () => workloadPods(kube).filter((p) => p.status?.phase === "Running").length;
  const asked = () => workloadPods(kube).length;
  const wanted = wantedPods(options.workloads);

  say(`applying ${options.workloads.length} workload objects: ${wanted} pods`);
  for (const object of options.workloads) options.apply(object);
  const late = await waitUntil(clock, () => asked() >= wanted && running() === asked());
  const peak = { asked: Math.max(wanted, asked()), running: running(), pending: asked() - running() };
  if (late !== undefined) {
    say(`gave up after ${late}: ${peak.pending} pods pending`);
    return { ...peak, interruption: none };
  }
  await options.look();
  const interruption = await loseSpotNode(options, say);

  say("scaling every Deployment to zero");
  for (const object of options.workloads.filter((o) => o.kind === "Deployment")) scaleToZero(kube, object);
  const left = () => [...options.ledger.claims.values()].filter((c) => c.goneAtMs === undefined).length;
  const alive = () => [...options.ledger.instances.values()].filter((i) => i.state !== "terminated").length;
  const stuck = await waitUntil(clock, () => left() === 0 && alive() === 0);
  say(stuck === undefined ? "every node is gone" : `gave up after ${stuck}: ${left()} claims are left`);
  await options.look();
  return { ...peak, interruption };
}

const none: Interruption = { node: null, replaced: false, podsLost: 0, secondsToReplacement: null };

function wantedPods(workloads: readonly KubeObject[]): number {
  return workloads.reduce(
    (sum, o) => sum + (o.kind === "Deployment" ? (o.spec.replicas ?? 1) : o.kind === "Pod" ? 1 : 0),
    0,
  );
}

function scaleToZero(kube: ObjectStore, object: KubeObject): void {
  const key = { namespace: object.metadata.namespace ?? "default", name: object.metadata.name! };
  kube.modify("deployments.apps", key, (draft) => {
    draft.spec.replicas = 0;
  });
}

/**
 * Interrupts the spot node with the most pods and waits until as many pods run as before, none of them those that ran there.
 * Not told by the node's name: a new instance may get the address of the one that went, and so its name.
 */
async function loseSpotNode(options: ScenarioOptions, say: (text: string) => void): Promise<Interruption> {
  const { kube, clock, ledger } = options;
  const podsOn = (node: string) => workloadPods(kube).filter((p) => p.spec.nodeName === node);
  const victim = [...ledger.claims.values()]
    .map((c) => c.latest)
    .filter((c) => c.instance?.capacityType === "spot" && c.initializedAtMs !== undefined && c.deletion === undefined)
    .map((c) => ({ claim: c, node: c.nodeName!, pods: podsOn(c.nodeName!).length }))
    .sort((a, b) => b.pods - a.pods || (a.node < b.node ? -1 : 1))[0];
  if (victim === undefined) {
    say("no spot instance to interrupt");
    return none;
  }
  const wanted = workloadPods(kube).length;
  const old = new Set(podsOn(victim.node).map((p) => p.metadata.uid));
  const start = clock.now();
  say(`spot interruption warning for ${victim.claim.instance!.id} (${victim.node}, ${victim.pods} pods)`);
  if (!options.interrupt(victim.claim.instance!.id)) return none;
  const back = () =>
    workloadPods(kube).filter((p) => p.status?.phase === "Running" && !old.has(p.metadata.uid)).length >= wanted;
  const late = await waitUntil(clock, back);
  const seconds = Math.round((clock.now() - start) / 100) / 10;
  const gone = await waitUntil(clock, () => ledger.claims.get(victim.claim.name)?.goneAtMs !== undefined);
  await options.look();
  const podsLost = ledger.podsLost.filter((l) => l.node === victim.node).reduce((sum, l) => sum + l.pods.length, 0);
  say(late === undefined ? `its pods run elsewhere after ${seconds} s` : `its pods did not come back in ${late}`);
  return {
    node: victim.node,
    replaced: late === undefined && gone === undefined,
    podsLost,
    secondsToReplacement: late === undefined ? seconds : null,
  };
}
