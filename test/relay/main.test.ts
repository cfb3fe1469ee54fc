// The relay as its own process, as a pod would run it.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startQueues } from "../../local/aws/queues.ts";
import { createSeededIds } from "../../local/kube/ids.ts";
import { createApiServer } from "../../local/kube/server.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "relay-main-"));
const kube = createApiServer({ clock: { now: () => Date.now() }, ids: createSeededIds(1) });
let queues: Awaited<ReturnType<typeof startQueues>>;

beforeAll(async () => {
  await kube.listen();
  queues = await startQueues();
  const account = join(folder, "var/run/secrets/kubernetes.io/serviceaccount");
  mkdirSync(account, { recursive: true });
  writeFileSync(join(account, "token"), kube.kubeconfig().token);
  writeFileSync(join(account, "ca.crt"), kube.kubeconfig().ca);
});

afterAll(async () => {
  await queues.stop();
  await kube.close();
  rmSync(folder, { recursive: true });
});

function environment(): Record<string, string> {
  return {
    KUBERNETES_SERVICE_HOST: "127.0.0.1",
    KUBERNETES_SERVICE_PORT: new URL(kube.kubeconfig().server).port,
    SERVICE_ACCOUNT_ROOT: folder,
    CLUSTER_NAME: "c",
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_SQS: queues.url,
    AWS_ENDPOINT_URL_DYNAMODB: "http://127.0.0.1:9",
    TIMMERMAN_TABLE: "table",
    TIMMERMAN_QUEUE_PROVISION: queues.urlOf("provision"),
    TIMMERMAN_QUEUE_DISRUPT: queues.urlOf("disrupt"),
    TIMMERMAN_QUEUE_LIFECYCLE: queues.urlOf("lifecycle"),
    TIMMERMAN_QUEUE_RESOLVE_NODE_CLASSES: queues.urlOf("resolve-node-classes"),
    POD_NAME: "relay-a",
    POD_NAMESPACE: "kube-system",
    METRICS_PORT: "0",
  };
}

function run(env: Record<string, string>) {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "relay/main.ts"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { child, next: linesOf(child), ended: new Promise((resolve) => child.once("exit", resolve)) };
}

/** Resolves with the next log line of that message. */
function linesOf(child: ChildProcess): (message: string) => Promise<Record<string, unknown>> {
  const seen: Record<string, unknown>[] = [];
  const lines = createInterface({ input: child.stdout! });
  lines.on("line", (text) => seen.push(JSON.parse(text)));
  return async (message) => {
    for (;;) {
      const found = seen.find((line) => line.message === message);
      if (found !== undefined) return found;
      await new Promise((resolve) => lines.once("line", resolve));
    }
  };
}

it("starts, says what the guide looks for, answers its probes, and gives the lease back at SIGTERM", async () => {
  const woken = new Promise<void>((resolve) => queues.onSent("provision", resolve));
  const { child, next, ended } = run(environment());
  const { port } = await next("controller started");
  await next("watching for pending pods");
  await next("leads");
  await woken;
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  expect(await get("/healthz")).toEqual({ status: 200, text: "ok\n" });
  // The embedded API serves no Karpenter kinds here: that is no reason not to be ready.
  for (let ready = await get("/readyz"); ready.status !== 200; ready = await get("/readyz")) {
    expect(ready.text).toMatch(/^not listed yet: /);
  }
  expect((await get("/metrics")).text).toMatch(/timmerman_relay_wakes_sent_total\{target="provision"\} 1/);
  expect((await get("/other")).status).toBe(404);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  const lease = kube.store.get("leases.coordination.k8s.io", { namespace: "kube-system", name: "timmerman-relay" });
  expect(lease.spec.holderIdentity ?? "").toBe("");
});

it("does nothing at all when its port is taken", async () => {
  const port = String(new URL(queues.url).port);
  const { child, next, ended } = run({ ...environment(), METRICS_PORT: port });
  expect(await next("controller not started")).toMatchObject({ error: expect.stringContaining("EADDRINUSE") });
  expect(await ended).toBe(1);
  expect(child.exitCode).toBe(1);
}, 60_000);

it("names everything that is wrong with its environment and ends", async () => {
  const { next, ended } = run({ ...environment(), CLUSTER_NAME: "", POD_NAME: "" });
  const { problems } = await next("controller not started");
  expect(problems).toHaveLength(2);
  expect(await ended).toBe(1);
});
