// What `npx sst deploy` leaves behind: the stacks' outputs as JSON.
import { existsSync, readFileSync } from "node:fs";
import { InputError } from "../input-error.ts";

export const defaultOutputsPath = ".sst/outputs.json";

export interface Outputs {
  /** Where they were read. */
  readonly file: string;
  readonly region?: string;
  readonly table?: string;
  readonly deployment?: string;
  /** The chart's values, by cluster; unchecked, so that one that is wrong keeps nobody from the others. */
  readonly relays: Readonly<Record<string, unknown>>;
}

/** Reads the file that is named, or the default one where it is; undefined: there is none. Throws InputError. */
export function readOutputs(path: string | undefined): Outputs | undefined {
  const file = path ?? defaultOutputsPath;
  if (path === undefined && !existsSync(file)) return undefined;
  const outputs = parsed(file);
  const relays = outputs.relays ?? {};
  if (!isObject(relays)) throw new InputError(`${file}: relays is no object: deploy again, or name the right file`);
  return { ...texts(outputs), file, relays };
}

function parsed(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new InputError(`${file} cannot be read (${(cause as Error).message}): npx sst deploy writes it`, { cause });
  }
  let value: unknown;
  try {
    // Some editors and shells put a mark of the byte order first.
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new InputError(`${file} is not JSON: npx sst deploy writes it`, { cause });
  }
  if (!isObject(value)) throw new InputError(`${file} is no JSON object: npx sst deploy writes it`);
  return value;
}

function texts(outputs: Record<string, unknown>): Omit<Outputs, "file" | "relays"> {
  const names = ["region", "table", "deployment"] as const;
  return Object.fromEntries(
    names.flatMap((name) => (typeof outputs[name] === "string" ? [[name, outputs[name]]] : [])),
  );
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
