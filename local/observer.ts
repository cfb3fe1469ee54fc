// Looks at the world a few times a real second, keeps the ledger, and tells the terminal what is new.
import type { ClaimStore } from "../shared/ports/index.ts";
import type { WorldClock } from "./clock.ts";
import { isTerminal } from "./cluster/replica-set.ts";
import type { ObjectStore } from "./kube/types.ts";
import { costNow, type InstanceTrack, type Ledger, noteClaims, noteInstance } from "./ledger.ts";
import type { Terminal, Tone } from "./show/terminal.ts";

const lookEveryRealMs = 400;

export interface ObserverOptions {
  readonly kube: ObjectStore;
  readonly claims: Pick<ClaimStore, "readState">;
  readonly instances: () => readonly InstanceTrack[];
  readonly cluster: string;
  readonly clock: WorldClock;
  readonly ledger: Ledger;
  readonly terminal: Terminal;
  readonly startMs: number;
  onError(component: string, key: string, error: unknown): void;
}

/** Pods that count: those of people, not of daemons, and not on their way out. */
export function workloadPods(kube: ObjectStore) {
  return kube
    .list("pods")
    .items.filter((p) => !isTerminal(p) && p.metadata.deletionTimestamp === undefined)
    .filter((p) => !p.metadata.ownerReferences?.some((o) => o.kind === "DaemonSet"));
}

/** Starts looking. `look` looks once more, at once; `stop` resolves when the last look is over. */
export function startObserver(options: ObserverOptions): { look(): Promise<void>; stop(): Promise<void> } {
  const { kube, clock, ledger, terminal } = options;
  const told = new Set<string>();
  let counts = "";

  const tell = (key: string, text: string, tone: Tone = "plain") => {
    if (told.has(key)) return;
    told.add(key);
    terminal.news(clock.now() - options.startMs, text, tone);
  };

  const lookAtPods = () => {
    const pods = workloadPods(kube);
    const present = new Set<string>();
    let running = 0;
    for (const pod of pods) {
      const uid = pod.metadata.uid!;
      present.add(uid);
      const key = `${pod.metadata.namespace}/${pod.metadata.name}`;
      const track = ledger.pods.get(uid) ?? { key, createdAtMs: Date.parse(pod.metadata.creationTimestamp!) };
      ledger.pods.set(uid, track);
      if (pod.spec.nodeName !== undefined) {
        track.boundAtMs ??= clock.now();
        track.nodeName = pod.spec.nodeName;
      }
      if (pod.status?.phase === "Running") {
        track.runningAtMs ??= clock.now();
        running++;
      }
    }
    for (const [uid, track] of ledger.pods) if (!present.has(uid)) track.goneAtMs ??= clock.now();
    const now = `pods: ${pods.length - running} pending, ${running} running`;
    if (now !== counts) {
      counts = now;
      terminal.news(clock.now() - options.startMs, now, running === pods.length && pods.length > 0 ? "good" : "plain");
    }
  };

  const lookAtClaims = async () => {
    const state = await options.claims.readState(options.cluster, clock.now());
    noteClaims(ledger, state?.claims ?? [], clock.now());
    for (const { name, latest, goneAtMs } of ledger.claims.values()) {
      const { instance, nodeName } = latest;
      tell(`${name} made`, `claim ${name}: ${latest.instanceTypes.length} types fit, pool ${latest.nodePool}`);
      if (instance !== undefined) {
        const price = (instance.priceMicroUsd / 1e6).toFixed(4);
        tell(
          `${name} launched`,
          `claim ${name}: ${instance.id} ${instance.instanceType} ${instance.capacityType} ${instance.zone} $${price}/h`,
        );
      }
      if (latest.registeredAtMs !== undefined) tell(`${name} registered`, `node ${nodeName} joined for ${name}`);
      if (latest.initializedAtMs !== undefined) tell(`${name} initialized`, `node ${nodeName} ready`, "good");
      if (latest.deletion !== undefined)
        tell(`${name} deleted`, `claim ${name} is to go: ${latest.deletion.reason}`, "faint");
      if (latest.launchFailure !== undefined)
        tell(`${name} refused`, `claim ${name}: ${latest.launchFailure.message}`, "bad");
      if (goneAtMs !== undefined) tell(`${name} gone`, `claim ${name} is gone`, "faint");
    }
  };

  const look = async () => {
    try {
      for (const instance of options.instances()) noteInstance(ledger, instance);
      lookAtPods();
      await lookAtClaims();
      const alive = [...ledger.claims.values()].filter((c) => c.goneAtMs === undefined).length;
      terminal.status(`${counts} | claims: ${alive} | $${(costNow(ledger) / 1e6).toFixed(4)}/h`);
    } catch (error) {
      options.onError("observer", options.cluster, error);
    }
  };

  let stopped = false;
  const loop = async () => {
    while (!stopped) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, lookEveryRealMs));
    }
  };
  const looking = loop();
  return {
    look,
    async stop() {
      stopped = true;
      await looking;
    },
  };
}
