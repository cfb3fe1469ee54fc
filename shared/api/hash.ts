// Hashes of NodePools and EC2NodeClasses: a claim keeps those that it was made from, and another one now means drift.
// They answer to Karpenter's karpenter.sh/nodepool-hash and karpenter.k8s.aws/ec2nodeclass-hash. The algorithm is our
// own, and the version (`hashVersion` in core/model) says so: claims that carry Karpenter's version are given ours without counting as drifted.
import { createHash } from "node:crypto";
import type { EC2NodeClassSpec } from "./kinds/ec2-node-class.ts";
import type { NodePoolSpec } from "./kinds/node-pool.ts";

/**
 * A text that is the same for values that mean the same: fields in order of their names; lists in order of their
 * elements' texts, as the order of taints, tags and the like says nothing; absent, null and empty lists and objects left
 * out. False, 0 and empty texts count: a public address that is refused is not one that the subnet decides on.
 */
function canonical(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) {
    const items = value.map(canonical).sort();
    return items.length === 0 ? "" : `[${items.join(",")}]`;
  }
  if (typeof value !== "object") return JSON.stringify(value);
  const fields = Object.entries(value)
    .map(([name, field]) => [JSON.stringify(name), canonical(field)] as const)
    .filter(([, text]) => text !== "")
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => `${name}:${text}`);
  return fields.length === 0 ? "" : `{${fields.join(",")}}`;
}

/** 64 bits of SHA-256 in hexadecimal: short enough for an annotation, and a collision costs one missed drift. */
function digest(value: unknown): string {
  return createHash("sha256").update(canonical(value)).digest("hex").slice(0, 16);
}

/**
 * Hash of what makes a pool's nodes what they are: labels, annotations, taints, node class, expiry, grace period.
 * Requirements are left out: whether a node still meets them is looked at directly. So are disruption, limits, replicas
 * and weight, which change no node.
 */
export function nodePoolHash(spec: NodePoolSpec): string {
  const { requirements, ...node } = spec.template.spec;
  return digest({ metadata: spec.template.metadata, spec: node });
}

/**
 * Hash of what an EC2NodeClass says by itself. Selectors are left out: what they select is compared with the instance.
 * The image family, which an alias may say, and the cluster's CA bundle, which user data holds, count.
 */
export function ec2NodeClassHash(spec: EC2NodeClassSpec, amiFamily: string, caBundle = ""): string {
  const {
    amiSelectorTerms,
    subnetSelectorTerms,
    securityGroupSelectorTerms,
    capacityReservationSelectorTerms,
    placementGroupSelector,
    ...own
  } = spec;
  return digest({ ...own, amiFamily, caBundle: caBundle === "" ? undefined : caBundle });
}
