// Reports of people about volumes, from Karpenter's public issues: what is right in each, as tests. Numbers are those of
// docs/compatibility.md.
import { describe, expect, it } from "vitest";
import type { Pod, Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { bound, node, pod, pool, req, snapshot, taint, zone } from "../core/scheduling/fixtures.ts";
import {
  boundPvc,
  pvc,
  storageClass,
  storing,
  topologies,
  volumeOf,
  zonal,
} from "../core/scheduling/storage-fixtures.ts";

const plan = (over: Partial<Snapshot>) => planProvisioning(snapshot(over));

/** Each pod's zone: of the claim that it is given. */
function zonesOf(over: Partial<Snapshot>): Record<string, string | undefined> {
  const { claims } = plan(over);
  return Object.fromEntries(claims.flatMap(({ pods, labels }) => pods.map((name) => [name, labels[zone]])));
}

describe("10 (core#2785): volumes that are bound to zones beside a spread with minDomains", () => {
  const spread: Pod["topologySpread"] = [
    {
      topologyKey: zone,
      maxSkew: 1,
      minDomains: 3,
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector: { matchLabels: { app: "db" }, matchExpressions: [] },
      matchLabelKeys: [],
      nodeAffinityPolicy: "Honor",
      nodeTaintsPolicy: "Ignore",
    },
  ];
  const db = (n: number, over: Partial<Pod> = {}) =>
    storing(`db-${n}`, [`data-db-${n}`], { labels: { app: "db" }, topologySpread: spread, ...over });
  const claims = [0, 1, 2].map((n) => boundPvc(`data-db-${n}`));
  const volumes = ["z-b", "z-c", "z-a"].map((name, n) => zonal(`data-db-${n}`, name));
  const storage = { persistentVolumeClaims: claims, persistentVolumes: volumes };
  const each = { "default/db-0": "z-b", "default/db-1": "z-c", "default/db-2": "z-a" };

  it("10: three pods go where their volumes are", () => {
    expect(zonesOf({ pods: [0, 1, 2].map((n) => db(n)), ...storage })).toEqual(each);
  });

  it("10: so does the only one that waits while the others run", () => {
    const nodes = ["z-b", "z-c"].map((name, n) => node(`n${n}`, { labels: { ...node(`n${n}`).labels, [zone]: name } }));
    const running = nodes.map(({ name }, n) => bound(`db-${n}`, name, { ...db(n), nodeName: name }));
    const pods = [...running.map((one, n) => ({ ...one, name: `db-${n}`, uid: `uid-db-${n}` })), db(2)];
    expect(zonesOf({ nodes, pods, ...storage })).toEqual({ "default/db-2": "z-a" });
  });

  it("10: claims that wait for their first pod are spread", () => {
    const open = {
      persistentVolumeClaims: [0, 1, 2].map((n) => pvc(`data-db-${n}`, { storageClassName: "gp3" })),
      storageClasses: [storageClass("gp3")],
    };
    expect(Object.values(zonesOf({ pods: [0, 1, 2].map((n) => db(n)), ...open })).sort()).toEqual([
      "z-a",
      "z-b",
      "z-c",
    ]);
  });

  it("10: domains of a tainted pool without nodes count where taints are honoured", () => {
    const honouring = spread.map((one) => ({ ...one, nodeTaintsPolicy: "Honor" as const }));
    const tolerations: Pod["tolerations"] = [{ key: "db", operator: "Exists" }];
    const nodePools = [pool("db", { taints: [taint("db")] })];
    const pods = [0, 1, 2].map((n) => db(n, { topologySpread: honouring, tolerations }));
    expect(zonesOf({ pods, nodePools, ...storage })).toEqual(each);
  });
});

describe("22 (core#104): a volume's zone beside node affinity with several terms", () => {
  const either = [
    { expressions: [req(zone, "In", "z-a")], fields: [] },
    { expressions: [req(zone, "In", "z-b", "z-c")], fields: [] },
  ];
  const storage = { persistentVolumeClaims: [boundPvc("data")], persistentVolumes: [zonal("data", "z-c")] };

  it("22: holds in every term", () => {
    expect(zonesOf({ pods: [storing("p", ["data"], { requiredNodeAffinity: either })], ...storage })).toEqual({
      "default/p": "z-c",
    });
  });

  it("22: holds when wishes are given up", () => {
    const wish = { weight: 1, term: { expressions: [req(zone, "In", "z-a")], fields: [] } };
    const pods = [storing("p", ["data"], { requiredNodeAffinity: either, preferredNodeAffinity: [wish] })];
    expect(zonesOf({ pods, ...storage })).toEqual({ "default/p": "z-c" });
  });

  it("22: refuses the pod where no term lets it go there", () => {
    const found = plan({ pods: [storing("p", ["data"], { requiredNodeAffinity: either.slice(0, 1) })], ...storage });
    expect([found.claims, found.placements]).toEqual([[], []]);
    expect(found.unschedulable[0]?.reason).toBe(
      'the pod selects topology.kubernetes.io/zone In ["z-a"], where its volumes are not reached: claim "data" from topology.kubernetes.io/zone In ["z-c"]',
    );
  });
});

describe("23 (core#783): claims without a storage class", () => {
  it.each([
    ['""', { storageClassName: "" }],
    ["missing", { storageClassName: "gone" }],
    ["left out", {}],
  ])("23: a bound claim whose storageClassName is %s is no obstacle", (_, over) => {
    const storage = { persistentVolumeClaims: [boundPvc("data", over)], persistentVolumes: [zonal("data", "z-b")] };
    expect(zonesOf({ pods: [storing("p", ["data"])], ...storage })).toEqual({ "default/p": "z-b" });
  });

  it.each([
    [
      '""',
      { storageClassName: "" },
      'the pod\'s claim "data" has no volume, and its storageClassName "" lets none be made for it',
    ],
    [
      "missing",
      { storageClassName: "gone" },
      'the pod\'s claim "data" has no volume, and its StorageClass "gone" does not exist',
    ],
    [
      "left out, without a default",
      {},
      'the pod\'s claim "data" has no volume and no storage class, and no StorageClass is marked as the default',
    ],
  ])("23: no node is launched for an unbound one whose storageClassName is %s", (_, over, reason) => {
    const found = plan({
      pods: [storing("p", ["data"])],
      persistentVolumeClaims: [pvc("data", over)],
      storageClasses: [storageClass("gp3")],
    });
    expect([found.claims, found.placements]).toEqual([[], []]);
    expect(found.unschedulable).toEqual([{ pod: "default/p", reason, nodePools: {} }]);
  });
});

describe("25 (core#2487): claims that name their volume and are not bound yet", () => {
  it("25: the volume's zone counts", () => {
    const storage = {
      persistentVolumeClaims: [boundPvc("data", { storageClassName: "gp3" })],
      persistentVolumes: [{ ...zonal("data", "z-c"), available: true }],
      storageClasses: [storageClass("gp3", { bindingMode: "Immediate" })],
    };
    expect(zonesOf({ pods: [storing("p", ["data"])], ...storage })).toEqual({ "default/p": "z-c" });
  });

  it("25: so does that of a volume that names the claim", () => {
    const storage = {
      persistentVolumeClaims: [pvc("data", { storageClassName: "" })],
      persistentVolumes: [zonal("data", "z-c")],
    };
    expect(zonesOf({ pods: [storing("p", ["data"])], ...storage })).toEqual({ "default/p": "z-c" });
  });

  it("25: a volume that is another claim's is nobody's else", () => {
    const found = plan({
      pods: [storing("p", ["data"])],
      persistentVolumeClaims: [boundPvc("data")],
      persistentVolumes: [{ ...zonal("data", "z-c"), claim: "default/other" }],
    });
    expect(found.unschedulable[0]?.reason).toBe(
      'the pod\'s claim "data" names the volume "pv-data", which belongs to the claim "default/other"',
    );
  });
});

describe("26 (core#441, core#106): generic ephemeral volumes", () => {
  const scratch = (over = {}) =>
    pod("p", { volumes: [volumeOf("p-scratch", { name: "scratch", ephemeral: true, ...over })] });

  it("26: the class of the template says where", () => {
    const storageClasses = [storageClass("gp3", { allowedTopologies: topologies("z-b") })];
    expect(zonesOf({ pods: [scratch({ storageClassName: "gp3" })], storageClasses })).toEqual({ "default/p": "z-b" });
  });

  it("26: so does the default class where the template names none", () => {
    const storageClasses = [
      storageClass("old", { isDefault: true, createdAtMs: 1 }),
      storageClass("new", { isDefault: true, createdAtMs: 2, allowedTopologies: topologies("z-c") }),
    ];
    expect(zonesOf({ pods: [scratch()], storageClasses })).toEqual({ "default/p": "z-c" });
  });

  it("26: once the claim is there it counts, if it was made for the pod", () => {
    const storage = { persistentVolumes: [zonal("p-scratch", "z-b")] };
    const claim = boundPvc("p-scratch", { ownerUid: "uid-p" });
    expect(zonesOf({ pods: [scratch()], persistentVolumeClaims: [claim], ...storage })).toEqual({ "default/p": "z-b" });
    const found = plan({ pods: [scratch()], persistentVolumeClaims: [boundPvc("p-scratch")], ...storage });
    expect(found.unschedulable[0]?.reason).toBe(
      'the pod\'s claim "p-scratch" was not made for its volume "scratch": it is somebody else\'s of the same name',
    );
  });

  it("26: a class that does not exist launches no node", () => {
    const found = plan({ pods: [scratch({ storageClassName: "gone" })] });
    expect(found.claims).toEqual([]);
    expect(found.unschedulable[0]?.reason).toBe(
      'the pod\'s claim "p-scratch" has no volume, and its StorageClass "gone" does not exist',
    );
  });
});
