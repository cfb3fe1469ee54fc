import type { NodePool, Pod, Snapshot, Verdict } from "../model/index.ts";
import {
  classOfPod,
  Explainer,
  type OpenClaim,
  podKey,
  podLines,
  type Solution,
  type SolverClass,
  type TypeChoice,
  typeChoice,
  type World,
} from "../scheduling/index.ts";
import { headroomOf } from "./headroom.ts";
import { workOut } from "./plan-provisioning.ts";
import { ClaimBuilder } from "./planned-claim.ts";
import { poolsOn, verdictsFor } from "./verdicts.ts";

/** What a pool says of a pod, in the order in which pools are asked. */
export interface PoolSays {
  readonly nodePool: string;
  readonly weight: number;
  readonly says: string;
}

export type PodOutcome = "new-node" | "existing-node" | "none" | "ignored" | "running";

/** Where one pod goes and why, or why nowhere. Data for people; no decision rests on it. */
export interface PodExplanation {
  readonly pod: string;
  readonly outcome: PodOutcome;
  /** One sentence. */
  readonly reason: string;
  /** What it asks for, as it was understood. */
  readonly asks: readonly string[];
  /** The claim, or an unmanaged node, that it goes to or runs on. */
  readonly target?: string;
  /** Pods that share its new node. */
  readonly beside?: readonly string[];
  /** Why the nodes that are there do not take it. */
  readonly nodes?: string;
  readonly nodePools: readonly PoolSays[];
  /** Of a new node: its types, and what ruled out the cheaper ones. */
  readonly types?: TypeChoice;
}

/**
 * Explains pods of the snapshot, by their keys (`namespace/name`), from the plan that `planProvisioning` makes of it.
 * @throws RangeError if a key is no pod's
 */
export function explainPods(snapshot: Snapshot, keys: readonly string[]): readonly PodExplanation[] {
  const desk = new Desk(snapshot);
  return keys.map((key) => desk.explain(key));
}

class Desk {
  readonly #world: World;
  /** Claims of static pools, which come first in a plan. */
  readonly #fixed: number;
  readonly #explainer: Explainer;
  readonly #solution: Solution;
  readonly #builder: ClaimBuilder;
  readonly #planned: ReadonlyMap<string, Pod>;
  readonly #ignored: ReadonlyMap<string, string>;
  readonly #refused: readonly Verdict[];

  constructor(snapshot: Snapshot) {
    const { world, fixed, ignored, planned, verdicts, solution } = workOut(snapshot, headroomOf(snapshot));
    this.#world = world;
    this.#fixed = fixed.claims.length;
    this.#planned = new Map(planned.map((pod) => [podKey(pod), pod]));
    this.#ignored = new Map(ignored.map(({ pod, reason }) => [pod, reason]));
    this.#refused = verdicts;
    this.#solution = solution;
    this.#explainer = new Explainer(this.#world, this.#solution);
    this.#builder = new ClaimBuilder(this.#world);
  }

  explain(key: string): PodExplanation {
    const known = this.#world.snapshot.pods.find((pod) => podKey(pod) === key);
    if (known === undefined) throw new RangeError(`there is no pod ${key}`);
    const pod = this.#planned.get(key) ?? known;
    const one = classOfPod(this.#world, pod);
    const base = { pod: key, asks: podLines(this.#world, pod, one.selection), nodePools: [] };
    const ignored = this.#ignored.get(key);
    if (ignored !== undefined) return { ...base, outcome: "ignored", reason: `it is not planned: ${ignored}` };
    if (!this.#planned.has(key)) return this.#unplanned(base, known);
    const holds = ({ pods }: { readonly pods: readonly Pod[] }): boolean => pods.some((other) => podKey(other) === key);
    const placement = this.#solution.placements.find(holds);
    if (placement !== undefined) return this.#onBin(base, placement.bin);
    const index = this.#solution.claims.findIndex(holds);
    if (index >= 0) return this.#onClaim(base, one, index);
    const [verdict] = verdictsFor(this.#world, {
      ...this.#solution,
      unplaced: this.#solution.unplaced.filter(holds),
    });
    return this.#withNodes({ ...base, outcome: "none", reason: verdict!.reason, nodePools: this.#said(one) }, one);
  }

  #unplanned(base: Pick<PodExplanation, "pod" | "asks" | "nodePools">, pod: Pod): PodExplanation {
    const refused = this.#refused.find(({ pod: key }) => key === base.pod);
    if (refused !== undefined) return { ...base, outcome: "none", reason: refused.reason };
    if (pod.nodeName === undefined) return { ...base, outcome: "ignored", reason: "it has ended" };
    return { ...base, outcome: "running", reason: `it runs on ${pod.nodeName}, which stays`, target: pod.nodeName };
  }

  #onBin(base: Pick<PodExplanation, "pod" | "asks" | "nodePools">, row: number): PodExplanation {
    const { target, settled, nodeName } = this.#world.bins[row]!;
    const what = settled ? "node" : "node on its way";
    const reason = `${what} ${nodeName ?? target} has room: what is there is filled before anything is bought`;
    return { ...base, outcome: "existing-node", reason, target };
  }

  #onClaim(base: Pick<PodExplanation, "pod" | "asks">, one: SolverClass, index: number): PodExplanation {
    const { claim, pods } = this.#solution.claims[index]!;
    const planned = this.#builder.build(claim, pods, this.#fixed + index);
    const types = typeChoice(this.#world, this.#explainer, claim);
    const { nodePool, cheapest } = planned;
    const rest = types.types.length - 1;
    const others = rest === 0 ? "the only type that holds" : `the cheapest of ${types.types.length} types that hold`;
    const explained: PodExplanation = {
      ...base,
      outcome: "new-node",
      reason: `NodePool ${nodePool} gives a new node: ${cheapest.instanceType} in ${cheapest.zone}, ${cheapest.capacityType}, ${others} the node's pods together`,
      target: planned.name,
      beside: planned.pods.filter((pod) => pod !== base.pod),
      nodePools: this.#said(one, claim),
      types,
    };
    return this.#withNodes(explained, one);
  }

  #withNodes(explained: PodExplanation, one: SolverClass): PodExplanation {
    const nodes = this.#explainer.nodes(one);
    return nodes === undefined ? explained : { ...explained, nodes };
  }

  /** Every pool by weight, what it says; with a claim, up to the one that gives it. */
  #said(one: SolverClass, claim?: OpenClaim): readonly PoolSays[] {
    const words = new Map(poolsOn(this.#world, this.#explainer, one).map(({ pool, text }) => [pool, text]));
    const { pools, skipped } = this.#world.pools;
    const chosen = claim === undefined ? undefined : pools[claim.poolIndex]!.nodePool;
    const asked = one.options.map(({ pool }) => pool);
    const turnOf = (pool: number): number => (asked.includes(pool) ? asked.indexOf(pool) : -1);
    const notAsked = ({ name, weight }: NodePool, at: number): string | undefined => {
      if (chosen === undefined || name === chosen.name) return undefined;
      if (weight < chosen.weight) return "not asked: another pool came first";
      if (weight > chosen.weight || turnOf(at) <= turnOf(claim!.poolIndex)) return undefined;
      return `not asked: pods cost less on nodes of ${chosen.name}, which has the same weight`;
    };
    const said = pools.map(({ nodePool }, at): PoolSays => {
      const shunned = one.options.some(({ pool, shunned: avoids }) => pool === at && avoids);
      const refusal = shunned
        ? "its PreferNoSchedule taint is not tolerated, so that it comes last"
        : words.get(nodePool.name)!;
      const says = nodePool.name === chosen?.name ? "gives the node" : (notAsked(nodePool, at) ?? refusal);
      return { nodePool: nodePool.name, weight: nodePool.weight, says };
    });
    const unusable = skipped.map(({ nodePool: { name, weight }, reason }) => ({
      nodePool: name,
      weight,
      says: reason,
    }));
    return [...said, ...unusable];
  }
}
