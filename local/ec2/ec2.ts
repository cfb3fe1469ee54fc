// The fleet endpoint: an EC2 in one process, spoken to with the AWS SDK over loopback. Karpenter's tests use a fake of the Go
// client; this one speaks the wire protocol, so that the real adapter runs, and launches fleets by EC2's documented rules with
// finite capacity. What it leaves out is in docs/fleet-endpoint.md.
//
// The state knows no HTTP and no timers: time is the injected clock's, and what is due happens when someone looks (`settle`).
import { type Action, findAction } from "./actions.ts";
import { type Answer, answerCall } from "./answer.ts";
import { createChance, createIds } from "./chance.ts";
import { type Controls, createControls } from "./controls.ts";
import { createWorld } from "./create-world.ts";
import type { Ec2Event } from "./events.ts";
import { createFaults, type Faults } from "./faults.ts";
import type { Ec2Options } from "./options.ts";
import { serve } from "./server.ts";

/** One answered call, for tests and for the terminal. */
export interface Call {
  readonly at: number;
  readonly action: string;
  readonly requestId: string;
  /** "ok", "lost", or the error code. */
  readonly outcome: string;
}

export interface Ec2 extends Controls {
  /** Does an action in process, without faults: for the world's own use. Throws Ec2Error. */
  call<Output extends object>(action: string, input: object): Output;
  /** Answers a form body of the Query protocol; "lost" means that the connection must be closed without an answer. */
  answer(body: string): Promise<Answer | "lost">;
  /** Serves on 127.0.0.1; port 0 picks a free one. Returns the endpoint's address, http://127.0.0.1:<port>. */
  listen(port?: number): Promise<string>;
  close(): Promise<void>;
  readonly faults: Faults;
  /** RequestLimitExceeded for a share (default all) of the calls of these actions (default all). Returns what ends it. */
  throttle(options?: { readonly share?: number; readonly actions?: readonly string[] }): () => void;
  /** Called for every event, with the moment it is due. Returns what ends it. */
  onEvent(listener: (event: Ec2Event) => void): () => void;
  /** The last 10,000 calls. */
  calls(): readonly Call[];
}

const mostCalls = 10_000;
const largestBodyBytes = 1_000_000;

/** Makes an endpoint; it serves nothing until `listen`. */
export function createEc2(options: Ec2Options): Ec2 {
  const seed = options.seed ?? 1;
  const listeners = new Set<(event: Ec2Event) => void>();
  const world = createWorld(options, (event) => {
    for (const listener of listeners) listener(event);
  });
  const faults = createFaults(createChance(seed + 2));
  const requestIds = createIds(seed + 3);
  const wait = options.wait ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)));
  const calls: Call[] = [];
  let stop: (() => Promise<void>) | undefined;

  const controls = createControls(world);
  const run = (action: Action, input: object): object => {
    controls.settle();
    return action.run(world, input as never);
  };

  async function answer(body: string): Promise<Answer | "lost"> {
    const requestId = requestIds("req");
    const outcome = await answerCall(body, requestId, { run, faults, wait });
    calls.push({ at: world.clock.now(), action: outcome.action, requestId, outcome: outcome.name });
    if (calls.length > mostCalls) calls.shift();
    return outcome.answer;
  }

  return {
    ...controls,
    call: <Output extends object>(action: string, input: object) => run(findAction(action), input) as Output,
    answer,
    async listen(port = 0) {
      if (stop !== undefined) throw new Error("the EC2 endpoint is listening already");
      const server = await serve(answer, port, largestBodyBytes);
      stop = server.close;
      return server.address;
    },
    async close() {
      await stop?.();
      stop = undefined;
    },
    faults,
    throttle: (given) => throttle(faults, given),
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    calls: () => calls,
  };
}

function throttle(
  faults: Faults,
  { share = 1, actions }: NonNullable<Parameters<Ec2["throttle"]>[0]> = {},
): () => void {
  const fault = { kind: "error-before", code: "RequestLimitExceeded", share } as const;
  const ends = actions === undefined ? [faults.add(fault)] : actions.map((action) => faults.add({ ...fault, action }));
  return () => {
    for (const end of ends) end();
  };
}
