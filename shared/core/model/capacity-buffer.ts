import type { PodSpec } from "./pod.ts";

/** Room that is kept free for pods that don't exist yet. What it refers to is looked up when it is read. */
export interface CapacityBuffer {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
  readonly generation: number;
  /** How many pods room is kept for; 0 where the reference leads nowhere. */
  readonly replicas: number;
  /** What such a pod is like; absent with `fault`. */
  readonly template?: PodSpec;
  /** Why no room is kept, under Karpenter's reasons of ReadyForProvisioning. */
  readonly fault?: { readonly reason: string; readonly message: string };
}
