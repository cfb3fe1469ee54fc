// Workloads from published traces, which the project does not contain: they are read from beside the repository, or
// from a folder that TIMMERMAN_TRACES names, and left out with a reason where they are absent.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tracePods } from "../trace-pods.ts";
import { deployment, type Manifest } from "./manifests.ts";

const beside = fileURLToPath(new URL("../../../../shared/data/traces/", import.meta.url));

/** Throws in words where the trace is absent. */
export class AbsentTrace extends Error {
  override name = "AbsentTrace";
}

function trace(name: string): string {
  const path = join(process.env.TIMMERMAN_TRACES ?? beside, name);
  if (!existsSync(path)) throw new AbsentTrace(`the trace ${name} is absent; TIMMERMAN_TRACES names its folder`);
  return readFileSync(path, "utf8");
}

/** The pods of Alibaba's GPU cluster trace (openb), whole GPUs only. */
export function openb(): Manifest[] {
  const { items } = tracePods(trace("openb_pod_list_default.csv")) as { items: Manifest[] };
  return items.filter(({ kind }) => kind === "Pod");
}

const sizes = [
  [100, 128],
  [250, 256],
  [250, 512],
  [500, 512],
  [500, 1024],
  [1000, 1024],
  [1000, 2048],
  [2000, 4096],
] as const;

/** The busiest minute of a day of Azure's functions: as many pods of each as ran at a time, of a size that its name picks. */
export function azure(): Manifest[] {
  const averageMs = new Map(rowsOf("azure_functions_2019_200_functions.csv").map(([fn, ms]) => [fn!, Number(ms)]));
  const minutes = new Map<string, Map<string, number>>();
  for (const [fn, minute, invocations] of rowsOf("azure_functions_2019_200_invocations.csv")) {
    const running = Math.ceil((Number(invocations) * averageMs.get(fn!)!) / 60_000);
    const at = minutes.get(minute!) ?? new Map<string, number>();
    minutes.set(minute!, at.set(fn!, running));
  }
  const total = (at: ReadonlyMap<string, number>) => [...at.values()].reduce((sum, one) => sum + one, 0);
  const peak = [...minutes.values()].reduce((most, at) => (total(at) > total(most) ? at : most));
  return [...peak]
    .filter(([, replicas]) => replicas > 0)
    .map(([fn, replicas]) => {
      const [milliCpu, memoryMiB] = sizes[createHash("sha256").update(`fn-${fn}`).digest()[0]! % sizes.length]!;
      return deployment(`fn-${fn.padStart(4, "0")}`, replicas, { milliCpu, memoryMiB });
    });
}

function rowsOf(name: string): string[][] {
  const [, ...lines] = trace(name).trim().split(/\r?\n/);
  return lines.map((line) => line.split(","));
}
