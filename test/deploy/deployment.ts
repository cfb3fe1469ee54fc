/** What is deployed: the stage, the cluster that it serves, and the names that follow. */
export const stage = "test";
export const region = "us-east-1";
export const clusterName = "production-main";
export const nodeRole = "KarpenterNodeRole-production-main";
export const prefix = `timmerman-${stage}`;

/** stacks/clusters.ts as a user with one cluster would write it; `more` and `about` are further fields. */
export function clustersFile(more = "", about = ""): string {
  return `import type { ClusterSpec, Deployment } from "./cluster-spec.ts";

export const deployment: Deployment = { region: "${region}", ${more} };

export const clusters: readonly ClusterSpec[] = [
  {
    name: "${clusterName}",
    region: "${region}",
    endpointAccess: "public",
    identity: "pod-identity",
    nodeRoles: ["${nodeRole}"],
    ${about}
  },
];
`;
}

export function functionName(name: string): string {
  return `${prefix}-${name}`;
}
