import {
  type AmiFamily,
  type BlockDevice,
  type KubeletSettings,
  type NodeClass,
  own,
  type RequirementSpec,
} from "../../core/model/index.ts";
import { ec2NodeClassHash } from "../hash.ts";
import { type EC2NodeClassSpec, type EC2NodeClassStatus, ec2NodeClassKind } from "../kinds/ec2-node-class.ts";
import { operators } from "../kinds/parts.ts";
import { amounts, choice, converting, FieldProblem, given, timeOr } from "./fields.ts";
import { metadataOf } from "./metadata.ts";
import { accepted } from "./node-pool.ts";

const familyOfAlias: Readonly<Record<string, AmiFamily>> = {
  al2: "AL2",
  al2023: "AL2023",
  bottlerocket: "Bottlerocket",
  windows2019: "Windows2019",
  windows2022: "Windows2022",
  windows2025: "Windows2025",
};

/** The family that is written down, or that the alias says; the schema sees to it that there is one. */
function amiFamilyOf(spec: EC2NodeClassSpec): AmiFamily {
  const alias = spec.amiSelectorTerms.find((term) => term.alias !== undefined)?.alias ?? "";
  return spec.amiFamily ?? own(familyOfAlias, alias.split("@")[0]!) ?? "Custom";
}

const volumeUnitBytes: Readonly<Record<string, number>> = { Gi: 2 ** 30, G: 1e9, Ti: 2 ** 40, T: 1e12 };

/** Whole GiB, rounded up as EC2 takes it: "20G" is 19 GiB. */
function volumeSizeGiB(size: string, field: string): number {
  const [, amount, unit] = /^([0-9]+)(Gi|G|Ti|T)$/.exec(size) ?? [];
  if (amount === undefined) throw new FieldProblem(field, `"${size}" has no amount; write for instance 20Gi`);
  return Math.ceil((Number(amount) * volumeUnitBytes[unit!]!) / 2 ** 30);
}

function blockDevicesOf(mappings: EC2NodeClassSpec["blockDeviceMappings"]): BlockDevice[] {
  return (mappings ?? []).map(({ deviceName, rootVolume, ebs = {} }, index) => {
    const field = `spec.blockDeviceMappings[${index}].ebs.volumeSize`;
    const size = ebs.volumeSize === undefined ? undefined : volumeSizeGiB(ebs.volumeSize, field);
    return {
      ...given("deviceName", deviceName),
      rootVolume: rootVolume ?? false,
      ...given("volumeSizeGiB", size),
      ...given("volumeType", ebs.volumeType),
      ...given("iops", ebs.iops),
      ...given("throughput", ebs.throughput),
      ...given("encrypted", ebs.encrypted),
      ...given("kmsKeyId", ebs.kmsKeyID),
      ...given("snapshotId", ebs.snapshotID),
      ...given("deleteOnTermination", ebs.deleteOnTermination),
      ...given("volumeInitializationRate", ebs.volumeInitializationRate),
    };
  });
}

function kubeletOf(kubelet: EC2NodeClassSpec["kubelet"] = {}): KubeletSettings {
  const reserved = (field: "kubeReserved" | "systemReserved") =>
    kubelet[field] === undefined ? undefined : amounts(kubelet[field], "up", `spec.kubelet.${field}`);
  return {
    ...given("maxPods", kubelet.maxPods),
    ...given("podsPerCore", kubelet.podsPerCore),
    ...given("kubeReserved", reserved("kubeReserved")),
    ...given("systemReserved", reserved("systemReserved")),
    ...given("evictionHard", kubelet.evictionHard),
    ...given("evictionSoft", kubelet.evictionSoft),
  };
}

function resolvedOf(status: EC2NodeClassStatus): NodeClass["resolved"] {
  return {
    amis: (status.amis ?? []).map(({ id, name, requirements }, ami) => ({
      id,
      ...given("name", name),
      requirements: requirements.map(({ key, operator, values }, index): RequirementSpec => {
        const field = `status.amis[${ami}].requirements[${index}].operator`;
        return { key, operator: choice(operator, operators, field), values: values ?? [] };
      }),
    })),
    subnets: (status.subnets ?? []).map(({ id, zone, zoneID }) => ({ id, zone, ...given("zoneId", zoneID) })),
    securityGroupIds: (status.securityGroups ?? []).map(({ id }) => id),
    capacityReservations: (status.capacityReservations ?? []).map((reservation, index) => ({
      id: reservation.id,
      ownerId: reservation.ownerID,
      instanceType: reservation.instanceType,
      zone: reservation.availabilityZone,
      type: reservation.reservationType,
      interruptible: reservation.interruptible ?? false,
      matching: reservation.instanceMatchCriteria,
      ...given("endAtMs", timeOr(reservation.endTime, undefined, `status.capacityReservations[${index}].endTime`)),
    })),
    ...given("instanceProfile", status.instanceProfile),
  };
}

/**
 * An EC2NodeClass document as the core sees it. `caBundle` is the cluster's, which user data and so the hash contain.
 * @throws UnreadableObjectError naming class, field and what is wrong
 */
export function toNodeClass(document: unknown, caBundle = ""): NodeClass {
  return converting("EC2NodeClass", document, (written) => {
    const metadata = metadataOf(written);
    const { spec, status = {} } = accepted(ec2NodeClassKind, written);
    if (spec === undefined) throw new FieldProblem("spec", "is missing");
    const amiFamily = amiFamilyOf(spec);
    const ready = status.conditions?.find((condition) => condition.type === "Ready");
    return {
      uid: metadata.uid,
      name: metadata.name,
      resourceVersion: metadata.resourceVersion,
      generation: metadata.generation,
      ...given("deletionAtMs", metadata.deletionAtMs),
      hash: ec2NodeClassHash(spec, amiFamily, caBundle),
      amiFamily,
      amiSelectorTerms: spec.amiSelectorTerms,
      subnetSelectorTerms: spec.subnetSelectorTerms,
      securityGroupSelectorTerms: spec.securityGroupSelectorTerms,
      capacityReservationSelectorTerms: spec.capacityReservationSelectorTerms ?? [],
      ...given("role", spec.role),
      ...given("instanceProfile", spec.instanceProfile),
      ...given("userData", spec.userData),
      tags: spec.tags ?? {},
      blockDevices: blockDevicesOf(spec.blockDeviceMappings),
      ...given("instanceStorePolicy", spec.instanceStorePolicy),
      kubelet: kubeletOf(spec.kubelet),
      metadataOptions: spec.metadataOptions,
      ...given("associatePublicIpAddress", spec.associatePublicIPAddress),
      ...given("detailedMonitoring", spec.detailedMonitoring),
      resolved: resolvedOf(status),
      ready: ready?.status === "True",
      ...(ready === undefined || ready.status === "True" ? {} : { readyMessage: ready.message }),
    };
  });
}
