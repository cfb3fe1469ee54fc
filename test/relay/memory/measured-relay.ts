// The relay's bundle as its image runs it, against a large cluster, and what the kernel says of the memory that it takes.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type LargeServer, serveLargeCluster } from "../large-cluster.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface MeasuredRelay {
  readonly cluster: LargeServer;
  /** The next log line of that message, or the last one that was seen. */
  line(message: string): Promise<Record<string, unknown>>;
  /** Resident memory now, or the highest so far, in bytes. */
  memoryBytes(field: "VmRSS" | "VmHWM"): number;
  /** Processor time so far, in seconds: wall time says more about the machine than about the relay. */
  cpuSeconds(): number;
  /** Reads the series as Prometheus does. Bytes of the text. */
  scrape(compressed: boolean): Promise<number>;
  stop(): Promise<void>;
}

/** What relay/Dockerfile starts: its flags and the variables that bear on memory. */
export function imageCommand(): { readonly flags: readonly string[]; readonly env: Record<string, string> } {
  const text = readFileSync(join(root, "relay/Dockerfile"), "utf8");
  const [, ...command] = JSON.parse(/^ENTRYPOINT (\[.*\])$/m.exec(text)![1]!) as string[];
  const env = /^ENV (.*)$/m
    .exec(text)![1]!
    .split(" ")
    .map((pair) => pair.split("=") as [string, string]);
  return { flags: command.slice(0, -1), env: Object.fromEntries(env) };
}

/** Bundles it first. `flags`: other ones than the image's. */
export async function startMeasuredRelay(
  pods: number,
  nodes: number,
  flags?: readonly string[],
): Promise<MeasuredRelay> {
  const built = spawnSync(process.execPath, ["relay/build.ts"], { cwd: root, encoding: "utf8" });
  if (built.status !== 0) throw new Error(`the relay was not bundled: ${built.stderr}`);
  const cluster = await serveLargeCluster({ pods, nodes });
  const folder = mkdtempSync(join(tmpdir(), "relay-memory-"));
  const account = join(folder, "var/run/secrets/kubernetes.io/serviceaccount");
  mkdirSync(account, { recursive: true });
  writeFileSync(join(account, "token"), "none");
  writeFileSync(join(account, "ca.crt"), cluster.ca);
  const image = imageCommand();
  const child = spawn(process.execPath, [...(flags ?? image.flags), "dist/relay/main.mjs"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...image.env, ...environment(cluster.port, folder) },
  });
  let ended: string | undefined;
  const seen = new Map<string, Record<string, unknown>>();
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (text) => {
    const entry = JSON.parse(text) as Record<string, unknown>;
    seen.set(String(entry.message), entry);
  });
  child.once("exit", (code, signal) => {
    ended = `the relay ended with ${code ?? signal}`;
    lines.emit("line", JSON.stringify({ message: "ended" }));
  });
  const line = async (message: string) => {
    for (;;) {
      const found = seen.get(message);
      if (found !== undefined) return found;
      if (ended !== undefined) throw new Error(ended);
      await new Promise((resolve) => lines.once("line", resolve));
    }
  };
  return {
    cluster,
    line,
    memoryBytes(field) {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)![1]) * 1024;
    },
    cpuSeconds() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]!.split(" ");
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    async scrape(compressed) {
      const { port } = await line("controller started");
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`, {
        headers: { "accept-encoding": compressed ? "gzip" : "identity" },
      });
      let bytes = 0;
      for await (const chunk of answer.body!) bytes += (chunk as Uint8Array).length;
      return bytes;
    },
    async stop() {
      child.kill();
      await cluster.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** AWS is away: wakes wait and are tried again, as they would be on a bad day. */
function environment(apiServerPort: number, folder: string): Record<string, string> {
  const nowhere = "http://127.0.0.1:9";
  const queue = `${nowhere}/0/queue`;
  return {
    KUBERNETES_SERVICE_HOST: "127.0.0.1",
    KUBERNETES_SERVICE_PORT: String(apiServerPort),
    SERVICE_ACCOUNT_ROOT: folder,
    CLUSTER_NAME: "large",
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "none",
    AWS_SECRET_ACCESS_KEY: "none",
    AWS_ENDPOINT_URL_SQS: nowhere,
    AWS_ENDPOINT_URL_DYNAMODB: nowhere,
    TIMMERMAN_TABLE: "table",
    TIMMERMAN_QUEUE_PROVISION: queue,
    TIMMERMAN_QUEUE_DISRUPT: queue,
    TIMMERMAN_QUEUE_LIFECYCLE: queue,
    TIMMERMAN_QUEUE_RESOLVE_NODE_CLASSES: queue,
    DISABLE_LEADER_ELECTION: "true",
    METRICS_PORT: "0",
  };
}
