// The chart on a real control plane, installed with Helm: CRDs are taken over and upgraded; the relay, as a program of its
// own under its service account, and the functions' adapter under their group are denied nothing and allowed nothing more
// than they use. No kubelet runs, so that the relay's image is not tried here.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, inject, it, vi } from "vitest";
import { openKubeCluster } from "../../shared/adapters/kube/index.ts";
import { kubeSubject } from "../contracts/cluster/kube-subject.ts";
import { runClusterSuite } from "../contracts/cluster/suite.ts";
import { type ChartPlane, rightsIn, startChartPlane } from "./chart-plane.ts";
import { type RelayProcess, startRelayProcess } from "./chart-relay.ts";
import { chartFolder, handedOver, variants } from "./chart-values.ts";
import { installCrds } from "./crds.ts";
import { crdsIn, type Document, ourCrdFolder } from "./documents.ts";
import { provideHelm } from "./helm.ts";
import { send } from "./http.ts";

const program = await provideHelm();
const missing = inject("noControlPlane") ?? ("reason" in program ? program.reason : undefined);
const because = missing === undefined ? "" : ` (skipped: ${missing})`;
const skip = missing !== undefined;

const account = "system:serviceaccount:kube-system:timmerman-relay";
const nodePools = "/apis/karpenter.sh/v1/nodepools";
const nodeClaims = "/apis/karpenter.sh/v1/nodeclaims";
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const clusterRoles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

/** How long something may take that a slow machine has much else to do beside. */
const patience = { timeout: 60_000, interval: 100 };

let started: Promise<ChartPlane> | undefined;
const chartPlane = () => {
  // Roles are aggregated by a controller.
  started ??= startChartPlane("path" in program ? program.path : "", {
    controllers: ["clusterrole-aggregation-controller"],
  });
  return started;
};
afterAll(async () => (await started)?.stop());

const pool = (weight: number) => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: `weight-${weight}` },
  spec: {
    weight,
    template: {
      spec: { nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" }, requirements: [] },
    },
  },
});

/** The chart as it might have been: with a CRD that takes weights up to 50 only. */
function olderChart(folder: string): string {
  cpSync(chartFolder, folder, { recursive: true });
  const path = join(folder, "files/crds/karpenter.sh_nodepools.yaml");
  const older = readFileSync(path, "utf8").replace(
    /(weight:[\s\S]*?maximum: )100\n/,
    (_, head: string) => `${head}50\n`,
  );
  writeFileSync(path, older);
  return folder;
}

describe.skipIf(skip)(`the chart, installed with Helm${because}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "timmerman-older-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("takes over the CRDs of an installed Karpenter only when told to", async () => {
    const { plane, install } = await chartPlane();
    const theirs = crdsIn(ourCrdFolder).map(
      (crd): Document => ({
        ...crd,
        metadata: {
          ...crd.metadata,
          labels: { "app.kubernetes.io/managed-by": "Helm" },
          annotations: {
            "meta.helm.sh/release-name": "karpenter-crd",
            "meta.helm.sh/release-namespace": "kube-system",
          },
        } as Document["metadata"],
      }),
    );
    await installCrds(plane, theirs);
    const chart = olderChart(join(folder, "chart"));
    await expect(install(handedOver, { chart })).rejects.toThrow(/invalid ownership metadata/);
    const said = await install(handedOver, { chart, flags: ["--take-ownership"] });
    expect(said).toContain('shows "controller started" and "watching for pending pods"');
    const { body } = await send(plane, "GET", `${crds}/nodepools.karpenter.sh`);
    expect(body.metadata.annotations).toMatchObject({
      "helm.sh/resource-policy": "keep",
      "meta.helm.sh/release-name": "timmerman",
    });
    // Another schema takes a moment to be the one that requests are held to.
    const dryRun = `${nodePools}?dryRun=All`;
    await vi.waitFor(async () => expect((await send(plane, "POST", dryRun, pool(70))).status).toBe(422), patience);
    expect((await send(plane, "POST", nodePools, pool(50))).status).toBe(201);
  });

  it("upgrades the CRDs, and leaves what people wrote alone", async () => {
    const { plane, install } = await chartPlane();
    await install(handedOver);
    await vi.waitFor(async () => expect((await send(plane, "POST", nodePools, pool(70))).status).toBe(201), patience);
    expect((await send(plane, "GET", `${nodePools}/weight-50`)).status).toBe(200);
  });

  it("says in the notes what has no effect, and keeps its release small", async () => {
    const { plane, install } = await chartPlane();
    const { serviceMonitor: _, prometheusRule: __, ...everything } = variants.everything as Record<string, unknown>;
    const said = await install({ ...handedOver, ...everything, fullnameOverride: "", leaderElection: {} });
    expect(said).toMatch(
      /without effect here: settings\.featureGates, settings\.interruptionQueue, settings\.reservedENIs/,
    );
    const secrets = await send(plane, "GET", "/api/v1/namespaces/kube-system/secrets?labelSelector=owner%3Dhelm");
    const sizes = secrets.body.items.map((secret: { data: { release: string } }) => secret.data.release.length);
    expect(sizes.length).toBe(3);
    // The API server takes no Secret above 1 MiB.
    expect(Math.max(...sizes)).toBeLessThan(300_000);
    await install(handedOver);
  });

  it("lets the cluster's own roles reach our kinds", async () => {
    const { plane } = await chartPlane();
    await vi.waitFor(async () => {
      const [view, edit, admin] = await Promise.all(
        ["view", "edit", "admin"].map((role) => rightsIn(plane, `clusterroles/${role}`)),
      );
      expect(view).toContain("watch karpenter.sh/nodeclaims");
      expect(view).not.toContain("create karpenter.sh/nodepools");
      expect(edit).toContain("create autoscaling.x-k8s.io/capacitybuffers");
      expect(edit).not.toContain("create karpenter.sh/nodepools");
      expect(admin).toContain("create karpenter.sh/nodepools");
      expect(admin).toContain("patch karpenter.k8s.aws/ec2nodeclasses");
    }, patience);
  });
});

runClusterSuite(
  `kube-apiserver, under the rights of the functions${because}`,
  async (clock) => {
    const { plane, functionsToken } = await chartPlane();
    const asAdministrator = await kubeSubject(async () => ({ connection: plane, stop: async () => {} }))(clock);
    const cluster = openKubeCluster({ server: plane.url, token: functionsToken, caPem: plane.ca }, { clock });
    return { ...asAdministrator, cluster };
  },
  { skip },
);

describe.skipIf(skip)(`rights${because}`, () => {
  it("of the functions are those that their adapter uses, all of them", async () => {
    const { plane, functionsToken, functionsUser, requestsOf } = await chartPlane();
    const clock = { now: () => 0, sleep: async () => {} };
    const cluster = openKubeCluster({ server: plane.url, token: functionsToken, caPem: plane.ca }, { clock });
    expect(await cluster.readVersion()).toBe("1.36");
    expect(await cluster.readUid()).toMatch(/^[0-9a-f-]{36}$/);
    const { asked, forbidden } = requestsOf(functionsUser);
    expect([...forbidden]).toEqual([]);
    const allowed = await rightsIn(plane, "clusterroles/timmerman-functions");
    expect([...allowed].filter((right) => !asked.has(right))).toEqual([]);
    expect([...asked].filter((right) => !allowed.has(right))).toEqual([]);
  });

  it("of the functions end there", async () => {
    const { plane, functionsToken } = await chartPlane();
    const functions = { ...plane, token: functionsToken };
    for (const path of [
      "/api/v1/secrets",
      "/api/v1/namespaces/default",
      "/api/v1/namespaces/kube-system/configmaps",
      "/apis/coordination.k8s.io/v1/leases",
    ]) {
      expect((await send(functions, "GET", path)).status).toBe(403);
    }
    expect((await send(functions, "POST", nodePools, pool(1))).status).toBe(403);
    expect((await send(functions, "DELETE", `${nodePools}/weight-50`)).status).toBe(403);
    expect((await send(functions, "POST", clusterRoles, {})).status).toBe(403);
  });

  it("of the relay are those that it uses, all of them, and its environment is what the chart gives", async () => {
    const { plane, requestsOf } = await chartPlane();
    const relays: RelayProcess[] = [];
    try {
      const first = await startRelayProcess(plane, "relay-a");
      relays.push(first);
      await first.said("watching for pending pods");
      await first.said("leads");
      await vi.waitFor(async () => expect(await first.get("/readyz")).toBe(200), patience);
      expect(await first.get("/healthz")).toBe(200);
      const second = await startRelayProcess(plane, "relay-b");
      relays.push(second);
      await second.said("watching for pending pods");

      await endPodOfClaim(plane);
      await vi.waitFor(async () => {
        const { body } = await send(plane, "GET", `${nodeClaims}/relayed`);
        expect(body.status.lastPodEventTime).toMatch(/^2\d{3}-/);
      }, patience);

      await first.stop();
      await second.said("leads");
    } finally {
      for (const relay of relays) await relay.stop();
    }
    const { asked, forbidden } = requestsOf(account);
    expect([...forbidden]).toEqual([]);
    const roles = ["clusterroles/timmerman-relay", "namespaces/kube-system/roles/timmerman-relay"];
    const sets = await Promise.all(roles.map((role) => rightsIn(plane, role)));
    const allowed = sets.flatMap((set) => [...set]);
    expect(allowed.filter((right) => !asked.has(right))).toEqual([]);
    expect([...asked].filter((right) => !allowed.includes(right))).toEqual([]);
  });
});

/** A node, its claim and a pod on it that goes: what the relay writes the claim's time for. */
async function endPodOfClaim(plane: ChartPlane["plane"]): Promise<void> {
  const pods = "/api/v1/namespaces/default/pods";
  const create = async (path: string, document: object) => {
    const { status, body } = await send(plane, "POST", path, document);
    expect(status, JSON.stringify(body)).toBe(201);
  };
  await create("/api/v1/nodes", { metadata: { name: "relayed" }, spec: { providerID: "aws:///use1-az1/i-0" } });
  const { nodeClassRef } = pool(1).spec.template.spec;
  await create(nodeClaims, {
    apiVersion: "karpenter.sh/v1",
    kind: "NodeClaim",
    metadata: { name: "relayed" },
    spec: { nodeClassRef, requirements: [] },
  });
  const status = { nodeName: "relayed", providerID: "aws:///use1-az1/i-0" };
  await send(plane, "PATCH", `${nodeClaims}/relayed/status`, { status }, "application/merge-patch+json");
  const spec = { nodeName: "relayed", containers: [{ name: "c", image: "registry.example/c:1" }] };
  await create(pods, { metadata: { name: "relayed" }, spec: { ...spec, terminationGracePeriodSeconds: 0 } });
  await send(plane, "DELETE", `${pods}/relayed?gracePeriodSeconds=0`);
}

describe.skipIf(skip)(`the chart, uninstalled${because}`, () => {
  it("leaves CRDs and NodePools, and nothing that runs or may do something", async () => {
    const { plane, helm } = await chartPlane();
    await helm("uninstall", "timmerman");
    expect((await send(plane, "GET", `${nodePools}/weight-50`)).status).toBe(200);
    expect((await send(plane, "GET", "/apis/apps/v1/namespaces/kube-system/deployments/timmerman-relay")).status).toBe(
      404,
    );
    expect((await send(plane, "GET", `${clusterRoles}/timmerman-functions`)).status).toBe(404);
  });
});
