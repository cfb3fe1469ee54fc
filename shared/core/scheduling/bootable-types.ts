import { imageChooser } from "../launch/index.ts";
import type { InstanceType, NodeClass, Pod } from "../model/index.ts";
import { Requirements } from "../requirements/index.ts";
import { fits } from "../resources/index.ts";
import type { Pool } from "./pool.ts";
import { typeMeets } from "./pool-space.ts";

const namedTypes = 3;

/**
 * Parts types by whether an image of the class boots them. A class whose images are not known yet keeps none out.
 * @throws RequirementError if an image's requirements cannot be read
 */
export function partByImage(
  { resolved }: NodeClass,
  types: readonly InstanceType[],
): { readonly bootable: readonly InstanceType[]; readonly imageless: readonly InstanceType[] } {
  if (resolved.amis.length === 0) return { bootable: types, imageless: [] };
  const choose = imageChooser(resolved.amis);
  const bootable = types.filter((type) => choose(type) !== undefined);
  return { bootable, imageless: bootable.length === types.length ? [] : types.filter((type) => !choose(type)) };
}

/** Why the pod gets no node: types that would hold it lack an image. Undefined: there are none such. */
export function imageLack({ nodeClass, imageless }: Pool, pod: Pod, requirements: Requirements): string | undefined {
  const suitable = imageless.filter((type) => typeMeets(type, requirements) && fits(pod.requests, type.allocatable));
  if (suitable.length === 0) return undefined;
  const names = suitable.map(({ name }) => name).sort();
  const named = names.slice(0, namedTypes).join(", ");
  const more = names.length > namedTypes ? ` and ${names.length - namedTypes} more` : "";
  const images = nodeClass.resolved.amis.map((ami) => `${ami.id} is for ${Requirements.of(ami.requirements)}`);
  return `no image of EC2NodeClass "${nodeClass.name}" fits any of the ${names.length} instance types that the pod could use (${named}${more}): ${images.join("; ")}`;
}
