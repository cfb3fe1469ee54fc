// Storage in literals, over the small world of fixtures.ts.
import type {
  CsiNode,
  NodeSelectorTerm,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodVolume,
  StorageClass,
} from "../../../shared/core/model/index.ts";
import { gi, pod, req, zone } from "./fixtures.ts";

export const ebs = "ebs.csi.aws.com";

export function volumeOf(claimName: string, over: Partial<PodVolume> = {}): PodVolume {
  return { name: claimName, claimName, ephemeral: false, ...over };
}

/** A pod that uses these claims. */
export function storing(name: string, claims: readonly string[], over: Partial<Pod> = {}): Pod {
  return pod(name, { volumes: claims.map((claim) => volumeOf(claim)), ...over });
}

export function pvc(name: string, over: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim {
  return {
    uid: `uid-pvc-${name}`,
    namespace: "default",
    name,
    lost: false,
    singlePod: false,
    accessModes: ["ReadWriteOnce"],
    requestedBytes: gi,
    ...over,
  };
}

/** A claim that is bound to the volume `pv-<name>`. */
export function boundPvc(name: string, over: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim {
  return pvc(name, { volumeName: `pv-${name}`, ...over });
}

export function pv(claim: string, over: Partial<PersistentVolume> = {}): PersistentVolume {
  return {
    name: `pv-${claim}`,
    storageClassName: "gp3",
    labels: {},
    driver: ebs,
    handle: `vol-${claim}`,
    claim: `default/${claim}`,
    available: false,
    accessModes: ["ReadWriteOnce"],
    capacityBytes: gi,
    ...over,
  };
}

export function terms(...all: readonly (readonly [string, ...string[]])[]): readonly NodeSelectorTerm[] {
  return all.map(([key, ...values]) => ({ expressions: [req(key, "In", ...values)], fields: [] }));
}

/** A volume of EBS in a zone. */
export function zonal(claim: string, ...zones: readonly string[]): PersistentVolume {
  return pv(claim, { nodeAffinity: terms(["topology.ebs.csi.aws.com/zone", ...zones]) });
}

export function storageClass(name: string, over: Partial<StorageClass> = {}): StorageClass {
  return {
    name,
    createdAtMs: 0,
    driver: ebs,
    bindingMode: "WaitForFirstConsumer",
    allowedTopologies: [],
    isDefault: false,
    ...over,
  };
}

export function topologies(...zones: readonly string[]): StorageClass["allowedTopologies"] {
  return zones.map((name) => [req(zone, "In", name)]);
}

export function csiNode(name: string, count: number | null, driver = ebs): CsiNode {
  return { name, attachLimits: { [driver]: count } };
}
