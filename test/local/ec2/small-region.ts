// A small region for the endpoint's tests: two zones with all types, one with a few, an arm64 type, a GPU type.
import { EC2Client } from "@aws-sdk/client-ec2";
import type { CatalogFile } from "../../../local/ec2/catalog.ts";
import { createEc2, type Ec2 } from "../../../local/ec2/ec2.ts";
import type { Ec2Options } from "../../../local/ec2/options.ts";

export const start = Date.UTC(2026, 0, 15, 12, 0, 0);

function type(
  name: string,
  vcpus: number,
  memoryMiB: number,
  architecture = "x86_64",
): CatalogFile["instanceTypes"][number] {
  return {
    InstanceType: name,
    CurrentGeneration: true,
    SupportedUsageClasses: ["on-demand", "spot"],
    BareMetal: false,
    Hypervisor: "nitro",
    ProcessorInfo: { SupportedArchitectures: [architecture] },
    VCpuInfo: { DefaultVCpus: vcpus },
    MemoryInfo: { SizeInMiB: memoryMiB },
    InstanceStorageSupported: false,
    NetworkInfo: { MaximumNetworkInterfaces: 3, Ipv4AddressesPerInterface: 10, EfaSupported: false },
    BurstablePerformanceSupported: false,
  };
}

export const catalog: CatalogFile = {
  region: "us-east-1",
  zones: [
    { name: "us-east-1a", id: "use1-az1" },
    { name: "us-east-1b", id: "use1-az2" },
    { name: "us-east-1c", id: "use1-az4" },
  ],
  instanceTypes: [
    type("c5.large", 2, 4096),
    type("g5.xlarge", 4, 16384),
    type("m5.large", 2, 8192),
    type("m5.xlarge", 4, 16384),
    type("m6g.large", 2, 8192, "arm64"),
    type("r5.large", 2, 16384),
  ],
  offerings: { "g5.xlarge": ["us-east-1a"], "m6g.large": ["us-east-1a", "us-east-1b"] },
  onDemand: {
    "c5.large": 0.085,
    "g5.xlarge": 1.006,
    "m5.large": 0.096,
    "m5.xlarge": 0.192,
    "m6g.large": 0.077,
    "r5.large": 0.126,
  },
  spot: {
    "c5.large": { "us-east-1a": 0.036, "us-east-1b": 0.034, "us-east-1c": 0.04 },
    "m5.large": { "us-east-1a": 0.041, "us-east-1b": 0.039, "us-east-1c": 0.045 },
    "m5.xlarge": { "us-east-1a": 0.082, "us-east-1b": 0.079, "us-east-1c": 0.09 },
    "m6g.large": { "us-east-1a": 0.03, "us-east-1b": 0.031 },
    "r5.large": { "us-east-1a": 0.05, "us-east-1b": 0.048, "us-east-1c": 0.052 },
  },
};

export const subnets = { a: "subnet-0000000000000000a", b: "subnet-0000000000000000b", c: "subnet-0000000000000000c" };
export const groups = { nodes: "sg-00000000000000001", other: "sg-00000000000000002" };
export const images = { x86: "ami-0000000000000a001", arm: "ami-0000000000000a002" };

export function network(): NonNullable<Ec2Options["network"]> {
  const discovery = { "karpenter.sh/discovery": "demo" };
  return {
    subnets: [
      {
        id: subnets.a,
        zone: "us-east-1a",
        cidr: "10.0.0.0/24",
        tags: { ...discovery, Name: "demo-a" },
        defaultForZone: true,
      },
      {
        id: subnets.b,
        zone: "us-east-1b",
        cidr: "10.0.1.0/24",
        tags: { ...discovery, Name: "demo-b" },
        defaultForZone: true,
      },
      { id: subnets.c, zone: "us-east-1c", cidr: "10.0.2.0/24", tags: { Name: "demo-c" }, defaultForZone: true },
    ],
    securityGroups: [
      { id: groups.nodes, name: "demo-nodes", tags: discovery },
      { id: groups.other, name: "demo-other", vpcId: "vpc-00000000000000002" },
    ],
  };
}

/** A clock that a test moves. */
export class ManualClock {
  ms = start;
  now(): number {
    return this.ms;
  }
  advance(ms: number): void {
    this.ms += ms;
  }
}

export interface Region {
  readonly ec2: Ec2;
  readonly clock: ManualClock;
  /** A client that doesn't retry, and so takes a new connection for each call: servers close those that rest a while. */
  readonly client: EC2Client;
  readonly endpoint: string;
  close(): Promise<void>;
}

/** A region that listens. */
export async function openRegion(options: Partial<Ec2Options> = {}): Promise<Region> {
  const clock = new ManualClock();
  const ec2 = createEc2({ clock, catalog, network: network(), ...options });
  const endpoint = await ec2.listen();
  const client = new EC2Client({
    region: "us-east-1",
    endpoint,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts: 1,
    requestHandler: { httpAgent: { keepAlive: false } },
  });
  return {
    ec2,
    clock,
    client,
    endpoint,
    async close() {
      client.destroy();
      await ec2.close();
    },
  };
}
