/** 32-bit FNV-1a over UTF-16 code units: spreads names evenly and is the same everywhere. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  }
  return value;
}

/**
 * An ESTIMATE of a spot price in USD an hour, for catalogs without real ones. A family costs 30–48 % of on demand (in
 * steps of 2 %, by the hash of its name), which is about what public spot averages show; each zone differs from that by
 * −10 % to +10 % (by the hash of type and zone), so that zones compete. Four decimals, as EC2 quotes.
 */
export function estimateSpotUsd(instanceType: string, zone: string, onDemandUsd: number): number {
  const family = instanceType.split(".")[0]!;
  const share = 30 + 2 * (hash(family) % 10);
  const zonePercent = 90 + 2 * (hash(`${instanceType}|${zone}`) % 11);
  return Math.max(1, Math.round(onDemandUsd * share * zonePercent)) / 10_000;
}
