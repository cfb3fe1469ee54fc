// Prints the folder of the control plane's programs, kubectl among them, building them if need be:
//   PATH="$(npm run --silent cluster:programs):$PATH"
import { dirname } from "node:path";
import { provideBinaries } from "./binaries.ts";

const binaries = await provideBinaries();
if ("reason" in binaries || binaries.paths.kubectl === undefined) {
  process.stderr.write(`${"reason" in binaries ? binaries.reason : "no kubectl among the programs"}\n`);
  process.exit(1);
}
process.stdout.write(`${dirname(binaries.paths.kubectl)}\n`);
