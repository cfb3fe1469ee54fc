// The actions that this endpoint has, each with the model that names its fields on the wire.
import {
  CreateFleet$,
  CreateLaunchTemplate$,
  CreateLaunchTemplateVersion$,
  CreateTags$,
  DeleteLaunchTemplate$,
  DeleteTags$,
  DescribeAvailabilityZones$,
  DescribeCapacityReservations$,
  DescribeImages$,
  DescribeInstanceStatus$,
  DescribeInstances$,
  DescribeInstanceTypeOfferings$,
  DescribeInstanceTypes$,
  DescribeLaunchTemplates$,
  DescribeLaunchTemplateVersions$,
  DescribeSecurityGroups$,
  DescribeSpotPriceHistory$,
  DescribeSubnets$,
  DescribeTags$,
  TerminateInstances$,
} from "@aws-sdk/client-ec2";
import { describeInstanceTypeOfferings, describeInstanceTypes, describeSpotPriceHistory } from "./describe-catalog.ts";
import { describeInstanceStatus, describeInstances, terminateInstances } from "./describe-instances.ts";
import {
  describeAvailabilityZones,
  describeImages,
  describeSecurityGroups,
  describeSubnets,
} from "./describe-region.ts";
import { createTags, deleteTags, describeTags } from "./describe-tags.ts";
import { Ec2Error } from "./ec2-error.ts";
import { createFleet } from "./fleet.ts";
import { type Operation, readOperation } from "./protocol/shapes.ts";
import { describeCapacityReservations } from "./reservations.ts";
import {
  createLaunchTemplate,
  createLaunchTemplateVersion,
  deleteLaunchTemplate,
  describeLaunchTemplates,
  describeLaunchTemplateVersions,
} from "./templates.ts";
import type { World } from "./world.ts";

export interface Action {
  readonly operation: Operation;
  /** Does it. The input has been read by the operation's model. Throws Ec2Error. */
  readonly run: (world: World, input: never) => object;
}

const pairs: readonly [unknown, Action["run"]][] = [
  [CreateFleet$, createFleet],
  [CreateLaunchTemplate$, createLaunchTemplate],
  [CreateLaunchTemplateVersion$, createLaunchTemplateVersion],
  [CreateTags$, createTags],
  [DeleteLaunchTemplate$, deleteLaunchTemplate],
  [DeleteTags$, deleteTags],
  [DescribeAvailabilityZones$, describeAvailabilityZones],
  [DescribeCapacityReservations$, describeCapacityReservations],
  [DescribeImages$, describeImages],
  [DescribeInstanceStatus$, describeInstanceStatus],
  [DescribeInstances$, describeInstances],
  [DescribeInstanceTypeOfferings$, describeInstanceTypeOfferings],
  [DescribeInstanceTypes$, describeInstanceTypes],
  [DescribeLaunchTemplates$, describeLaunchTemplates],
  [DescribeLaunchTemplateVersions$, describeLaunchTemplateVersions],
  [DescribeSecurityGroups$, describeSecurityGroups],
  [DescribeSpotPriceHistory$, describeSpotPriceHistory],
  [DescribeSubnets$, describeSubnets],
  [DescribeTags$, describeTags],
  [TerminateInstances$, terminateInstances],
];

const actions: ReadonlyMap<string, Action> = new Map(
  pairs.map(([schema, run]) => {
    const operation = readOperation(schema);
    return [operation.name, { operation, run }] as const;
  }),
);

/** Throws InvalidAction for an action that this endpoint doesn't have. */
export function findAction(name: string): Action {
  const action = actions.get(name);
  if (action === undefined) {
    throw new Ec2Error("InvalidAction", `The action ${name} is not valid for this web service.`);
  }
  return action;
}
