import type { Budget, NodePool, RequirementSpec, Taint } from "../../core/model/index.ts";
import { nodePoolHash } from "../hash.ts";
import type { CustomResource, Resource } from "../kinds/custom-resource.ts";
import { type NodePoolSpec, nodePoolKind } from "../kinds/node-pool.ts";
import { parseResource } from "../kinds/parse.ts";
import { printFieldErrorBody } from "../schema/index.ts";
import { durationMs, durationOrNeverMs } from "./durations.ts";
import { amounts, converting, type Document, FieldProblem, given } from "./fields.ts";
import { metadataOf } from "./metadata.ts";

/** The document of one of our kinds as the API server would store it; the first thing wrong with it is thrown. */
export function accepted<Spec, Status>(kind: CustomResource<Spec, Status>, document: Document): Resource<Spec, Status> {
  const parsed = parseResource(kind, document);
  if (parsed.ok) return parsed.resource;
  const error = parsed.errors[0]!;
  throw new FieldProblem(error.path, printFieldErrorBody(error));
}

type WrittenRequirement = { key: string; operator: RequirementSpec["operator"]; values?: string[]; minValues?: number };
type WrittenTaint = { key: string; value?: string; effect: Taint["effect"] };

export function requirementsOf(written: readonly WrittenRequirement[]): RequirementSpec[] {
  return written.map(({ key, operator, values, minValues }) => ({
    key,
    operator,
    values: values ?? [],
    ...given("minValues", minValues),
  }));
}

export function taintsOf(written: readonly WrittenTaint[] | undefined): Taint[] {
  return (written ?? []).map(({ key, value, effect }) => ({ key, value: value ?? "", effect }));
}

function budgetsOf(budgets: NodePoolSpec["disruption"]["budgets"]): Budget[] {
  return budgets.map(({ nodes, reasons, schedule, duration }) => ({
    nodes,
    ...given("reasons", reasons),
    ...given("schedule", schedule),
    ...given("durationMs", duration === undefined ? undefined : durationMs(duration)),
  }));
}

/** @throws UnreadableObjectError naming pool, field and what is wrong */
export function toNodePool(document: unknown): NodePool {
  return converting("NodePool", document, (written) => {
    const metadata = metadataOf(written);
    const { spec } = accepted(nodePoolKind, written);
    const { template, disruption } = spec;
    return {
      uid: metadata.uid,
      name: metadata.name,
      resourceVersion: metadata.resourceVersion,
      generation: metadata.generation,
      createdAtMs: metadata.createdAtMs,
      ...given("deletionAtMs", metadata.deletionAtMs),
      hash: nodePoolHash(spec),
      weight: spec.weight ?? 0,
      ...given("replicas", spec.replicas),
      nodeClassRef: template.spec.nodeClassRef,
      requirements: requirementsOf(template.spec.requirements),
      labels: template.metadata?.labels ?? {},
      annotations: template.metadata?.annotations ?? {},
      taints: taintsOf(template.spec.taints),
      startupTaints: taintsOf(template.spec.startupTaints),
      expireAfterMs: durationOrNeverMs(template.spec.expireAfter),
      terminationGracePeriodMs:
        template.spec.terminationGracePeriod === undefined ? null : durationMs(template.spec.terminationGracePeriod),
      consolidationPolicy: disruption.consolidationPolicy,
      consolidateAfterMs: durationOrNeverMs(disruption.consolidateAfter),
      budgets: budgetsOf(disruption.budgets),
      limits: amounts(spec.limits, "down", "spec.limits"),
    };
  });
}
