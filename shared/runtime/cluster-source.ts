import type { ListedCluster } from "../controllers/index.ts";
import { type Clock, OperationError, type Registry } from "../ports/index.ts";
import { clustersFrom, type ServedCluster } from "./served-clusters.ts";
import type { GeneralSettings } from "./settings.ts";

/** Which clusters are served, wherever that is written. */
export interface ClusterSource {
  /**
   * The same object as long as nothing about the cluster changed. Undefined: it is not served. Throws an OperationError
   * (never, `misconfigured`) when what is written about this one is wrong.
   */
  find(name: string): Promise<ServedCluster | undefined>;
  /** By name. What is wrong about one leaves it in the list, and the others alone. `fresh`: not from an earlier read. */
  list(options?: { readonly fresh?: boolean }): Promise<readonly SourcedCluster[]>;
  /** Where one would be added, for whoever asks for a cluster that is not there. */
  readonly place: string;
}

export interface SourcedCluster extends ListedCluster {
  readonly roleArn?: string;
}

/** The clusters that the environment names. */
export function fixedSource(served: readonly ServedCluster[]): ClusterSource {
  const byName = new Map(served.map((cluster) => [cluster.name, cluster]));
  const listed = [...served].sort((a, b) => (a.name < b.name ? -1 : 1)).map(sourced);
  return {
    find: async (name) => byName.get(name),
    list: async () => listed,
    place: "TIMMERMAN_CLUSTERS",
  };
}

function sourced({ name, region, roleArn }: ServedCluster): SourcedCluster {
  return { name, region, ...(roleArn === undefined ? {} : { roleArn }) };
}

export interface RegistrySourceOptions {
  readonly registry: Registry;
  readonly region: string;
  readonly defaults: GeneralSettings;
  readonly clock: Pick<Clock, "now">;
}

/** A list of a thousand clusters is some megabytes: it is read this often, by the functions that need all of them. */
const listAgainMs = 5 * 60_000;

/** The clusters that the stacks registered. A cluster is read when it is asked for, each for itself. */
export function registrySource({ registry, region, defaults, clock }: RegistrySourceOptions): ClusterSource {
  const parsed = new Map<string, { readonly document: string; readonly served: ServedCluster }>();
  let list: { readonly atMs: number; readonly clusters: readonly SourcedCluster[] } | undefined;

  function parse(name: string, registeredRegion: string, document: string): ServedCluster {
    const problems: string[] = [];
    const given = { region: registeredRegion || region, defaults };
    const [served] = clustersFrom([jsonIn(document)], given, (problem) => problems.push(problem));
    if (served !== undefined && served.name !== name) problems.push(`name is ${served.name}: it must be ${name}`);
    if (served !== undefined && problems.length === 0) return served;
    throw new OperationError(
      `the registration of cluster ${name} is wrong (deploy again with it put right in stacks/clusters.ts): ${problems.join("; ")}`,
      { retry: "never", code: "misconfigured" },
    );
  }

  return {
    async find(name) {
      const registration = await registry.find(name);
      if (registration === undefined) {
        parsed.delete(name);
        return undefined;
      }
      const { document } = registration;
      const there = parsed.get(name);
      if (there?.document === document) return there.served;
      const served = parse(name, registration.region, document);
      parsed.set(name, { document, served });
      return served;
    },
    async list({ fresh = false } = {}) {
      const nowMs = clock.now();
      if (fresh || list === undefined || nowMs - list.atMs >= listAgainMs) {
        const clusters = (await registry.list()).map((registration) => ({
          name: registration.name,
          region: registration.region || region,
          ...roleIn(registration.document),
        }));
        list = { atMs: nowMs, clusters };
      }
      return list.clusters;
    },
    place: "stacks/clusters.ts",
  };
}

/** What is no JSON is complained of as no object. */
function jsonIn(document: string): unknown {
  try {
    return JSON.parse(document);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function roleIn(document: string): Pick<SourcedCluster, "roleArn"> {
  const value = jsonIn(document) as { readonly roleArn?: unknown } | null | undefined;
  return typeof value?.roleArn === "string" ? { roleArn: value.roleArn } : {};
}
