import { objectRetryMs } from "../core/limits.ts";
import {
  activeCapacity,
  type BufferRoom,
  type CapacityBuffer,
  type ProvisioningPlan,
  type Snapshot,
} from "../core/model/index.ts";
import { bufferConditions } from "./conditions.ts";
import type { ClusterContext } from "./context.ts";
import { isolate, type RunLog } from "./report.ts";

/**
 * Says on each CapacityBuffer what it was understood as, and whether its room is there. Buffers with a strategy that is not
 * ours are somebody else's. Nothing is written where that is said already.
 */
export async function writeBufferStatus(
  context: ClusterContext,
  { settings, capacityBuffers, nowMs }: Snapshot,
  plan: Pick<ProvisioningPlan, "buffers">,
  log: RunLog,
): Promise<void> {
  if (!settings.featureGates.capacityBuffer) return;
  const rooms = new Map(plan.buffers.map((room) => [keyOf(room), room]));
  for (const buffer of capacityBuffers.filter(({ strategy }) => strategy === activeCapacity)) {
    const { namespace, name, uid } = buffer;
    await isolate(log, `CapacityBuffer ${keyOf(buffer)}`, nowMs + objectRetryMs, async () => {
      const conditions = bufferConditions(buffer, rooms.get(keyOf(buffer)));
      await context.cluster.setConditions(
        { kind: "CapacityBuffer", namespace, name, uid },
        conditions,
        fieldsOf(buffer),
      );
    });
  }
}

const keyOf = ({ namespace, name }: Pick<BufferRoom, "namespace" | "name">): string => `${namespace}/${name}`;

function fieldsOf({ strategy, replicas, podTemplate }: CapacityBuffer): Readonly<Record<string, unknown>> {
  return {
    provisioningStrategy: strategy,
    replicas,
    podTemplateRef: podTemplate === undefined ? null : { name: podTemplate.name },
    podTemplateGeneration: podTemplate?.generation ?? null,
  };
}
