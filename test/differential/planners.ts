// Both planners on the same documents. Karpenter's solves many scenarios in one process.
import { spawn } from "node:child_process";
import { parseDocuments } from "../../cli/input/documents.ts";
import { sortByKind } from "../../cli/input/objects.ts";
import { readSettings } from "../../cli/input/settings.ts";
import { admittedPods, readSnapshot } from "../../cli/input/snapshot.ts";
import type { Snapshot } from "../../shared/core/model/index.ts";
import type { PrintedPlan } from "../bench/judged.ts";
import type { Scenario } from "./documents.ts";

export type Answer = { readonly plan: PrintedPlan } | { readonly error: string };

/** What our planner sees of a scenario. */
export function snapshotOf({ catalog, objects }: Scenario): Snapshot {
  const text = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
  const sorted = sortByKind(parseDocuments(text, "scenario"));
  const context = { catalog, settings: readSettings([]), nowMs: Date.parse("2026-12-01T00:00:00Z") };
  return readSnapshot(sorted, admittedPods(sorted), context).snapshot;
}

/** Karpenter's plan for each scenario, or why it made none. Rejects if the program ends early. */
export function askKarpenter(program: string, scenarios: readonly Scenario[]): Promise<Answer[]> {
  return new Promise((resolve, reject) => {
    const child = spawn("nice", ["-n", "5", program, "many", "--threads", "1", "--limit", "30s"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", (code) => {
      const answers = said.split("\n").filter((line) => line !== "");
      if (code === 0 && answers.length === scenarios.length) resolve(answers.map((line) => JSON.parse(line) as Answer));
      else reject(new Error(`Karpenter's scheduler ended with ${code} after ${answers.length} scenarios`));
    });
    child.stdin.end(scenarios.map((scenario) => `${JSON.stringify(scenario)}\n`).join(""));
  });
}
