/** The operators of a node selector requirement, with Karpenter's additions `Gte` and `Lte`. */
export type Operator = "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt" | "Gte" | "Lte";

/** A requirement as people write it. `shared/core/requirements` turns a list of these into the algebra's value type. */
export interface RequirementSpec {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
  /** At least this many distinct values must stay possible for the claim (Karpenter's flexibility floor). */
  readonly minValues?: number;
}
