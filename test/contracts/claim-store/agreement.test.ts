// Two implementations, one behaviour: whatever is asked of them in whatever order, the DynamoDB store answers what the
// memory store answers, refusals included. What a simulation shows on memory then holds on the table.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dynoxideAvailable } from "../../../local/aws/dynamodb.ts";
import { createMemoryClaimStore } from "../../../shared/adapters/memory/claim-store.ts";
import { type ClaimStore, OperationError } from "../../../shared/ports/index.ts";
import { startStoreOnDynoxide } from "./dynoxide.ts";
import { chunk, command, fleetRequest, head, instance, planned, t0 } from "./fixtures.ts";

type Step = (store: ClaimStore, cluster: string) => Promise<unknown>;

interface NamedStep {
  readonly text: string;
  readonly run: Step;
}

/** Few names and small numbers, so that steps meet. */
const claim = fc.constantFrom("a", "b", "c");
const version = fc.integer({ min: 1, max: 5 });
const seq = fc.integer({ min: 0, max: 3 });
const id = fc.constantFrom("1", "2");
const at = fc.integer({ min: 0, max: 60 }).map((ms) => t0 + ms);
const holder = fc.constantFrom("x", "y");
const some = <T>(item: fc.Arbitrary<T>) => fc.uniqueArray(item, { maxLength: 2 });

const change = fc.oneof(
  fc.record({ nodeName: fc.constantFrom("n1", "n2") }),
  fc.record({ registeredAtMs: at }),
  fc.record({ deletion: at.map((requestedAtMs) => ({ requestedAtMs, reason: "empty" as const })) }),
  fc.constant({ launch: undefined }),
  fc.constant({ labels: { team: "b" }, notFoundAtMs: undefined }),
);

const steps: fc.Arbitrary<NamedStep> = fc.oneof(
  fc.tuple(seq, id, some(claim), some(claim), at).map(
    ([n, plan, made, candidates, until]): NamedStep => ({
      text: `commit ${plan} on ${n}: ${made}; candidates ${candidates}; until ${until - t0}`,
      run: (store, c) => {
        const commands = candidates.length === 0 ? [] : [command(`cmd-${plan}`, candidates)];
        const claims = made.map((name) => planned(name, [`ns/${name}`]));
        return store.commit(c, { ...head, seq: n }, chunk(plan, claims, { commands, nominatedUntilMs: until }));
      },
    }),
  ),
  fc.tuple(claim, version, change).map(
    ([name, v, what]): NamedStep => ({
      text: `change ${name} at ${v}: ${JSON.stringify(what)}`,
      run: (store, c) => store.changeClaim(c, name, v, what),
    }),
  ),
  fc.tuple(claim, version).map(
    ([name, v]): NamedStep => ({
      text: `retire ${name} at ${v}`,
      run: (store, c) => store.retireClaim(c, name, v, t0, t0 + 1),
    }),
  ),
  fc.tuple(id, some(claim), version).map(
    ([launch, names, v]): NamedStep => ({
      text: `seal ${launch}: ${names} at ${v}`,
      run: (store, c) => {
        const sealed = {
          id: launch,
          request: fleetRequest(launch, names.length),
          sealedAtMs: t0,
          sendBeforeMs: t0 + 9,
        };
        return store.sealLaunch(
          c,
          sealed,
          names.map((name) => ({ name, version: v })),
        );
      },
    }),
  ),
  fc.tuple(id, some(claim), some(claim), version).map(
    ([launch, won, lost, v]): NamedStep => ({
      text: `settle ${launch}: ${won} won, ${lost} lost, at ${v}`,
      run: (store, c) => {
        const idOf = (name: string) => `i-${c}-${name}`;
        const pairs = won.map((name) => ({
          claim: name,
          claimVersion: v,
          change: { instance: instance(idOf(name)) },
          instanceId: idOf(name),
        }));
        const failed = lost.filter((name) => !won.includes(name));
        const failures = failed.map((name) => ({ claim: name, claimVersion: v, change: { launch: undefined } }));
        return store.settleLaunch(c, launch, t0 + 5, pairs, failures);
      },
    }),
  ),
  fc.tuple(id, fc.integer({ min: 1, max: 2 }), at).map(
    ([launch, v, ms]): NamedStep => ({
      text: `note an empty look-up of ${launch} at ${v}`,
      run: (store, c) => store.noteEmptyLookup(c, launch, v, ms),
    }),
  ),
  fc.tuple(id, fc.integer({ min: 1, max: 2 })).map(
    ([plan, v]): NamedStep => ({
      text: `close cmd-${plan} at ${v}`,
      run: (store, c) => store.closeCommand(c, `cmd-${plan}`, v),
    }),
  ),
  fc.tuple(holder, at).map(
    ([who, now]): NamedStep => ({
      text: `${who} takes the lease at ${now - t0}`,
      run: (store, c) => store.takeLease(c, "provision", who, now, now + 20),
    }),
  ),
  fc.tuple(holder, fc.integer({ min: 0, max: 2 })).map(
    ([who, requested]): NamedStep => ({
      text: `${who} releases the lease with ${requested}`,
      run: (store, c) => store.releaseLease(c, "provision", who, requested),
    }),
  ),
  fc.tuple(at, fc.boolean(), at).map(
    ([due, replace, nowMs]): NamedStep => ({
      text: `due at ${due - t0}${replace ? ", replacing" : ""}`,
      run: (store, c) => store.setAgenda(c, "provision", due, { replace, nowMs }),
    }),
  ),
);

/** What a store answered: a value, or the code of the error that it threw. */
async function answerOf(store: ClaimStore, cluster: string, step: Step): Promise<unknown> {
  try {
    return (await step(store, cluster)) ?? null;
  } catch (error) {
    if (error instanceof OperationError) return { error: error.code, retry: error.retry };
    throw error;
  }
}

async function everythingIn(store: ClaimStore, cluster: string): Promise<unknown> {
  const names = ["a", "b", "c"];
  return {
    state: await store.readState(cluster, t0 + 30),
    claims: await Promise.all(names.map((name) => store.readClaim(cluster, name))),
    launches: await Promise.all(["1", "2"].map((launch) => store.readLaunch(cluster, launch))),
    instances: await Promise.all(names.map((name) => store.findInstance(`i-${cluster}-${name}`))),
    due: (await store.readDue(t0 + 60)).filter((entry) => entry.cluster === cluster),
  };
}

const missing = dynoxideAvailable() ? "" : " (skipped: npm serves @dynoxide/linux-x64 for Linux on x64 only)";

describe.skipIf(missing !== "")(`the stores on memory and on DynamoDB${missing}`, () => {
  const memory = createMemoryClaimStore();
  let made: Awaited<ReturnType<typeof startStoreOnDynoxide>>;
  let clusters = 0;
  beforeAll(async () => {
    made = await startStoreOnDynoxide();
  });
  afterAll(async () => {
    await made?.stop?.();
  });

  it("answer alike, whatever is asked in whatever order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 30 }), async (sequence) => {
        const cluster = `agreement-${++clusters}`;
        await memory.createHead(cluster, head);
        await made.store.createHead(cluster, head);
        const first = chunk("0", [planned("a"), planned("b")]);
        for (const store of [memory, made.store]) await store.commit(cluster, head, first);
        for (const [n, { text, run }] of sequence.entries()) {
          const expected = await answerOf(memory, cluster, run);
          expect(await answerOf(made.store, cluster, run), `step ${n}: ${text}`).toEqual(expected);
        }
        expect(await everythingIn(made.store, cluster)).toEqual(await everythingIn(memory, cluster));
      }),
      { numRuns: 30, seed: 20_251_009 },
    );
  });
});
