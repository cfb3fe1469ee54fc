// The main job on a real control plane: a Deployment's pods end up running on nodes that were launched for them, and when
// it is scaled to zero the nodes go. Which world does it (claim store, EC2 endpoint, kubelets) is the caller's.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type ControlPlane, workloadControllers } from "./control-plane.ts";
import { installCrds } from "./crds.ts";
import { crdsIn, ourCrdFolder } from "./documents.ts";
import { send } from "./http.ts";
import { openCluster } from "./stand-in.ts";

/** What runs beside the control plane: everything of ours, and a cloud. */
export interface SliceWorld {
  /** Instances that are neither terminated nor on their way to it. */
  runningInstances(): Promise<number>;
  stop(): Promise<void>;
}

/** The functions ask with a token of their own, if there is one, the kubelets with the administrator's. */
export type StartSliceWorld = (
  plane: Pick<ControlPlane, "url" | "token" | "ca" | "kubeconfigPath"> & { readonly functionsToken?: string },
) => Promise<SliceWorld>;

const patienceMs = 120_000;
const lookEveryMs = 500;
const replicas = 12;

export const nodeClass = {
  apiVersion: "karpenter.k8s.aws/v1",
  kind: "EC2NodeClass",
  metadata: { name: "default" },
  spec: {
    role: "node-role",
    amiSelectorTerms: [{ alias: "al2023@latest" }],
    subnetSelectorTerms: [{ tags: { "karpenter.sh/discovery": "local" } }],
    securityGroupSelectorTerms: [{ tags: { "karpenter.sh/discovery": "local" } }],
  },
};

export const nodePool = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "default" },
  spec: {
    limits: { cpu: "64" },
    disruption: { consolidationPolicy: "WhenEmpty", consolidateAfter: "5s", budgets: [{ nodes: "100%" }] },
    template: {
      metadata: { labels: { team: "blue" } },
      spec: {
        nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
        requirements: [
          { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
          { key: "karpenter.sh/capacity-type", operator: "In", values: ["spot", "on-demand"] },
          { key: "karpenter.k8s.aws/instance-category", operator: "In", values: ["c", "m", "r"] },
          { key: "karpenter.k8s.aws/instance-generation", operator: "Gt", values: ["4"] },
          // Nodes that hold several pods, so that draining one takes several rounds of its budget.
          { key: "karpenter.k8s.aws/instance-cpu", operator: "Gt", values: ["4"] },
        ],
      },
    },
  },
};

export const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "default" },
  spec: {
    replicas,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: {
        terminationGracePeriodSeconds: 1,
        nodeSelector: { team: "blue" },
        containers: [
          { name: "web", image: "registry.example/web:1", resources: { requests: { cpu: "900m", memory: "512Mi" } } },
        ],
      },
    },
  },
};

const budget = {
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: { name: "web", namespace: "default" },
  spec: { minAvailable: replicas - 2, selector: { matchLabels: { app: "web" } } },
};

const deployments = "/apis/apps/v1/namespaces/default/deployments";
const nodeClaims = "/apis/karpenter.sh/v1/nodeclaims";

// biome-ignore lint/suspicious/noExplicitAny: the test looks into whatever the server says
type Item = any;

function isReady(pod: Item): boolean {
  const ready = pod.status.conditions?.find((c: Item) => c.type === "Ready")?.status;
  return ready === "True" && pod.metadata.deletionTimestamp === undefined;
}

/** `makeWorld` gets a place for notes about what goes wrong on the way. */
export function runSlice(
  name: string,
  makeWorld: (note: (line: string) => void) => StartSliceWorld,
  noWorld: string | undefined,
): void {
  const noCluster = inject("noCluster") ?? noWorld;
  const notes = new Map<string, number>();
  const startWorld = makeWorld((line) => notes.set(line, (notes.get(line) ?? 0) + 1));
  const title = `the main job on ${name}${noCluster === undefined ? "" : ` (skipped: ${noCluster})`}`;
  describe.skipIf(noCluster !== undefined)(title, () => {
    let plane: ControlPlane;
    let world: SliceWorld;
    const items = async (path: string): Promise<Item[]> => (await send(plane, "GET", path)).body.items;
    const create = async (path: string, document: object) => {
      const { status, body } = await send(plane, "POST", path, document);
      expect(status, JSON.stringify(body)).toBe(201);
    };
    beforeAll(async () => {
      plane = await openCluster({ scheduler: true, controllers: workloadControllers });
      await installCrds(plane, crdsIn(ourCrdFolder));
      world = await startWorld(plane);
    });
    afterAll(async () => {
      await world?.stop();
      await plane?.stop();
    });

    /** Everything at rest: all pods run, and there is one node and one instance for each claim. */
    const atRest = async () => {
      const pods = await items("/api/v1/namespaces/default/pods");
      const nodes = await items("/api/v1/nodes");
      const claims = await items(nodeClaims);
      const isStill = [...pods, ...nodes, ...claims].every((o) => o.metadata.deletionTimestamp === undefined);
      const running = pods.filter((p) => p.status.phase === "Running").length;
      const instances = await world.runningInstances();
      const even = nodes.length === claims.length && nodes.length === instances;
      return isStill && even && running === replicas && pods.length === replicas ? { pods, nodes, claims } : undefined;
    };

    it("runs a Deployment's pods on nodes that were launched for them", { timeout: patienceMs * 1.2 }, async () => {
      await create("/apis/karpenter.k8s.aws/v1/ec2nodeclasses", nodeClass);
      await create("/apis/karpenter.sh/v1/nodepools", nodePool);
      await create("/apis/policy/v1/namespaces/default/poddisruptionbudgets", budget);
      await create(deployments, deployment);

      const { pods, nodes, claims } = await untilSo("every pod runs", atRest);
      expect(nodes.length).toBeGreaterThan(0);
      for (const node of nodes) {
        expect(node.metadata.labels).toMatchObject({ team: "blue", "karpenter.sh/nodepool": "default" });
        expect(node.spec.providerID).toMatch(/^aws:\/\/\/[a-z0-9-]+\/i-[0-9a-f]{17}$/);
      }
      const names = new Set(nodes.map((n) => n.metadata.name));
      expect(pods.filter((p) => !names.has(p.spec.nodeName))).toEqual([]);
      expect(claims.map((c) => c.status.providerID).sort()).toEqual(nodes.map((n) => n.spec.providerID).sort());
    });

    it("drains a node whose NodeClaim is deleted, within the budget, and replaces it", {
      timeout: patienceMs * 1.2,
    }, async () => {
      const before = await untilSo("everything is at rest", atRest);
      const load = new Map<string, number>();
      for (const { spec } of before.pods) load.set(spec.nodeName, (load.get(spec.nodeName) ?? 0) + 1);
      const [[nodeName]] = [...load].sort((a, b) => b[1] - a[1]) as [[string, number]];
      const claim = before.claims.find((c) => c.status.nodeName === nodeName);
      // By uid: a new node may get the old one's address, and so its name.
      const node = before.nodes.find((n) => n.metadata.name === nodeName);
      const old = [claim.metadata.uid, node.metadata.uid];
      const { name } = claim.metadata;
      let fewestReady = replicas;
      await send(plane, "DELETE", `${nodeClaims}/${name}`);
      await untilSo(`the node of ${name} is replaced`, async () => {
        const pods = await items("/api/v1/namespaces/default/pods");
        fewestReady = Math.min(fewestReady, pods.filter(isReady).length);
        const after = await atRest();
        const isGone = ![...(after?.claims ?? []), ...(after?.nodes ?? [])].some((o) => old.includes(o.metadata.uid));
        return isGone ? after : undefined;
      });
      expect(fewestReady).toBeGreaterThanOrEqual(budget.spec.minAvailable);
    });

    it("removes every node when the Deployment is scaled to zero", { timeout: patienceMs * 1.2 }, async () => {
      const scale = { spec: { replicas: 0 } };
      await send(plane, "PATCH", `${deployments}/web/scale`, scale, "application/merge-patch+json");
      await untilSo("every node is gone", async () => {
        const left = [...(await items("/api/v1/nodes")), ...(await items(nodeClaims))];
        return left.length === 0 && (await world.runningInstances()) === 0 ? left : undefined;
      });
    });

    /** Asks until there is an answer; the error tells what the cluster looked like in the end. */
    async function untilSo<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
      const deadline = performance.now() + patienceMs;
      for (;;) {
        const answer = await ask();
        if (answer !== undefined) return answer;
        if (performance.now() > deadline) throw new Error(`${what}: not in ${patienceMs / 1000} s\n${await look()}`);
        await sleep(lookEveryMs);
      }
    }

    async function look(): Promise<string> {
      const lines: string[] = [];
      for (const path of ["/api/v1/pods", "/api/v1/nodes", "/apis/karpenter.sh/v1/nodeclaims"]) {
        for (const { metadata, spec, status } of await items(path)) {
          const conditions = (status?.conditions ?? []).map((c: Item) => `${c.type}=${c.status} ${c.message ?? ""}`);
          lines.push(`${path.split("/").at(-1)} ${metadata.name} ${spec?.nodeName ?? ""} ${conditions.join("; ")}`);
        }
      }
      const events = await items("/api/v1/events");
      lines.push(...[...notes].slice(-30).map(([line, count]) => `${count} × ${line}`));
      lines.push(...events.slice(-20).map((e) => `event ${e.involvedObject.name} ${e.reason}: ${e.message}`));
      return lines.join("\n");
    }
  });
}
