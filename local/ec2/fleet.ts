// CreateFleet, type instant: allocate, launch, answer with what was launched and which pools refused.
import type {
  CreateFleetError,
  CreateFleetInstance,
  CreateFleetRequest,
  CreateFleetResult,
  Tag,
} from "@aws-sdk/client-ec2";
import { type Allocation, type AllocationRequest, allocate, type Candidate, order } from "./allocate.ts";
import { endDryRun, withToken } from "./client-tokens.ts";
import {
  candidatesOf,
  type FleetOption,
  type FleetPart,
  readOptions,
  readParts,
  refuseLeftOut,
} from "./fleet-request.ts";
import { addVcpus, beginLife } from "./instance-states.ts";
import { findSubnet, takeAddress } from "./network.ts";
import { reservationIdOf } from "./reservations.ts";
import { createSupply, groupsOf } from "./supply.ts";
import { checkTagCount, tagsFor } from "./tags.ts";
import type { Instance, World } from "./world.ts";

/** Launches an instant fleet. A repeated client token launches nothing and answers as `settings.replay` says. */
export function createFleet(world: World, input: CreateFleetRequest): CreateFleetResult {
  refuseLeftOut(input);
  const parts = readParts(input);
  return withToken(
    world,
    "CreateFleet",
    input.ClientToken,
    input,
    () => {
      const options = readOptions(world, input);
      const tags = tagsFor(input.TagSpecifications, "instance");
      const fleetTags = tagsFor(input.TagSpecifications, "fleet");
      for (const option of options) checkTagCount([...instanceTagsOf(option), ...tags]);
      endDryRun(input.DryRun);
      const fleetId = world.newId("fleet");
      world.tags.put(fleetId, fleetTags);
      const launched: CreateFleetInstance[] = [];
      const errors: CreateFleetError[] = [];
      for (const part of parts) {
        const allocation = allocatePart(world, options, part);
        for (const { candidate, count } of allocation.launches) {
          const option = options[candidate.index]!;
          const ids = launchInstances(world, option, candidate, count, { fleetId, tags });
          launched.push(viewLaunch(option, candidate, ids));
        }
        errors.push(...allocation.refusals.map((r) => viewRefusal(options[r.candidate.index]!, r)));
      }
      return { FleetId: fleetId, Errors: errors, Instances: launched };
    },
    (first) => (world.settings.replay === "same" ? first : { FleetId: first.FleetId, Errors: [], Instances: [] }),
  );
}

function allocatePart(world: World, options: readonly FleetOption[], part: FleetPart): Allocation {
  const candidates = candidatesOf(world, options, part.capacityType);
  const request: AllocationRequest = {
    strategy: part.strategy,
    candidates,
    target: part.target,
    poolsToUse: part.poolsToUse,
  };
  const allocation =
    part.single === undefined
      ? allocate(request, createSupply(world, options))
      : allocateInOneGroup(world, options, request, part.single);
  return allocation.fulfilled < part.minimum ? { ...allocation, launches: [], fulfilled: 0 } : allocation;
}

/**
 * All from one type or one zone: the first group, in the strategy's order, that can give the whole target; if none can, the
 * one that gives most. Refusals of the groups that were tried and left are reported too.
 */
function allocateInOneGroup(
  world: World,
  options: readonly FleetOption[],
  request: AllocationRequest,
  single: "type" | "zone",
): Allocation {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of order(request, createSupply(world, options))) {
    const name = single === "type" ? candidate.pool.instanceType : candidate.pool.zone;
    groups.set(name, [...(groups.get(name) ?? []), candidate]);
  }
  let best: Allocation = { launches: [], refusals: [], fulfilled: 0 };
  const refusals: Allocation["refusals"][number][] = [];
  for (const candidates of groups.values()) {
    const tried = allocate({ ...request, candidates }, createSupply(world, options));
    refusals.push(...tried.refusals);
    if (tried.fulfilled > best.fulfilled) best = tried;
    if (tried.fulfilled >= request.target) break;
  }
  return { ...best, refusals };
}

interface Origin {
  readonly fleetId: string;
  readonly tags: readonly Tag[];
}

function launchInstances(
  world: World,
  option: FleetOption,
  candidate: Candidate,
  count: number,
  origin: Origin,
): readonly string[] {
  const subnet = findSubnet(world.network, option.subnetId);
  const reservationId = world.newId("r");
  const ids: string[] = [];
  const reservation = world.reservations.get(reservationIdOf(option.launch) ?? "");
  if (reservation === undefined) world.capacity.take(candidate.pool, count);
  else reservation.used += count;
  for (let i = 0; i < count; i++) {
    const instance: Instance = {
      id: world.newId("i"),
      sequence: world.nextSequence(),
      reservationId,
      pool: candidate.pool,
      subnetId: subnet.id,
      vpcId: subnet.vpcId,
      securityGroupIds: groupsOf(option.launch),
      address: takeAddress(subnet),
      imageId: option.launch.ImageId!,
      architecture: world.images.get(option.launch.ImageId!)?.Architecture ?? "x86_64",
      launch: option.launch,
      clientToken: `${origin.fleetId}-${option.index}`,
      spotRequestId: candidate.pool.capacityType === "spot" ? world.newId("sir") : undefined,
      reservation,
      launchedAt: world.clock.now(),
      state: "pending",
      stateReason: undefined,
      terminatedAt: undefined,
      interruptedAt: undefined,
    };
    addVcpus(world, instance, 1);
    tagInstance(world, instance.id, option, origin);
    beginLife(world, instance);
    ids.push(instance.id);
  }
  return ids;
}

/** The template's tags, then the request's, then EC2's own. */
function tagInstance(world: World, id: string, option: FleetOption, origin: Origin): void {
  world.tags.put(id, instanceTagsOf(option));
  world.tags.put(id, origin.tags);
  world.tags.putOwn(id, {
    "aws:ec2:fleet-id": origin.fleetId,
    "aws:ec2launchtemplate:id": option.template.id,
    "aws:ec2launchtemplate:version": option.template.version,
  });
}

function instanceTagsOf({ launch }: FleetOption): readonly Tag[] {
  return (launch.TagSpecifications ?? []).filter((s) => s.ResourceType === "instance").flatMap((s) => s.Tags ?? []);
}

function viewOption(option: FleetOption): NonNullable<CreateFleetInstance["LaunchTemplateAndOverrides"]> {
  const { BlockDeviceMappings: _devices, ...override } = option.override;
  return {
    LaunchTemplateSpecification: { LaunchTemplateId: option.template.id, Version: option.template.version },
    Overrides: override as NonNullable<CreateFleetInstance["LaunchTemplateAndOverrides"]>["Overrides"],
  };
}

function viewLaunch(option: FleetOption, { pool }: Candidate, ids: readonly string[]): CreateFleetInstance {
  return {
    LaunchTemplateAndOverrides: viewOption(option),
    Lifecycle: pool.capacityType,
    InstanceIds: [...ids],
    InstanceType: pool.instanceType as NonNullable<CreateFleetInstance["InstanceType"]>,
  };
}

function viewRefusal(option: FleetOption, { candidate, refusal }: Allocation["refusals"][number]): CreateFleetError {
  return {
    LaunchTemplateAndOverrides: viewOption(option),
    Lifecycle: candidate.pool.capacityType,
    ErrorCode: refusal.code,
    ErrorMessage: refusal.message,
  };
}
