// The cluster's inner life, as in the embedded world: controllers and a scheduler, kubelets on the fleet endpoint's
// instances. It runs at the pace of real time, since the functions that are run have no other.
import type { WorldClock } from "../../local/clock.ts";
import { startCloudHost } from "../../local/cloud-host.ts";
import { startControlPlane } from "../../local/cluster/control-plane.ts";
import type { Ec2 } from "../../local/ec2/ec2.ts";
import type { ApiServer } from "../../local/kube/types.ts";
import { connectKubelets } from "../../local/kubelet/api-client.ts";
import { startKubelets } from "../../local/kubelet/kubelets.ts";
import type { Catalog } from "../../shared/core/model/index.ts";

/** Nodes that boot in seconds: what takes long in EC2 is not what is tried here. */
const timing = { joinMs: 1_000, readyMs: 500, podStartMs: 200, podStopMs: 200 };

export interface HostsOptions {
  readonly kube: ApiServer;
  readonly ec2: Ec2;
  readonly clock: WorldClock;
  readonly catalog: Catalog;
  readonly clusterName: string;
}

/** Starts all of it; returns the function that stops it. What goes wrong in it is thrown: it is no part of the test. */
export function startHosts({ kube, ec2, clock, catalog, clusterName }: HostsOptions): () => Promise<void> {
  const onError = (component: string, key: string, error: unknown) => {
    throw new Error(`the cluster's ${component} failed at ${key}`, { cause: error });
  };
  const stopControlPlane = startControlPlane({ store: kube.store, clock, onError });
  const { server, token, ca } = kube.kubeconfig();
  const api = connectKubelets({ url: server, token, ca });
  const kubelets = startKubelets({
    api,
    clock,
    clusterName,
    timing,
    heartbeatMs: 10_000,
    onError: (what, error) => onError("kubelet", what, error),
    onPodsLost: () => {},
  });
  const stopHost = startCloudHost({ ec2, clock, catalog, onInstance: (instance) => kubelets.observe(instance) });
  return async () => {
    stopHost();
    await kubelets.stop();
    api.close();
    stopControlPlane();
  };
}
