import { objectRetryMs } from "../core/limits.ts";
import type { Snapshot } from "../core/model/index.ts";
import { overlayFaults } from "../core/scheduling/index.ts";
import { overlayConditions } from "./conditions.ts";
import type { ClusterContext } from "./context.ts";
import { isolate, type RunLog } from "./report.ts";

/** Says on each NodeOverlay whether it is in use, and if not, why. Nothing is written where that is said already. */
export async function writeOverlayStatus(context: ClusterContext, snapshot: Snapshot, log: RunLog): Promise<void> {
  if (!snapshot.settings.featureGates.nodeOverlay || snapshot.nodeOverlays.length === 0) return;
  const faults = overlayFaults(snapshot);
  for (const { name, uid } of snapshot.nodeOverlays) {
    await isolate(log, `NodeOverlay ${name}`, snapshot.nowMs + objectRetryMs, async () => {
      await context.cluster.setConditions({ kind: "NodeOverlay", name, uid }, overlayConditions(faults.get(name)));
    });
  }
}
