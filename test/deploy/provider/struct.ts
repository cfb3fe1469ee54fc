// Values as the engine sends them: protobuf structs in which secrets, assets and unknown values are marked.
import { requirePlatform } from "../platform.ts";
import type { Message } from "../serve.ts";
import type { Values } from "./aws.ts";

const { Struct } = requirePlatform()("google-protobuf/google/protobuf/struct_pb.js");

const signature = "4dabf18193072939515e22adb298388d";
const secret = "1b47061264138c4ac30d75fd1eb44270";
/** Stands in a preview for what only the deployment will know. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export function fromStruct(struct: Message | undefined): Values {
  return struct === undefined ? {} : open(struct.toJavaScript());
}

export function toStruct(values: Values): Message {
  return Struct.fromJavaScript(values);
}

/** Secrets opened: the stand-in's state lies in a temporary emulator. */
function open<T>(value: T): T {
  if (Array.isArray(value)) return value.map(open) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = value as Values;
  if (entries[signature] === secret) return open(entries.value as T);
  return Object.fromEntries(Object.entries(entries).map(([key, one]) => [key, open(one)])) as T;
}

/** Equal all the way down, whatever the order of keys; assets by their hash. */
export function same(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value as Values).filter(([, one]) => one !== null && one !== undefined);
  const asset = (value as Values)[signature] !== undefined && typeof (value as Values).hash === "string";
  return `{${entries
    .filter(([key]) => !asset || key === "hash")
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => `${key}:${canonical(one)}`)
    .join()}}`;
}
