// Claims, volumes, storage classes and CSINodes, as far as they decide where pods can run. Volumes and classes of the old
// in-tree EBS driver read as those of its CSI successor, which serves them since Kubernetes 1.23.
import type {
  CsiNode,
  NodeSelectorTerm,
  PersistentVolume,
  PersistentVolumeClaim,
  RequirementSpec,
  StorageClass,
} from "../../core/model/index.ts";
import { nodeTermOf } from "./affinity.ts";
import {
  amounts,
  choice,
  converting,
  type Document,
  each,
  FieldProblem,
  fieldsOf,
  given,
  inside,
  isRecord,
  numberOr,
  text,
  textOr,
  texts,
} from "./fields.ts";
import { metadataOf } from "./metadata.ts";

/** In-tree provisioners by the CSI driver that took over from them (Kubernetes' CSI translation). */
const successors: Readonly<Record<string, string>> = { "kubernetes.io/aws-ebs": "ebs.csi.aws.com" };
const ebsDriver = "ebs.csi.aws.com";

/** The annotation of before there was a field for it; where it is set, Kubernetes still lets it win. */
const oldClassAnnotation = "volume.beta.kubernetes.io/storage-class";
const selectedNodeAnnotation = "volume.kubernetes.io/selected-node";
const defaultClassAnnotations = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];
const placeLabels: ReadonlySet<string> = new Set([
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
]);

function storageOf(value: unknown, field: string): number {
  return amounts(value, "up", field).storage ?? 0;
}

/** @throws UnreadableObjectError */
export function toPersistentVolumeClaim(document: unknown): PersistentVolumeClaim {
  return converting("PersistentVolumeClaim", document, (claim) => {
    const { uid, namespace, name, annotations, deletionAtMs, owner } = metadataOf(claim);
    const spec = fieldsOf(claim.spec, "spec");
    const accessModes = texts(spec.accessModes, "spec.accessModes");
    const named = annotations[oldClassAnnotation] ?? textOr(spec.storageClassName, undefined, "spec.storageClassName");
    return {
      uid,
      namespace: namespace ?? "default",
      name,
      ...given("storageClassName", named),
      ...given("volumeName", textOr(spec.volumeName, undefined, "spec.volumeName") || undefined),
      lost: fieldsOf(claim.status, "status").phase === "Lost",
      ...given("deletionAtMs", deletionAtMs),
      singlePod: accessModes.includes("ReadWriteOncePod"),
      accessModes,
      requestedBytes: storageOf(fieldsOf(spec.resources, "spec.resources").requests, "spec.resources.requests"),
      ...given("selectedNode", annotations[selectedNodeAnnotation] || undefined),
      ...given("ownerUid", owner?.kind === "Pod" ? owner.uid : undefined),
    };
  });
}

/** @throws UnreadableObjectError */
export function toPersistentVolume(document: unknown): PersistentVolume {
  return converting("PersistentVolume", document, (volume) => {
    const { name, labels, annotations, deletionAtMs } = metadataOf(volume);
    const spec = fieldsOf(volume.spec, "spec");
    const claimRef = fieldsOf(spec.claimRef, "spec.claimRef");
    const claimName = textOr(claimRef.name, undefined, "spec.claimRef.name");
    const claim =
      claimName === undefined
        ? undefined
        : `${textOr(claimRef.namespace, "default", "spec.claimRef.namespace")}/${claimName}`;
    const phase = textOr(fieldsOf(volume.status, "status").phase, "Available", "status.phase");
    const placed = Object.entries(labels).filter(([key]) => placeLabels.has(key));
    return {
      name,
      storageClassName: annotations[oldClassAnnotation] ?? textOr(spec.storageClassName, "", "spec.storageClassName"),
      labels: Object.fromEntries(placed),
      ...given("nodeAffinity", termsOf(spec.nodeAffinity)),
      ...sourceOf(spec),
      ...given("claim", claim),
      available: claim === undefined && phase === "Available",
      accessModes: texts(spec.accessModes, "spec.accessModes"),
      capacityBytes: storageOf(spec.capacity, "spec.capacity"),
      ...given("deletionAtMs", deletionAtMs),
    };
  });
}

function termsOf(nodeAffinity: unknown): readonly NodeSelectorTerm[] | undefined {
  const { required } = fieldsOf(nodeAffinity, "spec.nodeAffinity");
  if (required === undefined || required === null) return undefined;
  return inside(required, "spec.nodeAffinity.required", (selector) =>
    each(selector.nodeSelectorTerms, "nodeSelectorTerms", nodeTermOf),
  );
}

function sourceOf(spec: Document): Pick<PersistentVolume, "driver" | "handle"> {
  if (isRecord(spec.csi)) {
    return {
      driver: text(spec.csi.driver, "spec.csi.driver"),
      handle: text(spec.csi.volumeHandle, "spec.csi.volumeHandle"),
    };
  }
  if (!isRecord(spec.awsElasticBlockStore)) return {};
  const id = text(spec.awsElasticBlockStore.volumeID, "spec.awsElasticBlockStore.volumeID");
  // In-tree ids may have their zone before them: aws://us-east-1a/vol-1.
  return { driver: ebsDriver, handle: id.slice(id.lastIndexOf("/") + 1) };
}

/** @throws UnreadableObjectError */
export function toStorageClass(document: unknown): StorageClass {
  return converting("StorageClass", document, (storageClass) => {
    const { name, createdAtMs, annotations } = metadataOf(storageClass);
    const provisioner = text(storageClass.provisioner, "provisioner");
    return {
      name,
      createdAtMs,
      driver: successors[provisioner] ?? provisioner,
      bindingMode: choice(
        storageClass.volumeBindingMode,
        ["Immediate", "WaitForFirstConsumer"],
        "volumeBindingMode",
        "Immediate",
      ),
      allowedTopologies: each(storageClass.allowedTopologies, "allowedTopologies", (term) =>
        each(term.matchLabelExpressions, "matchLabelExpressions", topologyOf),
      ),
      isDefault: defaultClassAnnotations.some((key) => annotations[key] === "true"),
    };
  });
}

function topologyOf(expression: Document): RequirementSpec {
  const values = texts(expression.values, "values");
  if (values.length === 0) throw new FieldProblem("values", "needs at least one value");
  return { key: text(expression.key, "key"), operator: "In", values };
}

/** @throws UnreadableObjectError */
export function toCsiNode(document: unknown): CsiNode {
  return converting("CSINode", document, (node) => {
    const drivers = each(fieldsOf(node.spec, "spec").drivers, "spec.drivers", (driver): [string, number | null] => {
      const count = numberOr(fieldsOf(driver.allocatable, "allocatable").count, undefined, "allocatable.count");
      return [text(driver.name, "name"), count ?? null];
    });
    return { name: metadataOf(node).name, attachLimits: Object.fromEntries(drivers) };
  });
}
