import { maxFleetTemplates } from "../limits.ts";
import {
  annotations,
  type BlockDevice,
  type FleetRequest,
  type InstanceType,
  type LaunchTemplate,
  labels,
  type NodeClaim,
  type NodeClass,
  tags,
  taints,
} from "../model/index.ts";
import { Requirements } from "../requirements/index.ts";
import { chooseOverrides, type LaunchSubnet, type TargetedReservation } from "./overrides.ts";
import { sha256Hex } from "./sha256.ts";
import { UserDataError, type UserDataInput, userDataFor } from "./user-data/index.ts";

export interface LaunchInput {
  readonly launchId: string;
  /** Interchangeable claims (`groupClaims`), sorted by name; at least one. */
  readonly claims: readonly NodeClaim[];
  readonly nodeClass: NodeClass;
  /** Types of that class, with refused offerings marked. */
  readonly types: readonly InstanceType[];
  readonly subnets: readonly LaunchSubnet[];
  readonly deployment: string;
  readonly epoch: string;
  readonly bootstrap: Pick<UserDataInput, "clusterName" | "endpoint" | "caBundle" | "serviceCidr" | "dnsAddress">;
}

export type LaunchOutcome =
  | { readonly kind: "request"; readonly request: FleetRequest }
  | { readonly kind: "refused"; readonly reason: string; readonly message: string };

/** The request that gives each claim of a group an instance, or why there is none. The same input gives the same bytes. */
export function planLaunch(input: LaunchInput): LaunchOutcome {
  const claim = input.claims[0]!;
  const { nodeClass } = input;
  const chosen = chooseOverrides(claim, input.types, nodeClass.resolved.amis, input.subnets);
  if ("reason" in chosen) return { kind: "refused", ...chosen };
  const base = tagsOf(input, claim);
  const templates = new Map<string, LaunchTemplate>();
  const overrides: FleetRequest["overrides"][number][] = [];
  try {
    const userData = userDataFor(nodeClass.amiFamily, userDataInput(input, claim, chosen.capacityType));
    for (const { reservation, ...override } of chosen.overrides) {
      const template = templateOf(nodeClass, override.imageId, userData, base, reservation);
      if (!templates.has(template.name) && templates.size === maxFleetTemplates) continue;
      templates.set(template.name, template);
      overrides.push({ ...override, template: template.name });
    }
  } catch (error) {
    if (error instanceof UserDataError) return { kind: "refused", reason: "UserDataInvalid", message: error.message };
    throw error;
  }
  const repriced = claim.annotations[annotations.priceOverlayApplied] !== undefined;
  const request: FleetRequest = {
    clientToken: input.launchId,
    count: input.claims.length,
    capacityType: chosen.capacityType,
    allocationStrategy: strategyOf(chosen.capacityType, repriced),
    templates: [...templates.values()],
    overrides: repriced ? overrides.map((override, priority) => ({ ...override, priority })) : overrides,
    tags: { ...base, [tags.launch]: input.launchId },
  };
  return { kind: "request", request };
}

function strategyOf(capacityType: FleetRequest["capacityType"], repriced: boolean): FleetRequest["allocationStrategy"] {
  if (capacityType === "spot") return repriced ? "capacity-optimized-prioritized" : "price-capacity-optimized";
  return repriced ? "prioritized" : "lowest-price";
}

/** Karpenter's tags (facts §3.4) and ours; a class's own tags come first and cannot replace them. */
function tagsOf(input: LaunchInput, claim: NodeClaim): Record<string, string> {
  const cluster = input.bootstrap.clusterName;
  return {
    ...input.nodeClass.tags,
    [tags.deployment]: input.deployment,
    [tags.epoch]: input.epoch,
    [tags.nodePool]: claim.nodePool,
    [tags.nodeClass]: claim.nodeClass,
    [tags.eksClusterName]: cluster,
    [`kubernetes.io/cluster/${cluster}`]: "owned",
  };
}

function userDataInput(input: LaunchInput, claim: NodeClaim, capacityType: string): UserDataInput {
  const { nodeClass } = input;
  const settled = Requirements.of(claim.requirements).settledLabels();
  return {
    ...input.bootstrap,
    labels: { ...settled, ...claim.labels, [labels.capacityType]: capacityType, [labels.nodePool]: claim.nodePool },
    taints: [...claim.taints, ...claim.startupTaints, taints.unregistered],
    kubelet: nodeClass.kubelet,
    ...(nodeClass.instanceStorePolicy === undefined ? {} : { instanceStorePolicy: nodeClass.instanceStorePolicy }),
    ...(nodeClass.userData === undefined ? {} : { custom: nodeClass.userData }),
  };
}

function templateOf(
  nodeClass: NodeClass,
  imageId: string,
  userData: string,
  base: Readonly<Record<string, string>>,
  reservation: TargetedReservation | undefined,
): LaunchTemplate {
  const profile = nodeClass.resolved.instanceProfile ?? nodeClass.instanceProfile;
  const content: Omit<LaunchTemplate, "name"> = {
    imageId,
    userData,
    securityGroupIds: [...nodeClass.resolved.securityGroupIds].sort(),
    ...(profile === undefined ? {} : { instanceProfile: profile }),
    blockDevices: nodeClass.blockDevices.length > 0 ? nodeClass.blockDevices : defaultDevices(nodeClass),
    metadataOptions: nodeClass.metadataOptions,
    detailedMonitoring: nodeClass.detailedMonitoring ?? false,
    ...(nodeClass.associatePublicIpAddress === undefined
      ? {}
      : { associatePublicIpAddress: nodeClass.associatePublicIpAddress }),
    ...(reservation === undefined ? {} : { capacityReservationId: reservation.id }),
    ...(reservation?.marketType === undefined ? {} : { marketType: reservation.marketType }),
    tags: base,
  };
  return { name: `timmerman/${sha256Hex(JSON.stringify(content)).slice(0, 40)}`, ...content };
}

const gp3 = { volumeType: "gp3", encrypted: true, deleteOnTermination: true } as const;

/** Volumes of a class that names none, as Karpenter gives them: by family. A Custom image keeps its own. */
function defaultDevices(nodeClass: NodeClass): readonly BlockDevice[] {
  switch (nodeClass.amiFamily) {
    case "Custom":
      return [];
    case "Bottlerocket":
      return [
        { deviceName: "/dev/xvda", rootVolume: false, volumeSizeGiB: 4, ...gp3 },
        { deviceName: "/dev/xvdb", rootVolume: true, volumeSizeGiB: 20, ...gp3 },
      ];
    case "Windows2019":
    case "Windows2022":
    case "Windows2025":
      return [{ deviceName: "/dev/sda1", rootVolume: true, volumeSizeGiB: 50, ...gp3 }];
    default:
      return [{ deviceName: "/dev/xvda", rootVolume: true, volumeSizeGiB: 20, ...gp3 }];
  }
}
