// The requirements algebra: what a label may be. Answers to Karpenter's pkg/scheduling requirements. It differs on purpose
// in one point: a requirement is a set over label values AND "the label is absent", as Kubernetes' node selectors mean it.
// So `Exists` and `NotIn [a]` together still demand that the label is there, and an impossible requirement (`In []`) is
// not the same as `DoesNotExist`. Nothing here is chosen by chance; orders end in names.
export {
  normalizeLabelKey,
  normalizeLabels,
  restrictedLabelReason,
  unknownValuesReason,
  wellKnownLabels,
  wellKnownValues,
} from "./labels.ts";
export { Requirement, RequirementError } from "./requirement.ts";
export { type CompatibleOptions, Requirements } from "./requirements.ts";
