import type { Clock, Cluster, Telemetry } from "../../ports/index.ts";
import { connectionOf, type KubeAccess } from "./access.ts";
import { callWith } from "./call.ts";
import { paths } from "./documents.ts";
import { deletePod, evictPod } from "./evict-pod.ts";
import { holdNodeClass, releaseNodeClass } from "./hold-node-class.ts";
import { readUid, readVersion } from "./identity.ts";
import { listObjects } from "./list-objects.ts";
import { mirrorClaim, mirrorOf, releaseClaim } from "./mirror-claim.ts";
import { deleteNode, patchNode } from "./patch-node.ts";
import { eventPublisher } from "./publish-event.ts";
import { findNode, podsOn, readCluster } from "./read-cluster.ts";
import { setConditions } from "./set-conditions.ts";
import { openTransport, type Send } from "./transport.ts";

/** What an API server says of itself. */
export interface KubeCluster extends Cluster {
  /** `1.34`. */
  readVersion(): Promise<string>;
  /** The uid of kube-system, which lives as long as the cluster: the cluster's own name for itself. */
  readUid(): Promise<string>;
}

export interface KubeClusterOptions {
  /** Stamps events and conditions, and waits between tries. */
  readonly clock: Clock;
  readonly telemetry?: Telemetry;
  /** Called when the server refuses the token that a call was sent with. */
  readonly forgetToken?: () => void;
  /** How much time the run has left; default: no end of it. */
  readonly remainingMs?: () => number;
  /** Default: the product's name and version. */
  readonly userAgent?: string;
}

/** The `Cluster` behind a Kubernetes API server. Opens no connection before the first call. */
export function openKubeCluster(access: KubeAccess, options: KubeClusterOptions): KubeCluster {
  const token = "token" in access ? access.token : "";
  const forgetting = typeof token === "string" ? {} : { forgetToken: () => token.forget() };
  return kubeClusterOver(openTransport(connectionOf(access), options.userAgent), { ...options, ...forgetting });
}

/** The same over any transport; tests bring ones that fail. */
export function kubeClusterOver(send: Send, options: KubeClusterOptions): KubeCluster {
  const { clock, telemetry, forgetToken, remainingMs } = options;
  const call = callWith(send, clock, forgetToken, remainingMs);
  return {
    readVersion: () => readVersion(call),
    readUid: () => readUid(call),
    read: (read = {}) => readCluster(call, read),
    findNode: (by) => findNode(call, by),
    podsOn: (nodeName) => podsOn(call, nodeName),
    listClaimMirrors: async () => (await listObjects(call, paths.nodeClaims, mirrorOf)).items,
    mirrorClaim: (claim, phase) => mirrorClaim(call, claim, phase),
    releaseClaim: (name, precondition) => releaseClaim(call, name, precondition),
    patchNode: (name, precondition, patch) => patchNode(call, name, precondition, patch),
    deleteNode: (name, precondition) => deleteNode(call, name, precondition),
    evictPod: (pod, gracePeriodMs) => evictPod(call, pod, gracePeriodMs, telemetry),
    deletePod: (pod, gracePeriodMs) => deletePod(call, pod, gracePeriodMs),
    holdNodeClass: (name, precondition) => holdNodeClass(call, name, precondition),
    releaseNodeClass: (name, precondition) => releaseNodeClass(call, name, precondition),
    setConditions: (object, conditions, status) => setConditions(call, clock.now(), object, conditions, status),
    publish: eventPublisher(call, clock),
  };
}
