// Runs once before the suite: programs and Python are there, or the suite learns why not.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import type { TestProject } from "vitest/node";
import { provideMoto } from "../aws/moto.ts";
import { providePrograms } from "./programs.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Why nothing can be deployed here; empty if it can. */
    noDeployment: string;
    /** The Python that has moto and boto3. */
    deployPython: string;
    pulumi: string;
    lambdaEmulator: string;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  const moto = provideMoto();
  const programs = await providePrograms();
  const reason = "reason" in moto ? moto.reason : "reason" in programs ? programs.reason : "";
  if (reason !== "") {
    if (process.env.CI === "true") throw new Error(reason);
    console.error(`\nThe deployment to moto is SKIPPED: ${reason}.\n`);
  }
  project.provide("noDeployment", reason);
  project.provide("deployPython", "path" in moto ? pythonBeside(moto.path) : "");
  project.provide("pulumi", "pulumi" in programs ? programs.pulumi : "");
  project.provide("lambdaEmulator", "pulumi" in programs ? programs["aws-lambda-rie"] : "");
}

/** pip writes programs beside the Python that runs them. */
function pythonBeside(program: string): string {
  const python = join(dirname(program), "python3");
  const path = spawnSync(python, ["-c", "import boto3, moto, sys; print(sys.executable)"], { encoding: "utf8" });
  if (path.status !== 0) throw new Error(`${python} has no boto3 beside moto: ${path.stderr}`);
  return path.stdout.trim();
}
