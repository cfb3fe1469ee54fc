// The part of EC2 that computes: lets due things happen by the world's clock, and shows the kubelets' host every instance
// whose state has changed.
import type { Catalog } from "../shared/core/model/index.ts";
import type { WorldClock } from "./clock.ts";
import type { Ec2 } from "./ec2/ec2.ts";
import type { HostInstance } from "./kubelet/documents.ts";

/** How often EC2 is looked at, in the world's time. */
const lookEveryMs = 500;
const defaultVolumeGiB = 20;

export interface CloudHostOptions {
  readonly ec2: Ec2;
  readonly clock: WorldClock;
  readonly catalog: Catalog;
  onInstance(instance: HostInstance): void;
}

function hostInstance(ec2: Ec2, catalog: Catalog, instance: ReturnType<Ec2["instances"]>[number]): HostInstance {
  const { id, state, pool, address, architecture, launch } = instance;
  const description = catalog.instanceTypes.find((type) => type.InstanceType === pool.instanceType);
  const root = launch.BlockDeviceMappings?.[0]?.Ebs?.VolumeSize;
  return {
    id,
    state,
    instanceType: pool.instanceType,
    zone: pool.zone,
    zoneId: catalog.zones.find((zone) => zone.name === pool.zone)?.id ?? "",
    region: catalog.region,
    privateIp: address.address,
    privateDnsName: `ip-${address.address.replaceAll(".", "-")}.ec2.internal`,
    architecture,
    userData: ec2.userDataOf(id) ?? "",
    volumeGiB: root ?? defaultVolumeGiB,
    description: description as unknown as HostInstance["description"],
  };
}

/** Starts it; returns the function that stops it. */
export function startCloudHost({ ec2, clock, catalog, onInstance }: CloudHostOptions): () => void {
  const seen = new Map<string, string>();
  let cancel = () => {};
  const look = () => {
    ec2.settle();
    for (const instance of ec2.instances()) {
      if (seen.get(instance.id) === instance.state) continue;
      seen.set(instance.id, instance.state);
      onInstance(hostInstance(ec2, catalog, instance));
    }
    cancel = clock.after(lookEveryMs, look);
  };
  look();
  return () => cancel();
}
