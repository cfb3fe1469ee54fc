// One kind of object, listed once and watched from there on. Answers to client-go's Reflector. On purpose different: pages
// are trimmed as they come, a kind that isn't served yet is waited for, and a watch that is silent for longer than
// bookmarks allow counts as dead, whatever the connection says.
import type { Send } from "../../shared/adapters/kube/index.ts";
import { createBackoff } from "../backoff.ts";
import type { RelayClock } from "../clock.ts";
import type { Log } from "../log.ts";
import { listInto } from "./list.ts";
import type { OpenStream, StreamEnd, WatchLine } from "./stream.ts";

/** Where objects go. */
export interface Sink {
  /** A list begins: what is put until its end is all there is. */
  startList(): void;
  /** Says whether the list brought it for the first time. */
  put(document: unknown): boolean;
  remove(document: unknown): void;
  endList(): void;
  sawVersion(resourceVersion: string): void;
}

/** What a reflector is doing. `unserved`: the cluster doesn't know the kind (yet); `failing`: the last try failed. */
export type ReflectorState = "starting" | "watching" | "unserved" | "failing";

export interface Reflector {
  state(): ReflectorState;
  stop(): void;
}

export interface ReflectorTiming {
  /**
   * Without a line for this long a watch is dead: a connection may be cut without a word. API servers send a bookmark every
   * minute (the last one two seconds before a watch ends). Half a minute more is spared for a slow one, for this is how long
   * the relay's heartbeat may still speak for a cluster that it no longer hears; a watch that was given up in vain is opened
   * again where it was.
   */
  readonly silenceMs: number;
  /** A kind that isn't served is asked for again after this. */
  readonly unservedMs: number;
  /** Watches end by themselves after this, and up to twice as much. */
  readonly watchSeconds: number;
}

export const usualTiming: ReflectorTiming = { silenceMs: 90_000, unservedMs: 15_000, watchSeconds: 300 };

export interface ReflectorOptions {
  readonly kind: string;
  /** Of the collection, from the server's root. */
  readonly path: string;
  readonly send: Send;
  readonly openStream: OpenStream;
  readonly sink: Sink;
  readonly clock: RelayClock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly timing?: ReflectorTiming;
  /** A watch is opened again (after any end) or everything is listed again. */
  onAgain?(kind: string, what: "watch" | "list"): void;
  /** Something changed about `state()`, or a list is complete. */
  onState?(): void;
}

/** The first wait after a failure, and the longest. */
const firstWaitMs = 500;
const longestWaitMs = 30_000;
/** A watch that held for this long was no failure to open one. */
const soundMs = 5_000;
/** After so many watches in a row that brought nothing everything is listed again: the server may not know the version. */
const maxVainWatches = 5;

/** How a try ended: where to go on, or how long to wait before that. */
interface Outcome {
  readonly version: string | undefined;
  readonly problem?: string;
  /** Its version is too old for the server: the first time no reason to wait. */
  readonly expired?: boolean;
  /** Of a watch: nothing came, and it did not hold. */
  readonly vain?: boolean;
  readonly unserved?: boolean;
  readonly retryAfterMs?: number;
}

/** Starts it; it goes on until it is stopped. */
export function startReflector(options: ReflectorOptions): Reflector {
  const { kind, clock, log, random, timing = usualTiming } = options;
  const backoff = createBackoff(firstWaitMs, longestWaitMs, random);
  let state: ReflectorState = "starting";
  let stopped = false;
  let interrupt = () => {};
  let lists = 0;

  function enter(next: ReflectorState): void {
    if (state === next) return;
    state = next;
    options.onState?.();
  }

  async function list(): Promise<Outcome> {
    if (lists++ > 0) options.onAgain?.(kind, "list");
    const listed = await listInto(options, () => stopped);
    if ("version" in listed) options.onState?.();
    return { version: undefined, ...listed };
  }

  function watch(version: string): Promise<Outcome> {
    const { outcome, close } = follow(options, timing, version, () => enter("watching"), backoff.reset);
    interrupt = close;
    return outcome;
  }

  async function rest({ problem, unserved = false, retryAfterMs }: Outcome): Promise<void> {
    const known = state;
    enter(unserved ? "unserved" : "failing");
    const waitMs = unserved ? Math.round(timing.unservedMs * (1 - random() / 4)) : backoff.nextMs(retryAfterMs);
    // What stays as it is is said once, and then only to those who want to know everything.
    const say = unserved ? (known === "unserved" ? log.debug : log.info) : log.warn;
    say(unserved ? "kind is not served yet" : "watch interrupted", { kind, problem, retryInMs: waitMs });
    await new Promise<void>((resolve) => {
      const cancel = clock.after(waitMs, resolve);
      interrupt = () => {
        cancel();
        resolve();
      };
    });
  }

  async function run(): Promise<void> {
    let version: string | undefined;
    let watched = false;
    let vainWatches = 0;
    while (!stopped) {
      if (version !== undefined && watched) options.onAgain?.(kind, "watch");
      watched = version !== undefined;
      const outcome: Outcome = await (version === undefined ? list() : watch(version));
      version = outcome.version;
      if (watched) vainWatches = outcome.vain === true ? vainWatches + 1 : 0;
      const isUsual = outcome.expired === true && vainWatches <= 1;
      if (vainWatches === maxVainWatches) {
        version = undefined;
        vainWatches = 0;
      }
      if (!stopped && outcome.problem !== undefined && !isUsual) await rest(outcome);
    }
  }

  void run();
  return {
    state: () => state,
    stop() {
      stopped = true;
      interrupt();
    },
  };
}

/** Follows one watch to its end. */
function follow(
  options: ReflectorOptions,
  timing: ReflectorTiming,
  from: string,
  onOpen: () => void,
  onContact: () => void,
): { outcome: Promise<Outcome>; close(): void } {
  const { clock, sink, random } = options;
  const { promise: outcome, resolve } = Promise.withResolvers<Outcome>();
  let version: string | undefined = from;
  let contactMs = clock.elapsed();
  let openedMs: number | undefined;
  let heard = false;
  let closeStream = () => {};

  const finish = ({ failure, status, retryAfterMs }: StreamEnd) => {
    cancelSilence();
    closeStream();
    const heldMs = openedMs === undefined ? 0 : clock.elapsed() - openedMs;
    if (heldMs >= soundMs) onContact();
    const expired = status === 410;
    if (expired) version = undefined;
    // A server that ends every watch at once is waited for like one that fails.
    const problem = failure ?? (heldMs < soundMs ? "the server ended the watch at once" : undefined);
    const asked = retryAfterMs === undefined ? {} : { retryAfterMs };
    const vain = !heard && heldMs < soundMs;
    resolve({ version, expired, vain, ...(problem === undefined ? {} : { problem }), ...asked });
  };

  const onLine = ({ type, object }: WatchLine) => {
    contactMs = clock.elapsed();
    if (type === "ERROR") {
      finish(refusalIn(object));
      return;
    }
    heard = true;
    onContact();
    if (type === "DELETED") sink.remove(object);
    else if (type !== "BOOKMARK") sink.put(object);
    version = versionOf(object) ?? version;
    if (version !== undefined) sink.sawVersion(version);
  };

  let cancelSilence = clock.after(timing.silenceMs, listen);
  function listen(): void {
    const leftMs = contactMs + timing.silenceMs - clock.elapsed();
    if (leftMs > 0) cancelSilence = clock.after(leftMs, listen);
    else finish({ failure: `nothing was heard for ${timing.silenceMs} ms` });
  }

  closeStream = options.openStream(
    options.path,
    {
      watch: "1",
      resourceVersion: from,
      allowWatchBookmarks: "true",
      timeoutSeconds: String(Math.round(timing.watchSeconds * (1 + random()))),
    },
    {
      onOpen() {
        openedMs = contactMs = clock.elapsed();
        onOpen();
      },
      onLine,
      onEnd: finish,
    },
  );

  return { outcome, close: () => finish({}) };
}

function refusalIn(status: unknown): StreamEnd {
  const { code, message } = (status ?? {}) as { code?: number; message?: string };
  return { failure: message ?? "the server reports an error", ...(code === undefined ? {} : { status: code }) };
}

function versionOf(object: unknown): string | undefined {
  return (object as { metadata?: { resourceVersion?: string } } | null)?.metadata?.resourceVersion;
}
