// The real kube-scheduler, which asks this test last of all: where a pod is pinned, only that node is left to it. Pods stay
// as they are (a node affinity, say, would change what their topology spread counts), and so do all of its own filters.
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { findBinaries } from "./binaries.ts";
import { openNursery } from "./children.ts";
import type { ControlPlane } from "./control-plane.ts";

export interface PinningScheduler {
  /** Pods by `namespace/name` and the one node that each may be bound to; others go where the scheduler likes. */
  pin(nodes: ReadonlyMap<string, string>): void;
  /** The nodes that its own filters left to a pod when it last asked, sorted; none if it never did. */
  openTo(pod: string): readonly string[];
  /** The scheduler's last lines if it has ended. */
  problem(): string | undefined;
  stop(): Promise<void>;
}

interface Question {
  readonly Pod: { readonly metadata: { readonly namespace: string; readonly name: string } };
  readonly NodeNames: readonly string[];
}

/** Starts a scheduler of this control plane; it must have none of its own. */
export async function startPinningScheduler(plane: ControlPlane): Promise<PinningScheduler> {
  const binaries = findBinaries();
  const path = "paths" in binaries ? binaries.paths["kube-scheduler"] : undefined;
  if (path === undefined) throw new Error("kube-scheduler is not among the programs of the control plane");
  let pinned: ReadonlyMap<string, string> = new Map();
  const open = new Map<string, readonly string[]>();
  const extender = createServer((request, answer) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { Pod, NodeNames } = JSON.parse(Buffer.concat(chunks).toString()) as Question;
      const key = `${Pod.metadata.namespace}/${Pod.metadata.name}`;
      open.set(key, [...NodeNames].sort());
      const only = pinned.get(key);
      const left = NodeNames.filter((name) => only === undefined || name === only);
      answer.setHeader("content-type", "application/json");
      answer.end(JSON.stringify({ NodeNames: left, FailedNodes: {}, Error: "" }));
    });
  });
  await new Promise<void>((resolve) => extender.listen(0, "127.0.0.1", resolve));
  const { port } = extender.address() as AddressInfo;
  const nursery = openNursery("timmerman-scheduler");
  const config = join(nursery.folder, "config.json");
  writeFileSync(config, JSON.stringify(configuration(plane.kubeconfigPath, `http://127.0.0.1:${port}`)));
  const child = nursery.start("kube-scheduler", path, [`--config=${config}`, "--secure-port=0"]);
  return {
    pin: (nodes) => {
      pinned = nodes;
      open.clear();
    },
    openTo: (pod) => open.get(pod) ?? [],
    problem: () => (child.running() ? undefined : child.tail()),
    async stop() {
      await nursery.stop();
      extender.closeAllConnections();
      await new Promise((resolve) => extender.close(resolve));
    },
  };
}

function configuration(kubeconfig: string, urlPrefix: string): object {
  return {
    apiVersion: "kubescheduler.config.k8s.io/v1",
    kind: "KubeSchedulerConfiguration",
    leaderElection: { leaderElect: false },
    clientConnection: { kubeconfig, qps: 1_000, burst: 1_000 },
    // A pod that was refused is tried again as soon as that may be.
    podInitialBackoffSeconds: 1,
    podMaxBackoffSeconds: 1,
    // Every node is looked at, however many there are.
    percentageOfNodesToScore: 100,
    extenders: [{ urlPrefix, filterVerb: "filter", nodeCacheCapable: true, enableHTTPS: false }],
  };
}
