import { existsSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { measuredLife } from "./measured-life.ts";
import { imageCommand, type MeasuredRelay, startMeasuredRelay } from "./measured-relay.ts";

const pods = 100_000;
const boundBytes = 150_000_000;
let relay: MeasuredRelay | undefined;

afterAll(() => relay?.stop());

describe.skipIf(!existsSync("/proc/self/status"))("the relay with the flags of its image (needs Linux's /proc)", () => {
  it("is started as the Dockerfile starts it", () => {
    const { flags, env } = imageCommand();
    expect(flags.every((flag) => flag.startsWith("--"))).toBe(true);
    expect(env.NODE_ENV).toBe("production");
  });

  it("never takes 150 MB for 100,000 pods: a list, changes, pods that come and go, scrapes, and all of it listed again", async () => {
    relay = await startMeasuredRelay(pods, pods / 50);
    const life = await measuredLife(relay, pods);
    console.info(JSON.stringify(life));
    // On a slow host one may be begun anew.
    expect(relay.cluster.podLists()).toBeGreaterThanOrEqual(2);
    expect(life.scrapeBytes).toBeGreaterThan(30_000_000);
    expect(life.highestBytes.scrapedAgain).toBeLessThan(boundBytes);
  });
});
