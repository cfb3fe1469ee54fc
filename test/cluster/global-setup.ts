// Runs once before the cluster suites: the programs are there, or every suite learns why not.
import type { TestProject } from "vitest/node";
import { provideBinaries } from "./binaries.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Why no control plane can be booted here; undefined if one can. */
    noControlPlane: string | undefined;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  const binaries = await provideBinaries();
  project.provide("noControlPlane", "reason" in binaries ? binaries.reason : undefined);
}
