// Lambda, as far as it runs functions: takes what was uploaded for a function, unzips it, and runs it under the runtime
// interface emulator with the environment that it was deployed with. One invocation at a time: the emulator dies of two.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePorts } from "../cluster/ports.ts";

export interface Code {
  readonly zip: Uint8Array;
  /** `folder/file.export`. */
  readonly handler: string;
  readonly timeoutS: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
}

export interface Invocation {
  readonly payload: unknown;
  readonly errored: boolean;
}

export interface LambdasOptions {
  /** The emulator's program. */
  readonly emulator: string;
  readonly python: string;
  readonly folder: string;
  /** Looks a function up as it is deployed. */
  readonly fetchCode: (name: string) => Promise<Code>;
  /** What is added to the environment: endpoints on loopback, and keys that mean nothing elsewhere. */
  readonly surroundings: () => Readonly<Record<string, string>>;
}

export interface Lambdas {
  /** http://127.0.0.1:<port>; a POST to /<name> invokes. */
  readonly url: string;
  invoke(name: string, event: unknown): Promise<Invocation>;
  /** What a function has written to stdout and stderr: its log. */
  logOf(name: string): string;
  stop(): Promise<void>;
}

interface Running {
  readonly child: ChildProcess;
  readonly port: number;
  log: string;
}

const startTimeoutMs = 60_000;

export async function startLambdas(options: LambdasOptions): Promise<Lambdas> {
  const running = new Map<string, Running>();
  let last: Promise<unknown> = Promise.resolve();

  const invoke = (name: string, event: unknown): Promise<Invocation> => {
    const turn = last.then(async () => {
      const found = running.get(name) ?? (await start(name, options));
      running.set(name, found);
      return call(name, found, event);
    });
    last = turn.catch(() => undefined);
    return turn;
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      invoke(String(request.url).slice(1), JSON.parse(Buffer.concat(chunks).toString()))
        .catch((cause: Error) => ({ payload: { errorType: "Emulator", errorMessage: String(cause) }, errored: true }))
        .then((answer) => response.end(JSON.stringify(answer)));
    });
  });
  return {
    url: await listen(server),
    invoke,
    logOf: (name) => running.get(name)?.log ?? "",
    async stop() {
      server.closeAllConnections();
      server.close();
      await Promise.all([...running.values()].map(({ child }) => end(child)));
    },
  };
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

async function start(name: string, options: LambdasOptions): Promise<Running> {
  const code = await options.fetchCode(name);
  const folder = join(options.folder, name);
  const root = join(folder, "task");
  mkdirSync(root, { recursive: true });
  writeFileSync(join(folder, "code.zip"), code.zip);
  const unzip = spawnSync(options.python, ["-m", "zipfile", "-e", join(folder, "code.zip"), root]);
  if (unzip.status !== 0) throw new Error(`${name}: its code cannot be unzipped: ${unzip.stderr}`);
  const [port, apiPort] = (await freePorts(2)) as [number, number];
  const bootstrap = fileURLToPath(new URL("bootstrap.mjs", import.meta.url));
  const child = spawn(
    options.emulator,
    [
      "--runtime-interface-emulator-address",
      `127.0.0.1:${port}`,
      "--runtime-api-address",
      `127.0.0.1:${apiPort}`,
      process.execPath,
      bootstrap,
    ],
    {
      cwd: root,
      // A group of its own: the emulator leaves the runtime behind when it is killed.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH,
        _HANDLER: code.handler,
        LAMBDA_TASK_ROOT: root,
        AWS_LAMBDA_FUNCTION_NAME: name,
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(code.memoryMb),
        AWS_LAMBDA_FUNCTION_TIMEOUT: String(code.timeoutS),
        AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
        ...code.environment,
        ...options.surroundings(),
      },
    },
  );
  process.once("exit", () => void end(child));
  const found: Running = { child, port, log: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      found.log += chunk.toString();
    });
  }
  return found;
}

async function call(name: string, { child, port, ...rest }: Running, event: unknown): Promise<Invocation> {
  const deadline = Date.now() + startTimeoutMs;
  const url = `http://127.0.0.1:${port}/2015-03-31/functions/function/invocations`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${name}: the emulator ended:\n${rest.log}`);
    try {
      const response = await fetch(url, { method: "POST", body: JSON.stringify(event) });
      const text = await response.text();
      const payload = text === "" ? null : JSON.parse(text);
      const errored = payload !== null && typeof payload === "object" && "errorType" in payload;
      return { payload, errored: errored || !response.ok };
    } catch (cause) {
      // Not up yet: nobody has read the event.
      const refused = ((cause as Error).cause as NodeJS.ErrnoException | undefined)?.code === "ECONNREFUSED";
      if (!refused || Date.now() > deadline) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve();
  const { pid } = child;
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    // Its whole group: the runtime too.
    process.kill(-pid, "SIGKILL");
  });
}
