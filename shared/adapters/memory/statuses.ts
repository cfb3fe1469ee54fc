// What is said of objects: status conditions and fields, and Events. What nobody reads back is kept beside the objects.
import type { CapacityBuffer, NodeClass, NodeOverlay, NodePool, RequirementSpec } from "../../core/model/index.ts";
import type { Clock, Cluster, ConditionedKind, KubeEvent, StatusCondition } from "../../ports/index.ts";
import { check } from "./precondition.ts";
import type { Table } from "./table.ts";

export interface StoredCondition extends StatusCondition {
  /** When it took its present status. */
  readonly changedAtMs: number;
}

export interface StoredEvent extends KubeEvent {
  readonly count: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

/** Objects whose status is written here. */
export interface ConditionedTables {
  readonly nodePools: Table<NodePool>;
  readonly nodeClasses: Table<NodeClass>;
  readonly nodeOverlays: Table<NodeOverlay>;
  readonly capacityBuffers: Table<CapacityBuffer>;
}

export interface Statuses extends Pick<Cluster, "setConditions" | "publish"> {
  readonly events: readonly StoredEvent[];
  /** Of an object by name, of one in a namespace by `namespace/name`. */
  conditionsOf(kind: ConditionedKind, key: string): readonly StoredCondition[];
  statusOf(kind: ConditionedKind, key: string): Readonly<Record<string, unknown>>;
}

export function statusMethods(
  { nodePools, nodeClasses, nodeOverlays, capacityBuffers }: ConditionedTables,
  clock: Pick<Clock, "now">,
): Statuses {
  interface Status {
    readonly conditions: readonly StoredCondition[];
    readonly status: Readonly<Record<string, unknown>>;
  }
  const statuses = new Map<string, Status>();
  const events: StoredEvent[] = [];
  return {
    events,
    conditionsOf: (kind, name) => statuses.get(`${kind}/${name}`)?.conditions ?? [],
    statusOf: (kind, name) => statuses.get(`${kind}/${name}`)?.status ?? {},
    async setConditions(object, conditions, status = {}) {
      const holders = {
        NodePool: nodePools,
        EC2NodeClass: nodeClasses,
        NodeOverlay: nodeOverlays,
        CapacityBuffer: capacityBuffers,
      };
      const named = object.namespace === undefined ? object.name : `${object.namespace}/${object.name}`;
      const there = holders[object.kind].get(named);
      const outcome = check(there, { uid: object.uid });
      if (outcome !== "done") return outcome;
      const key = `${object.kind}/${named}`;
      const before = statuses.get(key);
      statuses.set(key, {
        conditions: mergeConditions(before?.conditions ?? [], conditions, clock.now()),
        status: Object.fromEntries(
          Object.entries({ ...before?.status, ...status }).filter(([, value]) => value !== null),
        ),
      });
      if (object.kind === "EC2NodeClass") applyClassStatus(nodeClasses, object.name, conditions, status);
      return "done";
    },
    async publish(event) {
      const nowMs = clock.now();
      const at = events.findIndex(({ key }) => key === event.key);
      const { repeatAfterMs = 0 } = event;
      if (events[at]?.message === event.message && nowMs - events[at].lastAtMs < repeatAfterMs) return;
      if (at < 0) events.push({ ...event, count: 1, firstAtMs: nowMs, lastAtMs: nowMs });
      else events[at] = { ...events[at]!, message: event.message, count: events[at]!.count + 1, lastAtMs: nowMs };
    },
  };
}

/** New conditions beside those of other types; one whose status stays keeps the time at which it became so. */
function mergeConditions(
  present: readonly StoredCondition[],
  conditions: readonly StatusCondition[],
  nowMs: number,
): readonly StoredCondition[] {
  const set = conditions.map((condition) => {
    const before = present.find(({ type }) => type === condition.type);
    return { ...condition, changedAtMs: before?.status === condition.status ? before.changedAtMs : nowMs };
  });
  return [...present.filter(({ type }) => !conditions.some((c) => c.type === type)), ...set];
}

/** What a reader of the API makes of a class's status. */
function applyClassStatus(
  nodeClasses: Table<NodeClass>,
  name: string,
  conditions: readonly StatusCondition[],
  status: Readonly<Record<string, unknown>>,
): void {
  const there = nodeClasses.get(name)!;
  const found = status as {
    amis?: readonly {
      id: string;
      name?: string;
      requirements: readonly (Omit<RequirementSpec, "values"> & { values?: readonly string[] })[];
    }[];
    subnets?: readonly { id: string; zone: string; zoneID?: string }[];
    securityGroups?: readonly { id: string }[];
    instanceProfile?: string;
  };
  const ready = conditions.find((condition) => condition.type === "Ready");
  const { readyMessage: _, ...kept } = there;
  nodeClasses.put({
    ...kept,
    ready: ready === undefined ? there.ready : ready.status === "True",
    ...(ready === undefined || ready.status === "True" ? {} : { readyMessage: ready.message }),
    resolved: {
      ...there.resolved,
      ...(found.amis === undefined
        ? {}
        : {
            amis: found.amis.map(({ requirements, id, name: image }) => ({
              id,
              ...(image === undefined ? {} : { name: image }),
              requirements: requirements.map((one) => ({ ...one, values: one.values ?? [] })),
            })),
          }),
      ...(found.subnets === undefined
        ? {}
        : {
            subnets: found.subnets.map((s) => ({
              id: s.id,
              zone: s.zone,
              ...(s.zoneID === undefined ? {} : { zoneId: s.zoneID }),
            })),
          }),
      ...(found.securityGroups === undefined ? {} : { securityGroupIds: found.securityGroups.map((g) => g.id) }),
      ...(found.instanceProfile === undefined ? {} : { instanceProfile: found.instanceProfile }),
    },
  });
}
