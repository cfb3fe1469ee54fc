import type { Command, DisruptionPlan, PlanWarning, Snapshot } from "../model/index.ts";
import { candidatesOf } from "./candidates.ts";
import { emptiness } from "./methods/emptiness.ts";
import { expiry } from "./methods/expiry.ts";
import type { Method } from "./methods/method.ts";
import { surplus } from "./methods/surplus.ts";

/** In this order; a claim that one takes is no candidate of the next. Expiry and surplus nodes of static pools come before all budgets. */
const methods: readonly Method[] = [expiry, surplus, emptiness];

/**
 * Which nodes are to go now, and why each of the others stays. Commands that are open already are not repeated; their
 * candidates count against budgets. `holding`: claims that hold room for CapacityBuffers (`headroomTargets`), which stay.
 * It is handed in, as only clusters with buffers need the planner to know it.
 */
export function planDisruption(snapshot: Snapshot, holding: ReadonlySet<string> = new Set()): DisruptionPlan {
  const candidates = candidatesOf(snapshot, holding);
  const commands: Command[] = [];
  const warnings: PlanWarning[] = [];
  const verdicts = new Map<string, Set<string>>();
  let eligible: NonNullable<DisruptionPlan["eligible"]> = {};
  const taken = new Set<string>();
  let next = Number.POSITIVE_INFINITY;
  for (const method of methods) {
    const result = method(
      snapshot,
      candidates.filter(({ claim }) => !taken.has(claim.name)),
    );
    commands.push(...result.commands);
    eligible = { ...eligible, ...result.eligible };
    warnings.push(...result.warnings);
    next = Math.min(next, result.nextChangeAtMs);
    for (const name of result.commands.flatMap((command) => command.candidates)) taken.add(name);
    for (const [name, reasons] of result.verdicts) {
      const known = verdicts.get(name) ?? new Set<string>();
      verdicts.set(name, known);
      for (const reason of reasons) known.add(reason);
    }
  }
  return {
    commands,
    blocked: candidates
      .filter(({ claim }) => !taken.has(claim.name))
      .map(({ claim, node }) => ({ node: node?.name ?? claim.name, reasons: [...(verdicts.get(claim.name) ?? [])] }))
      .sort((a, b) => (a.node < b.node ? -1 : 1)),
    eligible,
    warnings,
    nextChangeAtMs: next === Number.POSITIVE_INFINITY ? null : next,
  };
}
