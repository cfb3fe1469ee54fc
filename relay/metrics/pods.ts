import { labels } from "../../shared/core/model/index.ts";
import type { KeptNode, KeptPod } from "../objects.ts";
import type { ClusterView } from "../view.ts";
import { isOver, isWaiting } from "../wakes/rules.ts";
import { durationBuckets, gauge, histogram, perObject, summary } from "./definition.ts";
import { type Family, inBlocks, labelsText, labelText, sampleLine } from "./exposition.ts";
import { createGauge, createHistogram, createSummary } from "./instruments.ts";
import { seconds } from "./seconds.ts";

const stateLabels = [
  "name",
  "namespace",
  "owner",
  "node",
  "scheduled",
  "nodepool",
  "zone",
  "arch",
  "capacity_type",
  "instance_type",
  "phase",
  "ready",
  "managed",
];

export const podSeries = {
  state: perObject(
    gauge("karpenter_pods_state", stateLabels, "1 for each pod, with what it is, where it runs and how it fares."),
  ),
  startup: summary("karpenter_pods_startup_duration_seconds", [], "From a pod's creation until it was ready."),
  bound: histogram(
    "karpenter_pods_bound_duration_seconds",
    [],
    durationBuckets,
    "From a pod's creation until a node was chosen for it.",
  ),
  unstarted: perObject(
    gauge("karpenter_pods_unstarted_time_seconds", ["name", "namespace"], "Age of a pod that is not ready yet."),
  ),
  unbound: perObject(
    gauge("karpenter_pods_unbound_time_seconds", ["name", "namespace"], "Age of a pod that has no node yet."),
  ),
  queueDepth: gauge(
    "karpenter_scheduler_queue_depth",
    ["controller", "scheduling_id"],
    "Pods for which kube-scheduler finds no node and that wait for a new one.",
  ),
} as const;

/**
 * Series of pods. What it remembers are the pods that were seen pending and are not ready yet; everything about the
 * others is read from the view when it is asked for. Durations rest on the times in the pods' own conditions, so they
 * don't depend on when the relay learned of them.
 */
export function createPodSeries(view: ClusterView, clock: { now(): number }): readonly Family[] {
  const startup = createSummary(podSeries.startup, clock);
  const bound = createHistogram(podSeries.bound);
  const notReady = new Set<string>();
  const notBound = new Set<string>();
  let waiting = 0;

  function follow(before: KeptPod | undefined, after: KeptPod | undefined): void {
    waiting += Number(after !== undefined && isWaiting(after)) - Number(before !== undefined && isWaiting(before));
    if (after === undefined) {
      if (before !== undefined) forget(before.uid);
    } else if (after.phase === "Pending") {
      notReady.add(after.uid);
      if (after.scheduledAtMs === undefined) notBound.add(after.uid);
      else settleBound(after);
    } else {
      settleBound(after);
      settleReady(after);
    }
  }

  function forget(uid: string): void {
    notReady.delete(uid);
    notBound.delete(uid);
  }

  function settleBound({ uid, scheduledAtMs, createdAtMs }: KeptPod): void {
    if (!notBound.delete(uid) || scheduledAtMs === undefined) return;
    bound.observe([], seconds(createdAtMs, scheduledAtMs));
  }

  /** A pod that ended without ever being ready has no startup: Karpenter leaves it out too. */
  function settleReady(pod: KeptPod): void {
    if (!pod.ready && !isOver(pod)) return;
    if (!notReady.delete(pod.uid) || pod.readyAtMs === undefined) return;
    startup.observe([], seconds(pod.createdAtMs, pod.readyAtMs));
  }

  function* ages(uids: ReadonlySet<string>, nowMs: number): Generator<readonly [readonly string[], number]> {
    for (const uid of uids) {
      const pod = view.get("Pod", uid);
      if (pod !== undefined) yield [[pod.name, pod.namespace], seconds(pod.createdAtMs, nowMs)];
    }
  }

  for (const pod of view.all("Pod")) follow(undefined, pod);
  view.onChange("Pod", follow);
  return [
    { definition: podSeries.state, blocks: () => inBlocks(stateLines(view)) },
    startup,
    bound,
    createGauge(podSeries.unstarted, (nowMs) => ages(notReady, nowMs)),
    createGauge(podSeries.unbound, (nowMs) => ages(notBound, nowMs)),
    createGauge(podSeries.queueDepth, () => [[["provisioner", ""], waiting]]),
  ];
}

/** Pod by pod, as each is when its line is written: a copy of them all would be larger than what the relay keeps of them. */
function* stateLines(view: ClusterView): Generator<string> {
  const places = new Map<string | undefined, Place>();
  for (const pod of view.all("Pod")) {
    let place = places.get(pod.nodeName);
    if (place === undefined) {
      place = placeOf(pod.nodeName, pod.nodeName === undefined ? undefined : view.node(pod.nodeName));
      places.set(pod.nodeName, place);
    }
    yield stateLine(pod, place);
  }
}

/** Labels that all pods of a node share, as text: 100,000 pods run on a few thousand nodes. */
interface Place {
  readonly at: string;
  readonly managed: string;
}

function placeOf(nodeName: string | undefined, node: KeptNode | undefined): Place {
  const of = (key: string) => node?.labels[key] ?? "";
  const nodePool = of(labels.nodePool);
  const values = [
    nodeName ?? "",
    String(nodeName !== undefined),
    nodePool,
    of(labels.zone),
    of(labels.arch),
    of(labels.capacityType),
    of(labels.instanceType),
  ];
  return { at: labelsText(stateLabels.slice(3, 10), values), managed: `managed="${nodePool !== ""}"` };
}

function stateLine(pod: KeptPod, { at, managed }: Place): string {
  const { name, namespace, phase, ready } = pod;
  const who = `${labelText("name", name)},${labelText("namespace", namespace)},${labelText("owner", ownerPath(pod))}`;
  return sampleLine(podSeries.state.name, `${who},${at},phase="${phase}",ready="${ready}",${managed}`, 1);
}

/** The path that an owner would have if every plural ended in s, as Karpenter writes it. */
function ownerPath({ owner, namespace }: KeptPod): string {
  if (owner === undefined) return "";
  return `/apis/${owner.apiVersion}/namespaces/${namespace}/${owner.kind.toLowerCase()}s/${owner.name}`;
}
