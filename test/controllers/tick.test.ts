import { describe, expect, it } from "vitest";
import { createTick } from "../../shared/controllers/index.ts";
import { clusterName, createDesk, startMs } from "./desk.ts";

const minute = 60_000;

describe("tick", () => {
  it("wakes what is due, until it has run", async () => {
    const desk = await createDesk();
    await desk.store.setAgenda(clusterName, "disrupt", startMs + 90_000);
    await desk.store.setAgenda(clusterName, "unheard-of", startMs);
    const tick = createTick(desk.ports, desk.settings);
    const wokenAt: Record<number, readonly string[]> = {};
    for (let at = 0; at < 5; at++) {
      await tick.run();
      wokenAt[at] = desk.woken().filter((target) => target === "disrupt");
      if (at === 3)
        await desk.store.setAgenda(clusterName, "disrupt", startMs + 60 * minute, { nowMs: desk.clock.now() });
      await desk.pass(minute);
    }
    expect(wokenAt).toMatchObject({ 1: [], 2: ["disrupt"], 3: ["disrupt"], 4: [] });
  });

  it("takes what is due for a cluster that is no longer served off the agenda, and says so once", async () => {
    const desk = await createDesk();
    await desk.store.setAgenda("gone", "lifecycle", startMs);
    await desk.store.setAgenda(clusterName, "lifecycle", startMs);
    const tick = createTick(desk.ports, desk.settings);
    for (let at = 0; at < 3; at++) await tick.run();
    const woken = desk.wakes.takeDue().map(({ cluster }) => cluster);
    expect(new Set(woken)).toEqual(new Set([clusterName]));
    expect((await desk.store.readDue(startMs)).map(({ cluster }) => cluster)).toEqual([clusterName]);
    const said = desk.telemetry.lines.filter(({ message }) => message.includes("cluster gone is not served"));
    expect(said).toHaveLength(1);
  });

  it("wakes every controller once in ten minutes, whatever is on the agenda", async () => {
    const desk = await createDesk();
    const tick = createTick(desk.ports, desk.settings);
    const rounds: string[][] = [];
    for (let at = 0; at < 10; at++) {
      await tick.run();
      rounds.push(desk.woken());
      await desk.pass(minute);
    }
    expect(rounds.filter((targets) => targets.length > 0)).toEqual([
      ["collect-garbage", "disrupt", "lifecycle", "provision", "resolve-node-classes"],
    ]);
  });

  it("spreads a thousand clusters over the ten minutes", async () => {
    const desk = await createDesk();
    const names = Array.from({ length: 1_000 }, (_, i) => `cluster-${i}`);
    const tick = createTick(
      { ...desk.ports, clusters: { ...desk.ports.clusters, list: async () => names } },
      desk.settings,
    );
    const perRound: number[] = [];
    const seen = new Set<string>();
    for (let at = 0; at < 10; at++) {
      perRound.push((await tick.run()).wakesSent);
      for (const { cluster } of desk.wakes.takeDue()) seen.add(cluster);
      await desk.pass(minute);
    }
    expect(seen.size).toBe(1_000);
    expect(Math.max(...perRound)).toBeLessThan(1_000);
  });
});
