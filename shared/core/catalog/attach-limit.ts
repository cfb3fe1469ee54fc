import type { InstanceTypeDescription } from "../model/index.ts";
import type { Ec2Description } from "./description.ts";

/** A Nitro instance attaches 28 things, of which one is its first network interface (EC2 user guide, "volume limits"). */
const nitroAttachments = 27;
/** The EBS CSI driver's bound for instances before Nitro: more do attach, but not reliably. */
const xenAttachments = 39;
/** VPC CNI attaches a second interface as soon as a node runs its first pods (WARM_ENI_TARGET is 1). */
const furtherInterfaces = 1;

/**
 * How many EBS volumes the CSI driver will say that a new node of this type takes (`CSINode.spec.drivers[].allocatable`).
 * EC2's `MaximumEbsAttachments` counts the node's own volumes, and of a type whose attachments are shared already leaves
 * out its first network interface, its instance stores and accelerators. The driver takes off the node's own volumes
 * and the other interfaces that it finds; at least one is left. `ownVolumes`: block devices of the node class.
 */
export function ebsAttachLimit(described: InstanceTypeDescription, ownVolumes: number): number {
  const { EbsInfo: ebs, Hypervisor: hypervisor } = described as Ec2Description;
  const most = ebs?.MaximumEbsAttachments ?? (hypervisor === "xen" ? xenAttachments : nitroAttachments);
  const isShared = ebs?.AttachmentLimitType !== "dedicated";
  return Math.max(1, most - Math.max(1, ownVolumes) - (isShared ? furtherInterfaces : 0));
}
