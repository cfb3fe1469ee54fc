// Plans for random worlds, played out with the real kube-scheduler: it must bind every pod where the plan says that it can
// go. At each pod's turn, its filters must leave the same nodes open as those of the embedded world's scheduler. Left to
// itself it may fill nodes otherwise than the plan does, and finds no place for some pods then; how many is printed.
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { ProvisioningPlan, Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { companies } from "../properties/companies.ts";
import { keyOf } from "../properties/feasibility.ts";
import { orderOf, type Step } from "./agreement-order.ts";
import { type Player, startPlayer } from "./agreement-player.ts";
import { type Stage, stageOf } from "./agreement-stage.ts";

const noControlPlane = inject("noControlPlane");
const because = noControlPlane === undefined ? "" : ` (skipped: ${noControlPlane})`;

const seed = Number(process.env.TIMMERMAN_SEED ?? 20_261_201);
const worldsPlayed = Number(process.env.TIMMERMAN_WORLDS ?? 16);
/** Worlds that are drawn to choose from. */
const drawn = worldsPlayed * 12;
const freeWorlds = 3;
const bindTimeoutMs = 10_000;
const freeTimeoutMs = 4_000;

interface Played {
  readonly index: number;
  readonly world: Snapshot;
  readonly plan: ProvisioningPlan;
  readonly stage: Stage;
}

/** The drawn worlds in which most pods are placed, on nodes that are there and on new ones. */
function sample(): Played[] {
  return fc
    .sample(companies, { seed, numRuns: drawn })
    .map((world, index) => {
      const plan = planProvisioning(world);
      return { index, world, plan, stage: stageOf(world, plan, index % 2 === 0 ? "cheapest" : "last") };
    })
    .filter(({ plan }) => plan.claims.length > 0 && plan.placements.length > 0)
    .sort((a, b) => b.stage.planned.length - a.stage.planned.length)
    .slice(0, worldsPlayed);
}

describe.skipIf(noControlPlane !== undefined)(`kube-scheduler and the planner${because}`, () => {
  let player: Player;
  beforeAll(async () => {
    player = await startPlayer();
    await player.createNamespace("other", { tier: "back" });
  });
  afterAll(() => player?.stop());

  /** Has one pod bound where the plan wants it. What is wrong with that; undefined: nothing. */
  async function bindNext({ pod, node, open, refusal }: Step): Promise<string | undefined> {
    player.pin(new Map([[keyOf(pod), node]]));
    await player.create(pod);
    const deadline = performance.now() + (refusal === undefined ? bindTimeoutMs : freeTimeoutMs);
    for (;;) {
      const { boundTo, message } = await player.look(pod);
      if (boundTo === node) break;
      if (boundTo !== undefined) return `${keyOf(pod)} was to go to ${node}, not to ${boundTo}`;
      if (performance.now() > deadline)
        return `${keyOf(pod)} is not bound to ${node}: ${message} (here: ${refusal ?? "allowed"})`;
      await sleep(5);
    }
    const others = player.openTo(pod);
    if (others.join() === open.join()) return undefined;
    return `${keyOf(pod)}: kube-scheduler leaves ${others.join()} open, the embedded one ${open.join()}`;
  }

  /** How many pods of a plan are bound if all come at once and nobody says where they go. */
  async function bindFreely({ planned }: Stage): Promise<number> {
    player.pin(new Map());
    for (const { pod } of planned) await player.create(pod);
    const deadline = performance.now() + freeTimeoutMs;
    for (;;) {
      const bound = await player.countBound();
      if (bound === planned.length || performance.now() > deadline) return bound;
      await sleep(100);
    }
  }

  it(`agree on every pod of ${worldsPlayed} plans`, { timeout: 600_000 }, async () => {
    const wrong: string[] = [];
    const counts = { worlds: 0, nodes: 0, running: 0, sampled: 0, bound: 0, leftFree: 0, boundFreely: 0 };
    for (const { index, world, stage } of sample()) {
      await player.raise(stage);
      for (const step of orderOf(world, stage)) {
        const problem = await bindNext(step);
        if (problem === undefined) counts.bound++;
        else wrong.push(`world ${index} of seed ${seed}: ${problem}`);
      }
      if (counts.worlds < freeWorlds) {
        await player.clear();
        await player.raise(stage);
        counts.boundFreely += await bindFreely(stage);
        counts.leftFree += stage.planned.length;
      }
      await player.clear();
      counts.worlds++;
      counts.nodes += stage.nodes.length;
      counts.running += stage.residents.length;
      counts.sampled += stage.planned.length;
    }
    console.log(
      `kube-scheduler bound ${counts.bound} of ${counts.sampled} sampled pods where the plan put them ` +
        `(${counts.worlds} plans, ${counts.nodes} nodes, ${counts.running} pods running before); ` +
        `left to itself ${counts.boundFreely} of ${counts.leftFree}`,
    );
    expect(wrong).toEqual([]);
    expect(counts.bound).toBe(counts.sampled);
    expect(counts.sampled).toBeGreaterThan(worldsPlayed * 5);
  });
});
