// The controllers beside the embedded API, on its object store and under a clock that the test moves.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WorldClock } from "../../../local/clock.ts";
import { startControlPlane } from "../../../local/cluster/control-plane.ts";
import { createApiServer } from "../../../local/kube/server.ts";
import type { KubeObject, ObjectStore } from "../../../local/kube/types.ts";

interface ManualClock extends WorldClock {
  /** Moves on, and lets everything that follows from it happen. */
  advance(ms: number): Promise<void>;
}

function createManualClock(startMs: number): ManualClock {
  let nowMs = startMs;
  let due: { atMs: number; callback: () => void }[] = [];
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const after: WorldClock["after"] = (ms, callback) => {
    const entry = { atMs: nowMs + ms, callback };
    due.push(entry);
    return () => {
      due = due.filter((other) => other !== entry);
    };
  };
  return {
    speed: 1,
    now: () => nowMs,
    after,
    sleep: (ms) => new Promise((resolve) => after(ms, resolve)),
    async advance(ms) {
      const endMs = nowMs + ms;
      await settle();
      for (;;) {
        const next = due.filter((d) => d.atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined) break;
        due = due.filter((other) => other !== next);
        nowMs = Math.max(nowMs, next.atMs);
        next.callback();
        await settle();
      }
      nowMs = endMs;
    },
  };
}

let clock: ManualClock;
let store: ObjectStore;
let stop: () => void;
let errors: string[];

beforeEach(() => {
  clock = createManualClock(Date.UTC(2026, 0, 1));
  let counter = 0;
  const ids = {
    uid: () => `00000000-0000-4000-8000-${String(++counter).padStart(12, "0")}`,
    nameSuffix: () => (++counter).toString(36).padStart(5, "b"),
  };
  ({ store } = createApiServer({ clock, ids }));
  errors = [];
  stop = startControlPlane({
    store,
    clock,
    onError: (component, key, error) => errors.push(`${component} ${key} ${error}`),
  });
});

afterEach(() => {
  stop();
  expect(errors).toEqual([]);
});

function deployment(name: string, replicas: number, podSpec: object = {}, image = "app"): KubeObject {
  const containers = [{ name: "app", image, resources: { requests: { cpu: "1", memory: "1Gi" } } }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "default" },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers, ...podSpec } },
    },
  };
}

function addNode(name: string, cpu: string, labels: Record<string, string> = {}, taints: object[] = []): void {
  store.create("nodes", { apiVersion: "v1", kind: "Node", metadata: { name, labels }, spec: { taints } });
  setReady(name, cpu);
}

function setReady(name: string, cpu: string): void {
  store.modify(
    "nodes",
    { name },
    (draft) => {
      draft.status = {
        allocatable: { cpu, memory: "32Gi", pods: "20" },
        conditions: [
          {
            type: "Ready",
            status: "True",
            reason: "KubeletReady",
            message: "",
            lastTransitionTime: "2026-01-01T00:00:00Z",
          },
        ],
      };
    },
    { subresource: "status" },
  );
}

/** Plays the kubelets: every bound pod runs. */
function runBoundPods(): void {
  for (const pod of store
    .list("pods", { fieldSelector: "status.phase=Pending" })
    .items.filter((p) => p.spec.nodeName)) {
    store.modify(
      "pods",
      { namespace: pod.metadata.namespace!, name: pod.metadata.name! },
      (draft) => {
        draft.status = {
          ...draft.status,
          phase: "Running",
          conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }],
        };
      },
      { subresource: "status" },
    );
  }
}

const pods = () => store.list("pods", { namespace: "default" }).items;
const boundTo = (node: string) => pods().filter((p) => p.spec.nodeName === node).length;

describe("Deployments", () => {
  it("get their pods through a ReplicaSet and lose them when scaled down", async () => {
    store.create("deployments.apps", deployment("web", 3));
    await clock.advance(1_000);
    expect(pods()).toHaveLength(3);
    expect(pods()[0]?.metadata.ownerReferences?.[0]?.kind).toBe("ReplicaSet");
    store.modify("deployments.apps", { namespace: "default", name: "web" }, (draft) => {
      draft.spec.replicas = 1;
    });
    await clock.advance(1_000);
    expect(pods()).toHaveLength(1);
  });

  it("replace a pod that goes", async () => {
    store.create("deployments.apps", deployment("web", 2));
    await clock.advance(1_000);
    const [first] = pods();
    store.delete("pods", { namespace: "default", name: first!.metadata.name! }, { gracePeriodSeconds: 0 });
    await clock.advance(1_000);
    expect(pods()).toHaveLength(2);
    expect(pods().map((p) => p.metadata.name)).not.toContain(first!.metadata.name);
  });

  it("roll to a new template within surge and availability", async () => {
    addNode("n1", "16");
    store.create("deployments.apps", deployment("web", 4));
    await clock.advance(1_000);
    runBoundPods();
    await clock.advance(1_000);
    store.modify("deployments.apps", { namespace: "default", name: "web" }, (draft) => {
      draft.spec.template.spec.containers[0].image = "app:2";
    });
    await clock.advance(1_000);
    // 25 % of 4: one more, one fewer. Pods that are ending no longer count.
    const staying = pods().filter((p) => p.metadata.deletionTimestamp === undefined);
    expect(staying.length).toBeLessThanOrEqual(5);
    expect(staying.filter((p) => p.status.phase === "Running").length).toBeGreaterThanOrEqual(3);
    for (let round = 0; round < 10; round++) {
      runBoundPods();
      for (const pod of pods().filter((p) => p.metadata.deletionTimestamp)) {
        store.delete("pods", { namespace: "default", name: pod.metadata.name! }, { gracePeriodSeconds: 0 });
      }
      await clock.advance(1_000);
    }
    expect(pods().map((p) => p.spec.containers[0].image)).toEqual(["app:2", "app:2", "app:2", "app:2"]);
    expect(store.get("deployments.apps", { namespace: "default", name: "web" }).status).toMatchObject({
      availableReplicas: 4,
      updatedReplicas: 4,
    });
  });
});

describe("the scheduler", () => {
  it("fills nodes up to what they have and says why the rest waits", async () => {
    addNode("n1", "2");
    addNode("n2", "1");
    store.create("deployments.apps", deployment("web", 4));
    await clock.advance(1_000);
    expect([boundTo("n1"), boundTo("n2")]).toEqual([2, 1]);
    const waiting = pods().find((p) => p.spec.nodeName === undefined)!;
    expect(waiting.status.conditions).toContainEqual(
      expect.objectContaining({
        type: "PodScheduled",
        status: "False",
        reason: "Unschedulable",
        message: "0/2 nodes are available: 2 had insufficient cpu",
      }),
    );
    expect(store.list("events", { namespace: "default" }).items.map((e) => e.reason)).toEqual(["FailedScheduling"]);
  });

  it("binds the waiting when a node comes", async () => {
    store.create("deployments.apps", deployment("web", 1));
    await clock.advance(1_000);
    addNode("n1", "2");
    await clock.advance(1_000);
    expect(boundTo("n1")).toBe(1);
  });

  it("respects taints, selectors and cordons", async () => {
    addNode("tainted", "8", {}, [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }]);
    addNode("east", "8", { zone: "east" });
    addNode("west", "8", { zone: "west" });
    store.modify("nodes", { name: "west" }, (draft) => {
      draft.spec.unschedulable = true;
    });
    await clock.advance(100);
    store.create("deployments.apps", deployment("any", 2));
    store.create("deployments.apps", deployment("picky", 1, { nodeSelector: { zone: "west" } }));
    const tolerations = [{ key: "dedicated", operator: "Exists" }];
    store.create("deployments.apps", deployment("gpu", 1, { tolerations, nodeSelector: { zone: "none" } }));
    await clock.advance(1_000);
    expect([boundTo("tainted"), boundTo("east"), boundTo("west")]).toEqual([0, 2, 0]);
  });

  it("runs a Deployment that spreads, keeps apart and has a host port, once there are nodes for it", async () => {
    const labelSelector = { matchLabels: { app: "web" } };
    const spread = {
      maxSkew: 1,
      minDomains: 2,
      topologyKey: "zone",
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector,
    };
    const apart = { topologyKey: "kubernetes.io/hostname", labelSelector };
    const podSpec = {
      topologySpreadConstraints: [spread],
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [apart] } },
      containers: [
        { name: "app", image: "app", resources: {}, ports: [{ containerPort: 80, hostPort: 80, protocol: "TCP" }] },
      ],
    };
    store.create("deployments.apps", deployment("web", 4, podSpec));
    for (const name of ["a1", "a2", "a3"]) addNode(name, "8", { zone: "a", "kubernetes.io/hostname": name });
    await clock.advance(1_000);
    // One zone alone counts as if there were an empty one too.
    expect(["a1", "a2", "a3"].reduce((sum, name) => sum + boundTo(name), 0)).toBe(1);
    const waiting = pods().find(({ spec }) => spec.nodeName === undefined)!;
    expect(JSON.stringify(waiting.status)).toContain("2 didn't match pod topology spread constraints");
    for (const name of ["b1", "b2"]) addNode(name, "8", { zone: "b", "kubernetes.io/hostname": name });
    await clock.advance(1_000);
    expect(pods().filter(({ spec }) => spec.nodeName?.startsWith("a")).length).toBe(2);
    expect([boundTo("b1"), boundTo("b2")]).toEqual([1, 1]);
    expect(new Set(pods().map(({ spec }) => spec.nodeName)).size).toBe(4);
  });

  it("brings pods that want each other's company to one node, and keeps others away from them", async () => {
    for (const name of ["n1", "n2"]) addNode(name, "8", { "kubernetes.io/hostname": name });
    const term = (app: string) => ({ topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app } } });
    const near = { requiredDuringSchedulingIgnoredDuringExecution: [term("db")] };
    store.create("deployments.apps", deployment("db", 3, { affinity: { podAffinity: near } }));
    await clock.advance(1_000);
    const away = { requiredDuringSchedulingIgnoredDuringExecution: [term("web")] };
    store.create("deployments.apps", deployment("loner", 1, { affinity: { podAntiAffinity: away } }));
    await clock.advance(1_000);
    expect([boundTo("n1"), boundTo("n2")].sort()).toEqual([1, 3]);
    // What runs already repels those that come later.
    store.create("deployments.apps", deployment("web", 1));
    await clock.advance(1_000);
    expect([boundTo("n1"), boundTo("n2")].sort()).toEqual([1, 4]);
  });

  it("leaves a pod alone whose constraints it does not know, and says which", async () => {
    addNode("n1", "8");
    const volumes = [{ name: "disk", persistentVolumeClaim: { claimName: "disk" } }];
    store.create("deployments.apps", deployment("web", 1, { volumes }));
    await clock.advance(1_000);
    expect(pods()[0]?.spec.nodeName).toBeUndefined();
    expect(JSON.stringify(pods()[0]?.status)).toContain("volume claims");
  });

  it("binds nothing to a node that is not ready", async () => {
    store.create("nodes", { apiVersion: "v1", kind: "Node", metadata: { name: "n1" }, spec: {} });
    store.modify(
      "nodes",
      { name: "n1" },
      (d) => {
        d.status = { allocatable: { cpu: "8", memory: "32Gi", pods: "20" } };
      },
      { subresource: "status" },
    );
    await clock.advance(100);
    store.create("deployments.apps", deployment("web", 1));
    await clock.advance(1_000);
    expect(boundTo("n1")).toBe(0);
    setReady("n1", "8");
    await clock.advance(1_000);
    expect(boundTo("n1")).toBe(1);
  });
});

describe("DaemonSets", () => {
  it("put one pod on each node that they select and tolerate", async () => {
    const set = deployment("agent", 0);
    store.create("daemonsets.apps", {
      ...set,
      kind: "DaemonSet",
      spec: { selector: set.spec.selector, template: set.spec.template },
    });
    addNode("n1", "4");
    addNode("n2", "4", {}, [{ key: "k", effect: "NoSchedule" }]);
    addNode("n3", "4");
    await clock.advance(1_000);
    expect([boundTo("n1"), boundTo("n2"), boundTo("n3")]).toEqual([1, 0, 1]);
    store.delete("nodes", { name: "n3" });
    await clock.advance(60_000);
    expect(pods().map((p) => p.spec.nodeName)).toEqual(["n1"]);
  });
});

describe("disruption budgets", () => {
  it("count healthy pods against what their controller asks for", async () => {
    addNode("n1", "8");
    store.create("poddisruptionbudgets.policy", {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: "web", namespace: "default" },
      spec: { maxUnavailable: "25%", selector: { matchLabels: { app: "web" } } },
    });
    store.create("deployments.apps", deployment("web", 5));
    await clock.advance(1_000);
    const status = () => store.get("poddisruptionbudgets.policy", { namespace: "default", name: "web" }).status;
    // A quarter of 5, rounded up, is 2.
    expect(status()).toMatchObject({ expectedPods: 5, desiredHealthy: 3, currentHealthy: 0, disruptionsAllowed: 0 });
    runBoundPods();
    await clock.advance(1_000);
    expect(status()).toMatchObject({ currentHealthy: 5, disruptionsAllowed: 2 });
  });
});

describe("pods of a node that is gone", () => {
  it("are removed after 40 seconds, and come anew", async () => {
    addNode("n1", "8");
    store.create("deployments.apps", deployment("web", 1));
    await clock.advance(1_000);
    const [before] = pods();
    store.delete("nodes", { name: "n1" });
    await clock.advance(39_000);
    expect(pods().map((p) => p.metadata.name)).toEqual([before!.metadata.name]);
    await clock.advance(2_000);
    expect(pods()).toHaveLength(1);
    expect(pods()[0]?.metadata.name).not.toBe(before!.metadata.name);
  });
});
