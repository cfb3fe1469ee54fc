// CapacityBuffers: room that is kept for pods that don't exist yet. Answers to Karpenter's capacity buffers (feature gate
// CapacityBuffer). Each is so many virtual pods of the lowest priority, placed after all others: they make nodes, but nobody
// is nominated for them, and whoever comes takes their room.
import type { BufferRoom, CapacityBuffer, PlanWarning, Pod, ProvisioningPlan, Snapshot } from "../model/index.ts";
import { podKey } from "../scheduling/index.ts";

/** Below every priority that Kubernetes lets a pod have. */
const leastPriority = -2_147_483_649;
/** Nobody means more: a slip in a count must not end in a plan of millions. */
const maxVirtualPods = 10_000;

const fakePod = "karpenter.sh/capacity-buffer-fake-pod";

export interface Headroom {
  readonly pods: readonly Pod[];
  /** Keys of virtual pods → the buffer. */
  readonly bufferOf: ReadonlyMap<string, CapacityBuffer>;
  /** Buffers that keep no room, and why. */
  readonly warnings: readonly PlanWarning[];
}

/** The virtual pods of a snapshot's buffers; none while the feature gate is off. */
export function headroomOf({ settings, capacityBuffers }: Snapshot): Headroom {
  const pods: Pod[] = [];
  const bufferOf = new Map<string, CapacityBuffer>();
  const warnings: PlanWarning[] = [];
  if (!settings.featureGates.capacityBuffer) return { pods, bufferOf, warnings };
  for (const buffer of [...capacityBuffers].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) {
    if (buffer.fault !== undefined) {
      warnings.push({ object: `CapacityBuffer/${keyOf(buffer)}`, message: `no room is kept: ${buffer.fault.message}` });
    }
    for (let i = 0; i < buffer.replicas && pods.length < maxVirtualPods && buffer.template !== undefined; i++) {
      const pod = virtualPod(buffer, buffer.template, i);
      pods.push(pod);
      bufferOf.set(podKey(pod), buffer);
    }
  }
  return { pods, bufferOf, warnings };
}

const keyOf = ({ namespace, name }: CapacityBuffer): string => `${namespace}/${name}`;

function virtualPod(
  { uid, namespace, name }: CapacityBuffer,
  template: NonNullable<CapacityBuffer["template"]>,
  index: number,
): Pod {
  return {
    ...template,
    annotations: {
      ...template.annotations,
      [fakePod]: "true",
      "karpenter.sh/capacity-buffer-name": name,
      "karpenter.sh/capacity-buffer-namespace": namespace,
    },
    schedulingGates: [],
    priority: leastPriority,
    uid: `${uid}/${index}`,
    namespace,
    // No pod's name has a colon.
    name: `buffer:${name}:${index}`,
    resourceVersion: "",
    createdAtMs: 0,
    phase: "Pending",
    unschedulable: true,
    ready: false,
    mirror: false,
  };
}

/** The plan as people and commits may see it: no virtual pod has a place or a verdict; what is short of room is a warning. */
export function withoutVirtualPods(plan: ProvisioningPlan, { bufferOf, warnings: faults }: Headroom): ProvisioningPlan {
  if (bufferOf.size + faults.length === 0) return plan;
  const buffers = roomOf(plan, bufferOf);
  const real = (names: readonly string[]): readonly string[] => names.filter((name) => !bufferOf.has(name));
  const short = new Map<CapacityBuffer, { count: number; reason: string }>();
  for (const { pod, reason } of plan.unschedulable) {
    const buffer = bufferOf.get(pod);
    if (buffer !== undefined) short.set(buffer, { count: (short.get(buffer)?.count ?? 0) + 1, reason });
  }
  const warnings = [...short].map(([buffer, { count, reason }]) => ({
    object: `CapacityBuffer/${keyOf(buffer)}`,
    message: `room for ${count} of its ${buffer.replicas} pods is missing: ${reason}`,
  }));
  return {
    ...plan,
    claims: plan.claims.map((claim) => ({ ...claim, pods: real(claim.pods) })),
    placements: plan.placements
      .map(({ target, pods }) => ({ target, pods: real(pods) }))
      .filter(({ pods }) => pods.length > 0),
    unschedulable: plan.unschedulable.filter(({ pod }) => !bufferOf.has(pod)),
    ignored: plan.ignored.filter(({ pod }) => !bufferOf.has(pod)),
    warnings: [...plan.warnings, ...faults, ...warnings],
    buffers,
  };
}

function roomOf(
  { claims, placements }: ProvisioningPlan,
  bufferOf: ReadonlyMap<string, CapacityBuffer>,
): readonly BufferRoom[] {
  const count = (holders: readonly { readonly pods: readonly string[] }[]): ReadonlyMap<CapacityBuffer, number> => {
    const counts = new Map<CapacityBuffer, number>();
    for (const name of holders.flatMap(({ pods }) => pods)) {
      const buffer = bufferOf.get(name);
      if (buffer !== undefined) counts.set(buffer, (counts.get(buffer) ?? 0) + 1);
    }
    return counts;
  };
  const [existing, coming] = [count(placements), count(claims)];
  return [...new Set(bufferOf.values())].map((buffer) => ({
    namespace: buffer.namespace,
    name: buffer.name,
    existing: existing.get(buffer) ?? 0,
    coming: coming.get(buffer) ?? 0,
  }));
}

/** Nodes and claims that hold room for buffers, by what a placement names: they are not empty. */
export function targetsWithHeadroom(plan: ProvisioningPlan, { bufferOf }: Headroom): ReadonlySet<string> {
  return new Set(
    plan.placements.filter(({ pods }) => pods.some((name) => bufferOf.has(name))).map(({ target }) => target),
  );
}
