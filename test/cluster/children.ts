// Programs that a test starts and that never outlive it. A shell of its own group waits on a pipe that only this test
// holds; when the test ends, however it ends, the pipe closes and the shell stops what is left and removes the folder.
import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const graceMs = 5_000;

// The first line it reads says that all went in order; then there is nothing to do.
const janitor = `
read -r word && [ "$word" = done ] && exit 0
kill -TERM $(cat "$1/pids") 2>/dev/null
sleep 2
kill -KILL $(cat "$1/pids") 2>/dev/null
rm -rf "$1"
`;

export interface Child {
  name: string;
  /** Settles with the exit code once the program has ended. */
  ended: Promise<number | null>;
  running(): boolean;
  /** The last lines that the program wrote, for the text of an error. */
  tail(): string;
}

/** A temporary folder with programs that run in it. */
export interface Nursery {
  folder: string;
  start(name: string, path: string, args: readonly string[]): Child;
  /** Stops the programs, the last started first, and removes the folder. May be called twice. */
  stop(): Promise<void>;
}

export function openNursery(prefix: string): Nursery {
  const folder = mkdtempSync(join(tmpdir(), `${prefix}-`));
  const pids = join(folder, "pids");
  writeFileSync(pids, "");
  const watch = spawn("sh", ["-c", janitor, "sh", folder], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  watch.unref();
  (watch.stdin as Socket).unref();
  const children: { child: ChildProcess; ended: Promise<number | null> }[] = [];
  let stopped = false;
  return {
    folder,
    start(name, path, args) {
      const log = join(folder, `${name}.log`);
      writeFileSync(log, "");
      const output = createWriteStream(log, { flags: "a" });
      const child = spawn(path, [...args], { stdio: ["ignore", "pipe", "pipe"], cwd: folder });
      if (child.pid !== undefined) appendFileSync(pids, `${child.pid}\n`);
      child.stdout.pipe(output, { end: false });
      child.stderr.pipe(output, { end: false });
      const ended = new Promise<number | null>((resolve) => {
        child.once("error", (cause) => output.end(String(cause), () => resolve(-1)));
        child.once("close", (code) => output.end(() => resolve(code)));
      });
      children.push({ child, ended });
      return {
        name,
        ended,
        running: () => child.exitCode === null && child.signalCode === null && child.pid !== undefined,
        tail: () => readFileSync(log, "utf8").split("\n").slice(-15).join("\n"),
      };
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      for (const { child, ended } of children.reverse()) await end(child, ended);
      watch.stdin.end("done\n");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess, ended: Promise<number | null>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), graceMs);
  await ended;
  clearTimeout(late);
}
