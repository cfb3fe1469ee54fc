// `timmerman local`, which is `npm start`: brings the embedded world up, plays the main job in it, and stays up for kubectl.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { clusterName } from "./cloud.ts";
import { type LocalFlags, readFlags, UsageError, usage } from "./flags.ts";
import { createLedger, type InstanceTrack, type Ledger } from "./ledger.ts";
import { applyManifest, type Manifest, readManifests } from "./manifests.ts";
import { startObserver } from "./observer.ts";
import { playPass } from "./scenario.ts";
import { reportLines } from "./show/report.ts";
import { createTerminal, type Terminal } from "./show/terminal.ts";
import { failureOf, type PriceOf, type Summary, summarize } from "./summary.ts";
import type { World } from "./world.ts";

/** Kinds that say what nodes may be, applied before the workload. */
const capacityKinds = new Set([
  "EC2NodeClass",
  "NodePool",
  "NodeOverlay",
  "CapacityBuffer",
  "Namespace",
  "PriorityClass",
]);

/** Runs the command; gives the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  let flags: LocalFlags;
  let manifests: Manifest[];
  try {
    flags = readFlags(argv);
    if (flags.help) {
      process.stdout.write(usage);
      return 0;
    }
    manifests = readManifests(
      flags.files.length > 0 ? flags.files : [new URL("./manifests", import.meta.url).pathname],
    );
  } catch (error) {
    return complain(error);
  }
  const terminal = createTerminal(flags.json ? process.stderr : process.stdout, process.env);
  const ledger = createLedger();
  let world: World | undefined;
  try {
    // Everything heavy comes with the world: a mistake in the flags is told at once.
    const { startWorld } = await import("./world.ts");
    world = await startWorld({
      speed: flags.speed,
      seed: flags.seed,
      port: flags.port,
      onError: (component, key, error) =>
        terminal.block(terminal.paint(`${component}: ${key}: ${oneLine(error)}`, "bad")),
      onPodsLost: (node, pods) => ledger.podsLost.push({ node, pods }),
      onNotice: (text) => terminal.block(text),
    });
    return await playIn(world, { flags, manifests, terminal, ledger });
  } catch (error) {
    return complain(error);
  } finally {
    terminal.end();
    await world?.stop();
  }
}

function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}

/** What the user can mend is one line; anything else is a crash. */
function complain(error: unknown): number {
  const inUse = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
  if (!(error instanceof UsageError) && !inUse) throw error;
  const text = inUse
    ? `--port: port ${(error as { port?: number }).port} is in use by another program`
    : oneLine(error);
  process.stderr.write(`timmerman local: ${text}\n`);
  return 1;
}

interface Play {
  readonly flags: LocalFlags;
  readonly manifests: readonly Manifest[];
  readonly terminal: Terminal;
  readonly ledger: Ledger;
}

async function playIn(world: World, { flags, manifests, terminal, ledger }: Play): Promise<number> {
  const startMs = world.clock.now();
  const realStartMs = performance.now();
  const kubeconfig = writeKubeconfig(world);
  terminal.block(`kubectl --kubeconfig ${kubeconfig} get nodepools`);
  const observer = startObserver({
    kube: world.kube.store,
    claims: world.store,
    instances: () => instancesOf(world),
    cluster: clusterName,
    clock: world.clock,
    ledger,
    terminal,
    startMs,
    onError: (component, key, error) =>
      terminal.block(terminal.paint(`${component}: ${key}: ${oneLine(error)}`, "bad")),
  });
  try {
    const ofCapacity = (m: Manifest) => capacityKinds.has(m.object.kind);
    for (const manifest of manifests.filter(ofCapacity)) applyManifest(world.kube.store, manifest);
    const workloads = manifests.filter((m) => !ofCapacity(m));
    const pass = await playPass({
      kube: world.kube.store,
      clock: world.clock,
      ledger,
      terminal,
      startMs,
      workloads: workloads.map((m) => m.object),
      apply: (object) => applyManifest(world.kube.store, workloads.find((m) => m.object === object)!),
      interrupt: (id) => world.ec2.interrupt(id),
      look: observer.look,
    });
    await observer.look();
    const summary = summarize({
      seed: flags.seed,
      ledger,
      pass,
      withoutClaim: await countUnclaimed(world, ledger),
      zones: world.catalog.zones.map((zone) => zone.name),
      priceOf: priceOf(world),
      kubeconfig,
      wallSeconds: (performance.now() - realStartMs) / 1000,
    });
    return await conclude(summary, flags, terminal, kubeconfig);
  } finally {
    await observer.stop();
    rmSync(dirname(kubeconfig), { recursive: true, force: true });
  }
}

async function conclude(summary: Summary, flags: LocalFlags, terminal: Terminal, kubeconfig: string): Promise<number> {
  terminal.end();
  if (flags.json) process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
  else for (const line of reportLines(summary, terminal)) terminal.block(line);
  const failure = failureOf(summary);
  if (failure !== undefined) process.stderr.write(`timmerman local: ${failure}\n`);
  if (flags.once) return failure === undefined ? 0 : 1;
  terminal.block("The world stays up until Ctrl-C. For example:");
  for (const command of [
    "get nodepools",
    "scale deployment web --replicas 10",
    "get nodes -L karpenter.sh/nodepool -w",
  ]) {
    terminal.block(`  kubectl --kubeconfig ${kubeconfig} ${command}`);
  }
  await new Promise<void>((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
  return failure === undefined ? 0 : 1;
}

function writeKubeconfig(world: World): string {
  const path = join(mkdtempSync(join(tmpdir(), "timmerman-")), "kubeconfig");
  writeFileSync(path, world.kube.kubeconfig().yaml, { mode: 0o600 });
  return path;
}

function priceOf({ catalog }: World): PriceOf {
  return (type, zone, capacityType) => {
    const usd = capacityType === "spot" ? catalog.spot[type]?.[zone] : catalog.onDemand[type];
    return usd === undefined ? undefined : Math.round(usd * 1e6);
  };
}

function instancesOf(world: World): InstanceTrack[] {
  const price = priceOf(world);
  return world.ec2.instances().map(({ id, pool, state }) => ({
    id,
    instanceType: pool.instanceType,
    zone: pool.zone,
    capacityType: pool.capacityType,
    priceMicroUsd: price(pool.instanceType, pool.zone, pool.capacityType) ?? 0,
    state,
  }));
}

/** Instances that are there and that no claim's record knows. */
async function countUnclaimed(world: World, ledger: Ledger): Promise<number> {
  const alive = [...ledger.instances.values()].filter((i) => i.state === "pending" || i.state === "running");
  const known = await Promise.all(alive.map((i) => world.store.findInstance(i.id)));
  return known.filter((claim) => claim === undefined).length;
}
