// A cluster of any size behind the two calls that the relay makes of it, list and watch, made object by object as they are
// asked for, so that the server doesn't need the memory that the relay is measured on.
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createCertificate } from "../../local/kube/certificate.ts";

export interface LargeCluster {
  readonly pods: number;
  readonly nodes: number;
}

export interface LargeServer {
  readonly port: number;
  /** Its certificate authority, in PEM. */
  readonly ca: string;
  /** How many lists of pods were begun. */
  podLists(): number;
  /** Bytes of one pod on the wire. */
  readonly podBytes: number;
  /** Sends that many changes of pods over the open watch. */
  change(count: number): Promise<void>;
  /** Sends that many pods that go, and as many that come in their place. */
  replace(count: number): Promise<void>;
  /** Ends the watch of pods as too old, so that all of them are listed again. Resolves when the next watch is open. */
  relist(): Promise<void>;
  close(): Promise<void>;
}

const createdAt = "2026-01-10T09:30:00Z";
const podsPerReplicaSet = 40;

function hex(seed: number, digits: number): string {
  return Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1)
    .toString(16)
    .replace("-", "f")
    .padStart(digits, "0")
    .slice(0, digits);
}

function uidOf(index: number): string {
  return `${hex(index, 8)}-${hex(index + 1, 4)}-4${hex(index + 2, 3)}-a${hex(index + 3, 3)}-${hex(index, 6)}${hex(index + 5, 6)}`;
}

const sizes = [
  { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "256Mi" } },
  { requests: { cpu: "250m", memory: "512Mi" }, limits: { cpu: "1", memory: "512Mi" } },
  { requests: { cpu: "1", memory: "2Gi", "ephemeral-storage": "1Gi" }, limits: { memory: "2Gi" } },
  { requests: { cpu: "2", memory: "8Gi" }, limits: { cpu: "4", memory: "8Gi" } },
];

/** A pod as Deployments make them: two containers, probes, environment, volumes, managed fields. */
export function largePod(index: number, nodes: number, version: number, ready = true): object {
  const set = Math.floor(index / podsPerReplicaSet);
  const app = `service-${set % 700}`;
  const owner = `${app}-${hex(set, 8)}`;
  const name = `${owner}-${hex(index, 5)}`;
  const isDaemon = index % 25 === 0;
  const node = `ip-10-${(index % nodes) >> 8}-${(index % nodes) & 255}-17.eu-west-1.compute.internal`;
  const container = (part: string, size: number) => ({
    name: part,
    image: `registry.example.com/team/${app}/${part}@sha256:${hex(set, 8).repeat(8)}`,
    env: Array.from({ length: 14 }, (_, at) => ({ name: `SETTING_NUMBER_${at}`, value: `value-of-${app}-${at}` })),
    resources: sizes[(set + size) % sizes.length],
    ports: [{ containerPort: 8080, name: "http", protocol: "TCP" }],
    livenessProbe: { httpGet: { path: "/healthz", port: "http" }, periodSeconds: 10, failureThreshold: 3 },
    readinessProbe: { httpGet: { path: "/readyz", port: "http" }, periodSeconds: 10, failureThreshold: 3 },
    volumeMounts: [{ name: "token", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount", readOnly: true }],
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: "IfNotPresent",
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
  });
  const condition = (type: string, status = "True") => ({
    type,
    status,
    lastProbeTime: null,
    lastTransitionTime: createdAt,
  });
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      generateName: `${owner}-`,
      namespace: `team-${set % 60}`,
      uid: uidOf(index),
      resourceVersion: String(version),
      creationTimestamp: createdAt,
      labels: {
        app,
        "pod-template-hash": hex(set, 8),
        "app.kubernetes.io/name": app,
        "app.kubernetes.io/version": "1.2.3",
      },
      annotations: { "prometheus.io/scrape": "true", "kubernetes.io/config.seen": createdAt },
      ownerReferences: [
        {
          apiVersion: "apps/v1",
          kind: isDaemon ? "DaemonSet" : "ReplicaSet",
          name: owner,
          uid: uidOf(set),
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: [
        {
          manager: "kube-controller-manager",
          operation: "Update",
          time: createdAt,
          fieldsV1: {
            "f:metadata": {},
            "f:spec": { "f:containers": { 'k:{"name":"main"}': { "f:env": {}, "f:image": {} } } },
          },
        },
        {
          manager: "kubelet",
          operation: "Update",
          subresource: "status",
          time: createdAt,
          fieldsV1: { "f:status": { "f:conditions": {}, "f:phase": {} } },
        },
      ],
    },
    spec: {
      containers: [container("main", 0), container("proxy", 1)],
      initContainers: [{ name: "prepare", image: "registry.example.com/prepare:1", resources: sizes[0] }],
      volumes: [
        {
          name: "token",
          projected: { sources: [{ serviceAccountToken: { expirationSeconds: 3607, path: "token" } }] },
        },
      ],
      nodeName: node,
      nodeSelector: { "kubernetes.io/arch": "amd64" },
      serviceAccountName: app,
      schedulerName: "default-scheduler",
      restartPolicy: "Always",
      terminationGracePeriodSeconds: 30,
      tolerations: [
        { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 },
      ],
    },
    status: {
      phase: "Running",
      startTime: createdAt,
      podIP: "10.4.3.2",
      podIPs: [{ ip: "10.4.3.2" }],
      conditions: [
        condition("PodReadyToStartContainers"),
        condition("Initialized"),
        condition("Ready", ready ? "True" : "False"),
        condition("ContainersReady"),
        condition("PodScheduled"),
      ],
      containerStatuses: ["main", "proxy"].map((part) => ({
        name: part,
        ready: true,
        restartCount: 0,
        started: true,
        image: `registry.example.com/team/${app}/${part}`,
        imageID: `registry.example.com/team/${app}/${part}@sha256:${hex(set, 8).repeat(8)}`,
        containerID: `containerd://${hex(index, 8).repeat(8)}`,
        state: { running: { startedAt: createdAt } },
      })),
    },
  };
}

function largeNode(index: number): object {
  const name = `ip-10-${index >> 8}-${index & 255}-17.eu-west-1.compute.internal`;
  const labels = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`karpenter.k8s.aws/instance-fact-${at}`, `value-${(index + at) % 20}`]),
  );
  const amounts = { cpu: "16", memory: "65536Mi", pods: "110", "ephemeral-storage": "100Gi" };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      uid: uidOf(index + 10_000_000),
      resourceVersion: "1",
      creationTimestamp: createdAt,
      labels: { ...labels, "karpenter.sh/nodepool": `pool-${index % 4}`, "kubernetes.io/hostname": name },
    },
    spec: { providerID: `aws:///eu-west-1a/i-${hex(index, 8)}${hex(index, 8)}0` },
    status: {
      capacity: amounts,
      allocatable: amounts,
      conditions: [
        {
          type: "Ready",
          status: "True",
          reason: "KubeletReady",
          lastHeartbeatTime: createdAt,
          lastTransitionTime: createdAt,
        },
      ],
      images: Array.from({ length: 50 }, (_, at) => ({
        names: [`registry.example.com/image-${at}`],
        sizeBytes: 100_000,
      })),
    },
  };
}

/** Serves it over HTTPS on loopback. */
export async function serveLargeCluster({ pods, nodes }: LargeCluster): Promise<LargeServer> {
  let podLists = 0;
  let version = 1_000;
  let podWatch: ServerResponse | undefined;
  let podWatches = 0;
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const say = async (type: string, object: object) => {
    await until(() => podWatch !== undefined);
    if (podWatch!.write(`${JSON.stringify({ type, object })}\n`)) return;
    await new Promise((resolve) => podWatch!.once("drain", resolve));
  };
  const makers: Readonly<Record<string, { readonly count: number; make(index: number): object }>> = {
    "/api/v1/pods": { count: pods, make: (index) => largePod(index, nodes, 1_000) },
    "/api/v1/nodes": { count: nodes, make: largeNode },
  };
  const certificate = createCertificate(Date.now());
  const server = createServer(certificate, (request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const { count, make } = makers[url.pathname] ?? { count: 0, make: () => ({}) };
    response.writeHead(200, { "content-type": "application/json" });
    if (url.searchParams.get("watch") !== null) {
      response.flushHeaders();
      if (url.pathname !== "/api/v1/pods") return;
      podWatch = response;
      podWatches++;
      return;
    }
    const from = Number(url.searchParams.get("continue") ?? 0);
    if (from === 0 && url.pathname === "/api/v1/pods") podLists++;
    const to = Math.min(count, from + Number(url.searchParams.get("limit") ?? count));
    const items = Array.from({ length: to - from }, (_, at) => make(from + at));
    const metadata = { resourceVersion: "1000", ...(to < count ? { continue: String(to) } : {}) };
    response.end(JSON.stringify({ kind: "List", apiVersion: "v1", metadata, items }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    port: (server.address() as AddressInfo).port,
    ca: certificate.cert,
    podLists: () => podLists,
    podBytes: JSON.stringify(largePod(1, nodes, 1_000)).length,
    async change(count) {
      for (let at = 0; at < count; at++) {
        await say("MODIFIED", largePod((at * 7919) % pods, nodes, ++version, at % 2 === 0));
      }
    },
    async replace(count) {
      for (let at = 0; at < count; at++) {
        await say("DELETED", largePod(at, nodes, ++version));
        await say("ADDED", largePod(pods + at, nodes, ++version));
      }
    },
    async relist() {
      const known = podWatches;
      await say("ERROR", { kind: "Status", code: 410, message: "too old resource version" });
      await until(() => podWatches > known);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
