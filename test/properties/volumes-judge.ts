// An independent judge of where pods may be because of their volumes: kube-scheduler's filters restated, volume by volume
// and node by node, without a line of the solver.
import type {
  NodeSelectorTerm,
  PersistentVolume,
  Pod,
  PodVolume,
  ProvisioningPlan,
  Snapshot,
} from "../../shared/core/model/index.ts";
import { keyOf, mayRun, outcomes, type Seen, typesFor, within } from "./feasibility.ts";

const zoneKey = "topology.kubernetes.io/zone";
const oldZoneKeys = ["failure-domain.beta.kubernetes.io/zone", "topology.ebs.csi.aws.com/zone"];

/** Of one volume: why it can be nowhere, or where it may be. */
type Judged = { readonly refused: string } | { readonly at: (seen: Seen) => boolean };

const labelOf = (seen: Seen, key: string) => seen.labels[oldZoneKeys.includes(key) ? zoneKey : key];

function termHolds({ expressions, fields }: NodeSelectorTerm, seen: Seen): boolean {
  if (expressions.length + fields.length === 0) return false;
  return expressions.every(({ key, values }) => values.includes(labelOf(seen, key) ?? ""));
}

function reaches({ nodeAffinity, labels }: PersistentVolume, seen: Seen): boolean {
  for (const [key, value] of Object.entries(labels)) {
    if (!value.split("__").includes(labelOf(seen, key) ?? "")) return false;
  }
  return nodeAffinity === undefined || nodeAffinity.some((term) => termHolds(term, seen));
}

function judge(snapshot: Snapshot, pod: Pod, { claimName, ephemeral, storageClassName }: PodVolume): Judged {
  const id = `${pod.namespace}/${claimName}`;
  const claim = snapshot.persistentVolumeClaims.find((one) => `${one.namespace}/${one.name}` === id);
  if (claim === undefined && !ephemeral) return { refused: "no claim" };
  if (claim !== undefined && ephemeral && claim.ownerUid !== pod.uid) return { refused: "another's claim" };
  if (claim?.deletionAtMs !== undefined) return { refused: "claim goes" };
  if (claim?.lost === true) return { refused: "claim lost" };
  if (claim?.volumeName !== undefined) {
    const volume = snapshot.persistentVolumes.find(({ name }) => name === claim.volumeName);
    if (volume === undefined) return { refused: "no volume" };
    if (volume.claim !== undefined && volume.claim !== id) return { refused: "another's volume" };
    return { at: (seen) => reaches(volume, seen) };
  }
  const wanted = claim === undefined ? storageClassName : claim.storageClassName;
  const defaults = snapshot.storageClasses.filter(({ isDefault }) => isDefault).map(({ name }) => name);
  const found = snapshot.storageClasses.find(({ name }) => name === (wanted ?? defaults[0]));
  if (wanted === "" || found === undefined) return { refused: "no class" };
  if (found.bindingMode === "Immediate") return { refused: "must be bound" };
  const at = (seen: Seen) =>
    found.allowedTopologies.length === 0 ||
    found.allowedTopologies.some((term) => term.every(({ key, values }) => values.includes(labelOf(seen, key) ?? "")));
  return { at };
}

/** What a driver may attach on a node: as its CSINode says, or without a bound. */
function limitOn(snapshot: Snapshot, node: string, driver: string): number {
  return snapshot.csiNodes.find(({ name }) => name === node)?.attachLimits[driver] ?? Number.POSITIVE_INFINITY;
}

/** On a new node: what the most generous node of its type says, else what EC2 says of it. */
export function limitOf(snapshot: Snapshot, type: string, driver: string): number {
  const counts = (of: (labels: Readonly<Record<string, string>>) => boolean): number[] =>
    snapshot.nodes
      .filter(({ labels }) => of(labels))
      .flatMap(({ name }) => {
        const limit = limitOn(snapshot, name, driver);
        return Number.isFinite(limit) ? [limit] : [];
      });
  const seen = counts((labels) => labels["node.kubernetes.io/instance-type"] === type);
  if (seen.length > 0) return Math.max(...seen);
  if (driver !== "ebs.csi.aws.com") return Math.max(...counts(() => true), Number.NEGATIVE_INFINITY);
  const description = snapshot.catalog.instanceTypes.find(({ InstanceType }) => InstanceType === type)!;
  const { MaximumEbsAttachments: most } = description.EbsInfo as { MaximumEbsAttachments: number };
  return Math.max(1, most - 1);
}

/** What is attached for a volume, whatever becomes of its claim: as driver and id. */
function attachmentOf(snapshot: Snapshot, pod: Pod, { claimName, ephemeral, storageClassName }: PodVolume) {
  const id = `${pod.namespace}/${claimName}`;
  const claim = snapshot.persistentVolumeClaims.find((one) => `${one.namespace}/${one.name}` === id);
  if (claim === undefined && !ephemeral) return undefined;
  const volume = snapshot.persistentVolumes.find(({ name }) => name === claim?.volumeName);
  if (volume !== undefined) return { driver: volume.driver, id: volume.handle ?? volume.name };
  const wanted = claim === undefined ? storageClassName : claim.storageClassName;
  const found = snapshot.storageClasses.find(({ name, isDefault }) =>
    wanted === undefined ? isDefault : name === wanted,
  );
  return found === undefined ? undefined : { driver: found.driver, id };
}

/** Volumes by driver, each once, on a node with these pods. */
function attached(snapshot: Snapshot, pods: readonly Pod[]): Map<string, Set<string>> {
  const byDriver = new Map<string, Set<string>>();
  for (const pod of pods) {
    for (const volume of pod.volumes) {
      const one = attachmentOf(snapshot, pod, volume);
      if (one?.driver === undefined) continue;
      byDriver.set(one.driver, (byDriver.get(one.driver) ?? new Set()).add(one.id));
    }
  }
  return byDriver;
}

const runningOn = (snapshot: Snapshot, node: string) =>
  snapshot.pods.filter(({ nodeName, phase }) => nodeName === node && phase === "Running");

function isReached(snapshot: Snapshot, pod: Pod, seen: Seen): boolean {
  return pod.volumes.every((volume) => {
    const judged = judge(snapshot, pod, volume);
    return !("refused" in judged) && judged.at(seen);
  });
}

function singleClaims(snapshot: Snapshot, pod: Pod): string[] {
  return pod.volumes.flatMap(({ claimName }) => {
    const claim = snapshot.persistentVolumeClaims.find(
      ({ namespace, name }) => namespace === pod.namespace && name === claimName,
    );
    return claim?.singlePod === true ? [claimName] : [];
  });
}

const seenNode = (node: Snapshot["nodes"][number]): Seen => ({
  name: node.name,
  labels: node.labels,
  taints: node.taints,
  allocatable: node.allocatable,
});

/** What is wrong with a plan over nodes of nobody's and new claims, in words. */
export function volumeFaults(snapshot: Snapshot, plan: ProvisioningPlan): string[] {
  const wrong: string[] = [];
  const podOf = new Map(snapshot.pods.map((pod) => [keyOf(pod), pod]));
  const check = (pods: readonly Pod[], seen: Seen, where: string): void => {
    for (const pod of pods)
      if (!isReached(snapshot, pod, seen)) wrong.push(`${keyOf(pod)} misses a volume on ${where}`);
  };
  for (const { target, pods: keys } of plan.placements) {
    const pods = keys.map((key) => podOf.get(key)!);
    check(pods, seenNode(snapshot.nodes.find(({ name }) => name === target)!), target);
    const before = attached(snapshot, runningOn(snapshot, target));
    for (const [driver, ids] of attached(snapshot, [...runningOn(snapshot, target), ...pods])) {
      // What is over the bound already may stay.
      if (ids.size > (before.get(driver)?.size ?? 0) && ids.size > limitOn(snapshot, target, driver))
        wrong.push(`${target} attaches ${ids.size} of ${driver}`);
    }
  }
  for (const claim of plan.claims) {
    const pods = claim.pods.map((key) => podOf.get(key)!);
    for (const { type, seen } of outcomes(snapshot, claim)) {
      check(pods, seen, `${claim.name} as ${type.name}`);
      for (const [driver, ids] of attached(snapshot, pods)) {
        const limit = limitOf(snapshot, type.name, driver);
        if (Number.isFinite(limit) && ids.size > limit)
          wrong.push(`${claim.name}: ${ids.size} of ${limit} of ${driver}`);
      }
    }
  }
  // Whoever of them comes first decides the zone of a volume that is still to be made.
  const zones = new Map<string, Set<string | undefined>>();
  const noteZone = (keys: readonly string[], zone: string | undefined): void => {
    for (const pod of keys.map((key) => podOf.get(key)!)) {
      for (const { claimName } of pod.volumes) zones.set(claimName, (zones.get(claimName) ?? new Set()).add(zone));
    }
  };
  for (const { target, pods } of plan.placements)
    noteZone(pods, snapshot.nodes.find(({ name }) => name === target)!.labels[zoneKey]);
  for (const claim of plan.claims) {
    const open = new Set(outcomes(snapshot, claim).map(({ offering }) => offering.zone));
    noteZone(claim.pods, open.size === 1 ? [...open][0] : `some zone of ${claim.name}`);
  }
  for (const { name, volumeName, storageClassName } of snapshot.persistentVolumeClaims) {
    const files = storageClassName === "files";
    if (volumeName === undefined && !files && (zones.get(name)?.size ?? 0) > 1) wrong.push(`${name} has several zones`);
  }
  const placed = [...plan.placements, ...plan.claims].flatMap(({ pods }) => pods.map((key) => podOf.get(key)!));
  const holders = new Map<string, number>();
  for (const pod of [...snapshot.pods.filter(({ nodeName }) => nodeName !== undefined), ...placed]) {
    for (const name of singleClaims(snapshot, pod)) holders.set(name, (holders.get(name) ?? 0) + 1);
  }
  for (const pod of placed) {
    for (const name of singleClaims(snapshot, pod)) if (holders.get(name)! > 1) wrong.push(`${name} has several pods`);
  }
  return wrong;
}

/**
 * Unplaced pods that a node would still take beside all that is planned, or that a new node would take alone. Claims that
 * pods share are left out: they may be counted too often.
 */
export function missedByVolumes(snapshot: Snapshot, plan: ProvisioningPlan): string[] {
  const podOf = new Map(snapshot.pods.map((pod) => [keyOf(pod), pod]));
  const placed = [...plan.placements, ...plan.claims].flatMap(({ pods }) => pods.map((key) => podOf.get(key)!));
  const there = [...snapshot.pods.filter(({ nodeName }) => nodeName !== undefined), ...placed];
  const uses = (name: string) =>
    snapshot.pods.filter(({ volumes }) => volumes.some((v) => v.claimName === name)).length;
  /** Shared and without a volume: its pods go where the first of them is. */
  const follows = (name: string) =>
    uses(name) > 1 && snapshot.persistentVolumeClaims.some((one) => one.name === name && one.volumeName === undefined);
  return plan.unschedulable.flatMap(({ pod: key }) => {
    const pod = podOf.get(key)!;
    if (pod.volumes.some(({ claimName }) => follows(claimName))) return [];
    const held = new Set(there.flatMap((one) => singleClaims(snapshot, one)));
    // Whose turn it is with a claim for one pod is settled before places are looked for.
    const waiting = plan.unschedulable.filter((one) => one.pod !== key).map((one) => podOf.get(one.pod)!);
    for (const name of waiting.flatMap((one) => singleClaims(snapshot, one))) held.add(name);
    if (singleClaims(snapshot, pod).some((name) => held.has(name))) return [];
    const sharing = snapshot.persistentVolumeClaims.some(({ name }) => uses(name) > 1);
    const onNode = snapshot.nodes.filter((node) => {
      const seen = seenNode(node);
      if (sharing || !mayRun(pod, seen) || !isReached(snapshot, pod, seen)) return false;
      const planned = plan.placements.find(({ target }) => target === node.name)?.pods ?? [];
      const all = [...runningOn(snapshot, node.name), ...planned.map((one) => podOf.get(one)!), pod];
      const used: Record<string, number> = {};
      for (const { requests } of all) for (const name in requests) used[name] = (used[name] ?? 0) + requests[name]!;
      const mine = attached(snapshot, [pod]);
      const fits = [...attached(snapshot, all)].every(
        ([driver, ids]) => !mine.has(driver) || ids.size <= limitOn(snapshot, node.name, driver),
      );
      return within(used, node.allocatable) && fits;
    });
    const onNew = snapshot.nodePools.some((pool) => {
      const claim = {
        nodePool: pool.name,
        nodeClass: "default",
        requirements: pool.requirements,
        instanceTypes: typesFor(snapshot, "default").map(({ name }) => name),
        labels: pool.labels,
        taints: pool.taints,
      };
      return outcomes(snapshot, claim).some(({ type, seen }) => {
        if (!mayRun(pod, seen) || !isReached(snapshot, pod, seen) || !within(pod.requests, type.allocatable))
          return false;
        return [...attached(snapshot, [pod])].every(([driver, ids]) => {
          const limit = limitOf(snapshot, type.name, driver);
          return limit === Number.NEGATIVE_INFINITY || ids.size <= limit;
        });
      });
    });
    return onNode.length > 0 || onNew ? [`${key} (${onNode.map(({ name }) => name).join() || "a new node"})`] : [];
  });
}
