import type { AmiFamily } from "../model/index.ts";

const gib = 1_073_741_824;

/** What an AMI family changes about a node's labels and amounts (facts: cases 31, 37; Karpenter's family defaults). */
export interface AmiFamilyTraits {
  readonly os: "linux" | "windows";
  /** Value of node.kubernetes.io/windows-build. */
  readonly windowsBuild?: string;
  /** The device whose size pods get as ephemeral storage; undefined: the last mapping (only the AMI's maker knows). */
  readonly ephemeralDevice?: string;
  readonly defaultVolumeBytes: number;
  /** Pods are limited by network interfaces; otherwise by the kubelet's own default of 110. */
  readonly eniLimitedPods: boolean;
  /** Reserved memory follows the interfaces' limit whatever maxPods says; otherwise it follows maxPods. */
  readonly eniLimitedReserve: boolean;
  readonly podsPerCore: boolean;
}

const linux = {
  os: "linux",
  defaultVolumeBytes: 20 * gib,
  eniLimitedPods: true,
  eniLimitedReserve: true,
  podsPerCore: true,
} as const;

const windows = {
  os: "windows",
  ephemeralDevice: "/dev/sda1",
  defaultVolumeBytes: 50 * gib,
  eniLimitedPods: false,
  eniLimitedReserve: false,
  podsPerCore: true,
} as const;

const traits: Readonly<Record<AmiFamily, AmiFamilyTraits>> = {
  AL2: { ...linux, ephemeralDevice: "/dev/xvda" },
  AL2023: { ...linux, ephemeralDevice: "/dev/xvda" },
  Bottlerocket: { ...linux, ephemeralDevice: "/dev/xvdb", eniLimitedReserve: false, podsPerCore: false },
  Custom: linux,
  Windows2019: { ...windows, windowsBuild: "10.0.17763" },
  Windows2022: { ...windows, windowsBuild: "10.0.20348" },
  Windows2025: { ...windows, windowsBuild: "10.0.26100" },
};

export function amiFamilyTraits(family: AmiFamily): AmiFamilyTraits {
  return traits[family];
}
