// Reading bodies in Kubernetes' protobuf: Go clients write it by default, `kubectl create` among them. Answers are JSON always,
// which such clients accept too. Which field has which number stands in generated/protobuf.json.
import { type Field, messageFields } from "../messages.ts";
import { badRequest } from "../status.ts";
import type { Json, JsonObject } from "../types.ts";

export const protobufType = "application/vnd.kubernetes.protobuf";

/** "k8s" and a zero byte stand before every message. */
const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

function fieldsOf(name: string): ReadonlyMap<number, Field> {
  const found = messageFields(name);
  if (found === undefined) throw badRequest(`protobuf: no message ${name} is known here; send JSON`);
  return found;
}

type Wire = { number: number; varint: bigint } | { number: number; bytes: Buffer };

function truncated(): Error {
  return badRequest("protobuf: the message ends too early");
}

function readVarint(bytes: Buffer, at: number): { value: bigint; next: number } {
  let value = 0n;
  let next = at;
  for (let shift = 0n; ; shift += 7n) {
    const byte = bytes[next++];
    if (byte === undefined || shift > 63n) throw truncated();
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return { value, next };
  }
}

/** Takes a message apart. Fixed-width fields come as bytes. */
function split(bytes: Buffer): Wire[] {
  const out: Wire[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = readVarint(bytes, at);
    const number = Number(tag.value >> 3n);
    const wireType = Number(tag.value & 7n);
    at = tag.next;
    if (wireType === 0) {
      const { value, next } = readVarint(bytes, at);
      out.push({ number, varint: value });
      at = next;
      continue;
    }
    let length = wireType === 1 ? 8 : 4;
    if (wireType === 2) {
      const size = readVarint(bytes, at);
      length = Number(size.value);
      at = size.next;
    } else if (wireType !== 1 && wireType !== 5)
      throw badRequest(`protobuf: wire type ${wireType} is not used by Kubernetes`);
    if (at + length > bytes.length) throw truncated();
    out.push({ number, bytes: bytes.subarray(at, at + length) });
    at += length;
  }
  return out;
}

function signed(value: bigint): number {
  return Number(BigInt.asIntN(64, value));
}

function bytesOf(wire: Wire): Buffer {
  if ("varint" in wire)
    throw badRequest(`protobuf: field ${wire.number} holds a number where a text or message belongs`);
  return wire.bytes;
}

function numbered(bytes: Buffer): Map<number, Wire> {
  return new Map(split(bytes).map((wire) => [wire.number, wire]));
}

function integerIn(fields: Map<number, Wire>, number: number): number {
  const wire = fields.get(number);
  return wire !== undefined && "varint" in wire ? signed(wire.varint) : 0;
}

function textIn(fields: Map<number, Wire>, number: number): string {
  const wire = fields.get(number);
  return wire === undefined ? "" : bytesOf(wire).toString("utf8");
}

const millisecondsPerSecond = 1000;
const nanosecondsPerMicrosecond = 1000;

function time(bytes: Buffer, micro: boolean): Json {
  const fields = numbered(bytes);
  if (fields.size === 0) return null;
  const text = new Date(integerIn(fields, 1) * millisecondsPerSecond).toISOString().slice(0, 19);
  if (!micro) return `${text}Z`;
  const micros = Math.floor(integerIn(fields, 2) / nanosecondsPerMicrosecond);
  return `${text}.${String(micros).padStart(6, "0")}Z`;
}

/** Types whose JSON form is not their structure. */
function special(type: string, bytes: Buffer): Json | undefined {
  const fields = type === "Time" || type === "MicroTime" ? undefined : numbered(bytes);
  switch (type) {
    case "Time":
      return time(bytes, false);
    case "MicroTime":
      return time(bytes, true);
    case "Quantity":
      return textIn(fields!, 1);
    case "IntOrString":
      return integerIn(fields!, 1) === 0 ? integerIn(fields!, 2) : textIn(fields!, 3);
    case "Raw":
      return JSON.parse(textIn(fields!, 1) || "null") as Json;
    case "Duration":
      return `${integerIn(fields!, 1)}ns`;
    default:
      return undefined;
  }
}

const specials = new Set(["Time", "MicroTime", "Quantity", "IntOrString", "Raw", "Duration"]);

function fieldValue(type: string, wire: Wire): Json {
  if (type === "i") return "varint" in wire ? signed(wire.varint) : 0;
  if (type === "b") return "varint" in wire && wire.varint !== 0n;
  if (type === "d") return bytesOf(wire).readDoubleLE(0);
  if (type === "s") return bytesOf(wire).toString("utf8");
  if (type === "y") return bytesOf(wire).toString("base64");
  if (specials.has(type)) return special(type, bytesOf(wire)) ?? null;
  return decodeMessage(type, bytesOf(wire));
}

function isZero(value: Json): boolean {
  return value === "" || value === 0 || value === false || value === null;
}

function decodeMessage(name: string, bytes: Buffer): JsonObject {
  const fields = fieldsOf(name);
  const out: JsonObject = {};
  for (const wire of split(bytes)) {
    const field = fields.get(wire.number);
    if (field === undefined) continue;
    const { type } = field;
    if (field.mark === "~") Object.assign(out, decodeMessage(type, bytesOf(wire)));
    else if (type.startsWith("[]")) {
      const list = out[field.name];
      const value = fieldValue(type.slice(2), wire);
      out[field.name] = Array.isArray(list) ? [...list, value] : [value];
    } else if (type.startsWith("{}")) {
      const entry = numbered(bytesOf(wire));
      const value = entry.get(2);
      const map = (out[field.name] ?? {}) as JsonObject;
      map[textIn(entry, 1)] = value === undefined ? "" : mapValue(type.slice(2), value);
      out[field.name] = map;
    } else {
      const value = fieldValue(type, wire);
      if (field.mark !== "" || !isZero(value)) out[field.name] = value;
    }
  }
  return out;
}

/** Map values that are lists themselves (extra attributes of a user) come as a message with one repeated text. */
function mapValue(type: string, wire: Wire): Json {
  if (!type.startsWith("[]")) return fieldValue(type, wire);
  return split(bytesOf(wire)).map((item) => fieldValue(type.slice(2), item));
}

function messageName(apiVersion: string, kind: string): string {
  if (kind === "DeleteOptions") return "meta.v1.DeleteOptions";
  const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["core", apiVersion];
  return `${group.split(".")[0]}.${version}.${kind}`;
}

/** A request body as the JSON document that it stands for. @throws BadRequest for what is no such message or of an unknown kind. */
export function decodeProtobuf(body: Buffer): JsonObject {
  if (!body.subarray(0, magic.length).equals(magic)) {
    throw badRequest("protobuf: the body does not begin as a Kubernetes message does");
  }
  const envelope = numbered(body.subarray(magic.length));
  const typeMeta = numbered(bytesOf(envelope.get(1) ?? { number: 1, bytes: Buffer.alloc(0) }));
  const apiVersion = textIn(typeMeta, 1);
  const kind = textIn(typeMeta, 2);
  const raw = envelope.get(2);
  const content = raw === undefined ? {} : decodeMessage(messageName(apiVersion, kind), bytesOf(raw));
  return { apiVersion, kind, ...content };
}
