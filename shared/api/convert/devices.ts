// Dynamic Resource Allocation (resource.k8s.io/v1): claims, their templates, device classes and the devices of nodes, as far
// as structured parameters decide where pods can run. Names without a domain get their driver's, as Kubernetes reads them.
import type {
  Device,
  DeviceAllocation,
  DeviceAsk,
  DeviceAttribute,
  DeviceClass,
  DeviceConstraint,
  DeviceDemand,
  DeviceRequest,
  PodResourceClaim,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from "../../core/model/index.ts";
import { nodeTermOf } from "./affinity.ts";
import {
  amounts,
  choice,
  converting,
  type Document,
  each,
  FieldProblem,
  fieldsOf,
  given,
  inside,
  isRecord,
  listOf,
  numberOr,
  text,
  textOr,
  texts,
} from "./fields.ts";
import { metadataOf, taintsOf } from "./metadata.ts";
import { tolerationOf } from "./tolerations.ts";

const noClaims: readonly PodResourceClaim[] = Object.freeze([]);

/** A pod's `spec.resourceClaims`, with the claims that were made for it from templates (of its status). */
export function podResourceClaimsOf(spec: Document, status: Document | undefined): readonly PodResourceClaim[] {
  if (spec.resourceClaims === undefined || spec.resourceClaims === null) return noClaims;
  const made = new Map(
    each(status?.resourceClaimStatuses, "status.resourceClaimStatuses", (one) => [
      text(one.name, "name"),
      textOr(one.resourceClaimName, undefined, "resourceClaimName"),
    ]),
  );
  return each(spec.resourceClaims, "spec.resourceClaims", (claim): PodResourceClaim => {
    const name = text(claim.name, "name");
    const templateName = textOr(claim.resourceClaimTemplateName, undefined, "resourceClaimTemplateName");
    const claimName = textOr(claim.resourceClaimName, undefined, "resourceClaimName") ?? made.get(name);
    return {
      name,
      ...given("claimName", claimName),
      ...given("templateName", templateName),
      ...(made.has(name) && claimName === undefined ? { isUnneeded: true } : {}),
    };
  });
}

/** @throws UnreadableObjectError */
export function toResourceClaim(document: unknown): ResourceClaim {
  return converting("ResourceClaim", document, (claim) => {
    const { uid, namespace, name, deletionAtMs, owner } = metadataOf(claim);
    const status = fieldsOf(claim.status, "status");
    return {
      namespace: namespace ?? "default",
      name,
      uid,
      ...given("deletionAtMs", deletionAtMs),
      ...given("ownerUid", owner?.kind === "Pod" ? owner.uid : undefined),
      demand: inside(claim.spec, "spec", demandOf),
      ...given("allocation", allocationOf(status.allocation)),
      reservedFor: each(status.reservedFor, "status.reservedFor", (user) => text(user.uid, "uid")),
    };
  });
}

/** @throws UnreadableObjectError */
export function toResourceClaimTemplate(document: unknown): ResourceClaimTemplate {
  return converting("ResourceClaimTemplate", document, (template) => {
    const { namespace, name } = metadataOf(template);
    const demand = inside(template.spec, "spec", (spec) => inside(spec.spec, "spec", demandOf));
    return { namespace: namespace ?? "default", name, demand };
  });
}

/** @throws UnreadableObjectError */
export function toDeviceClass(document: unknown): DeviceClass {
  return converting("DeviceClass", document, (deviceClass) => ({
    name: metadataOf(deviceClass).name,
    selectors: selectorsOf(fieldsOf(deviceClass.spec, "spec").selectors, "spec.selectors"),
  }));
}

/** @throws UnreadableObjectError */
export function toResourceSlice(document: unknown): ResourceSlice {
  return converting("ResourceSlice", document, (slice) => {
    const spec = fieldsOf(slice.spec, "spec");
    const driver = text(spec.driver, "spec.driver");
    const pool = fieldsOf(spec.pool, "spec.pool");
    return {
      name: metadataOf(slice).name,
      driver,
      pool: text(pool.name, "spec.pool.name"),
      generation: numberOr(pool.generation, 0, "spec.pool.generation"),
      slicesOfPool: numberOr(pool.resourceSliceCount, 1, "spec.pool.resourceSliceCount"),
      ...given("nodeName", textOr(spec.nodeName, undefined, "spec.nodeName") || undefined),
      devices: each(spec.devices, "spec.devices", (device) => deviceOf(device, driver)).flat(),
    };
  });
}

/**
 * A device as it can be handed out by itself. Those that share counters with others, that several claims may have, or that
 * are yet to be attached are left out: they are not planned with.
 */
function deviceOf(device: Document, driver: string): readonly Device[] {
  const isShared = listOf(device.consumesCounters, "consumesCounters").length > 0;
  const isBound = listOf(device.bindingConditions, "bindingConditions").length > 0;
  if (isShared || isBound || device.allowMultipleAllocations === true) return [];
  const capacities = fieldsOf(device.capacity, "capacity");
  return [
    {
      name: text(device.name, "name"),
      attributes: qualified(fieldsOf(device.attributes, "attributes"), driver, attributeOf),
      capacity: qualified(
        capacities,
        driver,
        (value, field) =>
          // Counts and bytes alike: `memory` is read in whole units.
          amounts({ memory: fieldsOf(value, field).value }, "down", `capacity.${field}`).memory!,
      ),
      taints: taintsOf(
        each(device.taints, "taints", (taint) => taint).filter(({ effect }) => effect !== "None"),
        "taints",
      ),
    },
  ];
}

function qualified<T>(
  values: Document,
  driver: string,
  read: (value: unknown, field: string) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name.includes("/") ? name : `${driver}/${name}`, read(value, name)]),
  );
}

function attributeOf(value: unknown, name: string): DeviceAttribute {
  const field = `attributes.${name}`;
  const attribute = fieldsOf(value, field);
  if (typeof attribute.string === "string") return { string: attribute.string };
  if (typeof attribute.version === "string") return { version: attribute.version };
  if (typeof attribute.bool === "boolean") return { bool: attribute.bool };
  if (typeof attribute.int === "number" && Number.isSafeInteger(attribute.int)) return { int: attribute.int };
  throw new FieldProblem(field, "expected a string, an int, a bool or a version");
}

function selectorsOf(value: unknown, field: string): readonly string[] {
  return each(value, field, (selector) => text(fieldsOf(selector.cel, "cel").expression, "cel.expression"));
}

function demandOf(spec: Document): DeviceDemand {
  const devices = fieldsOf(spec.devices, "devices");
  const constraints = each(devices.constraints, "devices.constraints", constraintOf);
  const isDistinct = constraints.includes(undefined);
  return {
    requests: each(devices.requests, "devices.requests", requestOf),
    constraints: constraints.filter((one) => one !== undefined),
    ...(isDistinct ? { unplanned: "asks for devices that differ in an attribute (distinctAttribute)" } : {}),
  };
}

function constraintOf(constraint: Document): DeviceConstraint | undefined {
  const matchAttribute = textOr(constraint.matchAttribute, undefined, "matchAttribute");
  return matchAttribute === undefined
    ? undefined
    : { requests: texts(constraint.requests, "requests"), matchAttribute };
}

function requestOf(request: Document): DeviceRequest {
  const name = text(request.name, "name");
  if (Array.isArray(request.firstAvailable)) {
    const alternatives = each(request.firstAvailable, "firstAvailable", (one) => ({
      name: text(one.name, "name"),
      ...askOf(one),
    }));
    return { name, alternatives };
  }
  if (!isRecord(request.exactly)) throw new FieldProblem("exactly", "is missing, and so is firstAvailable");
  return { name, alternatives: [{ name, ...inside(request.exactly, "exactly", askOf) }] };
}

function askOf(ask: Document): DeviceAsk {
  const mode = choice(ask.allocationMode || undefined, ["ExactCount", "All"], "allocationMode", "ExactCount");
  const count = numberOr(ask.count, 1, "count");
  if (!Number.isSafeInteger(count) || count < 1) throw new FieldProblem("count", "expected a whole number above 0");
  const unplanned =
    ask.adminAccess === true
      ? "asks for devices that others may have too (adminAccess)"
      : isRecord(ask.capacity)
        ? "asks for a share of a device's capacity"
        : undefined;
  return {
    deviceClass: text(ask.deviceClassName, "deviceClassName"),
    selectors: selectorsOf(ask.selectors, "selectors"),
    count: mode === "All" ? "all" : count,
    tolerations: each(ask.tolerations, "tolerations", tolerationOf),
    ...given("unplanned", unplanned),
  };
}

function allocationOf(value: unknown): DeviceAllocation | undefined {
  if (value === undefined || value === null) return undefined;
  return inside(value, "status.allocation", (allocation) => ({
    devices: each(fieldsOf(allocation.devices, "devices").results, "devices.results", (result) => ({
      driver: text(result.driver, "driver"),
      pool: text(result.pool, "pool"),
      device: text(result.device, "device"),
    })),
    ...(isRecord(allocation.nodeSelector)
      ? { nodeSelector: each(allocation.nodeSelector.nodeSelectorTerms, "nodeSelector.nodeSelectorTerms", nodeTermOf) }
      : {}),
  }));
}
