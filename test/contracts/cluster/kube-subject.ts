// The kube adapter on any API server that answers over HTTP, with hands that go past the adapter.
import { openKubeCluster } from "../../../shared/adapters/kube/index.ts";
import { toNodeClaim } from "../../../shared/api/index.ts";
import type { Clock } from "../../../shared/ports/index.ts";
import { type Connection, send } from "../../cluster/http.ts";
import type { ClusterSubject, MakeClusterSubject, Manifest, Named } from "./subject.ts";

const collections: Readonly<Record<string, string>> = {
  Node: "/api/v1/nodes",
  Pod: "/api/v1/namespaces/default/pods",
  PersistentVolumeClaim: "/api/v1/namespaces/default/persistentvolumeclaims",
  PersistentVolume: "/api/v1/persistentvolumes",
  StorageClass: "/apis/storage.k8s.io/v1/storageclasses",
  CSINode: "/apis/storage.k8s.io/v1/csinodes",
  Service: "/api/v1/namespaces/default/services",
  ReplicationController: "/api/v1/namespaces/default/replicationcontrollers",
  PodTemplate: "/api/v1/namespaces/default/podtemplates",
  Deployment: "/apis/apps/v1/namespaces/default/deployments",
  ReplicaSet: "/apis/apps/v1/namespaces/default/replicasets",
  StatefulSet: "/apis/apps/v1/namespaces/default/statefulsets",
  PodDisruptionBudget: "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
  NodePool: "/apis/karpenter.sh/v1/nodepools",
  NodeClaim: "/apis/karpenter.sh/v1/nodeclaims",
  EC2NodeClass: "/apis/karpenter.k8s.aws/v1/ec2nodeclasses",
  NodeOverlay: "/apis/karpenter.sh/v1alpha1/nodeoverlays",
  CapacityBuffer: "/apis/autoscaling.x-k8s.io/v1beta1/namespaces/default/capacitybuffers",
};

const mergePatch = "application/merge-patch+json";

/** The server must serve our kinds already. `stop` ends whatever `start` began. */
export function kubeSubject(
  start: (clock: Clock) => Promise<{ connection: Connection & { token: string }; stop: () => Promise<void> }>,
): MakeClusterSubject {
  return async (clock) => {
    const { connection, stop } = await start(clock);
    const { url, token, ca } = connection;
    const access = { server: url, token, ...(ca === undefined ? {} : { caPem: ca }) };
    return { cluster: openKubeCluster(access, { clock }), ...handsOn(connection), stop };
  };
}

function handsOn(connection: Connection): Omit<ClusterSubject, "cluster" | "stop"> {
  const ask = async (method: string, path: string, body?: unknown, contentType?: string) => {
    const answer = await send(connection, method, path, body, contentType);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const pathOf = ({ kind, name }: Named) => `${collections[kind]}/${name}`;
  return {
    async create(manifest: Manifest) {
      const { status, ...rest } = manifest;
      const created = await ask("POST", collections[manifest.kind]!, rest);
      const path = pathOf({ kind: manifest.kind, name: manifest.metadata.name });
      const whole = status === undefined ? created : await ask("PATCH", `${path}/status`, { status }, mergePatch);
      // Admission taints new nodes until a kubelet reports; here none will.
      const last = manifest.kind === "Node" ? await ask("PATCH", path, { spec: manifest.spec }, mergePatch) : whole;
      return { uid: last.metadata.uid, resourceVersion: last.metadata.resourceVersion };
    },
    async label(object, key, value) {
      await ask("PATCH", pathOf(object), { metadata: { labels: { [key]: value } } }, mergePatch);
    },
    async remove(object) {
      await ask("DELETE", pathOf(object));
    },
    async conditions(object) {
      return (await ask("GET", pathOf(object))).status?.conditions ?? [];
    },
    async statusField(object, field) {
      return (await ask("GET", pathOf(object))).status?.[field];
    },
    async shown(name) {
      return toNodeClaim(await ask("GET", pathOf({ kind: "NodeClaim", name })));
    },
    async events(namespace) {
      const { items } = await ask("GET", `/api/v1/namespaces/${namespace}/events`);
      return items.map((e: { reason: string; message: string; count: number; involvedObject: { uid: string } }) => ({
        reason: e.reason,
        message: e.message,
        count: e.count,
        objectUid: e.involvedObject.uid,
      }));
    },
  };
}
