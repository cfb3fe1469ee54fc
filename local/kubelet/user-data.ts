// What an instance's user data tells its kubelet. Reads nodeadm's NodeConfig (AL2023) out of a MIME archive or plain YAML,
// and the flags of AL2's bootstrap script. An instance whose user data names no cluster, or another one, never joins.
import { parse } from "yaml";

export interface KubeletConfig {
  readonly clusterName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly { key: string; value?: string; effect: string }[];
  readonly maxPods?: number;
}

function readLabels(flag: string): Record<string, string> {
  return Object.fromEntries(
    flag
      .split(",")
      .filter((pair) => pair !== "")
      .map((pair) => {
        const equals = pair.indexOf("=");
        return [pair.slice(0, equals), pair.slice(equals + 1)];
      }),
  );
}

function readTaints(flag: string): KubeletConfig["taints"] {
  return flag
    .split(",")
    .filter((taint) => taint !== "")
    .map((taint) => {
      const colon = taint.lastIndexOf(":");
      const [key = "", value] = taint.slice(0, colon).split("=");
      return { key, effect: taint.slice(colon + 1), ...(value ? { value } : {}) };
    });
}

function flagValue(flags: readonly string[], name: string): string {
  const all = flags.join(" ");
  return new RegExp(`--${name}=["']?([^"'\\s]*)`).exec(all)?.[1] ?? "";
}

interface NodeConfig {
  kind?: string;
  spec?: {
    cluster?: { name?: string };
    kubelet?: {
      flags?: string[];
      config?: { maxPods?: number; registerWithTaints?: { key: string; value?: string; effect: string }[] };
    };
  };
}

/** The NodeConfig documents of a MIME archive, or of plain YAML. Parts of other types are passed over. */
function nodeConfigs(userData: string): NodeConfig[] {
  const boundary = /boundary="?([^"\r\n]+)"?/i.exec(userData)?.[1];
  const parts = boundary === undefined ? [userData] : userData.split(`--${boundary}`);
  return parts.flatMap((part) => {
    if (!/"?apiVersion"?:\s*"?node\.eks\.aws\//.test(part)) return [];
    // YAML or JSON, which YAML contains. A MIME part's headers end at the first empty line.
    const [, body = ""] = boundary === undefined ? ["", part] : (/\r?\n\r?\n([\s\S]*)/.exec(part) ?? []);
    const document = parse(body) as NodeConfig;
    return document?.kind === "NodeConfig" ? [document] : [];
  });
}

/** Undefined: nothing in it makes a kubelet. */
export function readUserData(userData: string): KubeletConfig | undefined {
  const configs = nodeConfigs(userData);
  const clusterName = configs.map((c) => c.spec?.cluster?.name).find((name) => name !== undefined);
  if (clusterName !== undefined) {
    const flags = configs.flatMap((c) => c.spec?.kubelet?.flags ?? []);
    const maxPods = configs.map((c) => c.spec?.kubelet?.config?.maxPods).find((n) => n !== undefined);
    return {
      clusterName,
      labels: readLabels(flagValue(flags, "node-labels")),
      taints: [
        ...configs.flatMap((c) => c.spec?.kubelet?.config?.registerWithTaints ?? []),
        ...readTaints(flagValue(flags, "register-with-taints")),
      ],
      ...(maxPods === undefined ? {} : { maxPods }),
    };
  }
  const bootstrap = /\/etc\/eks\/bootstrap\.sh\s+'?([A-Za-z0-9_-]+)'?/.exec(userData)?.[1];
  if (bootstrap === undefined) return undefined;
  return {
    clusterName: bootstrap,
    labels: readLabels(flagValue([userData], "node-labels")),
    taints: readTaints(flagValue([userData], "register-with-taints")),
  };
}
