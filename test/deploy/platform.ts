// The packages that SST installs for itself (.sst/platform): Pulumi's Node SDK and gRPC among them. The stand-ins speak the
// engine's protocol with exactly these, so that both sides have the same version.
import { createRequire } from "node:module";
import { join } from "node:path";

/** Names the folder `.sst/platform` to the stand-ins, which the engine starts. */
export const platformVariable = "TIMMERMAN_DEPLOY_PLATFORM";

/** Resolves modules as if asked for from within SST's platform. */
export function requirePlatform(env: NodeJS.ProcessEnv = process.env): NodeJS.Require {
  const folder = env[platformVariable];
  if (folder === undefined) throw new Error(`${platformVariable} must name the folder .sst/platform`);
  return createRequire(join(folder, "package.json"));
}
