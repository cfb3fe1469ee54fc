import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { maxRecordBytes } from "../../core/limits.ts";
import { OperationError } from "../../ports/index.ts";

/**
 * Text that nearly every record repeats, most frequent last (zlib finds the end of a dictionary cheapest). Records are
 * small, so without it they would hardly compress. Stored records name the version of the dictionary they were written
 * with: to improve it, add a version; never change one that was released.
 */
const dictionaries: Readonly<Record<number, Buffer>> = {
  1: Buffer.from(
    [
      '"ephemeral-storage":21474836480,"nvidia.com/gpu":1,"vpc.amazonaws.com/pod-eni":107,"hugepages-2Mi":0',
      '"karpenter.sh/do-not-disrupt":"true","kubernetes.io/os":"linux","kubernetes.io/os":"windows"',
      '"karpenter.k8s.aws/instance-encryption-in-transit-supported","karpenter.k8s.aws/instance-hypervisor":"nitro"',
      '"karpenter.k8s.aws/instance-local-nvme","karpenter.k8s.aws/instance-network-bandwidth":"12500"',
      '"karpenter.k8s.aws/instance-ebs-bandwidth":"10000","karpenter.k8s.aws/instance-gpu-count"',
      '"karpenter.k8s.aws/instance-cpu-manufacturer":"intel","karpenter.k8s.aws/instance-cpu-manufacturer":"amd"',
      '"NoSchedule","NoExecute","PreferNoSchedule","effect":"value":"key":"DoesNotExist","NotIn","Exists","Gt","Lt"',
      '"c5.large","c5.xlarge","c5.2xlarge","c6a.large","c6g.large","c6i.large","c7a.large","c7g.large","c7i.large"',
      '"m5.large","m5.xlarge","m5.2xlarge","m6a.large","m6g.large","m6i.large","m7a.large","m7g.large","m7i.large"',
      '"r5.large","r5.xlarge","r5.2xlarge","r6a.large","r6g.large","r6i.large","r7a.large","r7g.large","r7i.large"',
      '"m8g.4xlarge","c8g.8xlarge","r8g.12xlarge","t3.medium","t3a.small","t4g.micro",.16xlarge",".24xlarge",".metal"',
      '"us-east-1a","us-east-1b","us-east-1c","us-east-1d","us-west-2a","eu-west-1a","use1-az1","usw2-az2","euw1-az3"',
      '"karpenter.k8s.aws/instance-category","operator":"In","values":["c","m","r"]},{"key":"',
      '"karpenter.k8s.aws/instance-generation","operator":"Gt","values":["2"]},{"key":"',
      '"karpenter.k8s.aws/instance-family","karpenter.k8s.aws/instance-size","karpenter.k8s.aws/instance-cpu"',
      '"karpenter.k8s.aws/instance-memory","karpenter.k8s.aws/ec2nodeclass":"default"',
      '{"key":"karpenter.sh/capacity-type","operator":"In","values":["on-demand"]},"spot","reserved"',
      '{"key":"kubernetes.io/arch","operator":"In","values":["amd64"]},"arm64"',
      '{"key":"node.kubernetes.io/instance-type","operator":"In","values":["',
      '{"key":"topology.kubernetes.io/zone","operator":"In","values":["","topology.k8s.aws/zone-id"',
      '{"key":"karpenter.sh/nodepool","operator":"In","values":["default"]},"karpenter.sh/nodepool":"default"',
      '"registered","initialized","karpenter.sh/registered":"true","reason":"message":"securityGroupIds":["sg-0',
      '{"instanceType":"","zone":"us-east-1a","subnetId":"subnet-0","imageId":"ami-0","priority":,"priceMicroUsd":',
      '"template":"timmerman-","overrides":[{"clientToken":"","count":,"capacityType":"spot","templates":[{"name":"',
      '{"target":"","pods":["default/","kube-system/","placements":[',
      '{"id":"i-0","providerId":"aws:///us-east-1a/i-0","instanceType":"m5.large","zone":"us-east-1a","zoneId":"use1-az1",',
      '"capacityType":"on-demand","priceMicroUsd":96000,"imageId":"ami-0","subnetId":"subnet-0",',
      '"capacity":{"cpu":2000,"memory":8589934592,"pods":29},"allocatable":{"cpu":1930,"memory":7',
      '},"launchedAtMs":17,"requestedAtMs":17,"deadlineMs":17,"sealedAtMs":17',
      '{"nodePool":"default","nodePoolUid":"","nodePoolHash":"","nodeClass":"default","nodeClassHash":"",',
      '"requirements":[{"key":"","operator":"In","values":[""]}],"instanceTypes":[""],"labels":{"":""},',
      '"annotations":{},"taints":[],"startupTaints":[],"requests":{"cpu":1000,"memory":1073741824,"pods":3},',
      '"expireAfterMs":2592000000,"terminationGracePeriodMs":null,"reason":"provisioned"}',
    ].join(""),
  ),
};

const currentVersion = 1;
/** Stands for "not compressed": what is shorter than this costs more time than it saves space. */
const plainVersion = 0;
const worthCompressingBytes = 100;

/** A value as compressed JSON; the first byte names the dictionary. */
export function pack(value: unknown): Uint8Array {
  const json = Buffer.from(JSON.stringify(value));
  if (json.length < worthCompressingBytes) return withVersion(plainVersion, json);
  const level = constants.Z_BEST_COMPRESSION;
  return withVersion(currentVersion, deflateRawSync(json, { dictionary: dictionaries[currentVersion]!, level }));
}

function withVersion(version: number, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(1 + body.length);
  bytes[0] = version;
  bytes.set(body, 1);
  return bytes;
}

/** The value that `pack` was given. Throws `unreadable` (never) for what it did not write. */
export function unpack<T>(bytes: Uint8Array, of: string): T {
  const version = bytes[0];
  const dictionary = version === undefined ? undefined : dictionaries[version];
  if (dictionary === undefined && version !== plainVersion) {
    throw new OperationError(`${of} was written by a newer version (dictionary ${version}): upgrade this one`, {
      retry: "never",
      code: "unreadable",
    });
  }
  try {
    const body = bytes.subarray(1);
    const json = dictionary === undefined ? Buffer.from(body) : inflateRawSync(body, { dictionary });
    return JSON.parse(json.toString("utf8")) as T;
  } catch (cause) {
    throw new OperationError(`${of} cannot be read: its compressed body is damaged`, {
      retry: "never",
      code: "unreadable",
      cause,
    });
  }
}

const kept = new Map<string, object>();
const maxKept = 5_000;

/**
 * `unpack` for a body that is written once and read at every run: a warm function inflates it once. The object is frozen,
 * since all who read that body share it.
 */
export function unpackKept(bytes: Uint8Array, of: string): object {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const known = kept.get(text);
  if (known !== undefined) return known;
  const value = freeze(unpack<object>(bytes, of));
  if (kept.size >= maxKept) kept.clear();
  kept.set(text, value);
  return value;
}

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) freeze(inner);
    Object.freeze(value);
  }
  return value;
}

/** `pack`, for a record of its own: throws `too-large` (never) above what an item may hold. */
export function packRecord(of: string, value: unknown): Uint8Array {
  const bytes = pack(value);
  if (bytes.length > maxRecordBytes) {
    throw new OperationError(
      `${of} takes ${bytes.length} bytes compressed, an item holds ${maxRecordBytes}: use fewer instance types, fewer subnets or shorter user data`,
      { retry: "never", code: "too-large" },
    );
  }
  return bytes;
}

/** Throws as `packRecord` would; compresses only what could be too large. */
export function requireRecordFits(of: string, value: unknown): void {
  if (JSON.stringify(value).length > maxRecordBytes) packRecord(of, value);
}
