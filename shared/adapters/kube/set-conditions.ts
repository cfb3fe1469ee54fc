import type { ConditionedKind, StatusCondition, WriteOutcome } from "../../ports/index.ts";
import { type Call, refusalOf } from "./call.ts";
import {
  documentIn,
  fieldManager,
  type KubeDocument,
  mergePatch,
  namedPath,
  namespacedPath,
  paths,
} from "./documents.ts";
import type { KubeRequest } from "./transport.ts";
import { writeOutcome, writeRefusals } from "./write-outcome.ts";

const maxRounds = 5;

interface WireCondition extends StatusCondition {
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

const collections: Readonly<Record<ConditionedKind, string>> = {
  NodePool: paths.nodePools,
  EC2NodeClass: paths.nodeClasses,
  NodeOverlay: paths.nodeOverlays,
  CapacityBuffer: paths.capacityBuffers,
};

export interface ConditionedObject {
  readonly kind: ConditionedKind;
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
}

/**
 * Sets status conditions and other fields of the status. A condition keeps its transition time while its status stays the
 * same; conditions and status fields of others stay; a field that is given becomes just what is given, with null none;
 * nothing is written if nothing changes. `observedGeneration` is the object's generation at the time of the write.
 */
export async function setConditions(
  call: Call,
  nowMs: number,
  object: ConditionedObject,
  conditions: readonly StatusCondition[],
  status: Readonly<Record<string, unknown>> = {},
): Promise<WriteOutcome> {
  const collection = collections[object.kind];
  const { namespace, name } = object;
  const path = namespace === undefined ? namedPath(collection, name) : namespacedPath(collection, namespace, name);
  for (let round = 0; round < maxRounds; round++) {
    const found = await call({ method: "GET", path }, [404]);
    if (found.status === 404) return "gone";
    const current = documentIn(found.body);
    if (current.metadata.uid !== object.uid) return "gone";
    const merged = mergeConditions(current, conditions, nowMs);
    const next = { ...status, conditions: merged };
    const same = Object.entries(next).every(([field, value]) => isSame(current.status?.[field] ?? null, value));
    if (same) return "done";
    const { uid, resourceVersion } = current.metadata;
    const request: KubeRequest = {
      method: "PATCH",
      path: `${path}/status`,
      query: fieldManager,
      contentType: mergePatch,
      body: { metadata: { uid, resourceVersion }, status: patchTo(current.status ?? {}, next) },
    };
    const outcome = await writeOutcome(call, path, uid, request, await call(request, writeRefusals));
    if (outcome !== "changed") return outcome;
  }
  throw refusalOf({ method: "PATCH", path }, { status: 409, body: { message: "its status keeps changing" } });
}

function mergeConditions(
  { metadata, status }: KubeDocument,
  conditions: readonly StatusCondition[],
  nowMs: number,
): WireCondition[] {
  const present = (status?.conditions ?? []) as readonly WireCondition[];
  const now = new Date(nowMs).toISOString().replace(/\.\d+Z$/, "Z");
  const set = conditions.map((condition): WireCondition => {
    const before = present.find(({ type }) => type === condition.type);
    return {
      ...condition,
      lastTransitionTime: before?.status === condition.status ? before.lastTransitionTime : now,
      ...(metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }),
    };
  });
  const others = present.filter(({ type }) => !conditions.some((c) => c.type === type));
  return [...others, ...set].sort((a, b) => (a.type < b.type ? -1 : 1));
}

/** A merge patch after which those fields are as given: keys of maps that are no longer there are taken away. */
function patchTo(
  present: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const isMap = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    Object.entries(wanted).map(([field, value]) => {
      const before = present[field];
      if (!isMap(value) || !isMap(before)) return [field, value];
      const gone = Object.keys(before).filter((key) => !(key in value));
      return [field, { ...patchTo(before, value), ...Object.fromEntries(gone.map((key) => [key, null])) }];
    }),
  );
}

/** Deep equality of JSON values, whatever the order of their keys. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => isSame(left[key], right[key]));
}
