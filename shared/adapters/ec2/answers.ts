// From the SDK's answers to the model's nouns.

import type { CreateFleetError, CreateFleetInstance, CreateFleetResult, Image, Instance } from "@aws-sdk/client-ec2";
import type { CloudInstance, FleetRequest, LaunchRefusal } from "../../core/model/index.ts";
import type { Cloud, FleetResult } from "../../ports/index.ts";
import { classOfName, meanings } from "./classify.ts";

type Override = FleetRequest["overrides"][number];

/** What a fleet gave: its instances, and as refusals the pools that gave less than they were asked for. */
export function toFleetResult(request: FleetRequest, answer: CreateFleetResult): FleetResult {
  return {
    instances: (answer.Instances ?? []).flatMap((launched) => toLaunched(request, launched)),
    refusals: (answer.Errors ?? []).map((error) => toRefusal(request, error)),
  };
}

function toLaunched(request: FleetRequest, launched: CreateFleetInstance): FleetResult["instances"] {
  const override = findOverride(request, launched);
  const echoed = launched.LaunchTemplateAndOverrides?.Overrides;
  return (launched.InstanceIds ?? []).map((id) => ({
    id,
    instanceType: launched.InstanceType ?? override?.instanceType ?? "",
    zone: echoed?.AvailabilityZone ?? override?.zone ?? "",
    subnetId: echoed?.SubnetId ?? override?.subnetId ?? "",
    capacityType: request.capacityType,
    imageId: echoed?.ImageId ?? override?.imageId ?? "",
  }));
}

/** EC2 names the pool by what the override said; what it leaves out is looked up in the request. */
function findOverride(request: FleetRequest, from: CreateFleetInstance | CreateFleetError): Override | undefined {
  const echoed = from.LaunchTemplateAndOverrides?.Overrides;
  const template = from.LaunchTemplateAndOverrides?.LaunchTemplateSpecification?.LaunchTemplateName;
  const type = ("InstanceType" in from ? from.InstanceType : undefined) ?? echoed?.InstanceType;
  const fitting = request.overrides.filter(
    (o) =>
      o.instanceType === type &&
      (echoed?.SubnetId === undefined || o.subnetId === echoed.SubnetId) &&
      (echoed?.AvailabilityZone === undefined || o.zone === echoed.AvailabilityZone),
  );
  return fitting.find((o) => o.template === template) ?? fitting[0];
}

function toRefusal(request: FleetRequest, error: CreateFleetError): LaunchRefusal {
  const override = findOverride(request, error);
  const reservationId = reservationOf(request, override);
  return {
    ...refusalOf(error.ErrorCode ?? "Unknown", error.ErrorMessage ?? ""),
    capacityType: request.capacityType,
    ...(override === undefined
      ? {}
      : { instanceType: override.instanceType, zone: override.zone, subnetId: override.subnetId }),
    ...(reservationId === undefined ? {} : { reservationId }),
  };
}

function reservationOf({ templates }: FleetRequest, override: Override | undefined): string | undefined {
  return templates.find(({ name }) => name === override?.template)?.capacityReservationId;
}

function refusalOf(code: string, message: string): LaunchRefusal {
  const group = classOfName(code);
  return { kind: group === undefined ? "other" : meanings[group].refusal, code, message };
}

/**
 * EC2 refused the whole request for want of capacity, addresses or quota: that is a result, not a failure. Without capacity
 * every override was refused; the other two name nothing more.
 */
export function refuseAll(request: FleetRequest, code: string, message: string): FleetResult {
  const refusal = { ...refusalOf(code, message), capacityType: request.capacityType };
  if (refusal.kind !== "no-capacity") return { instances: [], refusals: [refusal] };
  return {
    instances: [],
    refusals: request.overrides.map((o) => {
      const reservationId = reservationOf(request, o);
      const pool = { instanceType: o.instanceType, zone: o.zone, subnetId: o.subnetId };
      return { ...refusal, ...pool, ...(reservationId === undefined ? {} : { reservationId }) };
    }),
  };
}

const states: readonly string[] = ["pending", "running", "shutting-down", "terminated", "stopping", "stopped"];

/** Undefined for a description without id, type, zone or a state that we know: EC2 never gives one. */
export function toCloudInstance(instance: Instance): CloudInstance | undefined {
  const { InstanceId: id, InstanceType: instanceType, Placement: placement, State: state } = instance;
  if (id === undefined || instanceType === undefined || placement?.AvailabilityZone === undefined) return undefined;
  if (state?.Name === undefined || !states.includes(state.Name)) return undefined;
  const spot = instance.InstanceLifecycle === "spot";
  return {
    id,
    state: state.Name as CloudInstance["state"],
    instanceType,
    zone: placement.AvailabilityZone,
    ...(placement.AvailabilityZoneId ? { zoneId: placement.AvailabilityZoneId } : {}),
    capacityType: spot ? "spot" : instance.CapacityReservationId ? "reserved" : "on-demand",
    ...(instance.ImageId ? { imageId: instance.ImageId } : {}),
    ...(instance.SubnetId ? { subnetId: instance.SubnetId } : {}),
    ...(instance.PrivateDnsName ? { privateDnsName: instance.PrivateDnsName } : {}),
    launchedAtMs: instance.LaunchTime?.getTime() ?? 0,
    tags: Object.fromEntries((instance.Tags ?? []).map(({ Key = "", Value = "" }) => [Key, Value])),
  };
}

type CloudImage = Awaited<ReturnType<Cloud["findImages"]>>[number];

/** Undefined for an image that no node can run: another architecture, or not available. */
export function toCloudImage(image: Image, nowMs: number): CloudImage | undefined {
  const { ImageId: id, Architecture: architecture } = image;
  if (id === undefined || (architecture !== "x86_64" && architecture !== "arm64")) return undefined;
  if (image.State !== undefined && image.State !== "available") return undefined;
  return {
    id,
    name: image.Name ?? "",
    architecture,
    createdAtMs: image.CreationDate === undefined ? 0 : Date.parse(image.CreationDate),
    deprecated: image.DeprecationTime !== undefined && Date.parse(image.DeprecationTime) <= nowMs,
  };
}
