// A control plane with the pinning scheduler, and the few things that the agreement suite does with it.
import type { Pod } from "../../shared/core/model/index.ts";
import { keyOf } from "../properties/feasibility.ts";
import { nodeDocument, podDocument } from "./agreement-documents.ts";
import { startPinningScheduler } from "./agreement-scheduler.ts";
import type { Stage } from "./agreement-stage.ts";
import { startControlPlane } from "./control-plane.ts";
import { send } from "./http.ts";

export interface Player {
  /** A namespace beside those that an API server makes itself. */
  createNamespace(name: string, labels: Readonly<Record<string, string>>): Promise<void>;
  /** Makes the nodes and the pods that run on them already. */
  raise(stage: Stage): Promise<void>;
  create(pod: Pod): Promise<void>;
  /** Where a pod is, or what the scheduler says of it. */
  look(pod: Pod): Promise<{ readonly boundTo?: string; readonly message: string }>;
  /** Pods that were created without a node and have one. */
  countBound(): Promise<number>;
  pin(nodes: ReadonlyMap<string, string>): void;
  openTo(pod: Pod): readonly string[];
  /** Removes all pods and nodes. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

const podsOf = (namespace: string) => `/api/v1/namespaces/${namespace}/pods`;

export async function startPlayer(): Promise<Player> {
  const plane = await startControlPlane({
    // No controller runs that would take the not-ready taint off new nodes.
    serverArguments: ["--disable-admission-plugins=ServiceAccount,TaintNodesByCondition"],
  });
  const scheduler = await startPinningScheduler(plane);
  const created = new Set<string>();

  /** A connection that broke may have done its work: what is there already, or gone already, is as it should be. */
  const ask = async (method: string, path: string, body?: object) => {
    let answer = await send(plane, method, path, body).catch(() => undefined);
    const isAgain = answer === undefined;
    answer ??= await send(plane, method, path, body);
    if (isAgain && answer.status === (method === "POST" ? 409 : 404)) return undefined;
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const remove = async (path: string, pathOf: (metadata: Record<string, string>) => string) => {
    const { items } = await ask("GET", path);
    const paths = items.map(({ metadata }: { metadata: Record<string, string> }) => pathOf(metadata));
    await Promise.all(paths.map((one: string) => ask("DELETE", `${one}?gracePeriodSeconds=0`)));
  };
  return {
    async createNamespace(name, labels) {
      await ask("POST", "/api/v1/namespaces", { metadata: { name, labels } });
    },
    async raise({ nodes, residents }) {
      await Promise.all(nodes.map((node) => ask("POST", "/api/v1/nodes", nodeDocument(node))));
      await Promise.all(residents.map(({ pod, node }) => ask("POST", podsOf(pod.namespace), podDocument(pod, node))));
    },
    async create(pod) {
      created.add(keyOf(pod));
      await ask("POST", podsOf(pod.namespace), podDocument(pod));
    },
    async look({ namespace, name }) {
      const problem = scheduler.problem();
      if (problem !== undefined) throw new Error(`kube-scheduler ended:\n${problem}`);
      const { spec, status } = await ask("GET", `${podsOf(namespace)}/${name}`);
      const condition = status.conditions?.find(({ type }: { type: string }) => type === "PodScheduled");
      const message = condition?.message ?? "it was not looked at";
      return spec.nodeName === undefined ? { message } : { message, boundTo: spec.nodeName };
    },
    async countBound() {
      const { items } = await ask("GET", "/api/v1/pods");
      return items.filter(
        ({ metadata, spec }: { metadata: Record<string, string>; spec: { nodeName?: string } }) =>
          spec.nodeName !== undefined && created.has(`${metadata.namespace}/${metadata.name}`),
      ).length;
    },
    pin: scheduler.pin,
    openTo: (pod) => scheduler.openTo(keyOf(pod)),
    async clear() {
      created.clear();
      await remove("/api/v1/pods", ({ namespace, name }) => `${podsOf(namespace!)}/${name}`);
      await remove("/api/v1/nodes", ({ name }) => `/api/v1/nodes/${name}`);
    },
    async stop() {
      await scheduler.stop();
      await plane.stop();
    },
  };
}
