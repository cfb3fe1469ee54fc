import { describe, expect, it } from "vitest";
import { createTick } from "../../shared/controllers/index.ts";
import { scheduleNext } from "../../shared/controllers/schedule.ts";
import type { ClaimStore } from "../../shared/ports/index.ts";
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
      await relaySpeaks(desk, clusterName);
      await tick.run();
      rounds.push(desk.woken());
      await desk.pass(minute);
    }
    expect(rounds.filter((targets) => targets.length > 0)).toEqual([
      ["collect-garbage", "disrupt", "lifecycle", "provision", "resolve-node-classes"],
    ]);
  });

  it("brings runs that find nothing due once in ten minutes, however long each wake took to arrive", async () => {
    const desk = await createDesk();
    const tick = createTick(desk.ports, desk.settings);
    const seconds = [9, 5, 1, 8, 2, 7, 3, 6, 4];
    let runs = 0;
    for (let at = 0; at < 120; at++) {
      await relaySpeaks(desk, clusterName);
      await tick.run();
      const wakes = desk.woken().includes("disrupt") ? 1 : 0;
      const arrivesAfterMs = seconds[runs % seconds.length]! * 1_000;
      await desk.pass(arrivesAfterMs);
      if (wakes > 0) await scheduleNext(desk.ports, clusterName, "disrupt", null);
      runs += wakes;
      await desk.pass(minute - arrivesAfterMs);
    }
    expect(runs).toBe(12);
  });

  it("looks again at who is served before it takes anything off the agenda", async () => {
    const desk = await createDesk();
    await desk.store.setAgenda("new", "lifecycle", startMs);
    const asked: boolean[] = [];
    const list = async ({ fresh = false } = {}) => {
      asked.push(fresh);
      const region = "us-east-1";
      return fresh
        ? [
            { name: clusterName, region },
            { name: "new", region },
          ]
        : [{ name: clusterName, region }];
    };
    await createTick({ ...desk.ports, clusters: { ...desk.ports.clusters, list } }, desk.settings).run();
    expect(asked).toEqual([false, true]);
    expect(desk.wakes.takeDue()).toContainEqual({ cluster: "new", target: "lifecycle" });
    expect((await desk.store.readDue(startMs)).map(({ cluster }) => cluster)).toContain("new");
  });
});

type Desk = Awaited<ReturnType<typeof createDesk>>;

/** A relay beats: if it does not again, it counts as silent a minute later, or whenever it says. */
async function relaySpeaks(desk: Desk, cluster: string, silentInMs = minute): Promise<void> {
  await desk.store.setAgenda(cluster, "relay", desk.clock.now() + silentInMs, { replace: true });
}

describe("while a relay is silent, tick", () => {
  it("wakes those whom it would wake, every minute, until it speaks again", async () => {
    const desk = await createDesk();
    await relaySpeaks(desk, clusterName);
    const tick = createTick(desk.ports, desk.settings);
    const rounds: string[][] = [];
    const silent: number[] = [];
    for (let at = 0; at < 6; at++) {
      if (at >= 4) await relaySpeaks(desk, clusterName);
      await tick.run();
      rounds.push(desk.woken());
      silent.push(desk.telemetry.gauged("timmerman_silent_relays") ?? -1);
      await desk.pass(minute);
    }
    expect(silent).toEqual([0, 1, 1, 1, 0, 0]);
    const relayed = ["disrupt", "lifecycle", "provision"];
    for (const at of [1, 2, 3]) expect(rounds[at]).toEqual(expect.arrayContaining(relayed));
    expect([rounds[4], rounds[5]].flat()).not.toEqual(expect.arrayContaining(relayed));
  });

  it("counts one that never spoke as silent from its cluster's net on", async () => {
    const desk = await createDesk();
    const tick = createTick(desk.ports, desk.settings);
    const perMinute: number[] = [];
    for (let at = 0; at < 22; at++) {
      await tick.run();
      perMinute.push(desk.woken().length);
      await desk.pass(minute);
    }
    const net = perMinute.indexOf(5);
    expect(net).toBeLessThan(10);
    expect(perMinute.slice(0, net)).toEqual(Array(net).fill(0));
    expect(perMinute.slice(net + 1, net + 10)).toEqual(Array(9).fill(3));
  });
});

describe("a heartbeat from the future", () => {
  /** Whether the relay counted as silent, minute by minute; `speaks` says what it does before each tick. */
  async function silentMinutes(desk: Desk, minutes: number, speaks: () => Promise<void>): Promise<boolean[]> {
    const tick = createTick(desk.ports, desk.settings);
    const silent: boolean[] = [];
    for (let at = 0; at < minutes; at++) {
      await speaks();
      await tick.run();
      silent.push(desk.telemetry.gauged("timmerman_silent_relays") === 1);
      await desk.pass(minute);
    }
    return silent;
  }

  it("hides a relay that died for ten minutes at most", async () => {
    const desk = await createDesk();
    await relaySpeaks(desk, clusterName, 7 * 24 * 60 * minute);
    const silent = await silentMinutes(desk, 15, async () => {});
    const since = silent.indexOf(true);
    expect(since).toBeGreaterThan(-1);
    expect(since).toBeLessThanOrEqual(10);
    expect(silent.slice(since)).toEqual(Array(15 - since).fill(true));
  });

  it("does not make a relay silent that lives, by however much its clock is ahead", async () => {
    const desk = await createDesk();
    const silent = await silentMinutes(desk, 25, () => relaySpeaks(desk, clusterName, 60 * minute));
    expect(silent).toEqual(Array(25).fill(false));
  });

  it("is one only beyond what clocks may differ by", async () => {
    const desk = await createDesk();
    const writes: boolean[] = [];
    const store = {
      ...desk.store,
      setAgenda: async (...given: Parameters<ClaimStore["setAgenda"]>) => {
        const set = await desk.store.setAgenda(...given);
        writes.push(set);
        return set;
      },
    };
    const tick = createTick({ ...desk.ports, store }, desk.settings);
    for (let at = 0; at < 10; at++) {
      await relaySpeaks(desk, clusterName, 2 * minute);
      await tick.run();
      await desk.pass(minute);
    }
    expect(writes).toEqual([false]);
  });
});

describe("a cluster that is taken off and comes back", () => {
  it("has its silent relay noticed again by the same process", async () => {
    const desk = await createDesk();
    let names = [clusterName, "comes-back"];
    const list = async () => names.map((name) => ({ name, region: "us-east-1" }));
    const tick = createTick({ ...desk.ports, clusters: { ...desk.ports.clusters, list } }, desk.settings);
    const woken = async (minutes: number) => {
      const times: string[] = [];
      for (let at = 0; at < minutes; at++) {
        await tick.run();
        times.push(...desk.wakes.takeDue().flatMap(({ cluster }) => (cluster === "comes-back" ? ["woken"] : [])));
        await desk.pass(minute);
      }
      return times.length;
    };
    // Its net sets the entry of a relay that never spoke; from then on it is woken every minute.
    expect(await woken(20)).toBeGreaterThan(20);
    names = [clusterName];
    expect(await woken(2)).toBe(0);
    names = [clusterName, "comes-back"];
    await woken(10);
    expect(await woken(9)).toBeGreaterThanOrEqual(27);
  });
});

describe("a thousand clusters", () => {
  const names = Array.from({ length: 1_000 }, (_, i) => `${["prod", "staging", "team-a"][i % 3]}-${i}`);

  /** Calls to the store by name, of the ten ticks of one round, and what they sent. */
  async function tenTicks({ desk, tick, calls, speak }: Awaited<ReturnType<typeof thousand>>) {
    const rounds: { calls: Record<string, number>; clusters: Set<string>; wakes: number }[] = [];
    for (let at = 0; at < 10; at++) {
      await speak();
      calls.length = 0;
      const { wakesSent } = await tick.run();
      const clusters = new Set(desk.wakes.takeDue().map(({ cluster }) => cluster));
      const counts = Object.groupBy(calls, (call) => call);
      rounds.push({
        calls: Object.fromEntries(Object.entries(counts).map(([call, made]) => [call, made!.length])),
        clusters,
        wakes: wakesSent,
      });
      await desk.pass(minute);
    }
    return rounds;
  }

  /** Relays that beat before every tick, or never do. */
  async function thousand({ relaysLive }: { relaysLive: boolean }) {
    const desk = await createDesk();
    const calls: string[] = [];
    const counted = new Proxy(desk.store, {
      get: (store, name: keyof ClaimStore) => {
        const method = store[name] as (...given: unknown[]) => unknown;
        return (...given: unknown[]) => {
          calls.push(name);
          return method(...given);
        };
      },
    });
    const list = async () => names.map((name) => ({ name, region: "us-east-1" }));
    const ports = { ...desk.ports, store: counted, clusters: { ...desk.ports.clusters, list } };
    const speak = async () => {
      if (relaysLive) for (const name of names) await relaySpeaks(desk, name);
    };
    return { desk, calls, speak, tick: createTick(ports, desk.settings) };
  }

  it("with relays that speak cost one look at the agenda a minute, and a net that is spread evenly", async () => {
    const world = await thousand({ relaysLive: true });
    const first = await tenTicks(world);
    expect(new Set(first.flatMap(({ clusters }) => [...clusters])).size).toBe(1_000);
    for (const { clusters, wakes } of first) {
      expect(clusters.size).toBeGreaterThan(70);
      expect(clusters.size).toBeLessThan(130);
      expect(wakes).toBe(5 * clusters.size);
    }
    // With each net one write, which finds that the relay's entry is there, and not too far ahead.
    const calls = first.map(({ clusters }) => ({ readDue: 1, setAgenda: clusters.size }));
    expect(first.map((round) => round.calls)).toEqual(calls);
    expect((await tenTicks(world)).map((round) => round.calls)).toEqual(calls);
  });

  it("with relays that are all silent cost a tick three wakes each", async () => {
    const world = await thousand({ relaysLive: false });
    const { desk } = world;
    for (const name of names) await relaySpeaks(desk, name, 0);
    const rounds = await tenTicks(world);
    for (const round of rounds) {
      expect(round.clusters.size).toBe(1_000);
      expect(round.wakes).toBeLessThanOrEqual(3_000 + 2 * 130);
      expect(round.calls).toEqual({ readDue: 1 });
    }
    expect(desk.telemetry.gauged("timmerman_silent_relays")).toBe(1_000);
  });
});
