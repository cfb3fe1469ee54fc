import type { ClusterSpec, Deployment } from "./cluster-spec.ts";

// The one file to edit. What may be written here, and what it means, is in `cluster-spec.ts` (an editor shows it);
// docs/deploy.md leads through it. Everything else about a cluster (endpoint, certificate, service addresses, OIDC issuer,
// version) is read from EKS when `npx sst deploy` runs. Without clusters, what they share is deployed.

export const deployment: Deployment = {
  region: "us-east-1",
};

export const clusters: readonly ClusterSpec[] = [];
