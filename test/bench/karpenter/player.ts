// A planner in a process of its own that solves its input once for every line that it is sent, so that two of them can
// take turns: while one runs the other waits.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Seconds from Pod objects to the finished plan; `solveSeconds` is the search alone. */
export interface Turn {
  readonly seconds: number;
  readonly solveSeconds: number;
  /** Processor time of all threads. */
  readonly cpuSeconds: number;
  readonly timedOut: boolean;
  readonly peakRssMiB: number;
}

export interface Player {
  readonly turns: readonly Turn[];
  /** Runs once more. Rejects with what the program said if it ended. */
  play(): Promise<Turn>;
  /** Ends the input; resolves when the program has written its last plan and gone. */
  leave(): Promise<void>;
  stop(): void;
}

/** Starts the program and waits for its first line, which says that it has read its input. */
export async function openPlayer(command: string, args: readonly string[], niceness: number): Promise<Player> {
  const child: ChildProcess = spawn("nice", ["-n", String(niceness), command, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let said = "";
  child.stderr!.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2000);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`${command} ended with ${await ended}: ${said.trim()}`);
    return JSON.parse(value);
  };
  await next();
  const turns: Turn[] = [];
  return {
    turns,
    play: async () => {
      child.stdin!.write("\n");
      const turn = (await next()) as Turn;
      turns.push(turn);
      return turn;
    },
    leave: async () => {
      child.stdin!.end();
      const code = await ended;
      if (code !== 0) throw new Error(`${command} ended with ${code}: ${said.trim()}`);
    },
    stop: () => child.kill("SIGKILL"),
  };
}
