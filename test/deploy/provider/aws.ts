// AWS calls of the provider stand-in, made by boto3 in one child (calls.py).
import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { pythonVariable, unsentVariable } from "./variables.ts";

export type Values = Record<string, unknown>;

/** Calls an operation by its name in AWS's documentation; rejects with `AwsError`. */
export type Aws = (service: string, operation: string, parameters?: Values) => Promise<Values>;

export interface Calls {
  readonly region: string;
  readonly aws: Aws;
  /** Holds a call against AWS's model of the service and writes it to `$TIMMERMAN_DEPLOY_UNSENT`, unsent. */
  readonly unsent: (service: string, operation: string, parameters: Values) => Promise<void>;
}

/** What AWS, or boto3 before it asked, refused; `code` is AWS's own. */
export class AwsError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = "AwsError";
    this.code = code;
  }
}

interface Waiting {
  resolve(result: Values): void;
  reject(cause: Error): void;
  readonly what: string;
}

/** Starts boto3 at the first call. The child ends when this process does, as its stdin closes. */
export function openCalls(region: string, env: NodeJS.ProcessEnv = process.env): Calls {
  const waiting = new Map<number, Waiting>();
  let child: ChildProcess | undefined;
  let count = 0;
  const start = () => {
    const started = spawn(env[pythonVariable] ?? "python3", [fileURLToPath(new URL("calls.py", import.meta.url))], {
      env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    const fail = (why: string) => {
      for (const one of waiting.values()) one.reject(new Error(`${one.what}: boto3 ${why}`));
      waiting.clear();
    };
    started.once("error", (cause) => fail(cause.message));
    started.once("exit", (code) => fail(`ended with ${code}`));
    createInterface({ input: started.stdout }).on("line", (line) => settle(JSON.parse(line), waiting));
    return started;
  };
  const ask = (service: string, operation: string, parameters: Values, unsent: boolean): Promise<Values> => {
    child ??= start();
    const id = ++count;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject, what: `${service}:${operation}` });
      child?.stdin?.write(`${JSON.stringify({ id, service, operation, parameters, unsent, region: calls.region })}\n`);
    });
  };
  const calls: Calls = {
    region,
    aws: (service, operation, parameters = {}) => ask(service, operation, parameters, false),
    async unsent(service, operation, parameters) {
      await ask(service, operation, parameters, true);
      const path = env[unsentVariable];
      if (path === undefined) throw new Error(`${unsentVariable} must name a file for calls that are not sent`);
      appendFileSync(path, `${JSON.stringify({ service, operation, parameters })}\n`);
    },
  };
  return calls;
}

interface Answer {
  readonly id: number;
  readonly result?: Values;
  readonly code?: string;
  readonly message?: string;
}

function settle(answer: Answer, waiting: Map<number, Waiting>): void {
  const one = waiting.get(answer.id);
  waiting.delete(answer.id);
  if (answer.result !== undefined) one?.resolve(answer.result);
  else one?.reject(new AwsError(answer.code ?? "", `${one.what}: ${answer.message}`));
}

/** Runs a deletion for which "there is none" is success. */
export async function unlessGone(deletion: Promise<unknown>): Promise<void> {
  await deletion.catch((cause: unknown) => {
    if (!(cause instanceof AwsError && isGone(cause.code))) throw cause;
  });
}

/** Whether an error's code says that the thing asked for does not exist. */
export function isGone(code: string): boolean {
  return /NotFound|NonExistent|NoSuch|^404$/.test(code);
}
