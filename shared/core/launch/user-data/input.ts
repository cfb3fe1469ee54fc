import type { KubeletSettings, Taint } from "../../model/index.ts";
import { formatQuantity } from "../../resources/index.ts";

/** What a node's first boot is told. */
export interface UserDataInput {
  readonly clusterName: string;
  readonly endpoint: string;
  /** PEM, base64. */
  readonly caBundle: string;
  readonly serviceCidr: string;
  readonly dnsAddress?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly kubelet: KubeletSettings;
  readonly instanceStorePolicy?: "RAID0";
  /** The class's own part. */
  readonly custom?: string;
}

/** The class's user data cannot be used; the message begins with the field. */
export class UserDataError extends Error {
  readonly code: "invalid" | "too-large";

  constructor(message: string, code: UserDataError["code"] = "invalid") {
    super(message);
    this.name = "UserDataError";
    this.code = code;
  }
}

const kubeletMaySet = /(^|\.)(kubelet\.kubernetes\.io|node\.kubernetes\.io)$/;
const kubeletMaySetToo: ReadonlySet<string> = new Set([
  "kubernetes.io/hostname",
  "kubernetes.io/arch",
  "kubernetes.io/os",
  "beta.kubernetes.io/arch",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/instance-type",
  "failure-domain.beta.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "topology.kubernetes.io/zone",
]);

/** Labels that a kubelet may give itself (kubelet's own check of --node-labels); registration brings the rest. */
export function kubeletLabels(labels: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(labels)
    .filter(([key]) => {
      const slash = key.indexOf("/");
      if (slash < 0 || kubeletMaySetToo.has(key)) return true;
      const domain = key.slice(0, slash);
      return kubeletMaySet.test(domain) || !/(^|\.)(kubernetes|k8s)\.io$/.test(domain);
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** `key=value:Effect`, as kubelet's --register-with-taints takes them. */
export function taintText(taint: Taint): string {
  return `${taint.key}=${taint.value}:${taint.effect}`;
}

/** `cpu=100m,memory=1Gi` maps, by kubelet's flag names in a fixed order. */
export function kubeletFlags(input: UserDataInput): readonly string[] {
  const { kubelet } = input;
  const flags: string[] = [];
  const labelText = kubeletLabels(input.labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
  if (labelText !== "") flags.push(`--node-labels=${labelText}`);
  if (input.taints.length > 0) flags.push(`--register-with-taints=${input.taints.map(taintText).join(",")}`);
  if (kubelet.maxPods !== undefined) flags.push(`--max-pods=${kubelet.maxPods}`);
  if (kubelet.podsPerCore !== undefined) flags.push(`--pods-per-core=${kubelet.podsPerCore}`);
  const pairs: readonly (readonly [string, Readonly<Record<string, string>> | undefined, string])[] = [
    ["--kube-reserved", quantities(kubelet.kubeReserved), "="],
    ["--system-reserved", quantities(kubelet.systemReserved), "="],
    ["--eviction-hard", kubelet.evictionHard, "<"],
    ["--eviction-soft", kubelet.evictionSoft, "<"],
  ];
  for (const [flag, values, sign] of pairs) {
    if (values === undefined || Object.keys(values).length === 0) continue;
    flags.push(
      `${flag}=${Object.keys(values)
        .sort()
        .map((key) => `${key}${sign}${values[key]}`)
        .join(",")}`,
    );
  }
  return flags;
}

/** Resources as kubelet's configuration takes them. */
export function quantities(
  resources: Readonly<Record<string, number>> | undefined,
): Record<string, string> | undefined {
  if (resources === undefined) return undefined;
  return Object.fromEntries(
    Object.keys(resources)
      .sort()
      .map((name) => [name, formatQuantity(resources[name]!, name)]),
  );
}

/** A word for a POSIX shell or for PowerShell, which both take single quotes literally. */
export function singleQuoted(text: string, quote: "shell" | "powershell"): string {
  return `'${text.replaceAll("'", quote === "shell" ? `'\\''` : "''")}'`;
}
