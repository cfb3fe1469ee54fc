// The relay put together, for any clock, API server and queues: the process (main.ts), the embedded world and tests start
// it here. It decides nothing: it sees, waits until a burst is quiet, and says "look".
import type { KubeConnection, Send } from "../shared/adapters/kube/index.ts";
import { openTransport } from "../shared/adapters/kube/transport.ts";
import { heartbeatMs, pendingRepeatMs, podEventGapMs } from "../shared/core/limits.ts";
import type { Wakes } from "../shared/ports/index.ts";
import type { RelayClock } from "./clock.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { createProcessSeries, type ProcessSeries } from "./http/series.ts";
import { type Election, type ElectionTiming, startElection } from "./leader/election.ts";
import { kubeLease } from "./leader/kube-lease.ts";
import type { Log } from "./log.ts";
import { createMetrics } from "./metrics/index.ts";
import { type Kind, kinds } from "./objects.ts";
import { notePodEvents, type PodEvents } from "./pod-events.ts";
import { createTrim } from "./trim/index.ts";
import { type ClusterView, createView } from "./view.ts";
import { type Coalescer, coalesce, type Window } from "./wakes/coalesce.ts";
import { createOutbox, type Outbox } from "./wakes/outbox.ts";
import { type PendingPods, repeatWhilePending } from "./wakes/pending-pods.ts";
import { type RelayTarget, relayTargets, surroundingsIn, wakeRules } from "./wakes/rules.ts";
import { windowsFor } from "./wakes/windows.ts";
import { paths } from "./watch/paths.ts";
import { type Reflector, type ReflectorTiming, startReflector } from "./watch/reflector.ts";
import { sinkInto } from "./watch/sink.ts";
import { type OpenStream, openStreams } from "./watch/stream.ts";
import { writePodEvent } from "./write-pod-event.ts";

export interface RelayOptions {
  readonly cluster: string;
  /** How to reach the API server: the client library's KubeConfig is one. */
  readonly connection: KubeConnection;
  readonly wakes: Wakes;
  /** Says that the relay lives; left out where nobody listens. */
  readonly heartbeat?: { beat(nowMs: number): Promise<void> };
  readonly clock: RelayClock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
  /** Left out: this one always acts. */
  readonly election?: { readonly namespace: string; readonly name: string; readonly identity: string };
  /** Windows of provision and disrupt. Default 1 s, 10 s. */
  readonly batch?: Window;
  /** False: without the series that grow with pods, nodes and claims. Default true. */
  readonly observeClusterState?: boolean;
  readonly version?: string;
  /** For servers and worlds whose time runs at another pace. */
  readonly timing?: { readonly watch?: ReflectorTiming; readonly election?: ElectionTiming };
}

export interface Relay {
  readonly view: ClusterView;
  isLeader(): boolean;
  /** The text format of Prometheus, in pieces: of this replica, and of the cluster where this replica acts. */
  metrics(): AsyncIterable<string>;
  /** Undefined once every kind that the cluster serves was listed; until then, which are missing. */
  notReady(): string | undefined;
  /** Gives back the lease, sends what is pending once more, ends the watches. */
  stop(): Promise<void>;
}

/** What is pending when the relay stops has this long to go out before the lease is given back. */
const lastSendMs = 2_000;

/** Everything between the view and the queues. */
interface Wiring {
  readonly outbox: Outbox;
  readonly noters: Readonly<Record<RelayTarget, Coalescer>>;
  readonly pendingPods: PendingPods;
  readonly podEvents: PodEvents;
}

/** Starts it. Nothing that a server or AWS does ends it; only `stop` does. */
export function startRelay(options: RelayOptions): Relay {
  const { clock, log, connection } = options;
  const view = createView();
  const send = openTransport(connection);
  const openStream = openStreams(connection);
  let election: Election | undefined;
  let stopping = false;
  const isActing = () => !stopping && (options.election === undefined || election?.isLeader() === true);
  const series = createProcessSeries({
    isLeader: isActing,
    pendingWakes: () => wiring.outbox.pending(),
    pendingPods: () => wiring.pendingPods.count(),
    objects: (kind) => view.count(kind),
  });
  const metrics = createMetrics({
    view,
    clock,
    observeClusterState: options.observeClusterState ?? true,
    replica: {
      version: options.version ?? "",
      commit: "",
      arch: process.arch,
      leaseName: options.election?.name ?? "",
      isLeader: isActing,
      pendingTargets: () => wiring.outbox.pending(),
    },
  });
  const wiring = wire({ ...options, wakes: metrics.measured(options.wakes) }, view, send, series, isActing);
  const reflectors = watchAll(options, { view, send, openStream, series, onState: () => heartbeat.becameWell() });
  const heartbeat = startHeartbeat({
    clock,
    log,
    everyMs: heartbeatMs,
    beat: async (nowMs) => options.heartbeat?.beat(nowMs),
    isWell: () => isActing() && wiring.outbox.isWell() && canSee(reflectors),
    onFailed: () => series.heartbeatFailures.inc(),
  });

  /** What the predecessor had not sent yet is not known: everybody looks once. */
  const takeOver = () => {
    for (const target of relayTargets) wiring.outbox.post(target);
    wiring.podEvents.takeOver();
    heartbeat.becameWell();
  };
  if (options.election !== undefined) {
    const { namespace, name, identity } = options.election;
    election = startElection({
      store: kubeLease(send, namespace, name),
      identity,
      clock,
      random: options.random,
      log,
      ...(options.timing?.election === undefined ? {} : { timing: options.timing.election }),
      onChange: (isLeader) => (isLeader ? takeOver() : wiring.outbox.clear()),
    });
  } else takeOver();

  return {
    view,
    isLeader: isActing,
    async *metrics() {
      yield await series.registry.metrics();
      yield* metrics.pieces();
    },
    notReady: () => missingOf(reflectors, view),
    async stop() {
      heartbeat.stop();
      for (const reflector of reflectors.values()) reflector.stop();
      wiring.pendingPods.stop();
      wiring.podEvents.stop();
      if (isActing()) for (const noter of Object.values(wiring.noters)) noter.flush();
      for (const noter of Object.values(wiring.noters)) noter.stop();
      const sent = wiring.outbox.close();
      // A queue that hangs must not keep the lease from the replica that waits for it: what is on its way may come twice.
      await Promise.race([sent, clock.sleep(lastSendMs)]);
      stopping = true;
      await election?.release();
      await sent;
    },
  };
}

function wire(
  options: RelayOptions,
  view: ClusterView,
  send: Send,
  series: ProcessSeries,
  isActing: () => boolean,
): Wiring {
  const { cluster, wakes, clock, random, log } = options;
  const outbox = createOutbox({
    cluster,
    wakes,
    clock,
    random,
    log,
    atLeast: view.resourceVersion,
    onSent: (target) => {
      series.wakesSent.inc({ target });
      log.debug("wake sent", { target });
    },
    onFailed: (target) => series.wakesFailed.inc({ target }),
  });
  const fire = (target: RelayTarget) => {
    if (isActing()) outbox.post(target);
  };
  const windows = windowsFor(options.batch);
  const noter = (target: RelayTarget) => coalesce(clock, windows[target], () => fire(target));
  const noters = {
    provision: noter("provision"),
    disrupt: noter("disrupt"),
    lifecycle: noter("lifecycle"),
    "resolve-node-classes": noter("resolve-node-classes"),
  };
  const around = surroundingsIn(view);
  const follow = <K extends Kind>(kind: K) =>
    view.onChange(kind, (before, after) => {
      for (const target of wakeRules[kind](before, after, around)) noters[target].note();
    });
  for (const kind of kinds) follow(kind);
  const pendingPods = repeatWhilePending(view, clock, pendingRepeatMs, () => fire("provision"));
  const podEvents = notePodEvents({
    view,
    clock,
    random,
    log,
    gapMs: podEventGapMs,
    isActing,
    async write(claim, atMs) {
      try {
        return await writePodEvent(send, claim, atMs);
      } catch (error) {
        series.podEventFailures.inc();
        throw error;
      }
    },
  });
  return { outbox, noters, pendingPods, podEvents };
}

interface WatchParts {
  readonly view: ReturnType<typeof createView>;
  readonly send: Send;
  readonly openStream: OpenStream;
  readonly series: ProcessSeries;
  onState(): void;
}

function watchAll(options: RelayOptions, parts: WatchParts): ReadonlyMap<Kind, Reflector> {
  const { view, send, openStream, series } = parts;
  const { clock, random, log, timing } = options;
  const trim = createTrim();
  const startedMs = clock.elapsed();
  let saidPods = false;
  return new Map(
    kinds.map((kind) => [
      kind,
      startReflector({
        kind,
        path: paths[kind],
        send,
        openStream,
        sink: sinkInto(view, kind, trim, log),
        clock,
        random,
        log,
        ...(timing?.watch === undefined ? {} : { timing: timing.watch }),
        onAgain: (_, what) => (what === "watch" ? series.watchRestarts : series.lists).inc({ kind }),
        onState() {
          parts.onState();
          if (kind !== "Pod" || saidPods || !view.isListed("Pod")) return;
          saidPods = true;
          log.info("watching for pending pods", { pods: view.count("Pod"), afterMs: clock.elapsed() - startedMs });
        },
      }),
    ]),
  );
}

/** Kinds without which nothing useful can be said. */
const essential: readonly Kind[] = ["Pod", "Node"];

function canSee(reflectors: ReadonlyMap<Kind, Reflector>): boolean {
  return essential.every((kind) => reflectors.get(kind)?.state() === "watching");
}

function missingOf(reflectors: ReadonlyMap<Kind, Reflector>, view: ClusterView): string | undefined {
  const missing = [...reflectors].filter(([kind, one]) => !view.isListed(kind) && one.state() !== "unserved");
  if (missing.length === 0) return undefined;
  return `not listed yet: ${missing.map(([kind]) => kind).join(", ")}`;
}
