import { type Observed, phaseOf } from "../core/lifecycle/index.ts";
import { minWakeDelayMs } from "../core/limits.ts";
import type { CloudInstance, ClusterView, Node, NodeClaim } from "../core/model/index.ts";
import type { ClaimMirror, StoredState, WakeTarget } from "../ports/index.ts";
import type { ClusterContext, ControllerPorts } from "./context.ts";
import { isolate, type RunLog } from "./report.ts";

/** What the claims of one lifecycle run share. */
export interface ClaimDesk {
  readonly ports: ControllerPorts;
  readonly context: ClusterContext;
  readonly log: RunLog;
  readonly mirrors: Map<string, ClaimMirror>;
  readonly wake: (target: WakeTarget) => void;
  observe(claim: NodeClaim): Promise<Observed>;
  /** After a write to a node: what it is like now. */
  refreshNode(claim: NodeClaim): Promise<void>;
}

export interface ClaimDeskInput {
  readonly ports: ControllerPorts;
  readonly context: ClusterContext;
  readonly state: StoredState;
  readonly view: ClusterView;
  readonly mirrors: Map<string, ClaimMirror>;
  readonly log: RunLog;
  readonly wake: (target: WakeTarget) => void;
}

export async function createClaimDesk(input: ClaimDeskInput): Promise<ClaimDesk> {
  const { ports, context, state, view, mirrors, log, wake } = input;
  const nodes = new Map<string, readonly Node[]>();
  for (const node of view.nodes) {
    if (node.providerId === undefined || node.providerId === "") continue;
    nodes.set(node.providerId, [...(nodes.get(node.providerId) ?? []), node]);
  }
  const classes = new Map(view.nodeClasses.map((nodeClass) => [nodeClass.name, nodeClass]));
  const launches = new Map(state.launches.map((launch) => [launch.id, launch]));
  const commands = new Map(state.commands.flatMap((command) => command.candidates.map((name) => [name, command])));
  const going = state.claims.flatMap(({ deletion, instance }) => (deletion && instance ? [instance.id] : []));
  const instances = new Map<string, CloudInstance | "not-found">();
  await isolate(log, "instances on their way out", ports.clock.now() + minWakeDelayMs, async () => {
    if (going.length === 0) return;
    const found = new Map((await context.cloud.findByIds(going)).map((instance) => [instance.id, instance]));
    for (const id of going) instances.set(id, found.get(id) ?? "not-found");
  });
  return {
    ports,
    context,
    log,
    mirrors,
    wake,
    async observe(claim) {
      const { instance, deletion } = claim;
      const own = instance === undefined ? [] : (nodes.get(instance.providerId) ?? []);
      const draining = instance !== undefined && deletion !== undefined && claim.drainedAtMs === undefined;
      const pods = draining && own[0] !== undefined ? await context.cluster.podsOn(own[0].name) : undefined;
      const launch = claim.launch === undefined ? undefined : launches.get(claim.launch.id);
      const command = commands.get(claim.name);
      const nodeClass = classes.get(claim.nodeClass);
      const found = instance === undefined ? undefined : instances.get(instance.id);
      return {
        nodes: own,
        mirrorDeleted: mirrors.get(claim.name)?.deletionAtMs !== undefined,
        ...(launch === undefined ? {} : { launch }),
        ...(command === undefined ? {} : { command }),
        ...(nodeClass === undefined ? {} : { nodeClass }),
        ...(found === undefined ? {} : { instance: found }),
        ...(pods === undefined ? {} : { pods }),
      };
    },
    async refreshNode({ instance, nodeName }) {
      if (instance === undefined) return;
      const { providerId } = instance;
      const node = await context.cluster.findNode({ providerId, name: nodeName });
      nodes.set(providerId, node === undefined ? [] : [node]);
    },
  };
}

/** Writes the custom resource of a record: where the record stands now. */
export async function ensureMirror(desk: ClaimDesk, claim: NodeClaim): Promise<{ readonly uid: string }> {
  const { launch, command } = await desk.observe(claim);
  const made = await desk.context.cluster.mirrorClaim(claim, phaseOf(claim, launch, command));
  desk.log.count("mirrorsWritten");
  const known = desk.mirrors.get(claim.name);
  const base = known ?? { name: claim.name, resourceVersion: "", finalizers: [] };
  desk.mirrors.set(claim.name, { ...base, uid: made.uid, mirroredVersion: claim.version });
  return made;
}
