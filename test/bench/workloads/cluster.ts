// A cluster that runs: nodes of common types, each partly full, and a few pods that wait.

import { nodeClassesOf } from "../../../cli/input/node-classes.ts";
import { defaultSettings } from "../../../cli/input/settings.ts";
import { InputError } from "../../../cli/input-error.ts";
import { buildInstanceTypes } from "../../../shared/core/catalog/index.ts";
import type { Catalog } from "../../../shared/core/model/index.ts";
import { formatResources } from "../../../shared/core/resources/index.ts";
import { seeded } from "../../simulation/chance.ts";
import { type Manifest, pod } from "./manifests.ts";

const typeNames = ["m5.xlarge", "m5.2xlarge", "c5.2xlarge", "r5.xlarge", "m6i.2xlarge", "c6i.4xlarge"];
const sizes = [
  { milliCpu: 100, memoryMiB: 256 },
  { milliCpu: 250, memoryMiB: 512 },
  { milliCpu: 500, memoryMiB: 1024 },
  { milliCpu: 1000, memoryMiB: 2048 },
  { milliCpu: 1500, memoryMiB: 3072 },
];

/** `nodes` nodes of the pool `default`, 60 to 95 % of whose cores are taken, and `waiting` pods of the same sizes. */
export function runningCluster(catalog: Catalog, nodes: number, waiting: number, seed = 5): Manifest[] {
  const random = seeded(seed);
  const any = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const reference = { nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" } };
  const { nodeClasses } = nodeClassesOf([], [{ name: "default", ...reference } as never], catalog);
  const types = buildInstanceTypes(catalog, nodeClasses[0]!, defaultSettings).filter(({ name }) =>
    typeNames.includes(name),
  );
  if (types.length === 0) throw new InputError(`the catalog has none of ${typeNames.join(", ")}`);
  const items: Manifest[] = [];
  for (let at = 0; at < nodes; at++) {
    const type = any(types);
    const zone = any(["us-east-1a", "us-east-1b", "us-east-1c"]);
    const name = `node-${String(at).padStart(4, "0")}`;
    const single = Object.entries(type.labels).filter(([, values]) => values.length === 1);
    const labels = {
      ...Object.fromEntries(single.map(([key, values]) => [key, values[0]!])),
      "topology.kubernetes.io/zone": zone,
      "karpenter.sh/capacity-type": "on-demand",
      "karpenter.sh/nodepool": "default",
      "karpenter.sh/registered": "true",
      "karpenter.sh/initialized": "true",
      "karpenter.k8s.aws/ec2nodeclass": "default",
      "kubernetes.io/hostname": name,
    };
    items.push({
      apiVersion: "v1",
      kind: "Node",
      metadata: { name, labels },
      spec: { providerID: `aws:///${zone}/${name}` },
      status: {
        capacity: formatResources(type.capacity),
        allocatable: formatResources(type.allocatable),
        conditions: [{ type: "Ready", status: "True" }],
      },
    });
    const full = 0.6 + 0.35 * random();
    const left = { milliCpu: full * type.allocatable.cpu!, memoryMiB: (type.allocatable.memory! * full) / 2 ** 20 };
    for (
      let size = any(sizes), count = 0;
      size.milliCpu <= left.milliCpu && size.memoryMiB <= left.memoryMiB;
      count++
    ) {
      if (count >= 20) break;
      left.milliCpu -= size.milliCpu;
      left.memoryMiB -= size.memoryMiB;
      const running = pod(`${name}-${count}`, { app: `app-${Math.floor(random() * 50)}` }, size, { nodeName: name });
      items.push({ ...running, status: { phase: "Running" } });
      size = any(sizes);
    }
  }
  for (let at = 0; at < waiting; at++) items.push(pod(`waits-${at}`, { app: "new" }, any(sizes)));
  return items;
}
