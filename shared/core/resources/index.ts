// Quantities as integers and vectors of them. Answers to Kubernetes' resource.Quantity and Karpenter's resource lists, but
// every amount is one exact integer in the resource's base unit (cpu: milli; memory and storage: bytes; the rest: units),
// so that sums and comparisons never depend on how somebody wrote a number.
export { parseGoDurationMs } from "./duration.ts";
export { formatQuantity, formatResources } from "./format.ts";
export {
  ceilDiv,
  isByteResource,
  parseQuantity,
  parseResources,
  QuantityError,
  type Rounding,
} from "./quantity.ts";
export {
  addResources,
  exceeding,
  fits,
  raiseResources,
  resourcesEqual,
  subtractResources,
  sumResources,
} from "./vector.ts";
