import { describe, expect, it } from "vitest";
import { type LeaseRecord, type LeaseStore, startElection } from "../../relay/leader/election.ts";
import { OperationError } from "../../shared/ports/index.ts";
import { handClock } from "../local/aws/hand-clock.ts";
import { quietLog } from "./quiet-log.ts";
import { passing, settled } from "./settle.ts";

/** One lease, with the API server's preconditions. */
function leaseOf() {
  let record: LeaseRecord | undefined;
  let version = 0;
  const state = { away: false, writes: 0 };
  const fail = () => {
    if (state.away) throw new OperationError("away", { retry: "later", code: "unreachable" });
  };
  const store: LeaseStore = {
    async read() {
      fail();
      return record;
    },
    async write(lease) {
      fail();
      if (lease.resourceVersion !== record?.resourceVersion) return undefined;
      state.writes++;
      record = { ...lease, resourceVersion: String(++version) };
      return record;
    },
  };
  return { store, state, record: () => record };
}

function candidate(store: LeaseStore, identity: string, clock: ReturnType<typeof handClock>) {
  const changes: boolean[] = [];
  const log = quietLog();
  const onChange = (is: boolean) => changes.push(is);
  const election = startElection({ store, identity, clock, random: () => 0, log, onChange });
  return { election, changes, log };
}

describe("the lease", () => {
  it("is held by one of two, who renews it", async () => {
    const clock = handClock();
    const lease = leaseOf();
    const a = candidate(lease.store, "a", clock);
    await settled();
    const b = candidate(lease.store, "b", clock);
    await passing(clock, 120_000);
    expect([a.election.isLeader(), b.election.isLeader()]).toEqual([true, false]);
    expect(a.changes).toEqual([true]);
    expect(lease.record()).toMatchObject({ holder: "a", transitions: 0, durationMs: 15_000 });
    expect(lease.state.writes).toBeGreaterThan(30);
  });

  it("goes to the other at its next look when it is given back", async () => {
    const clock = handClock();
    const lease = leaseOf();
    const a = candidate(lease.store, "a", clock);
    await settled();
    const b = candidate(lease.store, "b", clock);
    await passing(clock, 10_000);
    await a.election.release();
    expect(lease.record()?.holder).toBe("");
    await passing(clock, 2_000);
    expect([a.election.isLeader(), b.election.isLeader()]).toEqual([false, true]);
    expect(lease.record()).toMatchObject({ holder: "b", transitions: 1 });
  });

  it("goes to the other fifteen seconds after its holder has vanished", async () => {
    const clock = handClock();
    const lease = leaseOf();
    await lease.store.write({
      holder: "gone",
      durationMs: 15_000,
      acquireTime: "",
      // In the far future, as a holder with a wrong clock would write it.
      renewTime: "2999-01-01T00:00:00.000000Z",
      transitions: 4,
      resourceVersion: undefined,
    });
    const b = candidate(lease.store, "b", clock);
    await passing(clock, 14_000);
    expect(b.election.isLeader()).toBe(false);
    await passing(clock, 3_000);
    expect(b.election.isLeader()).toBe(true);
    expect(lease.record()).toMatchObject({ holder: "b", transitions: 5 });
  });

  it("is lost before others take it when the API server is away, and won again; nothing ends", async () => {
    const clock = handClock();
    const lease = leaseOf();
    const a = candidate(lease.store, "a", clock);
    await passing(clock, 4_000);
    lease.state.away = true;
    await passing(clock, 8_000);
    expect(a.election.isLeader()).toBe(true);
    await passing(clock, 5_000);
    expect(a.election.isLeader()).toBe(false);
    lease.state.away = false;
    await passing(clock, 20_000);
    expect(a.changes).toEqual([true, false, true]);
  });

  it("is given up as soon as somebody else has written it", async () => {
    const clock = handClock();
    const lease = leaseOf();
    const a = candidate(lease.store, "a", clock);
    await passing(clock, 4_000);
    const { resourceVersion } = lease.record()!;
    await lease.store.write({ ...lease.record()!, holder: "thief", resourceVersion });
    await passing(clock, 4_000);
    expect(a.changes).toEqual([true, false]);
  });

  it("is lost at the deadline when an answer never comes", async () => {
    const clock = handClock();
    const lease = leaseOf();
    let hangs = false;
    const store: LeaseStore = {
      read: lease.store.read,
      write: (write) => (hangs ? new Promise(() => {}) : lease.store.write(write)),
    };
    const a = candidate(store, "a", clock);
    await passing(clock, 4_000);
    hangs = true;
    await passing(clock, 14_000);
    expect(a.election.isLeader()).toBe(false);
  });
});
