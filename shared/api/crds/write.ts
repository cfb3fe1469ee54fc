// `npm run crds`: writes the CRDs of our kinds into the chart.
import { mkdirSync, writeFileSync } from "node:fs";
import { customResources } from "../kinds/index.ts";
import { crdFileName, crdYaml } from "./crd.ts";

const folder = new URL("../../../charts/timmerman/files/crds/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const kind of customResources) {
  writeFileSync(new URL(crdFileName(kind), folder), crdYaml(kind));
  console.log(`charts/timmerman/files/crds/${crdFileName(kind)}`);
}
