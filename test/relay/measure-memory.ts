// What the relay's process takes for 100,000 pods (or as many as the first argument says): the bundle as it is deployed, on
// a list and a storm of changes through its real watches. Prints JSON: `node test/relay/measure-memory.ts [pods]`.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { serveLargeCluster } from "./large-cluster.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pods = Number(process.argv[2] ?? 100_000);
const nodes = Math.max(1, Math.round(pods / 50));
const changes = Math.round(pods / 5);
const scrapes = 3;

const folder = mkdtempSync(join(tmpdir(), "relay-memory-"));
const cluster = await serveLargeCluster({ pods, nodes });
const account = join(folder, "var/run/secrets/kubernetes.io/serviceaccount");
mkdirSync(account, { recursive: true });
writeFileSync(join(account, "token"), "none");
writeFileSync(join(account, "ca.crt"), cluster.ca);
if (!process.env.RELAY_BUILT) spawnSync(process.execPath, ["relay/build.ts"], { cwd: root, stdio: "ignore" });
const queue = "http://127.0.0.1:9/0/queue";
const child = spawn(
  process.execPath,
  [
    ...(process.env.RELAY_NODE_FLAGS ?? "--max-semi-space-size=1 --optimize-for-size").split(" ").filter(Boolean),
    "dist/relay/main.mjs",
  ],
  {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      // As relay/Dockerfile sets them.
      MALLOC_ARENA_MAX: "1",
      KUBERNETES_SERVICE_HOST: "127.0.0.1",
      KUBERNETES_SERVICE_PORT: String(cluster.port),
      SERVICE_ACCOUNT_ROOT: folder,
      CLUSTER_NAME: "large",
      AWS_REGION: "eu-west-1",
      AWS_ACCESS_KEY_ID: "none",
      AWS_SECRET_ACCESS_KEY: "none",
      AWS_ENDPOINT_URL_SQS: "http://127.0.0.1:9",
      AWS_ENDPOINT_URL_DYNAMODB: "http://127.0.0.1:9",
      TIMMERMAN_TABLE: "table",
      TIMMERMAN_QUEUE_PROVISION: queue,
      TIMMERMAN_QUEUE_DISRUPT: queue,
      TIMMERMAN_QUEUE_LIFECYCLE: queue,
      TIMMERMAN_QUEUE_RESOLVE_NODE_CLASSES: queue,
      DISABLE_LEADER_ELECTION: "true",
      METRICS_PORT: "0",
    },
  },
);

/** From /proc, in bytes. */
function memory(field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)![1]) * 1024;
}

child.once("exit", (code) => {
  if (code !== null && code !== 0) throw new Error(`the relay ended with ${code}`);
});

/** Processor time so far, in seconds: wall time says more about the machine than about the relay. */
function cpuSeconds(): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const seen = new Map<string, Record<string, unknown>>();
const lines = createInterface({ input: child.stdout! });
async function line(message: string): Promise<Record<string, unknown>> {
  for (;;) {
    const found = seen.get(message);
    if (found !== undefined) return found;
    await new Promise((resolve) => lines.once("line", resolve));
  }
}
lines.on("line", (text) => {
  const entry = JSON.parse(text) as Record<string, unknown>;
  seen.set(String(entry.message), entry);
});

try {
  const { port } = await line("controller started");
  const emptyBytes = memory("VmRSS");
  const { afterMs } = await line("watching for pending pods");
  const listedBytes = memory("VmRSS");
  const listCpuSeconds = cpuSeconds();
  const stormStartedMs = performance.now();
  await cluster.change(changes);
  const stormMs = Math.round(performance.now() - stormStartedMs);
  const stormBytes = memory("VmRSS");
  const changesCpuSeconds = Math.round((cpuSeconds() - listCpuSeconds) * 100) / 100;
  const sizes: number[] = [];
  for (let at = 0; at < scrapes; at++) {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    let bytes = 0;
    for await (const chunk of answer.body!) bytes += (chunk as Uint8Array).length;
    sizes.push(bytes);
  }
  const scrapedBytes = memory("VmRSS");
  await new Promise((resolve) => setTimeout(resolve, 15_000));
  process.stdout.write(
    `${JSON.stringify({
      pods,
      nodes,
      podBytesOnTheWire: cluster.podBytes,
      listMs: afterMs,
      listCpuSeconds,
      changes,
      changesCpuSeconds,
      changesPerSecond: Math.round((changes / stormMs) * 1000),
      scrapeBytes: sizes.at(-1),
      residentBytes: {
        started: emptyBytes,
        listed: listedBytes,
        changed: stormBytes,
        scraped: scrapedBytes,
        atRest: memory("VmRSS"),
        highest: memory("VmHWM"),
      },
    })}\n`,
  );
} finally {
  child.kill();
  await cluster.close();
  rmSync(folder, { recursive: true });
}
