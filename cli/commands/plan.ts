import { parseArgs } from "node:util";
import { readCatalogFile, readDefaultCatalog } from "../../shared/adapters/catalog/index.ts";
import { planDisruption } from "../../shared/core/disruption/index.ts";
import type { Catalog, Snapshot } from "../../shared/core/model/index.ts";
import {
  explainPods,
  headroomTargets,
  type PodExplanation,
  planProvisioning,
} from "../../shared/core/provisioning/index.ts";
import { OperationError } from "../../shared/ports/index.ts";
import { readDocuments } from "../input/documents.ts";
import { sortByKind } from "../input/objects.ts";
import { refuseInvalidPods } from "../input/refusals.ts";
import { readSettings } from "../input/settings.ts";
import { admittedPods, readSnapshot } from "../input/snapshot.ts";
import { InputError } from "../input-error.ts";
import { type PlanDocument, planDocument } from "../output/plan-document.ts";
import { planTable } from "../output/plan-table.ts";
import { planYaml } from "../output/plan-yaml.ts";
import type { Terminal } from "../terminal.ts";

const usage = `Usage: timmerman plan -f PATH [-f PATH …] [flags]

Reads Kubernetes manifests, needs no cluster and no AWS, and prints what the provisioner would do next. It calls the
planning functions that the Lambdas call.

  -f, --filename PATH    a YAML or JSON file, a directory of them, or - for standard input (repeatable)
      --catalog FILE     instance types, offerings and prices (JSON; default: the shipped catalog of us-east-1, whose
                         spot prices are estimates)
      --now TIME         plan as of this moment, such as 2026-12-01T12:00:00Z (default: now)
      --only PART        provisioning or disruption
      --setting N=V      a setting of Karpenter's, such as preference-policy=Ignore or
                         feature-gates=SpotToSpotConsolidation=true (repeatable)
      --explain POD      why this pod goes where it goes, or nowhere: a name, or namespace/name (repeatable)
  -o, --output FORMAT    table (default), json or yaml
  -h, --help             this text

Exit codes: 0 every pod has a place; 2 some pod has none (the plan is printed all the same); 1 bad input.
`;

interface PlanFlags {
  readonly paths: readonly string[];
  readonly catalog: string | undefined;
  readonly nowMs: number;
  readonly only: "provisioning" | "disruption" | undefined;
  readonly settings: readonly string[];
  /** Pods to explain, as they were named. */
  readonly explain: readonly string[];
  readonly output: "table" | "json" | "yaml";
}

/** `timmerman plan`. Throws InputError for what people can mend; nothing is on standard output then. */
export async function runPlan(argv: readonly string[], terminal: Terminal): Promise<number> {
  const flags = readFlags(argv, terminal.now());
  if (flags === undefined) {
    terminal.out(usage);
    return 0;
  }
  const settings = readSettings(flags.settings);
  const catalog = readCatalog(flags.catalog);
  const documents = readDocuments(flags.paths);
  const objects = sortByKind(documents, settings.defaultSpread !== undefined);
  const { snapshot, notes } = readSnapshot(objects, admittedPods(objects), { catalog, settings, nowMs: flags.nowMs });
  refuseInvalidPods(objects);
  const named = podsNamed(snapshot, flags.explain);
  const explained = named.length === 0 ? [] : explainPods(snapshot, named);
  const plan = planOf(snapshot, flags.only, explained);
  const nothing = documents.length === 0 ? [`no manifest was read from ${flags.paths.join(", ")}`] : [];
  for (const note of [...nothing, ...objects.notes, ...notes]) terminal.err(`${note}\n`);
  terminal.out(printed(plan, flags.output, terminal));
  return plan.unschedulable.length > 0 ? 2 : 0;
}

/** Both plans of a snapshot. Disruption sees where pods are about to go, as it would after the commit. */
export function planOf(
  snapshot: Snapshot,
  only?: "provisioning" | "disruption",
  explained: readonly PodExplanation[] = [],
): PlanDocument {
  const provisioning = only === "disruption" ? undefined : planProvisioning(snapshot);
  const placements = [...snapshot.placements, ...(provisioning?.placements ?? [])];
  const after = { ...snapshot, placements };
  const disruption = only === "provisioning" ? undefined : planDisruption(after, headroomTargets(after));
  return planDocument(snapshot, provisioning, disruption, explained);
}

/** The pods that `--explain` names, each once. Throws InputError for a name that no pod has, or several. */
function podsNamed({ pods }: Snapshot, names: readonly string[]): readonly string[] {
  const keys = names.map((name) => {
    const matching = pods
      .filter((pod) => name === `${pod.namespace}/${pod.name}` || name === pod.name)
      .map((pod) => `${pod.namespace}/${pod.name}`)
      .sort();
    if (matching.length > 1) {
      throw new InputError(
        `--explain: ${matching.length} pods are named "${name}": ${matching.slice(0, 3).join(", ")}`,
      );
    }
    if (matching.length === 0) throw new InputError(`--explain: there is no pod "${name}" in the input`);
    return matching[0]!;
  });
  return [...new Set(keys)];
}

function printed(plan: PlanDocument, output: PlanFlags["output"], terminal: Terminal): string {
  if (output === "json") return `${JSON.stringify(plan, null, 2)}\n`;
  if (output === "yaml") return planYaml(plan);
  return planTable(plan, terminal.paint);
}

function readFlags(argv: readonly string[], nowMs: number): PlanFlags | undefined {
  const values = parseFlags(argv);
  if (values.help) return undefined;
  const { filename: paths = [], output = "table", only, now } = values;
  if (paths.length === 0) throw new InputError("no input: name a file or directory with -f (--help tells more)");
  if (output !== "table" && output !== "json" && output !== "yaml") {
    throw new InputError(`--output: "${output}" is none of table, json, yaml`);
  }
  if (only !== undefined && only !== "provisioning" && only !== "disruption") {
    throw new InputError(`--only: "${only}" is neither provisioning nor disruption`);
  }
  return {
    paths,
    catalog: values.catalog,
    nowMs: now === undefined ? nowMs : nowMsOf(now),
    only,
    settings: values.setting ?? [],
    explain: values.explain ?? [],
    output,
  };
}

function parseFlags(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        filename: { type: "string", short: "f", multiple: true },
        catalog: { type: "string" },
        now: { type: "string" },
        only: { type: "string" },
        setting: { type: "string", multiple: true },
        explain: { type: "string", multiple: true },
        output: { type: "string", short: "o" },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (cause) {
    throw new InputError(`${(cause as Error).message.split(". ")[0]} (--help tells the flags)`, { cause });
  }
}

const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** Date.parse takes the 31st of February for the 3rd of March. */
function nowMsOf(text: string): number {
  const [, year, month, day] = rfc3339.exec(text) ?? [];
  const isDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  const ms = isDay ? Date.parse(text.toUpperCase()) : Number.NaN;
  if (Number.isNaN(ms)) throw new InputError(`--now: "${text}" is not a time such as 2026-12-01T12:00:00Z`);
  return ms;
}

function readCatalog(path: string | undefined): Catalog {
  if (path === undefined) return readDefaultCatalog();
  try {
    return readCatalogFile(path);
  } catch (cause) {
    if (!(cause instanceof OperationError)) throw cause;
    throw new InputError(cause.message, { cause });
  }
}
