// Runs once before the cluster suites: the programs are there, or every suite learns why not.
import type { TestProject } from "vitest/node";
import { provideBinaries } from "./binaries.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Why no control plane can be booted here; undefined if one can. */
    noControlPlane: string | undefined;
    /** Why there is no cluster at all, not even one that stands in. */
    noCluster: string | undefined;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  if (process.env.TIMMERMAN_KUBECONFIG !== undefined) {
    project.provide("noControlPlane", "TIMMERMAN_KUBECONFIG stands in, and this suite needs API servers of its own");
    project.provide("noCluster", undefined);
    return;
  }
  const binaries = await provideBinaries();
  const reason = "reason" in binaries ? binaries.reason : undefined;
  project.provide("noControlPlane", reason);
  project.provide("noCluster", reason);
}
