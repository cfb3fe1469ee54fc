// Faults between any two effects: every call of a wrapped port is numbered, and one of them goes wrong.

/** The process is gone: nothing after it happens, whoever awaits. */
export class Crash extends Error {
  constructor(at: string) {
    super(`crashed ${at}`);
    this.name = "Crash";
  }
}

export interface Fault {
  /** Number of the call, from 0. */
  readonly at: number;
  /** Stops the process before or after the call, or lets the call work and loses its answer. */
  readonly kind: "crash-before" | "crash-after" | "lose-answer";
}

export interface Injector {
  wrap<T extends object>(name: string, port: T): T;
  readonly calls: number;
  readonly crashed: boolean;
  /** The call that the fault hit. */
  readonly hit: string | undefined;
}

/** What goes wrong at a call, by its number and name; undefined: nothing. */
export type Mischief = (call: number, name: string) => Fault["kind"] | undefined;

/** One fault, once. */
export function once(fault: Fault | undefined): Mischief {
  return (call) => (fault?.at === call ? fault.kind : undefined);
}

/** `lost` makes the error of an answer that did not come. */
export function createInjector(mischief: Mischief, lost: (call: string) => Error): Injector {
  let calls = 0;
  let crashed = false;
  let hit: string | undefined;
  const crash = (at: string): never => {
    crashed = true;
    throw new Crash(at);
  };
  const invoke = async (call: string, work: () => unknown): Promise<unknown> => {
    if (crashed) throw new Crash(`before ${call}: it had stopped already`);
    const own = calls++;
    const kind = mischief(own, call);
    if (kind !== undefined) hit = call;
    if (kind === "crash-before") crash(`before ${call}`);
    const answer = await work();
    if (crashed) throw new Crash(`during ${call}`);
    if (kind === "crash-after") crash(`after ${call}`);
    if (kind === "lose-answer") throw lost(call);
    return answer;
  };
  return {
    wrap<T extends object>(name: string, port: T): T {
      return new Proxy(port, {
        get(target, key) {
          const member = Reflect.get(target, key) as unknown;
          if (typeof member !== "function") return member;
          return (...args: unknown[]) => invoke(`${name}.${String(key)}`, () => Reflect.apply(member, target, args));
        },
      });
    },
    get calls() {
      return calls;
    },
    get crashed() {
      return crashed;
    },
    get hit() {
      return hit;
    },
  };
}
