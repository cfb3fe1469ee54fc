import { labels, own, type RequirementSpec } from "../model/index.ts";

const awsLabels = [
  "capacity-reservation-id",
  "capacity-reservation-type",
  "capacity-reservation-interruptible",
  "instance-hypervisor",
  "instance-encryption-in-transit-supported",
  "instance-category",
  "instance-capability-flex",
  "instance-family",
  "instance-generation",
  "instance-size",
  "instance-local-nvme",
  "instance-cpu",
  "instance-cpu-manufacturer",
  "instance-cpu-sustained-clock-speed-mhz",
  "instance-memory",
  "instance-ebs-bandwidth",
  "instance-network-bandwidth",
  "instance-gpu-name",
  "instance-gpu-manufacturer",
  "instance-gpu-count",
  "instance-gpu-memory",
  "instance-accelerator-name",
  "instance-accelerator-manufacturer",
  "instance-accelerator-count",
  "instance-tenancy",
  "placement-group-id",
  "placement-group-partition",
] as const;

/** Labels whose values the catalog knows: they may be asked for though a NodePool does not name them (facts §3.4). */
export const wellKnownLabels: ReadonlySet<string> = new Set([
  labels.nodePool,
  labels.zone,
  labels.region,
  labels.instanceType,
  labels.arch,
  labels.os,
  labels.capacityType,
  "node.kubernetes.io/windows-build",
  labels.zoneId,
  ...awsLabels.map((name) => `karpenter.k8s.aws/${name}`),
]);

/** Labels with a closed list of values: a requirement that names none of them can never be met. */
export const wellKnownValues: Readonly<Record<string, readonly string[]>> = {
  [labels.capacityType]: ["on-demand", "reserved", "spot"],
  "karpenter.k8s.aws/instance-tenancy": ["dedicated", "default"],
};

/** Old names that people still write (facts §3.4); the last one is how EBS volumes say their zone. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["failure-domain.beta.kubernetes.io/zone", labels.zone],
  ["failure-domain.beta.kubernetes.io/region", labels.region],
  ["beta.kubernetes.io/arch", labels.arch],
  ["beta.kubernetes.io/os", labels.os],
  ["beta.kubernetes.io/instance-type", labels.instanceType],
  ["topology.ebs.csi.aws.com/zone", labels.zone],
]);

/** The stable name of a label key. */
export function normalizeLabelKey(key: string): string {
  return aliases.get(key) ?? key;
}

/** The same labels under stable names. Where both names are there, the stable one's value counts. */
export function normalizeLabels(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (!Object.keys(given).some((key) => aliases.has(key))) return given;
  const normalized: Record<string, string> = {};
  for (const key of Object.keys(given)) {
    const stable = normalizeLabelKey(key);
    if (stable === key || own(given, stable) === undefined) normalized[stable] = given[key]!;
  }
  return normalized;
}

const restrictedDomains = ["karpenter.sh", "karpenter.k8s.aws"] as const;

/**
 * Why a label may not stand in a NodePool's requirements (`template`: in its template labels), or undefined if it may.
 * Since Karpenter 1.9 only its own domains, the hostname and, in templates, the pool's name are closed (core PR 2586).
 */
export function restrictedLabelReason(key: string, where: "requirement" | "template"): string | undefined {
  if (key === labels.hostname) return `label "${key}" is restricted: every node has its own`;
  if (where === "template" && key === labels.nodePool)
    return `label "${key}" is restricted: it is set from the NodePool`;
  if (wellKnownLabels.has(key)) return undefined;
  const slash = key.indexOf("/");
  const domain = slash < 0 ? "" : key.slice(0, slash);
  const closed = restrictedDomains.find((name) => domain === name || domain.endsWith(`.${name}`));
  return closed === undefined ? undefined : `label "${key}" is restricted: the domain "${closed}" is reserved`;
}

/**
 * Why a NodePool's requirement on a label with a closed list of values can never be met: it names none of them
 * (core#2164). Undefined where it names at least one, or the label's list is open: what is unknown then does no harm.
 */
export function unknownValuesReason({ key, operator, values }: RequirementSpec): string | undefined {
  const known = own(wellKnownValues, normalizeLabelKey(key));
  if (known === undefined || operator !== "In" || values.length === 0) return undefined;
  if (values.some((value) => known.includes(value))) return undefined;
  return `"${key}" In [${values.join(", ")}] names no value that the label can have; these are ${known.join(", ")}`;
}
