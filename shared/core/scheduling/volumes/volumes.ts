// Where pods can run because of their volumes. Answers to Karpenter's volume topology and volume usage, and to
// kube-scheduler's plugins VolumeBinding, VolumeZone, NodeVolumeLimits and VolumeRestrictions. A pod is given three things
// before it is planned: from where its volumes are reached (`reach`, which narrows its node selection as pins do, but never
// the domains that a spread counts: core#2785), the attachments that it takes (as resources), or a refusal. On purpose
// different from Karpenter: new nodes have attach limits too, claims for one pod at a time are waited for, and a hostname
// that a local volume asks for counts.
import type { PersistentVolumeClaim, Pod, Snapshot } from "../../model/index.ts";
import { addResources } from "../../resources/index.ts";
import { type AskTable, selectionOf } from "../asks.ts";
import { expiresAtMs, isLeaving } from "../node-bins.ts";
import { podKey } from "../pod-class.ts";
import { Attachments } from "./attachments.ts";
import { withCompanions } from "./companions.ts";
import { anywhere, both, type Reach, reachText, reachWords } from "./reach.ts";
import { type Attachment, Storage } from "./storage.ts";

/** A pod as it is planned: what its volumes ask for is worked out. */
export interface PlannedPod extends Pod {
  /** Absent: its volumes bind it to no place. */
  readonly reach?: PodReach;
}

export interface PodReach {
  readonly alternatives: Reach;
  /** The same for pods whose volumes are reached from the same nodes, whatever their claims. */
  readonly text: string;
  /** What of the pod's is reached from there, where it isn't its volumes alone. */
  readonly what?: string;
}

export interface RefusedPod {
  readonly pod: Pod;
  readonly reason: string;
}

/** Unbound pods that have a place already, by key. */
type Nominated = Pick<ReadonlyMap<string, string>, "has">;

export class Volumes {
  readonly attachments: Attachments;
  readonly #storage: Storage;
  readonly #pods: readonly Pod[];
  readonly #reaches = new Map<string, PodReach>();
  readonly #known = new Map<Reach, PodReach>();

  constructor(snapshot: Snapshot) {
    this.#storage = new Storage(snapshot, leavingNodes(snapshot));
    this.#pods = snapshot.pods.filter(
      ({ volumes, phase }) => volumes.length > 0 && phase !== "Succeeded" && phase !== "Failed",
    );
    this.attachments = new Attachments(snapshot, this.#pods, (pod) => this.attachedFor(pod));
  }

  /** What drivers attach for a pod. */
  attachedFor(pod: Pod): readonly Attachment[] {
    return pod.volumes.flatMap((volume) => this.#storage.attachmentOf(pod, volume) ?? []);
  }

  /** Works out what the pods' volumes ask for; sets apart those that can run nowhere, in words that say why. */
  plan(
    pods: readonly Pod[],
    asks: AskTable,
    nominated: Nominated,
  ): { readonly planned: readonly PlannedPod[]; readonly refused: readonly RefusedPod[] } {
    if (pods.every(({ volumes }) => volumes.length === 0)) return { planned: pods, refused: [] };
    const planned: PlannedPod[] = [];
    const refused: RefusedPod[] = [];
    const turns: PlannedPod[] = [];
    for (const pod of pods) {
      const one = pod.volumes.length === 0 ? pod : this.#planOne(pod, asks);
      if (typeof one === "string") refused.push({ pod, reason: one });
      else if (this.#singleClaims(pod).length > 0) turns.push(one);
      else planned.push(one);
    }
    const holders = turns.length === 0 ? new Map<string, string>() : this.#holders(nominated);
    for (const pod of turns.sort(byTurn)) {
      const taken = this.#singleClaims(pod).find((claim) => (holders.get(keyOf(claim)) ?? podKey(pod)) !== podKey(pod));
      if (taken === undefined) {
        planned.push(pod);
        for (const claim of this.#singleClaims(pod)) holders.set(keyOf(claim), podKey(pod));
      } else {
        const reason = `the pod's claim "${taken.name}" is for one pod at a time (ReadWriteOncePod), and ${holders.get(keyOf(taken))} has it`;
        refused.push({ pod, reason });
      }
    }
    return { planned: withCompanions(planned, (pod) => this.#storage.unmadeFor(pod)), refused };
  }

  #planOne(pod: Pod, asks: AskTable): PlannedPod | string {
    const reaches: Reach[] = [];
    for (const volume of pod.volumes) {
      const reach = this.#storage.reachOf(pod, volume);
      if (typeof reach === "string") return `the pod's ${reach}`;
      reaches.push(reach);
    }
    const requests = this.attachments.requestsFor(this.attachedFor(pod));
    const asking =
      Object.keys(requests).length === 0 ? pod : { ...pod, requests: addResources(pod.requests, requests) };
    const reach = reaches.reduce(both, anywhere);
    if (reach === anywhere) return asking;
    if (reach.length === 0) return `no node reaches all volumes of the pod: ${placeWords(pod, reaches)}`;
    const selects = Object.keys(pod.nodeSelector).length > 0 || pod.requiredNodeAffinity !== undefined;
    if (!selects) return { ...asking, reach: this.#interned(reach) };
    const { alternatives, error } = selectionOf(pod, asks, { anyHost: false });
    const meets = alternatives.some((ask) => reach.some((one) => !asks.get(ask).intersection(one).impossible));
    if (alternatives.length > 0 && !meets && error === undefined) {
      const wanted = alternatives.map((ask) => String(asks.get(ask))).join(" or ");
      return `the pod selects ${wanted}, where its volumes are not reached: ${placeWords(pod, reaches)}`;
    }
    return { ...asking, reach: this.#interned(reach) };
  }

  #interned(alternatives: Reach): PodReach {
    const known = this.#known.get(alternatives);
    if (known !== undefined) return known;
    const text = reachText(alternatives);
    let reach = this.#reaches.get(text);
    if (reach === undefined) {
      reach = { alternatives, text };
      this.#reaches.set(text, reach);
    }
    this.#known.set(alternatives, reach);
    return reach;
  }

  /** The pod's claims that only one pod at a time may have. */
  #singleClaims(pod: Pod): readonly PersistentVolumeClaim[] {
    return pod.volumes.flatMap((volume) => {
      const claim = this.#storage.claimOf(pod, volume);
      return claim?.singlePod === true ? [claim] : [];
    });
  }

  /** By claim for one pod at a time: the pod that runs with it or has a place. */
  #holders(nominated: Nominated): Map<string, string> {
    const holders = new Map<string, string>();
    for (const pod of this.#pods) {
      if (pod.nodeName === undefined && !nominated.has(podKey(pod))) continue;
      for (const claim of this.#singleClaims(pod)) {
        const known = holders.get(keyOf(claim));
        if (known === undefined || podKey(pod) < known) holders.set(keyOf(claim), podKey(pod));
      }
    }
    return holders;
  }
}

/** The more important pod comes first, then the older one, then by name. */
function byTurn(a: Pod, b: Pod): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  return a.createdAtMs - b.createdAtMs || (podKey(a) < podKey(b) ? -1 : 1);
}

function keyOf({ namespace, name }: PersistentVolumeClaim): string {
  return `${namespace}/${name}`;
}

function placeWords(pod: Pod, reaches: readonly Reach[]): string {
  return reaches.map((reach, at) => `claim "${pod.volumes[at]!.claimName}" from ${reachWords(reach)}`).join("; ");
}

/** Where the pod's volumes hold it, for verdicts; undefined: nowhere in particular. */
export function volumeWords({ reach }: PlannedPod): string | undefined {
  return reach === undefined
    ? undefined
    : `the pod's ${reach.what ?? "volumes"} are reached from ${reachWords(reach.alternatives)} only`;
}

/** Nodes that are on their way out, by name. */
function leavingNodes({ nodes, claims, nowMs }: Snapshot): ReadonlySet<string> {
  const leaving = new Set(
    claims.flatMap((claim) =>
      claim.instance !== undefined && (isLeaving(claim) || expiresAtMs(claim) <= nowMs)
        ? [claim.instance.providerId]
        : [],
    ),
  );
  return new Set(
    nodes
      .filter(({ deletionAtMs, providerId }) => deletionAtMs !== undefined || leaving.has(providerId ?? ""))
      .map(({ name }) => name),
  );
}
