import type { Settings } from "../core/model/index.ts";

type Gates = Settings["featureGates"];

/** Karpenter's defaults (facts §3.3), for every setting that does not come from a cluster. */
export const defaultSettings: Omit<Settings, "clusterName" | "clusterEndpoint"> = {
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

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** `1s`, `1m30s`, `500ms`, as Go writes durations, in whole milliseconds; undefined for anything else. */
export function parseDurationMs(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  let sumMs = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    sumMs += Number(amount) * unitsMs[unit ?? "ms"]!;
  }
  return Math.round(sumMs);
}

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
