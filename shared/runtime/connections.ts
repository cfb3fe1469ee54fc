import type { EndpointOptions } from "../adapters/aws/index.ts";
import type { KubeCluster } from "../adapters/kube/index.ts";
import type { Clock, Cloud, Decisions, Telemetry } from "../ports/index.ts";
import { createEksToken } from "./eks-token.ts";
import type { FetchKeys } from "./keys.ts";
import type { ServedCluster } from "./served-clusters.ts";

// The clients of EC2 and Kubernetes are the largest things here and not every function needs them, so they are loaded
// when they are first used.

/** EC2 of a region; the client is loaded at the first call. */
export function lazyCloud(options: EndpointOptions, clock: Clock): Cloud {
  let loaded: Promise<Cloud> | undefined;
  const cloud = () => {
    loaded ??= import("../adapters/ec2/index.ts").then(({ createEc2Client, createEc2Cloud }) =>
      createEc2Cloud({ client: createEc2Client(options), clock }),
    );
    return loaded;
  };
  return {
    launch: async (request) => (await cloud()).launch(request),
    findByTags: async (tags, find) => (await cloud()).findByTags(tags, find),
    findByIds: async (ids) => (await cloud()).findByIds(ids),
    terminate: async (ids) => (await cloud()).terminate(ids),
    tag: async (id, tags) => (await cloud()).tag(id, tags),
    resolveNetwork: async (terms) => (await cloud()).resolveNetwork(terms),
    findReservations: async (terms) => (await cloud()).findReservations(terms),
    findImages: async (terms) => (await cloud()).findImages(terms),
  };
}

/** Decisions to a bus, if there is one; the client is loaded with the first event. */
export function lazyDecisions(options: EndpointOptions, bus: string | undefined): Decisions | undefined {
  if (bus === undefined) return undefined;
  let loaded: Promise<Decisions> | undefined;
  return {
    async publish(events) {
      loaded ??= import("../adapters/eventbridge/index.ts").then(
        ({ createEventBridgeClient, createEventBridgeDecisions }) =>
          createEventBridgeDecisions({ client: createEventBridgeClient(options), bus }),
      );
      await (await loaded).publish(events);
    },
  };
}

export interface ConnectionOptions {
  keysOf(roleArn: string | undefined): FetchKeys;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** Default: the product and its version. */
  readonly userAgent?: string;
  /** How much time the invocation has left; default: no end of it. */
  readonly remainingMs?: () => number;
}

/** Connects to a cluster: with the token that is given for it, else with EKS tokens of its role. */
export async function connectToCluster(
  { name, region, server, caBundle, token, roleArn }: ServedCluster,
  { keysOf, clock, telemetry, userAgent, remainingMs }: ConnectionOptions,
): Promise<KubeCluster> {
  const { openKubeCluster } = await import("../adapters/kube/index.ts");
  const caPem = Buffer.from(caBundle, "base64").toString("utf8");
  return openKubeCluster(
    {
      server,
      token: token ?? createEksToken({ cluster: name, region, keys: keysOf(roleArn), clock }),
      ...(caPem === "" ? {} : { caPem }),
    },
    {
      clock,
      telemetry,
      ...(remainingMs === undefined ? {} : { remainingMs }),
      ...(userAgent === undefined ? {} : { userAgent }),
    },
  );
}
