// From what EC2 says of its instance types to what a planner needs: labels, capacity, overhead, offerings. Answers to the
// instance type provider of Karpenter's AWS provider, and must give what it gives (labels and allocatable amounts are
// facts that people's pods rely on). Pure: prices, zones and refusals come in with the catalog and the node class.
export { type AmiFamilyTraits, amiFamilyTraits } from "./ami-family.ts";
export { assembleCatalog, countOfferings, shrinkage } from "./assemble.ts";
export { ebsAttachLimit } from "./attach-limit.ts";
export { eniLimitedPods } from "./capacity.ts";
export type { Ec2Description } from "./description.ts";
export { descriptionFault } from "./description.ts";
export { type DeclaredDevices, declaredDevices } from "./devices.ts";
export { expandInstanceFamilies } from "./families.ts";
export { buildInstanceTypes, withRefusals } from "./instance-types.ts";
export { offeringPriceMicroUsd, zonesHere } from "./offerings.ts";
export {
  type JudgedOverlays,
  judgeOverlays,
  type OverlaidPool,
  type OverlayFault,
  openOverlays,
  overlaidTypes,
  type ReadOverlay,
} from "./overlays.ts";
export { overlaidPools, type PoolTypes, poolTypes, templateRequirements } from "./pool-types.ts";
export { reservationClosesAtMs, withReservations } from "./reservations.ts";
export { isOpen, offeringAllows, offeringLabels, reservationLabels, typeAllows, typeMeets } from "./selection.ts";
export { trimDescription } from "./trim-description.ts";
