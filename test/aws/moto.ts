// moto, an AWS emulator in Python: found on the PATH or in .timmerman/python, installed there once if Python is present.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePorts } from "../cluster/ports.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const ownPython = join(root, ".timmerman", "python");
const startTimeoutMs = 90_000;

/** The program, or why there is none. */
export type MotoProgram = { readonly path: string } | { readonly reason: string };

/** Looks for moto_server and installs it if need be (a minute or two; pip's progress goes to stderr). */
export function provideMoto(env: NodeJS.ProcessEnv = process.env): MotoProgram {
  const found = findMoto(env);
  if (found !== undefined) return { path: found };
  if (spawnSync("python3", ["--version"]).status !== 0) {
    return { reason: "there is neither moto_server nor Python 3 here to install it with" };
  }
  console.error("installing moto into .timmerman/python …");
  for (const [program, args] of [
    ["python3", ["-m", "venv", ownPython]],
    [join(ownPython, "bin", "pip"), ["install", "--quiet", "-r", join(root, ".ci", "requirements.txt")]],
  ] as const) {
    if (spawnSync(program, args, { stdio: ["ignore", "inherit", "inherit"] }).status !== 0) {
      return { reason: `moto could not be installed: ${program} ${args.join(" ")} failed` };
    }
  }
  const installed = findMoto(env);
  return installed === undefined ? { reason: "moto was installed without moto_server" } : { path: installed };
}

function findMoto(env: NodeJS.ProcessEnv): string | undefined {
  return [...(env.PATH ?? "").split(delimiter), join(ownPython, "bin")]
    .map((folder) => join(folder, "moto_server"))
    .find((path) => existsSync(path));
}

export interface Moto {
  /** http://127.0.0.1:<port> */
  readonly endpoint: string;
  stop(): Promise<void>;
}

const startAttempts = 3;

/** Starts a server on a free port of 127.0.0.1. Rejects with its last words if it doesn't come up. */
export async function startMoto(path: string): Promise<Moto> {
  for (let attempt = 1; ; attempt++) {
    const started = await tryToStart(path);
    if ("endpoint" in started) return started;
    // Between finding a free port and listening on it, another program may take it.
    const isPortTaken = /in use/.test(started.words);
    if (!isPortTaken || attempt === startAttempts) throw new Error(`moto_server did not come up: ${started.words}`);
  }
}

async function tryToStart(path: string): Promise<Moto | { readonly words: string }> {
  const [port] = await freePorts(1);
  const child = spawn(path, ["-H", "127.0.0.1", "-p", String(port)], {
    stdio: ["ignore", "ignore", "pipe"],
    // Credentials of the person who runs this have no business in an emulator.
    env: { ...process.env, AWS_ACCESS_KEY_ID: "moto", AWS_SECRET_ACCESS_KEY: "moto" },
  });
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-2_000);
  });
  const endpoint = `http://127.0.0.1:${port}`;
  if (await answers(endpoint, child)) return { endpoint, stop: () => stop(child) };
  await stop(child);
  return { words };
}

async function answers(endpoint: string, child: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline && child.exitCode === null) {
    const response = await fetch(`${endpoint}/moto-api/data.json`).catch(() => undefined);
    if (response?.ok === true) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}
