import type { Pod } from "../model/index.ts";
import type { PlannedPod } from "./volumes/volumes.ts";

/** Pods that are alike in everything that decides where they can go. */
export interface PodClass {
  readonly key: string;
  /** What of the key its pods' own fields make: the rest tells apart whom rules about other pods tell apart. */
  readonly shape: string;
  readonly sample: Pod;
  readonly pods: readonly Pod[];
}

/** `namespace/name`: how plans name a pod. */
export function podKey(pod: Pod): string {
  return `${pod.namespace}/${pod.name}`;
}

/** Cheap and not canonical: equal keys mean equal pods, but not the other way round. */
function rawKey(pod: PlannedPod): string {
  let key = `${pod.priority}`;
  if (pod.reach !== undefined) key += `|^${pod.reach.text}`;
  for (const name in pod.requests) key += `|${name}=${pod.requests[name]}`;
  for (const name in pod.nodeSelector) key += `|@${name}=${pod.nodeSelector[name]}`;
  if (pod.tolerations.length > 0) key += `|~${JSON.stringify(pod.tolerations)}`;
  if (pod.requiredNodeAffinity !== undefined) key += `|&${JSON.stringify(pod.requiredNodeAffinity)}`;
  const wishes = wishesOf(pod);
  if (wishes !== undefined) key += `|?${JSON.stringify(wishes)}`;
  return key;
}

function sorted(record: Readonly<Record<string, string | number>>): unknown {
  return Object.keys(record)
    .sort()
    .map((name) => [name, record[name]]);
}

/** What a pod would like, of nodes and of other pods; undefined: nothing. */
function wishesOf(pod: Pod): unknown {
  const { preferredNodeAffinity, preferredPodAffinity, preferredPodAntiAffinity, topologySpread } = pod;
  const spread = topologySpread.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === "ScheduleAnyway");
  const all = [preferredNodeAffinity, preferredPodAffinity, preferredPodAntiAffinity, spread];
  return all.some((wishes) => wishes.length > 0) ? all : undefined;
}

/** Equal texts: pods that are alike in all that their own fields say about where they can go. */
export function shapeOf(pod: PlannedPod): string {
  const requests = Object.fromEntries(Object.entries(pod.requests).filter(([, amount]) => amount > 0));
  return JSON.stringify([
    pod.priority,
    sorted(requests),
    sorted(pod.nodeSelector),
    pod.requiredNodeAffinity ?? null,
    pod.tolerations.map((t) => [t.key ?? "", t.operator, t.value ?? "", t.effect ?? ""]),
    ...(wishesOf(pod) === undefined ? [] : [wishesOf(pod)]),
    ...(pod.reach === undefined ? [] : [{ reach: pod.reach.text }]),
  ]);
}

/**
 * Classes of pods, in the order of their canonical keys (important pods first), each with its pods by name: the same for
 * every order of the input. `mark` tells apart pods that something outside their own fields sets apart.
 */
export function groupPods(pods: readonly Pod[], mark: (pod: Pod) => string): PodClass[] {
  const shapes = new Map<string, string>();
  const byKey = new Map<string, { readonly shape: string; readonly pods: Pod[] }>();
  for (const pod of pods) {
    const raw = rawKey(pod);
    let shape = shapes.get(raw);
    if (shape === undefined) {
      shape = shapeOf(pod);
      shapes.set(raw, shape);
    }
    const key = `${mark(pod)}|${shape}`;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, { shape, pods: [pod] });
    else known.pods.push(pod);
  }
  return [...byKey]
    .map(([key, group]) => {
      const named = group.pods.map((pod) => ({ name: podKey(pod), pod }));
      named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
      return { key, shape: group.shape, sample: named[0]!.pod, pods: named.map(({ pod }) => pod) };
    })
    .sort((a, b) => b.sample.priority - a.sample.priority || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}
