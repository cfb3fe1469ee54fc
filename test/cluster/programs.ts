// Prints the folders of the programs that the cluster suites run, kubectl and helm among them, as a PATH has them. Builds
// what isn't there:
//   PATH="$(npm run --silent cluster:programs):$PATH"
import { delimiter, dirname } from "node:path";
import { provideBinaries } from "./binaries.ts";
import { provideHelm } from "./helm.ts";

const binaries = await provideBinaries();
if ("reason" in binaries || binaries.paths.kubectl === undefined) {
  process.stderr.write(`${"reason" in binaries ? binaries.reason : "no kubectl among the programs"}\n`);
  process.exit(1);
}
const helm = await provideHelm();
if ("reason" in helm) process.stderr.write(`${helm.reason}\n`);
const found = [binaries.paths.kubectl, ...("path" in helm ? [helm.path] : [])];
process.stdout.write(`${found.map((path) => dirname(path)).join(delimiter)}\n`);
