import { parseArgs } from "node:util";
import type { SourceDocument } from "../../cli/input/documents.ts";
import { type Objects, sortByKind } from "../../cli/input/objects.ts";
import { readSettings } from "../../cli/input/settings.ts";
import { admittedPods } from "../../cli/input/snapshot.ts";
import { InputError } from "../../cli/input-error.ts";
import type { Catalog, Settings } from "../../shared/core/model/index.ts";
import { catalogOf, documentsOf } from "./input.ts";

export interface Bench {
  readonly workloads: readonly string[];
  readonly objects: Objects;
  /** Distinct objects, made before any clock starts. */
  readonly pods: readonly SourceDocument[];
  readonly context: { readonly catalog: Catalog; readonly settings: Settings; readonly nowMs: number };
  readonly runs: number;
  readonly planOut: string | undefined;
  readonly bound: boolean;
  /** Pods in each batch of `batches`. */
  readonly batch: number;
  readonly output: "json" | "table";
}

/** Flags and input of `solve`, `batches` and `disrupt`. Throws InputError. */
export function readBench(argv: readonly string[]): Bench {
  const flags = parse(argv);
  const { workload: workloads = [], output = "json", runs = "3" } = flags;
  if (workloads.length === 0) throw new InputError("no input: name a file with --workload");
  if (output !== "json" && output !== "table") throw new InputError(`--output: "${output}" is neither json nor table`);
  if (!/^[1-9]\d{0,3}$/.test(runs)) throw new InputError(`--runs: "${runs}" is not a count from 1 to 9999`);
  const nowMs = flags.now === undefined ? Date.now() : Date.parse(flags.now);
  if (Number.isNaN(nowMs)) throw new InputError(`--now: "${flags.now}" is not a time`);
  if (!/^[1-9]\d{0,6}$/.test(flags.batch ?? "1000")) throw new InputError(`--batch: "${flags.batch}" is not a count`);
  const catalog = catalogOf(flags.catalog, flags.types);
  const options = { spot: flags.spot, daemonSet: flags.daemonset };
  const objects = sortByKind(documentsOf(workloads, catalog, options));
  return {
    workloads,
    objects,
    pods: admittedPods(objects),
    context: {
      catalog,
      settings: readSettings(flags.setting ?? []),
      nowMs,
    },
    runs: Number(runs),
    planOut: flags["plan-out"],
    bound: !flags["no-bound"],
    batch: Number(flags.batch ?? "1000"),
    output,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        workload: { type: "string", short: "f", multiple: true },
        catalog: { type: "string" },
        runs: { type: "string" },
        now: { type: "string" },
        setting: { type: "string", multiple: true },
        "plan-out": { type: "string" },
        "no-bound": { type: "boolean", default: false },
        types: { type: "string" },
        batch: { type: "string" },
        spot: { type: "boolean", default: false },
        daemonset: { type: "boolean", default: false },
        output: { type: "string", short: "o" },
      },
    }).values;
  } catch (cause) {
    throw new InputError((cause as Error).message.split(". ")[0]!, { cause });
  }
}
