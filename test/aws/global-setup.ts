// Runs once before the suites on emulators: one moto server for all of them, or every suite learns why there is none.
import type { TestProject } from "vitest/node";
import { provideMoto, startMoto } from "./moto.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the running moto server; empty if there is none. */
    moto: string;
    /** Why there is no moto; empty if there is one. */
    noMoto: string;
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const program = provideMoto();
  if ("reason" in program) {
    if (process.env.CI === "true") throw new Error(program.reason);
    console.error(`\nThe suites on moto are SKIPPED: ${program.reason}.\n`);
    project.provide("moto", "");
    project.provide("noMoto", program.reason);
    return undefined;
  }
  const moto = await startMoto(program.path);
  project.provide("moto", moto.endpoint);
  project.provide("noMoto", "");
  return moto.stop;
}
