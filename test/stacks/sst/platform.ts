import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../..", import.meta.url));
/** SST's components and Pulumi's AWS provider: what the stacks are written against. */
export const platform = `${root}.sst/platform`;

/** Installs SST's components into `.sst`, once: a minute, from the package registry. */
export function installPlatform(): void {
  if (existsSync(`${platform}/node_modules/@pulumi/aws`)) return;
  process.stderr.write("installing SST's components into .sst (npx sst install, about a minute) …\n");
  try {
    execFileSync(`${root}node_modules/.bin/sst`, ["install", "--stage", "test"], {
      cwd: root,
      env: { ...process.env, SST_SKIP_DEPENDENCY_CHECK: "1", SST_NO_BUN: "1", SST_TELEMETRY_DISABLED: "1" },
      stdio: ["ignore", "ignore", "pipe"],
    });
  } catch (error) {
    throw new Error("`npx sst install` failed: it needs the package registry, and node_modules from `npm ci`", {
      cause: error,
    });
  }
}
