// A real Kubernetes control plane on loopback: etcd and kube-apiserver, and on demand the scheduler and controllers.
// No kubelet runs; whoever needs nodes brings fake ones.
import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findBinaries, type Program } from "./binaries.ts";
import { type Child, type Nursery, openNursery } from "./children.ts";
import { send } from "./http.ts";
import { freePorts } from "./ports.ts";

const readyTimeoutMs = 90_000;
const pollMs = 100;
const bootAttempts = 3;

/** The one token that the API server knows; it is a cluster administrator's. */
const token = "timmerman-test";

/** The line of that token in a file of tokens, for those who bring a file with more of them. */
export const administrator = `${token},timmerman-test,timmerman-test,"system:masters"`;

export interface ControlPlane {
  url: string;
  token: string;
  /** PEM certificates that the server's own is signed by. */
  ca: string;
  kubeconfigPath: string;
  kubectlPath: string | undefined;
  /** Where kubectl may keep what this server told it; goes with the control plane. */
  cacheFolder: string;
  stop(): Promise<void>;
}

export interface ControlPlaneOptions {
  scheduler?: boolean;
  /** Names as in `--controllers` of kube-controller-manager; see `workloadControllers`. */
  controllers?: readonly string[];
  /** More flags of kube-apiserver; one that is there already counts as given here. */
  serverArguments?: readonly string[];
}

/**
 * Controllers that workloads, nodes and evictions need. Node lifecycle is among them because only it takes the
 * not-ready taint off a node.
 */
export const workloadControllers = [
  "deployment-controller",
  "replicaset-controller",
  "daemonset-controller",
  "statefulset-controller",
  "job-controller",
  "node-lifecycle-controller",
  "taint-eviction-controller",
  "disruption-controller",
  "namespace-controller",
  "garbage-collector-controller",
] as const;

/** Boots a control plane and waits until it answers. Throws with the last lines of the program that failed. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const binaries = findBinaries();
  if ("reason" in binaries) throw new Error(binaries.reason);
  for (let attempt = 1; ; attempt++) {
    const nursery = openNursery("timmerman-cluster");
    try {
      return await boot(nursery, binaries.paths, options);
    } catch (cause) {
      await nursery.stop();
      // Between finding a free port and listening on it, another program may take it.
      const portTaken = cause instanceof Error && cause.message.includes("address already in use");
      if (!portTaken || attempt === bootAttempts) throw cause;
    }
  }
}

async function boot(
  nursery: Nursery,
  paths: Partial<Record<Program, string>>,
  options: ControlPlaneOptions,
): Promise<ControlPlane> {
  const { folder } = nursery;
  const [clientPort, peerPort, securePort] = await freePorts(3);
  const start = (program: Program, args: readonly string[]): Child => {
    const path = paths[program];
    if (path === undefined) throw new Error(`${program} is not among the programs of the control plane`);
    return nursery.start(program, path, args);
  };
  const etcdUrl = `http://127.0.0.1:${clientPort}`;
  const etcd = start("etcd", etcdArguments(folder, etcdUrl, `http://127.0.0.1:${peerPort}`));
  writeKeys(folder);
  const server = start("kube-apiserver", [
    ...serverArguments(folder, etcdUrl, securePort!),
    ...(options.serverArguments ?? []),
  ]);
  const url = `https://127.0.0.1:${securePort}`;
  const ca = await untilReady([etcd, server], folder, url);
  const kubeconfigPath = join(folder, "kubeconfig");
  writeFileSync(kubeconfigPath, kubeconfig(url, ca));
  const common = [`--kubeconfig=${kubeconfigPath}`, "--leader-elect=false", "--secure-port=0"];
  if (options.scheduler) start("kube-scheduler", common);
  if (options.controllers !== undefined && options.controllers.length > 0) {
    start("kube-controller-manager", [...common, `--controllers=${options.controllers.join(",")}`]);
  }
  const cacheFolder = join(folder, "kubectl");
  return { url, token, ca, kubeconfigPath, kubectlPath: paths.kubectl, cacheFolder, stop: () => nursery.stop() };
}

function etcdArguments(folder: string, clientUrl: string, peerUrl: string): string[] {
  return [
    `--data-dir=${join(folder, "etcd")}`,
    `--listen-client-urls=${clientUrl}`,
    `--advertise-client-urls=${clientUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    "--unsafe-no-fsync",
    "--log-level=error",
  ];
}

function serverArguments(folder: string, etcdUrl: string, port: number): string[] {
  const key = join(folder, "service-account.key");
  return [
    `--etcd-servers=${etcdUrl}`,
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    `--secure-port=${port}`,
    `--cert-dir=${join(folder, "certificates")}`,
    `--token-auth-file=${join(folder, "tokens.csv")}`,
    "--authorization-mode=RBAC",
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    "--service-account-issuer=https://kubernetes.default.svc",
    "--service-cluster-ip-range=10.96.0.0/16",
    // No controller makes service accounts here, and pods need none.
    "--disable-admission-plugins=ServiceAccount",
    "--endpoint-reconciler-type=none",
  ];
}

function writeKeys(folder: string): void {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  writeFileSync(join(folder, "service-account.key"), privateKey.export({ type: "pkcs1", format: "pem" }));
  writeFileSync(join(folder, "tokens.csv"), `${administrator}\n`);
}

/** Waits for the default namespace, the last thing that a server makes by itself. Answers with its certificates. */
async function untilReady(children: readonly Child[], folder: string, url: string): Promise<string> {
  const deadline = performance.now() + readyTimeoutMs;
  for (;;) {
    for (const child of children) {
      if (!child.running()) throw new Error(`${child.name} ended early:\n${child.tail()}`);
    }
    try {
      // The server signs its own certificate; the file holds the signer's too.
      const ca = readFileSync(join(folder, "certificates", "apiserver.crt"), "utf8");
      const ready = await send({ url, token, ca }, "GET", "/readyz");
      const namespace = await send({ url, token, ca }, "GET", "/api/v1/namespaces/default");
      if (ready.status === 200 && namespace.status === 200) return ca;
    } catch (cause) {
      if (performance.now() > deadline) throw new Error("kube-apiserver does not answer", { cause });
    }
    if (performance.now() > deadline) throw new Error(`not ready in time:\n${children.at(-1)?.tail()}`);
    await sleep(pollMs);
  }
}

function kubeconfig(server: string, ca: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "test", cluster: { server, "certificate-authority-data": Buffer.from(ca).toString("base64") } }],
    users: [{ name: "test", user: { token } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
    "current-context": "test",
  });
}
