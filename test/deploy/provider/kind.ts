// What the provider stand-in must know of a resource type to make it by AWS's own API.
import type { Calls, Values } from "./aws.ts";

export interface Surroundings extends Calls {
  readonly account: string;
  readonly partition: string;
  /** Tags that the provider puts on everything that can bear tags. */
  readonly defaultTags: Readonly<Record<string, string>>;
}

/** A resource as it stands: what the program gave, and what AWS answered. */
export interface Made {
  readonly id: string;
  /** Properties beside the inputs. */
  readonly outputs?: Values;
}

export interface Kind {
  /** The property that gets a name made of the logical name where the program gives none. */
  readonly named?: { readonly property: string; readonly maxLength: number; readonly lower?: boolean };
  /** Properties that only a new resource can have otherwise. */
  readonly fixed: readonly string[];
  /** Deletes before it creates, since both cannot exist. */
  readonly deleteFirst?: boolean;
  /** True where AWS keeps tags with it, so that the provider's default tags belong on it. */
  readonly tagged?: boolean;
  create(inputs: Values, around: Surroundings): Promise<Made>;
  update?(id: string, inputs: Values, olds: Values, around: Surroundings): Promise<Values | undefined>;
  /** Absent: there is nothing to delete apart from what it belongs to. */
  remove?(id: string, state: Values, around: Surroundings): Promise<void>;
  /** Outputs of a live one; rejects with AWS's "not found" if it is gone. */
  read?(id: string, state: Values, around: Surroundings): Promise<Values>;
}

/** Answers a data source such as `aws:index/getRegion:getRegion`. */
export type DataSource = (args: Values, around: Surroundings) => Promise<Values> | Values;

/** `text(inputs.name)`: a property that must be there as a string. */
export function text(value: unknown): string {
  if (typeof value !== "string" || value === "") throw new Error(`expected a text, got ${JSON.stringify(value)}`);
  return value;
}

/** A list property, empty where absent. */
export function list(value: unknown): readonly Values[] {
  return Array.isArray(value) ? value : [];
}

export function values(value: unknown): Values {
  return typeof value === "object" && value !== null ? (value as Values) : {};
}

/** `camelCase` as Pulumi writes it into `PascalCase` as AWS does, all the way down; map keys are left alone by `maps`. */
export function pascal(value: unknown, maps: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((one) => pascal(one, maps));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key.charAt(0).toUpperCase() + key.slice(1),
      maps.includes(key) ? one : pascal(one, maps),
    ]),
  );
}

/** Without the entries that are undefined or null: AWS's clients refuse them. */
export function given(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
}

export function tagList(tags: unknown): { Key: string; Value: string }[] {
  return Object.entries(values(tags)).map(([Key, Value]) => ({ Key, Value: String(Value) }));
}
