// One workload through both planners, run after run in turn, both plans judged by the same judge.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sortByKind } from "../../../cli/input/objects.ts";
import { readSettings } from "../../../cli/input/settings.ts";
import { admittedPods, readSnapshot } from "../../../cli/input/snapshot.ts";
import type { Catalog, Snapshot } from "../../../shared/core/model/index.ts";
import { boundPerHour } from "../bound.ts";
import { documentsOf } from "../input.ts";
import { type Judgement, judged, type PrintedPlan } from "../judged.ts";
import { typesOf } from "../solve.ts";
import { median, round } from "../timing.ts";
import { writeManifests } from "../workload-file.ts";
import type { WorkloadOptions } from "../workloads/index.ts";
import { openPlayer, type Player, type Turn } from "./player.ts";

export interface CompareOptions extends WorkloadOptions {
  readonly program: string;
  readonly catalog: Catalog;
  readonly runs: number;
  readonly threads: number;
  /** Of one run of Karpenter, in Go's notation. */
  readonly limit: string;
  readonly ignorePreferences: boolean;
  readonly niceness: number;
  readonly bound: boolean;
  /** A folder for both plans; undefined: they are not kept. */
  readonly planOut: string | undefined;
}

export interface Side extends Omit<Judgement, "faults"> {
  /** First run of a new process. */
  readonly coldSeconds: number;
  /** Median of the later runs of that process; null if there was only one. */
  readonly warmSeconds: number | null;
  /** The search alone, without what comes before and after it. */
  readonly solveSeconds: { readonly cold: number; readonly warm: number | null };
  /** Processor time of all threads for the whole run, which other work on the machine disturbs least. */
  readonly cpuSeconds: { readonly cold: number; readonly warm: number | null };
  readonly podsPerSecond: number;
  readonly peakRssMiB: number;
  readonly timedOut: boolean;
  readonly faults: readonly string[];
}

export interface Comparison {
  readonly workload: string;
  readonly pods: number;
  readonly types: number;
  readonly runs: number;
  readonly boundPerHour: number | null;
  readonly loadAverage: { readonly before: number; readonly after: number };
  readonly ours: Side;
  readonly karpenter: Side;
  readonly ratio: {
    /** How many times as long Karpenter's search alone takes as our whole run, from objects to plan. */
    readonly coldTimes: number;
    readonly warmTimes: number;
    /** The same of processor time, whole runs of both. */
    readonly coldCpuTimes: number;
    readonly warmCpuTimes: number;
    readonly cost: number;
    readonly nodes: number;
    readonly peakRss: number;
  };
}

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
/** After a run of Karpenter that took longer it is not asked again. */
const patienceSeconds = 120;

export async function compare(workload: string, options: CompareOptions): Promise<Comparison> {
  const folder = mkdtempSync(join(tmpdir(), "bench-karpenter-"));
  try {
    const files = {
      manifests: join(folder, "manifests.json"),
      catalog: join(folder, "catalog.json"),
      ours: join(options.planOut ?? folder, `${nameOf(workload)}.ours.json`),
      karpenter: join(options.planOut ?? folder, `${nameOf(workload)}.karpenter.json`),
    };
    writeManifests(files.manifests, documentsOf([workload], options.catalog, options));
    writeFileSync(files.catalog, JSON.stringify(options.catalog));
    const before = loadavg()[0]!;
    const turns = await playInTurns(files, options);
    const after = loadavg()[0]!;
    const snapshot = snapshotOf(files.manifests, options.catalog);
    const plan = (path: string) => JSON.parse(readFileSync(path, "utf8")) as PrintedPlan;
    const ours = sideOf(turns.ours, judged(snapshot, plan(files.ours)));
    const karpenter = sideOf(turns.karpenter, judged(snapshot, plan(files.karpenter)));
    return {
      workload: labelOf(workload, options),
      pods: ours.placed + ours.unplaced,
      types: typesOf(snapshot),
      runs: options.runs,
      boundPerHour: options.bound && ours.unplaced === 0 ? await boundPerHour(snapshot) : null,
      loadAverage: { before: round(before, 1), after: round(after, 1) },
      ours,
      karpenter,
      ratio: ratioOf(ours, karpenter),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function nameOf(workload: string): string {
  return workload
    .split("/")
    .at(-1)!
    .replace(/\.json$/, "");
}

function labelOf(workload: string, { spot, daemonSet, ignorePreferences }: CompareOptions): string {
  const marks = [spot && "spot", daemonSet && "DaemonSet", ignorePreferences && "Ignore"].filter(
    (mark) => mark !== false,
  );
  return [nameOf(workload), ...marks].join(" + ");
}

function snapshotOf(manifests: string, catalog: Catalog): Snapshot {
  const objects = sortByKind(documentsOf([manifests], catalog, { spot: false, daemonSet: false }));
  const context = { catalog, settings: readSettings([]), nowMs: Date.now() };
  return readSnapshot(objects, admittedPods(objects), context).snapshot;
}

async function playInTurns(
  files: Readonly<Record<"manifests" | "catalog" | "ours" | "karpenter", string>>,
  options: CompareOptions,
): Promise<{ readonly ours: readonly Turn[]; readonly karpenter: readonly Turn[] }> {
  const { niceness, ignorePreferences, threads, limit } = options;
  const policy = ignorePreferences ? ["--setting", "preference-policy=Ignore"] : [];
  const input = ["-f", files.manifests, "--catalog", files.catalog];
  const mine = ["turns", ...input, "--plan-out", files.ours, ...policy];
  const theirs = ["turns", ...input, "--plan-out", files.karpenter, "--threads", String(threads), "--limit", limit];
  if (ignorePreferences) theirs.push("--ignore-preferences");
  const players: Player[] = [];
  try {
    const ours = await openPlayer(process.execPath, [main, ...mine], niceness);
    players.push(ours);
    const karpenter = await openPlayer(options.program, theirs, niceness);
    players.push(karpenter);
    let patient = true;
    for (let run = 0; run < options.runs; run++) {
      await ours.play();
      if (!patient) continue;
      const { timedOut, seconds } = await karpenter.play();
      patient = !timedOut && seconds <= patienceSeconds;
    }
    await Promise.all(players.map((player) => player.leave()));
    return { ours: ours.turns, karpenter: karpenter.turns };
  } finally {
    for (const player of players) player.stop();
  }
}

function sideOf(turns: readonly Turn[], judgement: Judgement): Side {
  const sorted = (of: (turn: Turn) => number) =>
    turns
      .slice(1)
      .map(of)
      .sort((a, b) => a - b);
  const warm = (of: (turn: Turn) => number) => (turns.length < 2 ? null : round(median(sorted(of)), 4));
  const cold = turns[0]!;
  const warmSeconds = warm(({ seconds }) => seconds);
  return {
    coldSeconds: round(cold.seconds, 4),
    warmSeconds,
    solveSeconds: { cold: round(cold.solveSeconds, 4), warm: warm(({ solveSeconds }) => solveSeconds) },
    cpuSeconds: { cold: round(cold.cpuSeconds, 4), warm: warm(({ cpuSeconds }) => cpuSeconds) },
    podsPerSecond: Math.round((judgement.placed + judgement.unplaced) / (warmSeconds ?? cold.seconds)),
    peakRssMiB: Math.round(turns.at(-1)!.peakRssMiB),
    timedOut: turns.some(({ timedOut }) => timedOut),
    ...judgement,
    costPerHour: round(judgement.costPerHour, 4),
  };
}

function ratioOf(ours: Side, karpenter: Side): Comparison["ratio"] {
  const theirs = karpenter.solveSeconds;
  return {
    coldTimes: round(theirs.cold / ours.coldSeconds, 1),
    warmTimes: round((theirs.warm ?? theirs.cold) / (ours.warmSeconds ?? ours.coldSeconds), 1),
    coldCpuTimes: round(karpenter.cpuSeconds.cold / ours.cpuSeconds.cold, 1),
    warmCpuTimes: round(
      (karpenter.cpuSeconds.warm ?? karpenter.cpuSeconds.cold) / (ours.cpuSeconds.warm ?? ours.cpuSeconds.cold),
      1,
    ),
    cost: round(ours.costPerHour / karpenter.costPerHour, 4),
    nodes: round(ours.nodes / karpenter.nodes, 2),
    peakRss: round(ours.peakRssMiB / karpenter.peakRssMiB, 2),
  };
}
