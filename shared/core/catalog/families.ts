import type { InstanceType, PlanWarning, RequirementSpec } from "../model/index.ts";

const familyLabel = "karpenter.k8s.aws/instance-family";
const categoryLabel = "karpenter.k8s.aws/instance-category";

/**
 * A category where a family belongs (`instance-family In ["m", "c"]`, as the guide's pools have it) means that
 * category's families. Karpenter finds no type for it. Where every value is a category, the requirement becomes one of
 * `instance-category`; beside families, or with minValues (which counts families), categories become their families,
 * sorted. A warning for each replaced one; families that do not exist stay as they are.
 */
export function expandInstanceFamilies(
  nodePool: { readonly name: string; readonly requirements: readonly RequirementSpec[] },
  types: readonly InstanceType[],
): { readonly requirements: readonly RequirementSpec[]; readonly warnings: readonly PlanWarning[] } {
  const suspects = nodePool.requirements.some(({ key, values }) => key === familyLabel && values.some(isBare));
  if (!suspects) return { requirements: nodePool.requirements, warnings: [] };
  const familiesOf = new Map<string, Set<string>>();
  for (const { labels } of types) {
    const category = labels[categoryLabel]?.[0];
    const family = labels[familyLabel]?.[0];
    if (category === undefined || family === undefined) continue;
    const families = familiesOf.get(category);
    if (families === undefined) familiesOf.set(category, new Set([family]));
    else families.add(family);
  }
  const warnings: PlanWarning[] = [];
  const requirements = nodePool.requirements.map((requirement, index) => {
    if (requirement.key !== familyLabel) return requirement;
    const categories = requirement.values.filter((value) => isBare(value) && familiesOf.has(value));
    if (categories.length === 0) return requirement;
    warnings.push(warningFor(nodePool.name, index, categories));
    if (categories.length === requirement.values.length && requirement.minValues === undefined) {
      return { ...requirement, key: categoryLabel };
    }
    const values = new Set(requirement.values.filter((value) => !categories.includes(value)));
    for (const category of categories) for (const family of familiesOf.get(category)!) values.add(family);
    return { ...requirement, values: [...values].sort() };
  });
  return { requirements, warnings };
}

/** Every family has a number in it; a category has none. */
function isBare(value: string): boolean {
  return /^[a-z]+$/.test(value);
}

function warningFor(pool: string, index: number, categories: readonly string[]): PlanWarning {
  const listed = categories.map((category) => `"${category}"`).join(", ");
  const isOne = categories.length === 1;
  const what = isOne ? "is a category, not a family" : "are categories, not families";
  const read = isOne ? "every family of that category" : "every family of those categories";
  return {
    object: `NodePool/${pool}`,
    field: `spec.template.spec.requirements[${index}].values`,
    message: `${listed} ${what}: read as ${read}; say so with the label ${categoryLabel}`,
  };
}
