// Volumes and what ties them to places: claims, volumes, storage classes, and how many volumes a node takes.
import type { NodeSelectorTerm, RequirementSpec } from "../../core/model/index.ts";
import { nodeTermsOf } from "./affinity.ts";
import {
  amounts,
  choice,
  converting,
  each,
  fieldsOf,
  given,
  isRecord,
  numberOr,
  text,
  textOr,
  texts,
} from "./fields.ts";
import { metadataOf } from "./metadata.ts";

export interface VolumeClaim {
  readonly namespace: string;
  readonly name: string;
  /** Undefined: the default class. Empty: no class at all. */
  readonly storageClassName?: string;
  readonly volumeName?: string;
  /** The binding is done, not only asked for. */
  readonly bound: boolean;
  readonly requestedBytes?: number;
}

export interface Volume {
  readonly name: string;
  readonly storageClassName: string;
  /** OR'd terms that the node must meet; undefined: any node will do. */
  readonly nodeAffinity?: readonly NodeSelectorTerm[];
  readonly csiDriver?: string;
}

export interface StorageClass {
  readonly name: string;
  readonly provisioner: string;
  readonly isDefault: boolean;
  /** The volume is made where its first pod is put. */
  readonly waitsForPod: boolean;
  /** OR'd terms of places; empty: everywhere. */
  readonly allowedTopologies: readonly (readonly RequirementSpec[])[];
}

export interface CsiNode {
  readonly name: string;
  /** `maxVolumes` undefined: the driver sets no bound. */
  readonly drivers: readonly { readonly name: string; readonly maxVolumes?: number }[];
}

const bindCompleted = "pv.kubernetes.io/bind-completed";
const defaultClass = "storageclass.kubernetes.io/is-default-class";

/** @throws UnreadableObjectError */
export function toVolumeClaim(document: unknown): VolumeClaim {
  return converting("PersistentVolumeClaim", document, (claim) => {
    const { namespace, name, annotations } = metadataOf(claim);
    const spec = fieldsOf(claim.spec, "spec");
    const status = fieldsOf(claim.status, "status");
    const resources = fieldsOf(spec.resources, "spec.resources");
    const { storage } = amounts(resources.requests, "up", "spec.resources.requests");
    return {
      namespace: namespace ?? "default",
      name,
      ...given("storageClassName", textOr(spec.storageClassName, undefined, "spec.storageClassName")),
      ...given("volumeName", textOr(spec.volumeName, undefined, "spec.volumeName") || undefined),
      bound: status.phase === "Bound" || annotations[bindCompleted] !== undefined,
      ...given("requestedBytes", storage),
    };
  });
}

/** @throws UnreadableObjectError */
export function toVolume(document: unknown): Volume {
  return converting("PersistentVolume", document, (volume) => {
    const { name } = metadataOf(volume);
    const spec = fieldsOf(volume.spec, "spec");
    const affinity = fieldsOf(spec.nodeAffinity, "spec.nodeAffinity");
    return {
      name,
      storageClassName: textOr(spec.storageClassName, "", "spec.storageClassName"),
      ...given("nodeAffinity", nodeTermsOf(affinity.required, "spec.nodeAffinity.required")),
      ...(isRecord(spec.csi) ? { csiDriver: text(spec.csi.driver, "spec.csi.driver") } : {}),
    };
  });
}

/** @throws UnreadableObjectError */
export function toStorageClass(document: unknown): StorageClass {
  return converting("StorageClass", document, (storageClass) => {
    const { name, annotations } = metadataOf(storageClass);
    const mode = choice(
      storageClass.volumeBindingMode,
      ["Immediate", "WaitForFirstConsumer"],
      "volumeBindingMode",
      "Immediate",
    );
    return {
      name,
      provisioner: text(storageClass.provisioner, "provisioner"),
      isDefault: annotations[defaultClass] === "true",
      waitsForPod: mode === "WaitForFirstConsumer",
      allowedTopologies: each(storageClass.allowedTopologies, "allowedTopologies", (term) =>
        each(term.matchLabelExpressions, "matchLabelExpressions", ({ key, values }) => ({
          key: text(key, "key"),
          operator: "In" as const,
          values: texts(values, "values"),
        })),
      ),
    };
  });
}

/** @throws UnreadableObjectError */
export function toCsiNode(document: unknown): CsiNode {
  return converting("CSINode", document, (node) => ({
    name: metadataOf(node).name,
    drivers: each(fieldsOf(node.spec, "spec").drivers, "spec.drivers", (driver) => ({
      name: text(driver.name, "name"),
      ...given(
        "maxVolumes",
        numberOr(fieldsOf(driver.allocatable, "allocatable").count, undefined, "allocatable.count"),
      ),
    })),
  }));
}
