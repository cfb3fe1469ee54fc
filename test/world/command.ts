// Runs the command line as users do, in a process of its own.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end; a non-zero exit is an outcome, not an error. */
export function run(program: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(program, [...args], { cwd: root, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : error === null ? 0 : 1, stdout, stderr });
    });
  });
}

export const timmerman = (...args: string[]) => run(process.execPath, ["cli/timmerman.js", ...args]);

export interface RunningWorld {
  readonly kubeconfig: string;
  readonly child: ChildProcess;
  output(): string;
  /** Ctrl-C; resolves with the exit code. */
  interrupt(): Promise<number | null>;
}

/** Starts the world and waits until its pass is over and it says that it stays up. */
export function startWorldProcess(...args: string[]): Promise<RunningWorld> {
  const child = spawn(process.execPath, ["cli/timmerman.js", "local", ...args], { cwd: root });
  let text = "";
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  return new Promise((resolve, reject) => {
    const read = (part: Buffer) => {
      text += part.toString();
      const kubeconfig = /--kubeconfig (\S+) get nodepools/.exec(text)?.[1];
      if (kubeconfig === undefined || !text.includes("The world stays up")) return;
      const interrupt = () => {
        child.kill("SIGINT");
        return exited;
      };
      resolve({ kubeconfig, child, output: () => text, interrupt });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void exited.then((code) => reject(new Error(`the world ended with ${code}:\n${text}`)));
  });
}
