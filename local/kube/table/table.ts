// Tables (meta.k8s.io/v1): what `kubectl get` prints, made by the server.
import type { PrinterColumn, ServedKind } from "../registry.ts";
import type { Json, JsonObject, KubeObject } from "../types.ts";
import { type Column, columnsByResource } from "./columns.ts";
import { ageText } from "./duration.ts";
import { valuesAt } from "./json-path.ts";
import { workloadColumns } from "./workload-columns.ts";

const nameDefinition: JsonObject = {
  name: "Name",
  type: "string",
  format: "name",
  description: "The object's name, unique in its namespace and kind.",
  priority: 0,
};

function customCell(column: PrinterColumn, object: KubeObject, nowMs: number): Json {
  const values = valuesAt(object as unknown as Json, column.jsonPath);
  const first = values[0];
  if (first === undefined || first === null) return null;
  if (column.type === "date") return typeof first === "string" ? ageText(first, nowMs) : "<invalid>";
  if (column.type === "integer" || column.type === "number" || column.type === "boolean") return first;
  return values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(" ");
}

interface Layout {
  definitions: JsonObject[];
  cells: (object: KubeObject, nowMs: number) => Json[];
}

function builtInLayout(kind: ServedKind): Layout {
  const columns: readonly Column[] =
    workloadColumns[kind.storage] ?? columnsByResource[kind.storage] ?? columnsByResource.default!;
  return {
    definitions: columns.map((column) => ({
      name: column.name,
      type: column.type ?? "string",
      format: column.format ?? "",
      description: column.description ?? column.name,
      priority: column.priority ?? 0,
    })),
    cells: (object, nowMs) => columns.map((column) => column.cell(object, nowMs)),
  };
}

function customLayout(columns: readonly PrinterColumn[]): Layout {
  return {
    definitions: [
      nameDefinition,
      ...columns.map((column) => ({
        name: column.name,
        type: column.type,
        format: column.format ?? "",
        description: column.description ?? `Custom resource definition column (in JSONPath format): ${column.jsonPath}`,
        priority: column.priority ?? 0,
      })),
    ],
    cells: (object, nowMs) => [
      object.metadata.name ?? "",
      ...columns.map((column) => customCell(column, object, nowMs)),
    ],
  };
}

function included(object: KubeObject, include: string): Json {
  if (include === "None") return null;
  if (include === "Object") return object as unknown as Json;
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata as unknown as Json };
}

/**
 * @param include "Metadata", "Object" or "None": what each row carries besides its cells.
 * @param nowMs epoch milliseconds, for ages.
 */
export function tableOf(
  kind: ServedKind,
  objects: readonly KubeObject[],
  metadata: JsonObject,
  include: string,
  nowMs: number,
): JsonObject {
  const layout = kind.custom === undefined ? builtInLayout(kind) : customLayout(kind.custom.columns);
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata,
    columnDefinitions: layout.definitions,
    rows: objects.map((object) => ({ cells: layout.cells(object, nowMs), object: included(object, include) })),
  };
}
