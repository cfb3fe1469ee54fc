import {
  type HostPort,
  type LabelSelector,
  own,
  type Pod,
  type PodAffinityTerm,
  type TopologySpread,
  labels as wellKnown,
} from "../../model/index.ts";
import { normalizeLabels } from "../../requirements/index.ts";
import { selects } from "../label-selector.ts";
import type { Demands } from "./preferences.ts";

/**
 * `spread`: evenly over domains. `together`: where a selected pod is. `apart`: where none is, nor comes later. `aside`: where
 * none is. `port`: as apart, on a host.
 */
export type GroupKind = "spread" | "together" | "apart" | "aside" | "port";

/** A rule about where pods may be that some pods have and some, perhaps others, are selected by. */
export interface Group {
  readonly index: number;
  readonly kind: GroupKind;
  readonly key: string;
  /** Domains are nodes: new ones are had for the asking, so that the emptiest counts 0. */
  readonly perHost: boolean;
  /** Of a spread; 0 otherwise. */
  readonly maxSkew: number;
  readonly minDomains: number;
  /** Of a spread: a pod that has it, by which nodes are included or not, and the labels that they must have for that. */
  readonly spread?: { readonly constraint: TopologySpread; readonly sample: Pod; readonly keys: readonly string[] };
  /** Of `together`: which pods are meant, as text. Required terms of one pod mean the same pods, each over its own label. */
  readonly company?: string;
}

type Selector = (pod: Pod) => boolean;
type Labels = Readonly<Record<string, string>>;

const anyIp = new Set(["", "0.0.0.0", "::"]);

/** A pod's own groups, and those whose rules it counts for. Ascending. */
export interface Membership {
  readonly owns: readonly number[];
  readonly selectedBy: readonly number[];
}

/**
 * All rules of a solve, each once. First every pod that may have some is noted, then memberships are asked for: by then
 * the table is complete.
 */
export class GroupTable {
  readonly groups: Group[] = [];
  readonly #selectors: Selector[] = [];
  readonly #byText = new Map<string, number>();
  /** Groups that select only pods with a certain label, by that label; the others. */
  readonly #anchored = new Map<string, number[]>();
  readonly #unanchored: number[] = [];
  readonly #selectedBy = new Map<string, readonly number[]>();
  readonly #namespaceLabels: ReadonlyMap<string, Labels>;

  constructor(namespaces: readonly { readonly name: string; readonly labels: Labels }[]) {
    this.#namespaceLabels = new Map(namespaces.map(({ name, labels }) => [name, labels]));
  }

  /** The groups that a pod has by these demands, each once. */
  ownedBy(pod: Pod, demands: Demands): readonly number[] {
    const owned = [
      ...demands.spread.map((constraint) => this.#spread(pod, constraint)),
      ...demands.together.map((term) => this.#affinity(pod, term, "together")),
      ...demands.apart.map((term) => this.#affinity(pod, term, "apart")),
      ...demands.aside.map((term) => this.#affinity(pod, term, "aside")),
      ...pod.hostPorts.map((port) => this.#port(port)),
    ];
    return ascending(owned);
  }

  /** The groups of host ports that clash with one of these. Only once all groups are noted. */
  clashingWith(ports: readonly HostPort[]): readonly number[] {
    const bearer = { hostPorts: ports } as Pod;
    return this.groups.flatMap(({ kind, index }) =>
      kind === "port" && this.#selectors[index]!(bearer) ? [index] : [],
    );
  }

  /** The groups that count the pod. Only once all groups are noted. */
  selecting(pod: Pod): readonly number[] {
    if (this.groups.length === 0) return [];
    const ports = pod.hostPorts.length === 0 ? "" : JSON.stringify(pod.hostPorts);
    const ending = pod.deletionAtMs === undefined ? "" : "ending";
    const key = `${pod.namespace}\n${JSON.stringify(pod.labels)}\n${ports}\n${ending}`;
    let found = this.#selectedBy.get(key);
    if (found === undefined) {
      const candidates = new Set(this.#unanchored);
      for (const label in pod.labels) {
        for (const group of this.#anchored.get(`${label}=${pod.labels[label]}`) ?? []) candidates.add(group);
      }
      found = ascending([...candidates].filter((group) => this.#selectors[group]!(pod)));
      this.#selectedBy.set(key, found);
    }
    return found;
  }

  #spread(pod: Pod, constraint: TopologySpread): number {
    const { maxSkew, minDomains, nodeAffinityPolicy, nodeTaintsPolicy } = constraint;
    const topologyKey = stableKey(constraint.topologyKey);
    const selector = withLabelKeys(constraint.labelSelector, pod, constraint.matchLabelKeys, []);
    const nodes = nodeAffinityPolicy === "Honor" ? [pod.nodeSelector, pod.requiredNodeAffinity ?? null] : null;
    const taints = nodeTaintsPolicy === "Honor" ? pod.tolerations : null;
    const keys = requiredKeys(pod);
    const rest = [selector, maxSkew, minDomains, nodes, taints, keys];
    const text = JSON.stringify(["spread", topologyKey, pod.namespace, ...rest]);
    return this.#intern(
      text,
      {
        kind: "spread",
        key: topologyKey,
        perHost: topologyKey === wellKnown.hostname,
        maxSkew,
        minDomains: minDomains ?? 0,
        spread: { constraint, sample: pod, keys },
      },
      selector,
      // Kubernetes leaves pods that are ending out of a spread's count.
      (other) =>
        other.namespace === pod.namespace && other.deletionAtMs === undefined && selects(selector, other.labels),
    );
  }

  #affinity(pod: Pod, term: PodAffinityTerm, kind: "together" | "apart" | "aside"): number {
    const topologyKey = stableKey(term.topologyKey);
    // kube-scheduler lets a pod count for required affinity only if every one of the terms means it.
    const joint = kind === "together" && pod.requiredPodAffinity.includes(term) ? pod.requiredPodAffinity : [term];
    const scopes = joint.map((one) => this.#scope(pod, one));
    const own = scopes[joint.indexOf(term)]!;
    const company = JSON.stringify(scopes.map((scope) => scope.text).sort());
    const perHost = topologyKey === wellKnown.hostname;
    return this.#intern(
      JSON.stringify([kind, topologyKey, company]),
      { kind, key: topologyKey, perHost, maxSkew: 0, minDomains: 0, ...(kind === "together" ? { company } : {}) },
      own.selector,
      (other) => scopes.every((scope) => scope.isSelected(other)),
    );
  }

  /** Which pods a term means, wherever they are. */
  #scope(pod: Pod, term: PodAffinityTerm): { text: string; selector: LabelSelector | undefined; isSelected: Selector } {
    const { namespaces, namespaceSelector } = term;
    const selector = withLabelKeys(term.labelSelector, pod, term.matchLabelKeys, term.mismatchLabelKeys);
    const own = namespaces.length === 0 && namespaceSelector === undefined ? [pod.namespace] : [...namespaces].sort();
    const named = new Set(own);
    return {
      text: JSON.stringify([own, namespaceSelector ?? null, selector]),
      selector,
      isSelected: (other) => {
        const inside =
          named.has(other.namespace) ||
          (namespaceSelector !== undefined &&
            selects(namespaceSelector, this.#namespaceLabels.get(other.namespace) ?? {}));
        return inside && selects(selector, other.labels);
      },
    };
  }

  #port({ hostIp, protocol, port }: HostPort): number {
    const ip = anyIp.has(hostIp) ? "" : hostIp;
    const text = JSON.stringify(["port", protocol, port, ip]);
    const one = { hostIp, protocol, port };
    return this.#intern(
      text,
      { kind: "port", key: wellKnown.hostname, perHost: true, maxSkew: 0, minDomains: 0 },
      undefined,
      (other) => other.hostPorts.some((its) => portsClash(one, its)),
    );
  }

  #intern(
    text: string,
    group: Omit<Group, "index">,
    selector: LabelSelector | undefined,
    isSelected: Selector,
  ): number {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const index = this.groups.length;
    this.groups.push({ ...group, index });
    this.#selectors.push(isSelected);
    this.#byText.set(text, index);
    const [label] = Object.keys(selector?.matchLabels ?? {});
    if (label === undefined) this.#unanchored.push(index);
    else {
      const anchor = `${label}=${selector!.matchLabels[label]}`;
      const there = this.#anchored.get(anchor);
      if (there === undefined) this.#anchored.set(anchor, [index]);
      else there.push(index);
    }
    return index;
  }
}

/** Two ports clash when number and protocol are the same, and the addresses are or one of them is every address. */
export function portsClash(one: HostPort, other: HostPort): boolean {
  if (one.port !== other.port || one.protocol !== other.protocol) return false;
  return anyIp.has(one.hostIp) || anyIp.has(other.hostIp) || one.hostIp === other.hostIp;
}

/** Deprecated names of labels count as the stable ones, which nodes are planned with. */
function stableKey(key: string): string {
  return Object.keys(normalizeLabels({ [key]: "" }))[0] ?? key;
}

/** kube-scheduler counts for a required spread only nodes that have the labels of all that the pod requires. */
function requiredKeys({ topologySpread }: Pod): readonly string[] {
  const required = topologySpread.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === "DoNotSchedule");
  const keys = required.map((one) => stableKey(one.topologyKey)).filter((key) => key !== wellKnown.hostname);
  return [...new Set(keys)].sort();
}

function ascending(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** The API server writes the keys of affinity terms into their selectors at admission; here they are read as it would. */
function withLabelKeys(
  selector: LabelSelector | undefined,
  pod: Pod,
  matching: readonly string[],
  mismatching: readonly string[],
): LabelSelector | undefined {
  if (selector === undefined || matching.length + mismatching.length === 0) return selector;
  const of = (keys: readonly string[], operator: "In" | "NotIn") =>
    keys
      .filter((key) => own(pod.labels, key) !== undefined)
      .map((key) => ({ key, operator, values: [pod.labels[key]!] }));
  return {
    matchLabels: selector.matchLabels,
    matchExpressions: [...selector.matchExpressions, ...of(matching, "In"), ...of(mismatching, "NotIn")],
  };
}
