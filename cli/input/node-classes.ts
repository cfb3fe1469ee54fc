// Node classes for planning without AWS: what a class's status would say is assumed where nobody says it.
import { toNodeClass } from "../../shared/api/index.ts";
import type { Catalog, NodeClass, NodePool } from "../../shared/core/model/index.ts";
import { converted } from "./converted.ts";
import type { Json, SourceDocument } from "./documents.ts";

const long = "1970-01-01T00:00:00Z";

/** What a class resolves to when all goes well: a subnet in every zone, and an image for either architecture. */
function assumedStatus(catalog: Catalog): Json {
  const image = (arch: string): Json => ({
    id: `ami-planned${arch}`,
    requirements: [{ key: "kubernetes.io/arch", operator: "In", values: [arch] }],
  });
  return {
    subnets: catalog.zones.map(({ name, id }) => ({ id: `subnet-${name}`, zone: name, zoneID: id })),
    securityGroups: [{ id: "sg-planned" }],
    amis: [image("amd64"), image("arm64")],
    instanceProfile: "planned",
    conditions: [{ type: "Ready", status: "True", reason: "Ready", message: "", lastTransitionTime: long }],
  };
}

function assumedClass(name: string, catalog: Catalog): NodeClass {
  return toNodeClass({
    apiVersion: "karpenter.k8s.aws/v1",
    kind: "EC2NodeClass",
    metadata: { name },
    spec: {
      role: "planned",
      amiSelectorTerms: [{ alias: "al2023@latest" }],
      subnetSelectorTerms: [{ tags: { "karpenter.sh/discovery": "planned" } }],
      securityGroupSelectorTerms: [{ tags: { "karpenter.sh/discovery": "planned" } }],
    },
    status: assumedStatus(catalog),
  });
}

/**
 * The classes of the input and, for pools whose class is not in it, ready AL2023 classes with a subnet in every zone. A
 * class without a status (a manifest, not an object from a cluster) is taken as ready in the same way. Notes say so.
 */
export function nodeClassesOf(
  sources: readonly SourceDocument[],
  pools: readonly NodePool[],
  catalog: Catalog,
): { readonly nodeClasses: readonly NodeClass[]; readonly notes: readonly string[] } {
  const assumed: string[] = [];
  const nodeClasses = sources.map((source) => {
    const status = source.document.status as Json | undefined;
    const isBare = status?.conditions === undefined && status?.subnets === undefined;
    if (isBare) assumed.push((source.document.metadata as Json).name as string);
    return converted(source, toNodeClass, isBare ? { ...source.document, status: assumedStatus(catalog) } : undefined);
  });
  const known = new Set(nodeClasses.map(({ name }) => name));
  const missing = pools
    .map((pool) => pool.nodeClassRef)
    .filter(({ group, kind, name }) => group === "karpenter.k8s.aws" && kind === "EC2NodeClass" && !known.has(name))
    .map(({ name }) => name);
  const names = [...new Set(missing)].sort();
  const notes: string[] = [];
  if (assumed.length > 0) {
    notes.push(`EC2NodeClass ${assumed.sort().join(", ")}: no status, planned as ready with a subnet in every zone`);
  }
  if (names.length > 0) {
    notes.push(
      `EC2NodeClass ${names.join(", ")}: not in the input, planned as a ready AL2023 class with a subnet in every zone`,
    );
  }
  return { nodeClasses: [...nodeClasses, ...names.map((name) => assumedClass(name, catalog))], notes };
}
