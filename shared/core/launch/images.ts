import { labels, type NodeClass, type RequirementSpec, type ResolvedAmi } from "../model/index.ts";

/** An image as the cloud describes it. */
export interface FoundImage {
  readonly id: string;
  readonly name: string;
  readonly architecture: "x86_64" | "arm64";
  readonly createdAtMs: number;
  readonly deprecated: boolean;
}

/** A term for the Cloud port's `findImages`. */
export interface ImageTerm {
  readonly id?: string;
  readonly name?: string;
  readonly owner?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

const windowsYears: Readonly<Record<string, string>> = {
  windows2019: "2019",
  windows2022: "2022",
  windows2025: "2025",
};

/**
 * Name patterns of the images that an alias (`al2023@v20250301`, `bottlerocket@latest`) stands for, as AWS names its EKS
 * images of one Kubernetes minor version. Undefined: the alias is of no known family.
 */
export function aliasTerms(alias: string, kubernetesVersion: string): readonly ImageTerm[] | undefined {
  const [family = "", version = "latest"] = alias.split("@");
  const k8s = kubernetesVersion;
  const release = version === "latest" ? "v*" : version;
  const named = (...names: string[]) => names.map((name) => ({ name, owner: "amazon" }));
  switch (family) {
    case "al2023":
      return named(
        `amazon-eks-node-al2023-x86_64-standard-${k8s}-${release}`,
        `amazon-eks-node-al2023-arm64-standard-${k8s}-${release}`,
        `amazon-eks-node-al2023-x86_64-nvidia-${k8s}-${release}`,
        `amazon-eks-node-al2023-arm64-nvidia-${k8s}-${release}`,
        `amazon-eks-node-al2023-x86_64-neuron-${k8s}-${release}`,
      );
    case "al2":
      return named(
        `amazon-eks-node-${k8s}-${release}`,
        `amazon-eks-arm64-node-${k8s}-${release}`,
        `amazon-eks-gpu-node-${k8s}-${release}`,
      );
    case "bottlerocket": {
      const tail = version === "latest" ? "v*" : `${version.startsWith("v") ? version : `v${version}`}-*`;
      return named(
        `bottlerocket-aws-k8s-${k8s}-x86_64-${tail}`,
        `bottlerocket-aws-k8s-${k8s}-aarch64-${tail}`,
        `bottlerocket-aws-k8s-${k8s}-nvidia-x86_64-${tail}`,
        `bottlerocket-aws-k8s-${k8s}-nvidia-aarch64-${tail}`,
      );
    }
    default: {
      const year = windowsYears[family];
      return year === undefined ? undefined : named(`Windows_Server-${year}-English-Core-EKS_Optimized-${k8s}-*`);
    }
  }
}

/** What to look images up by. Terms with a parameter's name need a store that is not read yet: they are `unresolved`. */
export function imageTerms(
  nodeClass: NodeClass,
  kubernetesVersion: string,
): { readonly terms: readonly ImageTerm[]; readonly unresolved: readonly string[] } {
  const terms: ImageTerm[] = [];
  const unresolved: string[] = [];
  for (const { alias, ssmParameter, ...term } of nodeClass.amiSelectorTerms) {
    if (alias !== undefined) {
      const resolved = aliasTerms(alias, kubernetesVersion);
      if (resolved === undefined) unresolved.push(`alias ${alias}: not a known family`);
      else terms.push(...resolved);
    } else if (ssmParameter !== undefined) {
      unresolved.push(`ssmParameter ${ssmParameter}: parameters are not looked up yet; name the image by id or name`);
    } else terms.push(term);
  }
  return { terms, unresolved };
}

const gpuCount = "karpenter.k8s.aws/instance-gpu-count";
const acceleratorCount = "karpenter.k8s.aws/instance-accelerator-count";

/** Variants that the names of EKS images tell; others are told apart by architecture only. */
function variantRequirements(name: string): readonly RequirementSpec[] {
  if (!/^(amazon-eks-|bottlerocket-aws-k8s-)/.test(name)) return [];
  if (/nvidia|-gpu-/.test(name)) return [{ key: gpuCount, operator: "Exists", values: [] }];
  if (/neuron/.test(name)) return [{ key: acceleratorCount, operator: "Exists", values: [] }];
  return [
    { key: gpuCount, operator: "DoesNotExist", values: [] },
    { key: acceleratorCount, operator: "DoesNotExist", values: [] },
  ];
}

/**
 * `status.amis`: of images that suit the same types the newest, deprecated ones only where nothing else does; newest
 * first, so that a launch takes the first that fits (then by id).
 */
export function resolveAmis(found: readonly FoundImage[]): readonly ResolvedAmi[] {
  const best = new Map<string, FoundImage>();
  const order = (a: FoundImage, b: FoundImage) =>
    Number(a.deprecated) - Number(b.deprecated) || b.createdAtMs - a.createdAtMs || (a.id < b.id ? -1 : 1);
  for (const image of [...found].sort(order)) {
    const key = JSON.stringify(requirementsOf(image));
    if (!best.has(key)) best.set(key, image);
  }
  return [...best.values()]
    .sort(order)
    .map((image) => ({ id: image.id, name: image.name, requirements: requirementsOf(image) }));
}

function requirementsOf(image: FoundImage): readonly RequirementSpec[] {
  const arch = image.architecture === "x86_64" ? "amd64" : "arm64";
  return [{ key: labels.arch, operator: "In", values: [arch] }, ...variantRequirements(image.name)];
}
