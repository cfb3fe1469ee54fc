import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { dynoxideAvailable } from "../../../local/aws/dynamodb.ts";
import type { ClaimStore } from "../../../shared/ports/index.ts";
import { startStoreOnDynoxide } from "../../contracts/claim-store/dynoxide.ts";
import { chunk, command, fleetRequest, head, instance, planned, t0 } from "../../contracts/claim-store/fixtures.ts";
import { disturb, dropPauses, type Fault, type FaultPlan } from "./faults.ts";

const at = (seq: number) => ({ ...head, seq });
const name = (cluster: string) => `i-${cluster}`;
const pairsOf = (cluster: string) => [
  { claim: "a", claimVersion: 2, change: { instance: instance(name(cluster)) }, instanceId: name(cluster) },
];
const failedOf = [{ claim: "b", claimVersion: 2, change: { launch: undefined } }];
const launchOf = (cluster: string) => ({
  id: `launch-${cluster}`,
  request: fleetRequest(`launch-${cluster}`, 2),
  sealedAtMs: t0,
  sendBeforeMs: t0 + 600_000,
});
const both = [
  { name: "a", version: 1 },
  { name: "b", version: 1 },
];

/** Every write of the port, in the order of a claim's life; each says what it must answer. */
const life: readonly (readonly [string, (store: ClaimStore, c: string) => Promise<unknown>, unknown])[] = [
  ["createHead", (store, c) => store.createHead(c, head), head],
  [
    "commit",
    (store, c) => store.commit(c, at(0), chunk("p1", [planned("a"), planned("b")])),
    { kind: "committed", head: at(1) },
  ],
  ["sealLaunch", (store, c) => store.sealLaunch(c, launchOf(c), both), "sealed"],
  ["noteEmptyLookup", (store, c) => store.noteEmptyLookup(c, `launch-${c}`, 1, t0 + 5), "noted"],
  ["settleLaunch", (store, c) => store.settleLaunch(c, `launch-${c}`, t0 + 6, pairsOf(c), failedOf), "settled"],
  [
    "changeClaim",
    (store, c) => store.changeClaim(c, "a", 3, { nodeName: "n" }),
    { kind: "written", claim: { version: 4 } },
  ],
  [
    "commit with a command",
    (store, c) => store.commit(c, at(1), chunk("d1", [planned("r")], { commands: [command("cmd", ["a"])] })),
    { kind: "committed", head: at(2) },
  ],
  ["closeCommand", (store, c) => store.closeCommand(c, "cmd", 1), "closed"],
  [
    "retireClaim",
    (store, c) => store.retireClaim(c, "a", 6, t0 + 9, t0 + 10),
    { kind: "written", claim: { version: 7 } },
  ],
  [
    "noteRefusals",
    (store) =>
      store.noteRefusals("us-west-1", [
        { instanceType: "m5.large", zoneId: "usw1-az1", capacityType: "spot", untilMs: t0 },
      ]),
    undefined,
  ],
  ["takeLease", (store, c) => store.takeLease(c, "provision", "x", t0, t0 + 60), { kind: "taken", requested: 0 }],
  ["releaseLease", (store, c) => store.releaseLease(c, "provision", "x", 0), true],
  ["setAgenda", (store, c) => store.setAgenda(c, "provision", t0 + 1), true],
  ["setAgenda, replacing", (store, c) => store.setAgenda(c, "provision", t0 + 2, { replace: true }), true],
  ["setAgenda to nothing", (store, c) => store.setAgenda(c, "provision", null, { replace: true }), true],
];

/** What must stand there after a life, whatever happened on the way. */
async function expectLived(store: ClaimStore, c: string): Promise<void> {
  const state = await store.readState(c, t0);
  expect(state?.head).toEqual(at(2));
  expect(state?.claims.map((claim) => [claim.name, claim.version, claim.launch, claim.commandId])).toEqual([
    ["b", 3, undefined, undefined],
    ["r", 1, undefined, undefined],
  ]);
  expect(state?.launches).toEqual([]);
  expect(state?.commands).toEqual([]);
  expect(await store.readClaim(c, "a")).toMatchObject({ version: 7, goneAtMs: t0 + 9, nodeName: "n" });
  expect(await store.findInstance(name(c))).toEqual({ cluster: c, claim: "a" });
  expect(await store.readLaunch(c, `launch-${c}`)).toMatchObject({ version: 3, settledAtMs: t0 + 6 });
  expect((await store.readDue(t0 + 10)).filter((entry) => entry.cluster === c)).toEqual([]);
}

const missing = dynoxideAvailable() ? "" : " (skipped: npm serves @dynoxide/linux-x64 for Linux on x64 only)";

describe.skipIf(missing !== "")(`the DynamoDB store under faults${missing}`, () => {
  let made: Awaited<ReturnType<typeof startStoreOnDynoxide>>;
  let clusters = 0;
  let stopFaults = () => {};
  const disturbed = (plan: FaultPlan) => {
    const faults = disturb(made.client, plan);
    stopFaults = faults.stop;
    return faults;
  };
  beforeAll(async () => {
    made = await startStoreOnDynoxide();
    await dropPauses(made.client);
  });
  afterEach(() => stopFaults());
  afterAll(async () => {
    await made?.stop?.();
  });

  const once: readonly Fault[] = [
    "lost-answer",
    "lost-request",
    "throttled",
    "conflict",
    "cancelled-throttled",
    "unavailable",
  ];
  it.each(once)("is right when every request first meets: %s", async (fault) => {
    const c = `faults-${++clusters}`;
    const faults = disturbed((_command, n) => (n % 2 === 0 ? fault : "none"));
    for (const [step, run, answer] of life) {
      const got = await run(made.store, c);
      if (answer === undefined) expect(got, step).toBeUndefined();
      else expect({ got }, step).toMatchObject({ got: answer });
    }
    expect(faults.injected()).toBeGreaterThanOrEqual(3);
    stopFaults();
    await expectLived(made.store, c);
  });

  it("is right when the answer is lost at any one request of a life, once at each", async () => {
    const total = await countRequests();
    for (let lostAt = 0; lostAt < total; lostAt += 1) {
      const c = `faults-${++clusters}`;
      disturbed((_command, n) => (n === lostAt ? "lost-answer" : "none"));
      for (const [, run] of life) await run(made.store, c);
      stopFaults();
      await expectLived(made.store, c);
    }
  });

  async function countRequests(): Promise<number> {
    const faults = disturbed(() => "none");
    for (const [, run] of life) await run(made.store, `faults-${++clusters}`);
    stopFaults();
    return faults.count();
  }

  it("settles a commit whose every answer is lost by reading its plan item", async () => {
    const c = `faults-${++clusters}`;
    await made.store.createHead(c, head);
    disturbed((commandName) => (commandName === "TransactWriteItemsCommand" ? "lost-answer" : "none"));
    const outcome = await made.store.commit(c, head, chunk("p1", [planned("a")]));
    expect(outcome).toEqual({ kind: "committed", head: at(1) });
  });

  it("says that a commit's outcome is unknown when not even that can be read, and a repeat settles it", async () => {
    const c = `faults-${++clusters}`;
    await made.store.createHead(c, head);
    const plan = chunk("p1", [planned("a")]);
    disturbed((commandName) => (commandName === "TransactWriteItemsCommand" ? "lost-answer" : "unavailable"));
    await expect(made.store.commit(c, head, plan)).rejects.toMatchObject({ name: "OperationError", retry: "later" });
    stopFaults();
    expect(await made.store.commit(c, head, plan)).toEqual({ kind: "committed", head: at(1) });
    expect((await made.store.readState(c, t0))?.claims).toHaveLength(1);
  });

  it("is known not to have written when no request arrived", async () => {
    const c = `faults-${++clusters}`;
    await made.store.createHead(c, head);
    disturbed((commandName) => (commandName === "TransactWriteItemsCommand" ? "throttled" : "none"));
    await expect(made.store.commit(c, head, chunk("p1", []))).rejects.toMatchObject({
      code: "throttled",
      retry: "later",
      outcomeUnknown: false,
      message: expect.stringContaining(`committing plan p1 chunk 0 of ${c}`),
    });
  });

  it("gives up on conflicts that do not end, without having written", async () => {
    const c = `faults-${++clusters}`;
    await made.store.createHead(c, head);
    const faults = disturbed(() => "conflict");
    await expect(made.store.commit(c, head, chunk("p1", []))).rejects.toMatchObject({ outcomeUnknown: false });
    expect(faults.count()).toBeLessThanOrEqual(6);
    stopFaults();
    expect((await made.store.readHead(c))?.seq).toBe(0);
  });

  it("does not repeat what permission forbids, and says which call it was", async () => {
    const faults = disturbed(() => "denied");
    await expect(made.store.readState("faults-denied", t0)).rejects.toMatchObject({
      code: "unauthorized",
      retry: "never",
      message: expect.stringContaining("reading the head of faults-denied"),
    });
    expect(faults.count()).toBe(1);
  });

  it("lets one of two rivals win while both lose answers", async () => {
    const c = `faults-${++clusters}`;
    await made.store.createHead(c, head);
    disturbed((_command, n) => (n % 3 === 0 ? "lost-answer" : "none"));
    const outcomes = await Promise.all(
      ["x", "y"].map((who) => made.store.commit(c, head, chunk(`p-${who}`, [planned(`claim-${who}`)]))),
    );
    stopFaults();
    const winner = outcomes.findIndex((outcome) => outcome.kind === "committed");
    expect(outcomes.filter((outcome) => outcome.kind === "lost")).toHaveLength(1);
    expect((await made.store.readState(c, t0))?.claims.map((claim) => claim.name)).toEqual([
      `claim-${["x", "y"][winner]}`,
    ]);
  });

  it("keeps every promise of many writers at once, whatever the network does", async () => {
    const c = `faults-${++clusters}`;
    await made.store.createHead(c, head);
    const faults: readonly Fault[] = [
      "none",
      "none",
      "lost-answer",
      "none",
      "conflict",
      "none",
      "lost-request",
      "none",
    ];
    let state = 20_251_009;
    // A linear congruential generator (Numerical Recipes' constants): the same faults at each run.
    const chance = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 8;
    };
    disturbed(() => faults[chance() % faults.length]!);
    const committed: string[] = [];
    const write = async (writer: string) => {
      for (let n = 0; n < 6; n += 1) {
        const name = `${writer}-${n}`;
        // What fails is given up: a writer may know less than the table, never more.
        const outcome = await made.store
          .readHead(c)
          .then((now) => made.store.commit(c, now!, chunk(`plan-${name}`, [planned(name)])))
          .catch(() => undefined);
        if (outcome?.kind === "committed") committed.push(`${name}@${outcome.head.seq}`);
      }
    };
    await Promise.all(["u", "v", "w", "x", "y", "z"].map(write));
    stopFaults();
    const after = await made.store.readState(c, t0);
    const seqs = committed.map((entry) => Number(entry.split("@")[1])).sort((a, b) => a - b);
    expect(new Set(seqs).size).toBe(seqs.length);
    expect(after?.head.seq).toBe(after?.claims.length);
    const names = after?.claims.map((claim) => claim.name) ?? [];
    for (const entry of committed) expect(names).toContain(entry.split("@")[0]);
    expect(committed.length).toBeGreaterThan(1);
    expect(after?.placements.map((placement) => placement.target).sort()).toEqual(names);
  });
});
