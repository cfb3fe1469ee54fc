import type {
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodVolume,
  Snapshot,
  StorageClass,
} from "../../model/index.ts";
import { RequirementError } from "../../requirements/index.ts";
import { either, onlyNode, type Reach, reachOfClass, reachOfVolume } from "./reach.ts";

/** A volume that a driver attaches to nodes. */
export interface Attachment {
  readonly driver: string;
  /** The same for everything that is one volume in the end. */
  readonly key: string;
}

/** Its volumes are in one zone; those of other drivers for several pods are not. */
const ebsDriver = "ebs.csi.aws.com";
/** The driver name of classes whose volumes are made by hand, or by something that finds disks on nodes. */
const noProvisioner = "kubernetes.io/no-provisioner";

/** Storage objects by what they are looked up by. */
export class Storage {
  /** By namespace, then by name: asked for again and again, without making a text each time. */
  readonly #claims = new Map<string, Map<string, PersistentVolumeClaim>>();
  readonly #volumes = new Map<string, PersistentVolume>();
  /** Volumes by the claim that they belong to. */
  readonly #reserved = new Map<string, PersistentVolume>();
  readonly #classes = new Map<string, StorageClass>();
  readonly #default: StorageClass | undefined;
  /** Thousands of volumes lie in a few places: each place is one object. */
  readonly #places = new Map<string, Reach | string>();
  /** Nodes that stay: where a volume may still be on its way to. */
  readonly #staying: ReadonlySet<string>;

  constructor(snapshot: Snapshot, leavingNodes: ReadonlySet<string>) {
    for (const claim of snapshot.persistentVolumeClaims) {
      const there = this.#claims.get(claim.namespace);
      if (there === undefined) this.#claims.set(claim.namespace, new Map([[claim.name, claim]]));
      else there.set(claim.name, claim);
    }
    for (const volume of snapshot.persistentVolumes) {
      this.#volumes.set(volume.name, volume);
      if (volume.claim !== undefined) this.#reserved.set(volume.claim, volume);
    }
    for (const one of snapshot.storageClasses) this.#classes.set(one.name, one);
    // Of several default classes the newest counts, then the first by name (Kubernetes' rule).
    [this.#default] = snapshot.storageClasses
      .filter(({ isDefault }) => isDefault)
      .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.name < b.name ? -1 : 1));
    this.#staying = new Set(snapshot.nodes.map(({ name }) => name).filter((name) => !leavingNodes.has(name)));
  }

  /** The claim of a pod's volume, if it is there. */
  claimOf({ namespace }: Pod, { claimName }: PodVolume): PersistentVolumeClaim | undefined {
    return this.#claims.get(namespace)?.get(claimName);
  }

  /** The pod's claims whose volumes EBS is still to make, in a zone that their first pod decides. */
  unmadeFor(pod: Pod): readonly string[] {
    return pod.volumes.flatMap((volume) => {
      const claim = this.claimOf(pod, volume);
      if (claim === undefined || volume.ephemeral || claim.volumeName !== undefined) return [];
      const own = `${claim.namespace}/${claim.name}`;
      const driver = this.#classes.get(claim.storageClassName ?? this.#default?.name ?? "")?.driver;
      return driver === ebsDriver && !this.#reserved.has(own) ? [own] : [];
    });
  }

  /**
   * What is attached for a pod's volume, whatever becomes of its claim: a pod that runs keeps it. Undefined: nothing, or
   * nothing that is known of.
   */
  attachmentOf(pod: Pod, volume: PodVolume): Attachment | undefined {
    const claim = this.claimOf(pod, volume);
    if (claim === undefined && !volume.ephemeral) return undefined;
    const named = this.#volumes.get(claim?.volumeName ?? "");
    const bound = named ?? this.#reserved.get(`${pod.namespace}/${volume.claimName}`);
    if (bound !== undefined) {
      const { driver, handle, name } = bound;
      return driver === undefined ? undefined : { driver, key: handle ?? `volume ${name}` };
    }
    const className = (claim ?? volume).storageClassName ?? this.#default?.name;
    const driver = this.#classes.get(className ?? "")?.driver;
    return driver === undefined || driver === noProvisioner
      ? undefined
      : { driver, key: `claim ${pod.namespace}/${volume.claimName}` };
  }

  /** From where a pod's volume is reached, or why the pod can run nowhere now, in words that follow "the pod's". */
  reachOf(pod: Pod, volume: PodVolume): Reach | string {
    const claim = this.claimOf(pod, volume);
    const words = `claim "${volume.claimName}"`;
    if (claim === undefined) {
      if (!volume.ephemeral) return `${words} does not exist`;
      return this.#unbound(words, volume.storageClassName, undefined);
    }
    if (volume.ephemeral && claim.ownerUid !== pod.uid) {
      return `${words} was not made for its volume "${volume.name}": it is somebody else's of the same name`;
    }
    if (claim.deletionAtMs !== undefined) return `${words} is being deleted`;
    if (claim.lost) return `${words} has lost its volume "${claim.volumeName ?? ""}"`;
    const bound = this.#volumeOf(claim, words);
    if (typeof bound === "string") return bound;
    if (bound !== undefined) {
      const reach = this.#reachOfVolume(bound);
      return typeof reach === "string" ? `${words} is on volume "${bound.name}", whose node affinity ${reach}` : reach;
    }
    return this.#unbound(words, claim.storageClassName, claim);
  }

  #reachOfVolume(volume: PersistentVolume): Reach | string {
    const text = JSON.stringify([volume.labels, volume.nodeAffinity]);
    let reach = this.#places.get(text);
    if (reach === undefined) {
      reach = read(() => reachOfVolume(volume));
      this.#places.set(text, reach);
    }
    return reach;
  }

  /**
   * The volume that a claim has or is about to get: Kubernetes binds a claim to the volume that it names, and one that no
   * claim names to the claim that it names itself. Where it lies is known before that is done (core#2487).
   */
  #volumeOf(claim: PersistentVolumeClaim, words: string): PersistentVolume | string | undefined {
    const own = `${claim.namespace}/${claim.name}`;
    if (claim.volumeName === undefined) return this.#reserved.get(own);
    const volume = this.#volumes.get(claim.volumeName);
    if (volume === undefined) return `${words} names the volume "${claim.volumeName}", which does not exist`;
    if (volume.claim !== undefined && volume.claim !== own) {
      return `${words} names the volume "${volume.name}", which belongs to the claim "${volume.claim}"`;
    }
    return volume;
  }

  #unbound(words: string, className: string | undefined, claim: PersistentVolumeClaim | undefined): Reach | string {
    if (className === "") return `${words} has no volume, and its storageClassName "" lets none be made for it`;
    const name = className ?? this.#default?.name;
    if (name === undefined) {
      return `${words} has no volume and no storage class, and no StorageClass is marked as the default`;
    }
    const storageClass = this.#classes.get(name);
    if (storageClass === undefined) return `${words} has no volume, and its StorageClass "${name}" does not exist`;
    const { driver, bindingMode } = storageClass;
    if (bindingMode === "Immediate") {
      return `${words} waits for its volume: StorageClass "${name}" has volumeBindingMode Immediate, so the volume must be there first`;
    }
    if (claim?.selectedNode !== undefined && this.#staying.has(claim.selectedNode)) {
      return onlyNode(claim.selectedNode);
    }
    const reach = read(() =>
      driver === noProvisioner && claim !== undefined
        ? this.#reachOfMadeOnes(claim, name, storageClass)
        : reachOfClass(storageClass),
    );
    return typeof reach === "string"
      ? `${words} has the StorageClass "${name}", whose allowedTopologies ${reach}`
      : reach;
  }

  /** Where volumes lie that could serve the claim; as Karpenter, anywhere while there is none. */
  #reachOfMadeOnes(claim: PersistentVolumeClaim, className: string, storageClass: StorageClass): Reach {
    const suitable = [...this.#volumes.values()].filter(
      (volume) =>
        volume.available &&
        volume.storageClassName === className &&
        volume.capacityBytes >= claim.requestedBytes &&
        claim.accessModes.every((mode) => volume.accessModes.includes(mode)),
    );
    return suitable.length === 0 ? reachOfClass(storageClass) : either(suitable.map(reachOfVolume));
  }
}

function read(reach: () => Reach): Reach | string {
  try {
    return reach();
  } catch (cause) {
    if (!(cause instanceof RequirementError)) throw cause;
    return `cannot be read: ${cause.message}`;
  }
}
