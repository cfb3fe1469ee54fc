import type { ClusterSpec } from "../../stacks/cluster-spec.ts";

/** A cluster as its owner would write it. */
export const blue: ClusterSpec = {
  name: "blue",
  region: "eu-west-1",
  endpointAccess: "public",
  identity: "pod-identity",
  nodeRoles: ["KarpenterNodeRole-blue"],
  settings: { batchIdleDuration: "2s", reservedENIs: "1", featureGates: { spotToSpotConsolidation: true } },
};

/** In another region. */
export const green: ClusterSpec = {
  name: "green",
  region: "us-east-1",
  endpointAccess: "public",
  identity: "irsa",
  nodeRoles: ["KarpenterNodeRole-green"],
  instanceProfiles: "exist",
};

/** In another account. */
export const amber: ClusterSpec = {
  name: "amber",
  region: "eu-west-1",
  accountRole: "arn:aws:iam::222222222222:role/deploys-timmerman",
  endpointAccess: "public",
  identity: "pod-identity",
  nodeRoles: ["KarpenterNodeRole-amber"],
};

/** Behind a private endpoint. */
export const grey: ClusterSpec = {
  name: "grey",
  region: "eu-west-1",
  endpointAccess: "private",
  vpc: { subnets: ["subnet-0a", "subnet-0b"], securityGroups: ["sg-0c"] },
  identity: "pod-identity",
  nodeRoles: ["KarpenterNodeRole-grey"],
};

export const home = "eu-west-1";
