import { readFileSync } from "node:fs";
import { descriptionFault } from "../../core/catalog/index.ts";
import type { Catalog, InstanceTypeDescription } from "../../core/model/index.ts";
import { OperationError } from "../../ports/index.ts";

type Json = Record<string, unknown>;

/**
 * Reads a catalog file (JSON: region, zones, instanceTypes as EC2 describes them, offerings, onDemand, spot, unavailable,
 * reserved; prices in USD an hour). Throws OperationError naming the file and the field; absent maps and lists are empty.
 */
export function readCatalogFile(path: string): Catalog {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new OperationError(`${path}: cannot be read (${(cause as Error).message})`, {
      retry: "never",
      code: "not-found",
      cause,
    });
  }
  return parseCatalog(text, path);
}

/** As `readCatalogFile`, for text that is there already; `name` stands in messages. */
export function parseCatalog(text: string, name: string): Catalog {
  const fail = (field: string, expected: string): never => {
    throw new OperationError(`${name}: ${field}: expected ${expected}`, { retry: "never", code: "bad-request" });
  };
  let json: unknown;
  try {
    // Some editors and shells put a mark of the byte order first.
    json = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    const message = `${name}: not JSON (${(cause as Error).message})`;
    throw new OperationError(message, { retry: "never", code: "bad-request", cause });
  }
  if (!isObject(json)) return fail("document", "an object");
  const {
    region,
    zones,
    instanceTypes,
    offerings = {},
    onDemand = {},
    spot = {},
    unavailable = [],
    reserved = [],
  } = json;
  if (typeof region !== "string") return fail("region", "a region's name");
  checkRows(zones, "zones", ["name", "id"], fail);
  if (!Array.isArray(instanceTypes)) return fail("instanceTypes", "a list of DescribeInstanceTypes objects");
  instanceTypes.forEach((type, index) => {
    const fault = isObject(type) ? descriptionFault(type as InstanceTypeDescription) : "InstanceType";
    if (fault !== undefined) fail(`instanceTypes[${index}].${fault}`, "what DescribeInstanceTypes returns there");
  });
  checkMap(offerings, "offerings", (v) => Array.isArray(v) && v.every((z) => typeof z === "string"), "zones", fail);
  checkMap(onDemand, "onDemand", isPrice, "a price in USD an hour", fail);
  checkMap(spot, "spot", (v) => isObject(v) && Object.values(v).every(isPrice), "a price by zone", fail);
  checkRows(unavailable, "unavailable", ["instanceType", "zone", "capacityType"], fail);
  checkRows(reserved, "reserved", ["id", "instanceType", "zone"], fail);
  for (const [index, row] of (reserved as Json[]).entries()) {
    if (!Number.isSafeInteger(row.count) || (row.count as number) < 0) fail(`reserved[${index}].count`, "a count");
  }
  return { region, zones, instanceTypes, offerings, onDemand, spot, unavailable, reserved } as Catalog;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPrice(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

type Fail = (field: string, expected: string) => never;

function checkRows(rows: unknown, field: string, strings: readonly string[], fail: Fail): void {
  if (!Array.isArray(rows)) fail(field, "a list");
  for (const [index, row] of (rows as unknown[]).entries()) {
    for (const name of strings) {
      if (!isObject(row) || typeof row[name] !== "string") fail(`${field}[${index}].${name}`, "a text");
    }
  }
}

function checkMap(
  map: unknown,
  field: string,
  isRight: (value: unknown) => boolean,
  expected: string,
  fail: Fail,
): void {
  if (!isObject(map)) fail(field, "an object by instance type");
  for (const [type, value] of Object.entries(map as Json)) {
    if (!isRight(value)) fail(`${field}["${type}"]`, expected);
  }
}
