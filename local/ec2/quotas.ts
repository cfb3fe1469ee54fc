// The account's vCPU quotas for running instances: one per capacity type and family group, as EC2 has counted since 2019.
import type { CapacityType } from "./catalog.ts";

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-on-demand-instances.html#ec2-on-demand-instances-limits */
export type QuotaGroup = "standard" | "f" | "g-vt" | "p" | "x" | "inf" | "trn" | "dl" | "high-memory" | "hpc";

/** vCPUs that may run at a time; a group that is left out has no bound. */
export type Quotas = Partial<Record<CapacityType, Partial<Record<QuotaGroup, number>>>>;

/** The group whose quota an instance type counts against. */
export function quotaGroupOf(instanceType: string): QuotaGroup {
  const family = instanceType.split(".")[0] ?? "";
  const groups: readonly [RegExp, QuotaGroup][] = [
    [/^(u-|u\d)/, "high-memory"],
    [/^hpc/, "hpc"],
    [/^inf/, "inf"],
    [/^trn/, "trn"],
    [/^dl/, "dl"],
    [/^(g\d|gr\d|vt)/, "g-vt"],
    [/^p\d/, "p"],
    [/^f\d/, "f"],
    [/^x\d/, "x"],
  ];
  return groups.find(([pattern]) => pattern.test(family))?.[1] ?? "standard";
}

/** The error code that EC2 gives when a quota is used up. */
export function quotaErrorOf(capacityType: CapacityType): string {
  return capacityType === "spot" ? "MaxSpotInstanceCountExceeded" : "VcpuLimitExceeded";
}
