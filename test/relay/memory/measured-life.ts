import type { MeasuredRelay } from "./measured-relay.ts";

const scrapes = 3;

export interface MeasuredLife {
  readonly podBytesOnTheWire: number;
  readonly listMs: number;
  readonly cpuSeconds: Readonly<Record<string, number>>;
  readonly scrapeBytes: number;
  /** After each part. */
  readonly residentBytes: Readonly<Record<string, number>>;
  /** Up to the end of each part. */
  readonly highestBytes: Readonly<Record<string, number>>;
}

/** All that a relay goes through: what it takes after each part, and at most. */
export async function measuredLife(relay: MeasuredRelay, pods: number): Promise<MeasuredLife> {
  const residentBytes: Record<string, number> = {};
  const highestBytes: Record<string, number> = {};
  const cpuSeconds: Record<string, number> = {};
  let spent = 0;
  const note = (part: string) => {
    residentBytes[part] = relay.memoryBytes("VmRSS");
    highestBytes[part] = relay.memoryBytes("VmHWM");
    const now = relay.cpuSeconds();
    cpuSeconds[part] = Math.round((now - spent) * 100) / 100;
    spent = now;
  };
  const { cluster } = relay;
  await relay.line("controller started");
  note("started");
  const { afterMs } = await relay.line("watching for pending pods");
  note("listed");
  await cluster.change(Math.round(pods / 5));
  note("changed");
  await cluster.replace(Math.round(pods / 20));
  note("replaced");
  let scrapeBytes = 0;
  for (let at = 0; at < scrapes; at++) scrapeBytes = await relay.scrape(false);
  note("scraped");
  for (let at = 0; at < scrapes; at++) await relay.scrape(true);
  note("scrapedCompressed");
  await cluster.relist();
  note("listedAgain");
  await relay.scrape(true);
  note("scrapedAgain");
  return {
    podBytesOnTheWire: cluster.podBytes,
    listMs: Number(afterMs),
    cpuSeconds,
    scrapeBytes,
    residentBytes,
    highestBytes,
  };
}
