// Random small worlds of pods with volumes, from the literals of the scheduling fixtures.
import fc from "fast-check";
import type {
  CsiNode,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodVolume,
  Snapshot,
  StorageClass,
} from "../../shared/core/model/index.ts";
import {
  asks,
  bound,
  catalog,
  instanceType,
  node,
  pod,
  pool,
  req,
  snapshot,
  zone,
} from "../core/scheduling/fixtures.ts";
import {
  boundPvc,
  csiNode,
  pv,
  pvc,
  storageClass,
  terms,
  topologies,
  volumeOf,
} from "../core/scheduling/storage-fixtures.ts";

const zones = ["z-a", "z-b", "z-c"] as const;
const someZones = fc.subarray([...zones], { minLength: 1, maxLength: 2 });
const efs = "efs.csi.aws.com";

/** Few attachments, so that they bind; the dedicated kind leaves one less than it says. */
const limited = {
  ...catalog,
  instanceTypes: catalog.instanceTypes.map((type, at) => ({
    ...type,
    EbsInfo: { AttachmentLimitType: "dedicated", MaximumEbsAttachments: 3 + (at % 3) },
  })),
};

const classes: readonly StorageClass[] = [
  storageClass("anywhere", { isDefault: true }),
  storageClass("placed", { allowedTopologies: topologies("z-a", "z-b") }),
  storageClass("files", { driver: efs }),
  storageClass("at-once", { bindingMode: "Immediate" }),
];
const className = fc.constantFrom("anywhere", "placed", "files", "at-once", "missing", "");

interface Kept {
  readonly claim?: PersistentVolumeClaim;
  readonly volume?: PersistentVolume;
}

/** What there is of a claim of some name. */
const kept = (name: string): fc.Arbitrary<Kept> => {
  const flags = fc.record({ singlePod: fc.constantFrom(false, false, false, true) });
  const whole = (volume: Partial<PersistentVolume>) =>
    flags.map((over): Kept => ({ claim: boundPvc(name, over), volume: pv(name, volume) }));
  return fc.oneof(
    { weight: 4, arbitrary: someZones.chain((some) => whole({ nodeAffinity: terms([zone, ...some]) })) },
    {
      weight: 2,
      arbitrary: someZones.chain((some) => whole({ nodeAffinity: terms(...some.map((one) => [zone, one] as const)) })),
    },
    {
      weight: 1,
      arbitrary: someZones.chain((some) =>
        whole({ labels: { "failure-domain.beta.kubernetes.io/zone": some.join("__") } }),
      ),
    },
    { weight: 1, arbitrary: whole({ driver: efs }) },
    { weight: 1, arbitrary: whole({ handle: "vol-of-two" }) },
    {
      weight: 4,
      arbitrary: fc
        .tuple(className, flags)
        .map(([storageClassName, over]): Kept => ({ claim: pvc(name, { storageClassName, ...over }) })),
    },
    { weight: 1, arbitrary: fc.constant<Kept>({ claim: pvc(name) }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Kept>({}, { claim: boundPvc(name) }, { claim: boundPvc(name, { lost: true }) }),
    },
    { weight: 1, arbitrary: fc.constant<Kept>({ claim: boundPvc(name, { deletionAtMs: 1 }), volume: pv(name) }) },
  );
};

const claimNames = Array.from({ length: 10 }, (_, n) => `c${n}`);
const volumes = (podName: string): fc.Arbitrary<PodVolume[]> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant<PodVolume[]>([]) },
    {
      weight: 6,
      arbitrary: fc
        .subarray(claimNames, { minLength: 1, maxLength: 2 })
        .map((names) => names.map((one) => volumeOf(one))),
    },
    {
      weight: 2,
      arbitrary: className.map((storageClassName) => [
        volumeOf(`${podName}-tmp`, { name: "tmp", ephemeral: true, storageClassName }),
      ]),
    },
  );

const pending = (name: string): fc.Arbitrary<Pod> =>
  fc
    .record({
      requests: fc.constantFrom(asks(0.1, 0.1), asks(1, 1), asks(3, 2)),
      nodeSelector: fc.oneof(
        { weight: 5, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: fc.constantFrom(...zones).map((one) => ({ [zone]: one })) },
      ),
      volumes: volumes(name),
    })
    .map((over) => pod(name, over));

interface Standing {
  readonly node: Node;
  readonly csi: readonly CsiNode[];
  readonly pods: readonly Pod[];
}

const standing = (name: string): fc.Arbitrary<Standing> =>
  fc
    .record({
      in: fc.constantFrom(...zones),
      type: fc.constantFrom("a1.medium", "a1.large"),
      count: fc.constantFrom(undefined, null, 1, 2, 3),
      residents: fc.array(volumes(`${name}-r`), { maxLength: 2 }),
    })
    .map(({ in: where, type, count, residents }) => ({
      node: node(name, { labels: { ...node(name).labels, [zone]: where, [instanceType]: type } }),
      csi: count === undefined ? [] : [csiNode(name, count)],
      pods: residents.map((own, n) =>
        bound(`${name}-r${n}`, name, { requests: asks(0.1, 0.1), volumes: own.filter(({ ephemeral }) => !ephemeral) }),
      ),
    }));

/** Clusters with pods, claims, volumes and nodes that attach few of them; much of it not in order. */
export const storedWorlds: fc.Arbitrary<Snapshot> = fc
  .record({
    kept: fc.tuple(...claimNames.map(kept)),
    count: fc.integer({ min: 1, max: 10 }),
    pods: fc.tuple(...Array.from({ length: 10 }, (_, n) => pending(`p${n}`))),
    nodes: fc
      .integer({ min: 0, max: 3 })
      .chain((count) => fc.tuple(...Array.from({ length: count }, (_, n) => standing(`n${n}`)))),
    zonal: fc.constantFrom(undefined, ["z-a"], ["z-a", "z-b"]),
  })
  .map(({ kept: storage, count, pods, nodes, zonal }) =>
    snapshot({
      catalog: limited,
      nodes: nodes.map((one) => one.node),
      csiNodes: nodes.flatMap(({ csi }) => csi),
      pods: [...nodes.flatMap((one) => one.pods), ...pods.slice(0, count)],
      nodePools: [
        pool(
          "default",
          zonal === undefined ? {} : { requirements: [...pool("x").requirements, req(zone, "In", ...zonal)] },
        ),
      ],
      persistentVolumeClaims: storage.flatMap(({ claim }) => claim ?? []),
      persistentVolumes: storage.flatMap(({ volume }) => volume ?? []),
      storageClasses: classes,
    }),
  );
