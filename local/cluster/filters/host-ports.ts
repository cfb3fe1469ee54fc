// Host ports, as kube-scheduler's NodePorts has them: an address, a protocol and a port are given to one pod of a node.
import type { KubeObject } from "../../kube/types.ts";
import type { Filter } from "./room.ts";

interface HostPort {
  readonly address: string;
  readonly protocol: string;
  readonly port: number;
}

const everyAddress = "0.0.0.0";

/** Refuses nodes where another pod has a port that this one wants too. */
export function hostPortFilter(pod: KubeObject): Filter {
  const wanted = hostPortsOf(pod);
  if (wanted.length === 0) return () => undefined;
  return ({ pods }) => {
    const taken = pods.flatMap(hostPortsOf);
    return wanted.some((mine) => taken.some((theirs) => clash(mine, theirs)))
      ? "didn't have free ports for the requested pod ports"
      : undefined;
  };
}

function hostPortsOf({ spec }: KubeObject): HostPort[] {
  const sidecars = (spec.initContainers ?? []).filter(
    ({ restartPolicy }: { restartPolicy?: string }) => restartPolicy === "Always",
  );
  return [...(spec.containers ?? []), ...sidecars].flatMap(({ ports = [] }: KubeObject["spec"]) =>
    (ports as { hostPort?: number; hostIP?: string; protocol?: string }[]).flatMap(({ hostPort, hostIP, protocol }) =>
      hostPort ? [{ address: hostIP || everyAddress, protocol: protocol || "TCP", port: hostPort }] : [],
    ),
  );
}

function clash(a: HostPort, b: HostPort): boolean {
  const share = a.address === b.address || a.address === everyAddress || b.address === everyAddress;
  return share && a.port === b.port && a.protocol === b.protocol;
}
