// Workloads by name, the same for everyone: `diverse-1000`, `unconstrained-100000`, … (docs/benchmarks.md lists them).
import { readDefaultCatalog } from "../../../shared/adapters/catalog/index.ts";
import { type Catalog, own } from "../../../shared/core/model/index.ts";
import { runningCluster } from "./cluster.ts";
import { diverse, preferences } from "./diverse.ts";
import { everyNodesDaemon, gpuTaint, type Manifest, nodePool } from "./manifests.ts";
import { gpuMixture, unconstrained } from "./services.ts";
import { azure, openb } from "./traces.ts";

export { AbsentTrace } from "./traces.ts";

export interface WorkloadOptions {
  /** Pools may buy spot too. */
  readonly spot: boolean;
  /** A DaemonSet of 250m and 512 MiB. */
  readonly daemonSet: boolean;
}

type Pools = (options: WorkloadOptions) => Manifest[];
const general: Pools = ({ spot }) => [nodePool({ spot })];
const threeZones: Pools = ({ spot }) => [nodePool({ spot, inThreeZones: true })];
const withGpus: Pools = ({ spot }) => [
  nodePool({ spot }),
  nodePool({ spot, name: "gpu", categories: ["g", "p"], generationAbove: undefined, taints: [gpuTaint] }),
];

interface Kind {
  readonly pools: Pools;
  /** The number behind the name; undefined: the name has none. */
  readonly pods?: number;
  readonly items: (count: number, catalog: Catalog) => Manifest[];
}

const kinds: Readonly<Record<string, Kind>> = {
  diverse: { pools: threeZones, pods: 1000, items: (count) => diverse(count) },
  preferences: { pools: threeZones, pods: 4000, items: preferences },
  unconstrained: { pools: general, pods: 100_000, items: (count) => unconstrained(count) },
  gpu: { pools: withGpus, pods: 8000, items: (count) => gpuMixture(count) },
  cluster: { pools: general, pods: 2000, items: (nodes, catalog) => runningCluster(catalog, nodes, 20) },
  openb: { pools: withGpus, items: openb },
  azure: { pools: general, items: azure },
};

export const workloadNames = Object.entries(kinds).map(([name, { pods }]) => (pods ? `${name}-${pods}` : name));

/** The manifests of a named workload (`diverse`, `diverse-5000`), or undefined if none has the name. Throws AbsentTrace. */
export function workload(name: string, options: WorkloadOptions, catalog?: Catalog): Manifest[] | undefined {
  const [, kindName = "", digits] = /^([a-z]+)(?:-(\d+))?$/.exec(name) ?? [];
  const kind = own(kinds, kindName);
  if (kind === undefined || (digits !== undefined && kind.pods === undefined)) return undefined;
  const count = digits === undefined ? (kind.pods ?? 0) : Number(digits);
  const items = kind.items(count, catalog ?? readDefaultCatalog());
  return [...kind.pools(options), ...(options.daemonSet ? [everyNodesDaemon] : []), ...items];
}

/**
 * Every so many-th type of a catalog, so that it has so many: smaller, but no family or size is left out as a whole.
 */
export function thinned(catalog: Catalog, types: number): Catalog {
  const all = catalog.instanceTypes.filter(({ InstanceType: name }) => catalog.onDemand[name] !== undefined);
  const step = Math.max(1, all.length / types);
  const kept = all.filter((_, at) => Math.floor((at + 1) / step) > Math.floor(at / step));
  return { ...catalog, instanceTypes: kept };
}
