import type { PodSpec } from "./pod.ts";

/** The one strategy there is (Karpenter's): nodes run for the room. */
export const activeCapacity = "buffer.x-k8s.io/active-capacity";

/** Room that is kept free for pods that don't exist yet. What it refers to is looked up when it is read. */
export interface CapacityBuffer {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
  readonly generation: number;
  /** How the room is kept. With a strategy that is not ours the buffer is somebody else's. */
  readonly strategy: string;
  /** The PodTemplate that is counted in; absent where a workload is. */
  readonly podTemplate?: { readonly name: string; readonly generation: number };
  /** How many pods room is kept for; 0 where the reference leads nowhere. */
  readonly replicas: number;
  /** What such a pod is like; absent with `fault`. */
  readonly template?: PodSpec;
  /** Why no room is kept, under Karpenter's reasons of ReadyForProvisioning. */
  readonly fault?: { readonly reason: string; readonly message: string };
}
