import { kubeletLabels, quantities, UserDataError, type UserDataInput } from "./input.ts";

/** Tables that the class may not set itself, for one text cannot hold them twice. */
const ownTable = /^\s*(\[+\s*settings\.kubernetes\b|settings\.kubernetes\b)/m;

/**
 * Bottlerocket's settings in TOML. The class's own settings stand before ours; where they touch `settings.kubernetes`
 * they would have to be merged, which is not built: such a class is refused by that name.
 */
export function bottlerocket(input: UserDataInput): string {
  const custom = (input.custom ?? "").replace(/\r\n/g, "\n").trimEnd();
  if (ownTable.test(custom)) {
    throw new UserDataError(
      "spec.userData: settings.kubernetes of Bottlerocket classes cannot be combined with ours yet; use spec.kubelet",
    );
  }
  const { kubelet } = input;
  const lines = [
    "[settings.kubernetes]",
    `api-server = ${text(input.endpoint)}`,
    `cluster-certificate = ${text(input.caBundle)}`,
    `cluster-name = ${text(input.clusterName)}`,
    ...(input.dnsAddress === undefined ? [] : [`cluster-dns-ip = ${text(input.dnsAddress)}`]),
    ...(kubelet.maxPods === undefined ? [] : [`max-pods = ${kubelet.maxPods}`]),
    ...table("settings.kubernetes.node-labels", Object.fromEntries(kubeletLabels(input.labels))),
    ...taintTable(input),
    ...table("settings.kubernetes.kube-reserved", quantities(kubelet.kubeReserved)),
    ...table("settings.kubernetes.system-reserved", quantities(kubelet.systemReserved)),
    ...table("settings.kubernetes.eviction-hard", kubelet.evictionHard),
    ...table("settings.kubernetes.eviction-soft", kubelet.evictionSoft),
  ];
  return `${custom === "" ? "" : `${custom}\n\n`}${lines.join("\n")}\n`;
}

/** A TOML basic string; JSON's escapes are among TOML's. */
function text(value: string): string {
  return JSON.stringify(value);
}

function table(name: string, values: Readonly<Record<string, string>> | undefined): string[] {
  if (values === undefined || Object.keys(values).length === 0) return [];
  return [
    "",
    `[${name}]`,
    ...Object.keys(values)
      .sort()
      .map((key) => `${text(key)} = ${text(values[key]!)}`),
  ];
}

/** `key = ["value:Effect", …]`. */
function taintTable(input: UserDataInput): string[] {
  const byKey = new Map<string, string[]>();
  for (const taint of input.taints) {
    byKey.set(taint.key, [...(byKey.get(taint.key) ?? []), `${taint.value}:${taint.effect}`]);
  }
  if (byKey.size === 0) return [];
  const rows = [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, values]) => `${text(key)} = [${values.map(text).join(", ")}]`);
  return ["", "[settings.kubernetes.node-taints]", ...rows];
}
