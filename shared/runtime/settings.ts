// Karpenter's settings (facts §3.3), in the three ways that people write them: as environment variables, as flags and as
// the values under `settings.` of its chart. Imports no SDK: the stacks check their clusters with it before they deploy.
import type { Settings } from "../core/model/index.ts";
import { parseGoDurationMs } from "../core/resources/index.ts";
import { readDefaultSpread } from "./scheduler-config.ts";

type Gates = Settings["featureGates"];

/** Every setting that does not come from a cluster. */
export type GeneralSettings = Omit<Settings, "clusterName" | "clusterEndpoint">;

/** Karpenter's defaults. */
export const defaultSettings: GeneralSettings = {
  batchIdleMs: 1_000,
  batchMaxMs: 10_000,
  preferencePolicy: "Respect",
  minValuesPolicy: "Strict",
  vmMemoryOverheadPpm: 75_000,
  reservedEnis: 0,
  ignoreDraRequests: true,
  featureGates: {
    nodeRepair: false,
    reservedCapacity: true,
    spotToSpotConsolidation: false,
    nodeOverlay: false,
    staticCapacity: false,
    capacityBuffer: false,
  },
};

/** A fraction from 0 to 1 such as 0.075, exactly, as millionths; undefined for anything else. */
export function parseMillionths(text: string): number | undefined {
  const match = /^([01])(?:\.(\d{1,6}))?$/.exec(text);
  if (match === null) return undefined;
  const value = Number(match[1]) * 1_000_000 + Number((match[2] ?? "").padEnd(6, "0"));
  return value <= 1_000_000 ? value : undefined;
}

/**
 * `NodeRepair=true,NodeOverlay=false` over what is set already. Gates that are not named stay; each part that names none,
 * or gives it no truth value, is complained of and left out.
 */
export function parseGates(text: string, current: Gates, complain: (problem: string) => void): Gates {
  const gates: Record<string, boolean> = { ...current };
  for (const part of text.split(",").filter((piece) => piece.trim() !== "")) {
    const [, name = "", value] = /^\s*(\w+)\s*=\s*(true|false)\s*$/i.exec(part) ?? [];
    const key = name.charAt(0).toLowerCase() + name.slice(1);
    if (value !== undefined && Object.hasOwn(current, key) && name !== key) {
      gates[key] = value.toLowerCase() === "true";
    } else {
      const known = Object.keys(current).map((gate) => gate.charAt(0).toUpperCase() + gate.slice(1));
      complain(`has ${JSON.stringify(part.trim())}: write <gate>=true or =false, with a gate of ${known.join(", ")}`);
    }
  }
  return gates as unknown as Gates;
}

/** One value of the chart: what it must be, and how its text becomes settings (undefined: it is not that). */
interface ChartValue {
  readonly wanted: string;
  read(text: string): Partial<GeneralSettings> | undefined;
}

const duration = (name: "batchIdleMs" | "batchMaxMs"): ChartValue => ({
  wanted: "a duration such as 10s",
  read: (text) => found(parseGoDurationMs(text), (ms) => ({ [name]: ms })),
});

const oneOf = <T extends string>(values: readonly T[], set: (value: T) => Partial<GeneralSettings>): ChartValue => ({
  wanted: `one of ${values.join(", ")}`,
  read: (text) =>
    found(
      values.find((value) => value.toLowerCase() === text.toLowerCase()),
      set,
    ),
});

function found<T>(value: T | undefined, set: (value: T) => Partial<GeneralSettings>) {
  return value === undefined ? undefined : set(value);
}

/** Names and spelling are those of Karpenter's chart. */
const chartValues: Readonly<Record<string, ChartValue>> = {
  batchIdleDuration: duration("batchIdleMs"),
  batchMaxDuration: duration("batchMaxMs"),
  preferencePolicy: oneOf(["Respect", "Ignore"], (preferencePolicy) => ({ preferencePolicy })),
  minValuesPolicy: oneOf(["Strict", "BestEffort"], (minValuesPolicy) => ({ minValuesPolicy })),
  vmMemoryOverheadPercent: {
    wanted: "a fraction from 0 to 1 such as 0.075, with six decimals at most",
    read: (text) => found(parseMillionths(text), (vmMemoryOverheadPpm) => ({ vmMemoryOverheadPpm })),
  },
  reservedENIs: {
    wanted: "a whole number such as 1",
    read: (text) => (/^\d{1,4}$/.test(text) ? { reservedEnis: Number(text) } : undefined),
  },
  ignoreDRARequests: {
    wanted: "true or false",
    read: (text) => found(truthOf(text), (ignoreDraRequests) => ({ ignoreDraRequests })),
  },
};

/** Values of the chart that configure what is not there: a controller in the cluster, its caches, its own queue. */
const withoutSay: ReadonlySet<string> = new Set([
  "amiRefreshInterval",
  "clusterCABundle",
  "clusterEndpoint",
  "clusterName",
  "disableClusterStateObservability",
  "disableDryRun",
  "eksControlPlane",
  "enableZonalShift",
  "interruptionQueue",
  "isolatedVPC",
  "subnetRefreshInterval",
]);

const gateNames = Object.keys(defaultSettings.featureGates);

/**
 * What a cluster's `settings` say, by Karpenter's chart names, with values as YAML or text has them (`0.075`, `"0.075"`).
 * Null and empty text leave the default, as in the chart. Each wrong one is complained of, by its field and without its
 * value, and left out; values that have no say here are taken without complaint (`settingsWithoutSay` lists them).
 */
export function clusterSettingsFrom(
  value: unknown,
  defaults: GeneralSettings,
  complain: (problem: string) => void,
): GeneralSettings {
  if (isUnset(value)) return defaults;
  if (!isObject(value)) {
    complain('settings must be an object such as {"reservedENIs":1}');
    return defaults;
  }
  let settings = defaults;
  for (const [name, given] of Object.entries(value)) {
    if (name === "featureGates") {
      settings = { ...settings, featureGates: gatesFrom(given, settings.featureGates, complain) };
      continue;
    }
    if (name === "schedulerConfig") {
      settings = { ...settings, ...spreadFrom(given, complain) };
      continue;
    }
    const chartValue = Object.hasOwn(chartValues, name) ? chartValues[name] : undefined;
    if (chartValue === undefined) {
      if (!withoutSay.has(name))
        complain(unknownName("settings", name, [...Object.keys(chartValues), "schedulerConfig", "featureGates"]));
      continue;
    }
    if (isUnset(given)) continue;
    const change = isScalar(given) ? chartValue.read(String(given).trim()) : undefined;
    if (change === undefined) complain(`settings.${name} must be ${chartValue.wanted}`);
    else settings = { ...settings, ...change };
  }
  return settings;
}

/** What is wrong with a cluster's `settings`, each problem with its field and fix; empty: nothing. */
export function settingsProblems(value: unknown): readonly string[] {
  const problems: string[] = [];
  clusterSettingsFrom(value, defaultSettings, (problem) => problems.push(problem));
  return problems;
}

/** Fields of a cluster's `settings` that are given and right, but change nothing here; sorted. */
export function settingsWithoutSay(value: unknown): readonly string[] {
  if (!isObject(value)) return [];
  return Object.keys(value)
    .filter((name) => withoutSay.has(name) && !isUnset(value[name]))
    .sort()
    .map((name) => `settings.${name}`);
}

/** Settings, whoever set them, that ask for what is not built yet: they are taken and change nothing. */
export function settingsAhead({ featureGates }: GeneralSettings): readonly string[] {
  const {
    reservedCapacity: _reserved,
    nodeOverlay: _overlay,
    staticCapacity: _static,
    capacityBuffer: _buffer,
    ...unbuilt
  } = featureGates;
  return Object.entries(unbuilt).flatMap(([gate, isOn]) => (isOn ? [`settings.featureGates.${gate}`] : []));
}

function spreadFrom(value: unknown, complain: (problem: string) => void): Pick<GeneralSettings, "defaultSpread"> {
  if (isUnset(value)) return {};
  try {
    return { defaultSpread: readDefaultSpread(value) };
  } catch (error) {
    complain(`settings.schedulerConfig ${(error as Error).message}`);
    return {};
  }
}

function gatesFrom(value: unknown, current: Gates, complain: (problem: string) => void): Gates {
  if (isUnset(value)) return current;
  if (!isObject(value)) {
    complain('settings.featureGates must be an object such as {"nodeRepair":true}');
    return current;
  }
  const gates: Record<string, boolean> = { ...current };
  for (const [name, given] of Object.entries(value)) {
    const truth = isScalar(given) ? truthOf(String(given)) : undefined;
    if (!gateNames.includes(name)) complain(unknownName("settings.featureGates", name, gateNames));
    else if (truth !== undefined) gates[name] = truth;
    else if (!isUnset(given)) complain(`settings.featureGates.${name} must be true or false`);
  }
  return gates as unknown as Gates;
}

/** Names are told, for a name is no secret; near misses (`reservedEnis`) are told the right spelling. */
function unknownName(path: string, name: string, known: readonly string[]): string {
  const near = known.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  const fix = near === undefined ? `use ${known.join(", ")}` : `write ${near}`;
  return `${path}.${name} is not known: ${fix}`;
}

function truthOf(text: string): boolean | undefined {
  if (/^true$/i.test(text)) return true;
  return /^false$/i.test(text) ? false : undefined;
}

function isUnset(value: unknown): value is undefined | null | "" {
  return value === undefined || value === null || value === "";
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
