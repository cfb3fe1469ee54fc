import type { ClusterSpec } from "./cluster-spec.ts";
import type { Site } from "./sites.ts";

// What EKS knows of a cluster, read when the deployment runs, and held against what stacks/clusters.ts says of it.

export interface ClusterFacts {
  readonly arn: string;
  readonly account: string;
  readonly endpoint: string;
  /** PEM, base64. */
  readonly caBundle: string;
  readonly serviceCidr: string;
  /** URL of the OIDC issuer; empty where there is none. */
  readonly issuer: string;
}

export interface OpenedCluster {
  readonly spec: ClusterSpec;
  readonly site: Site;
  readonly facts: $util.Output<ClusterFacts>;
}

export function openClusters(sites: readonly Site[]): readonly OpenedCluster[] {
  return sites.flatMap((site) =>
    site.clusters.map((spec) => ({
      spec,
      site,
      facts: aws.eks.getClusterOutput({ name: spec.name }, site.options).apply((found) => factsOf(spec, found)),
    })),
  );
}

/** Throws what the deployment cannot work with, naming cluster, field and fix. */
export function factsOf(spec: ClusterSpec, found: aws.eks.GetClusterResult): ClusterFacts {
  const wrong = (what: string): never => {
    throw new Error(`cluster ${spec.name}: ${what}`);
  };
  const mode = found.accessConfigs[0]?.authenticationMode;
  if (mode === "CONFIG_MAP") {
    wrong(
      `its authentication mode is CONFIG_MAP, which has no access entries: aws eks update-cluster-config --name ${spec.name} --region ${spec.region} --access-config authenticationMode=API_AND_CONFIG_MAP`,
    );
  }
  const { endpointPublicAccess, endpointPrivateAccess } = found.vpcConfig;
  if (spec.endpointAccess === "public" && !endpointPublicAccess) {
    wrong('endpointAccess is "public", but its endpoint is not: set it to "private" and give vpc');
  }
  if (spec.endpointAccess === "private" && !endpointPrivateAccess) {
    wrong('endpointAccess is "private", but its endpoint is only public: set it to "public", or open it to its VPC');
  }
  const network = found.kubernetesNetworkConfigs[0];
  const serviceCidr = network?.ipFamily === "ipv6" ? network.serviceIpv6Cidr : network?.serviceIpv4Cidr;
  const issuer = found.identities[0]?.oidcs[0]?.issuer ?? "";
  if (spec.identity === "irsa" && issuer === "") {
    wrong('identity is "irsa", but it has no OIDC issuer: set it to "pod-identity"');
  }
  return {
    arn: found.arn,
    account: found.arn.split(":")[4] ?? "",
    endpoint: found.endpoint,
    caBundle:
      found.certificateAuthorities[0]?.data ?? wrong("EKS gave no certificate authority: is it still creating?"),
    serviceCidr: serviceCidr ?? wrong("EKS gave no service CIDR: is it still creating?"),
    issuer,
  };
}
