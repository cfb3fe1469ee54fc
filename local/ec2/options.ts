// What an endpoint is made with.
import type { Image } from "@aws-sdk/client-ec2";
import type { CatalogFile } from "./catalog.ts";
import type { NetworkSeed } from "./network.ts";
import type { Quotas } from "./quotas.ts";
import type { Settings } from "./world.ts";

export interface Ec2Options {
  readonly clock: { now(): number };
  readonly catalog: CatalogFile;
  /** Names ids and draws shares; the same seed gives the same run. Default 1. */
  readonly seed?: number;
  /** Ids by prefix (`i`, `lt`, `r`, `sir`, `fleet`); by default they come from the seed. */
  readonly ids?: (prefix: string) => string;
  readonly accountId?: string;
  /** By default one /20 subnet in each zone and one security group. */
  readonly network?: NetworkSeed;
  /** By default one AL2023-like image for each architecture: ami-0000000000000a001 (x86_64) and ami-0000000000000a002 (arm64). */
  readonly images?: readonly Image[];
  /** Instances that each pool can give at the start. Default 1000. */
  readonly capacityPerPool?: number;
  readonly quotas?: Quotas;
  readonly settings?: Partial<Settings>;
  /** Waits for faults of kind delay and stall. By default real milliseconds. */
  readonly wait?: (ms: number) => Promise<void>;
}
