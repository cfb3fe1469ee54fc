// Near misses: documents that differ in one place from ones that were accepted. Chosen by a seed, so that a run repeats.

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Numbers below 2^32 from a seed (mulberry32). */
export function seededChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

const values: readonly Json[] = [
  null,
  true,
  0,
  -1,
  101,
  1.5,
  "",
  "x",
  "Never",
  "-5",
  "1h",
  "720h30m",
  "0s",
  "12",
  "In",
  "NotIn",
  "Gt",
  "Exists",
  "100%",
  "10%",
  "@daily",
  "a b",
  "karpenter.sh/capacity-type",
  "karpenter.sh/custom",
  "kubernetes.io/hostname",
  "karpenter.k8s.aws/instance-cpu",
  "example.com/team",
  [],
  {},
  ["x"],
  ["1", "2"],
  { key: "example.com/team", operator: "In", values: [] },
  { nodes: "10%", schedule: "@daily" },
  { id: "ami-0123" },
  { alias: "al2@latest" },
  { alias: "bottlerocket@v1.20.0" },
  { tags: { a: "" } },
  { "": "x" },
];

const fields: readonly string[] = [
  "weight",
  "replicas",
  "limits",
  "minValues",
  "values",
  "operator",
  "budgets",
  "schedule",
  "duration",
  "reasons",
  "expireAfter",
  "kubelet",
  "role",
  "instanceProfile",
  "amiFamily",
  "alias",
  "id",
  "tags",
  "name",
  "owner",
  "volumeSize",
  "snapshotID",
  "rootVolume",
  "price",
  "priceAdjustment",
  "consolidateAfter",
  "consolidationPolicy",
  "terminationGracePeriod",
  "startupTaints",
  "taints",
  "group",
  "unknownField",
];

/** A copy with one change somewhere below `spec`. */
export function mutate(document: Json, chance: () => number): Json {
  const copy = structuredClone(document);
  const pick = <T>(list: readonly T[]): T => list[chance() % list.length]!;
  const places = containersIn((copy as { spec?: Json }).spec ?? null);
  if (places.length === 0) return copy;
  const place = pick(places);
  if (Array.isArray(place)) {
    const index = place.length === 0 ? 0 : chance() % place.length;
    const change = chance() % 4;
    if (change === 0) place.splice(index, 1);
    else if (change === 1) place.push(structuredClone(place[index] ?? null));
    else if (change === 2) place[index] = structuredClone(pick(values));
    else place.push(structuredClone(pick(values)));
    return copy;
  }
  const keys = Object.keys(place);
  const key = keys.length === 0 || chance() % 4 === 0 ? pick(fields) : pick(keys);
  if (chance() % 4 === 0 && key in place) delete place[key];
  else place[key] = structuredClone(pick(values));
  return copy;
}

function containersIn(value: Json): (Json[] | { [key: string]: Json })[] {
  if (value === null || typeof value !== "object") return [];
  return [value, ...Object.values(value).flatMap(containersIn)];
}
