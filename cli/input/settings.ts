// `--setting NAME=VALUE`, under Karpenter's names for flags (preference-policy) or environment variables (PREFERENCE_POLICY).
import type { Settings } from "../../shared/core/model/index.ts";
import { parseGoDurationMs } from "../../shared/core/resources/index.ts";
import { readDefaultSpread } from "../../shared/runtime/scheduler-config.ts";
import { defaultSettings as defaults, parseGates, parseMillionths } from "../../shared/runtime/settings.ts";
import { InputError } from "../input-error.ts";

/** Karpenter's defaults, for a cluster without a name of its own. */
export const defaultSettings: Settings = { clusterName: "plan", ...defaults };

type Change = (settings: Settings, value: string) => Settings;

const oneOf =
  <const V extends string>(allowed: readonly V[], set: (value: V) => Partial<Settings>): Change =>
  (settings, value) => {
    if (!(allowed as readonly string[]).includes(value)) throw new Error(`is none of ${allowed.join(", ")}`);
    return { ...settings, ...set(value as V) };
  };

const duration =
  (set: (ms: number) => Partial<Settings>): Change =>
  (settings, value) => {
    const ms = parseGoDurationMs(value);
    if (ms === undefined) throw new Error("is not a duration such as 10s or 1m30s");
    return { ...settings, ...set(ms) };
  };

const changes: Readonly<Record<string, Change>> = {
  "cluster-name": (settings, clusterName) => ({ ...settings, clusterName }),
  "cluster-endpoint": (settings, clusterEndpoint) => ({ ...settings, clusterEndpoint }),
  "batch-idle-duration": duration((batchIdleMs) => ({ batchIdleMs })),
  "batch-max-duration": duration((batchMaxMs) => ({ batchMaxMs })),
  "preference-policy": oneOf(["Respect", "Ignore"], (preferencePolicy) => ({ preferencePolicy })),
  "min-values-policy": oneOf(["Strict", "BestEffort"], (minValuesPolicy) => ({ minValuesPolicy })),
  "ignore-dra-requests": oneOf(["true", "false"], (value) => ({ ignoreDraRequests: value === "true" })),
  "vm-memory-overhead-percent": (settings, value) => {
    const vmMemoryOverheadPpm = parseMillionths(value);
    if (vmMemoryOverheadPpm === undefined) throw new Error("is not a share from 0 to 1, such as 0.075");
    return { ...settings, vmMemoryOverheadPpm };
  },
  "reserved-enis": (settings, value) => {
    if (!/^\d{1,4}$/.test(value)) throw new Error("is not a whole number");
    return { ...settings, reservedEnis: Number(value) };
  },
  "scheduler-config": (settings, value) => ({ ...settings, defaultSpread: readDefaultSpread(value) }),
  "feature-gates": (settings, value) => {
    const featureGates = parseGates(value, settings.featureGates, (problem) => {
      throw new Error(problem);
    });
    return { ...settings, featureGates };
  },
};

/** Karpenter's other settings: they change how a controller runs, not what is planned. */
const withoutSay: ReadonlySet<string> = new Set([
  "ami-refresh-interval",
  "cluster-ca-bundle",
  "cpu-requests",
  "disable-cluster-state-observability",
  "disable-controller-warmup",
  "disable-dry-run",
  "disable-leader-election",
  "eks-control-plane",
  "enable-profiling",
  "enable-zonal-shift",
  "health-probe-port",
  "interruption-queue",
  "isolated-vpc",
  "karpenter-service",
  "kube-client-burst",
  "kube-client-qps",
  "leader-election-name",
  "leader-election-namespace",
  "log-error-output-paths",
  "log-level",
  "log-output-paths",
  "memory-limit",
  "metrics-port",
  "subnet-refresh-interval",
]);

/** Settings from `NAME=VALUE` texts over Karpenter's defaults. Throws InputError naming the setting. */
export function readSettings(texts: readonly string[]): Settings {
  return texts.reduce((settings, text) => {
    const equals = text.indexOf("=");
    if (equals < 1) throw new InputError(`--setting ${text}: write NAME=VALUE`);
    const name = text.slice(0, equals).toLowerCase().replaceAll("_", "-");
    const value = text.slice(equals + 1);
    if (withoutSay.has(name)) return settings;
    const change = Object.hasOwn(changes, name) ? changes[name] : undefined;
    if (change === undefined) {
      throw new InputError(
        `--setting ${text}: there is no setting "${name}"; those with a say in plans are ${Object.keys(changes).join(", ")}`,
      );
    }
    try {
      return change(settings, value);
    } catch (cause) {
      throw new InputError(`--setting ${name}: "${value}" ${(cause as Error).message}`, { cause });
    }
  }, defaultSettings);
}
