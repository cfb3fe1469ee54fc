// The relay as a program of its own, as a pod of the chart's Deployment would run it: its environment and its service
// account's token come from the cluster that the chart is installed on. Queues and table are not there, unless they are given.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ControlPlane } from "./control-plane.ts";
import { send } from "./http.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const patienceMs = 90_000;
const nobody = "http://127.0.0.1:1";

export interface RelayProcess {
  /** Waits for a line with that message, also one that was written already. */
  said(message: string): Promise<Readonly<Record<string, unknown>>>;
  /** Status of a GET to it. */
  get(path: string): Promise<number>;
  /** What `/metrics` says. */
  metrics(): Promise<string>;
  /** As a node's failure ends it: without a word. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** `aws`: more variables, such as where queues and table are. */
export async function startRelayProcess(
  plane: ControlPlane,
  podName: string,
  aws: Readonly<Record<string, string>> = {},
): Promise<RelayProcess> {
  const folder = mkdtempSync(join(tmpdir(), "timmerman-relay-"));
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(plane, await tokenOf(plane))));
  const child = spawn(process.execPath, ["relay/main.ts"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env.PATH,
      KUBECONFIG: kubeconfig,
      AWS_ACCESS_KEY_ID: "local",
      AWS_SECRET_ACCESS_KEY: "local",
      AWS_ENDPOINT_URL_SQS: nobody,
      AWS_ENDPOINT_URL_DYNAMODB: nobody,
      ...aws,
      ...(await environmentOf(plane, podName)),
      METRICS_PORT: "0",
      BIND_ADDRESS: "127.0.0.1",
    },
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const lines: Record<string, unknown>[] = [];
  let rest = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const whole = (rest + chunk.toString()).split("\n");
    rest = whole.pop()!;
    for (const line of whole) lines.push(JSON.parse(line) as Record<string, unknown>);
  });
  const said = async (message: string) => {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const line = lines.find((one) => one.message === message);
      if (line !== undefined) return line;
      if (performance.now() > deadline || child.exitCode !== null) {
        throw new Error(
          `${podName} did not say "${message}" but:\n${lines.map((one) => JSON.stringify(one)).join("\n")}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const ask = async (path: string) => fetch(`http://127.0.0.1:${(await said("controller started")).port}${path}`);
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
  };
  return {
    said,
    get: async (path) => (await ask(path)).status,
    metrics: async () => (await ask("/metrics")).text(),
    kill: () => end("SIGKILL"),
    async stop() {
      await end("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The variables of the Deployment's container, with what the kubelet would fill in. */
async function environmentOf(plane: ControlPlane, podName: string): Promise<Record<string, string>> {
  const { body } = await send(plane, "GET", "/apis/apps/v1/namespaces/kube-system/deployments/timmerman-relay");
  const fields: Readonly<Record<string, string>> = { "metadata.name": podName, "metadata.namespace": "kube-system" };
  const variables = body.spec.template.spec.containers[0].env as {
    name: string;
    value?: string;
    valueFrom?: { fieldRef: { fieldPath: string } };
  }[];
  return Object.fromEntries(
    variables.map(({ name, value, valueFrom }) => [name, value ?? fields[valueFrom!.fieldRef.fieldPath]!]),
  );
}

async function tokenOf(plane: ControlPlane): Promise<string> {
  const path = "/api/v1/namespaces/kube-system/serviceaccounts/timmerman-relay/token";
  const { status, body } = await send(plane, "POST", path, { spec: { expirationSeconds: 3600 } });
  if (status !== 201) throw new Error(`no token of the relay's service account: ${status} ${body.message}`);
  return body.status.token;
}

function kubeconfigOf({ url, ca }: ControlPlane, token: string): object {
  const data = Buffer.from(ca).toString("base64");
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "here", cluster: { server: url, "certificate-authority-data": data } }],
    users: [{ name: "relay", user: { token } }],
    contexts: [{ name: "here", context: { cluster: "here", user: "relay" } }],
    "current-context": "here",
  };
}
