// Boots a control plane by hand and keeps it up until Ctrl-C:
//   npm run cluster:up -- [--scheduler] [--controllers]
// Prints one JSON line with url, token, ca and kubeconfigPath; progress goes to stderr.
import { parseArgs } from "node:util";
import { provideBinaries } from "./binaries.ts";
import { startControlPlane, workloadControllers } from "./control-plane.ts";

const { values } = parseArgs({ options: { scheduler: { type: "boolean" }, controllers: { type: "boolean" } } });
const binaries = await provideBinaries();
if ("reason" in binaries) {
  process.stderr.write(`${binaries.reason}\n`);
  process.exit(1);
}
const plane = await startControlPlane({
  scheduler: values.scheduler ?? false,
  controllers: values.controllers ? workloadControllers : [],
});
const { url, token, ca, kubeconfigPath } = plane;
process.stdout.write(`${JSON.stringify({ url, token, ca, kubeconfigPath })}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => void plane.stop().then(() => process.exit(0)));
}
setInterval(() => {}, 1 << 30);
