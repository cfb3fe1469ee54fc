// The mixture that Karpenter's own benchmark schedules: a fifth each without rules, spread over zones, spread over hosts,
// drawn to its own kind's zone, and kept from its own kind's host.
import { seeded } from "../../simulation/chance.ts";
import { hostKey, type Manifest, pod, type Size, zoneKey } from "./manifests.ts";

const milliCpus = [100, 250, 500, 1000, 1500];
const memoriesMiB = [100, 256, 512, 1024, 2048, 4096];
const letters = ["a", "b", "c", "d", "e", "f", "g"];
const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

export function diverse(count: number, seed = 42): Manifest[] {
  const random = seeded(seed);
  const any = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const size = (): Size => ({ milliCpu: any(milliCpus), memoryMiB: any(memoriesMiB) });
  const labels = () => ({ "my-label": any(letters) });
  const spread = (topologyKey: string) => ({
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey, whenUnsatisfiable: "DoNotSchedule", labelSelector: { matchLabels: labels() } },
    ],
  });
  const near = (own: Record<string, string>) => ({
    affinity: { podAffinity: { [required]: [{ labelSelector: { matchLabels: own }, topologyKey: zoneKey }] } },
  });
  const apart = (own: Record<string, string>) => ({
    affinity: { podAntiAffinity: { [required]: [{ labelSelector: { matchLabels: own }, topologyKey: hostKey }] } },
  });
  const kinds: readonly ((at: number) => Manifest)[] = [
    (at) => pod(`plain-${at}`, labels(), size()),
    (at) => pod(`zones-${at}`, labels(), size(), spread(zoneKey)),
    (at) => pod(`hosts-${at}`, labels(), size(), spread(hostKey)),
    (at) => {
      const own = { "my-affinity": any(letters) };
      return pod(`near-${at}`, own, size(), near(own));
    },
    (at) => pod(`apart-${at}`, { app: "nginx" }, size(), apart({ app: "nginx" })),
  ];
  const fifth = Math.floor(count / kinds.length);
  return Array.from({ length: count }, (_, at) => {
    const kind = fifth === 0 ? 0 : Math.floor(at / fifth);
    return (kinds[kind] ?? kinds[0]!)(at);
  });
}

/** Pods of one size that would all like the same zone, and would rather share neither zone nor host with each other. */
export function preferences(count: number): Manifest[] {
  const own = { app: "nginx" };
  const term = (topologyKey: string) => ({ labelSelector: { matchLabels: own }, topologyKey });
  const zone = { matchExpressions: [{ key: zoneKey, operator: "In", values: ["us-east-1a"] }] };
  const affinity = {
    nodeAffinity: { [preferred]: [{ weight: 1, preference: zone }] },
    podAntiAffinity: {
      [preferred]: [
        { weight: 10, podAffinityTerm: term(zoneKey) },
        { weight: 1, podAffinityTerm: term(hostKey) },
      ],
    },
  };
  const size = { milliCpu: 250, memoryMiB: 512 };
  return Array.from({ length: count }, (_, at) => pod(`prefers-${at}`, own, size, { affinity }));
}
