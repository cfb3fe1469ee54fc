import type { RequirementSpec } from "../model/index.ts";
import { normalizeLabelKey } from "./labels.ts";

/** A requirement that cannot be read: the key, and what is wrong with its operator or values. */
export class RequirementError extends Error {
  readonly key: string;

  constructor(key: string, why: string) {
    super(`requirement on "${key}": ${why}`);
    this.name = "RequirementError";
    this.key = key;
  }
}

const noValues: ReadonlySet<string> = new Set();
const integer = /^\d+$/;
const signedInteger = /^[+-]?\d+$/;

/** A label value as an integer, or NaN: bounds compare integers only, and "4 " or "4Gi" is none. */
function integerOf(value: string): number {
  if (!integer.test(value)) return Number.NaN;
  const parsed = Number(value);
  return Number.isSafeInteger(parsed) ? parsed : Number.NaN;
}

function isWithin(value: string, gte: number, lte: number): boolean {
  if (gte === Number.NEGATIVE_INFINITY && lte === Number.POSITIVE_INFINITY) return true;
  const parsed = integerOf(value);
  return parsed >= gte && parsed <= lte;
}

/**
 * What one label may be: a set of values or the complement of one, integer bounds, and whether it may be absent. Immutable
 * and canonical: two requirements that allow the same have the same fields, except that a finite set never has bounds
 * and a complement lists no value outside its bounds.
 */
export class Requirement {
  readonly key: string;
  /** True: every value but `values`. */
  readonly complement: boolean;
  readonly values: ReadonlySet<string>;
  /** Inclusive bounds on integer values; ∓Infinity where there is none. Only with `complement`. */
  readonly gte: number;
  readonly lte: number;
  /** A node without the label satisfies it. */
  readonly absent: boolean;
  /** Flexibility floor; 0: none. */
  readonly minValues: number;

  private constructor(
    key: string,
    complement: boolean,
    values: ReadonlySet<string>,
    gte: number,
    lte: number,
    absent: boolean,
    minValues: number,
  ) {
    this.key = key;
    this.absent = absent;
    this.minValues = minValues;
    const bounded = gte !== Number.NEGATIVE_INFINITY || lte !== Number.POSITIVE_INFINITY;
    // Label values are never negative numbers: below zero there is nothing, and from zero on is no bound beside an upper one.
    const impossible = complement && Math.max(gte, 0) > lte;
    this.complement = complement && !impossible;
    if (impossible) this.values = noValues;
    else this.values = bounded ? new Set([...values].filter((value) => isWithin(value, gte, lte))) : values;
    const finite = gte === Number.NEGATIVE_INFINITY ? gte : Math.max(gte, 0);
    const lowest = finite <= 0 && lte !== Number.POSITIVE_INFINITY ? Number.NEGATIVE_INFINITY : finite;
    this.gte = this.complement ? lowest : Number.NEGATIVE_INFINITY;
    this.lte = this.complement ? lte : Number.POSITIVE_INFINITY;
  }

  /** From what people wrote. Aliases become stable keys; `Gt n` is `Gte n+1`, `Lt n` is `Lte n−1`. Throws RequirementError. */
  static of(spec: RequirementSpec): Requirement {
    const key = normalizeLabelKey(spec.key);
    const minValues = spec.minValues ?? 0;
    const all = Number.POSITIVE_INFINITY;
    switch (spec.operator) {
      case "In":
        return new Requirement(key, false, new Set(spec.values), -all, all, false, minValues);
      case "NotIn":
        return new Requirement(key, true, new Set(spec.values), -all, all, true, minValues);
      case "Exists":
        return new Requirement(key, true, noValues, -all, all, false, minValues);
      case "DoesNotExist":
        return new Requirement(key, false, noValues, -all, all, true, minValues);
      case "Gt":
        return new Requirement(key, true, noValues, bound(spec) + 1, all, false, minValues);
      case "Gte":
        return new Requirement(key, true, noValues, bound(spec), all, false, minValues);
      case "Lt":
        return new Requirement(key, true, noValues, -all, bound(spec) - 1, false, minValues);
      case "Lte":
        return new Requirement(key, true, noValues, -all, bound(spec), false, minValues);
      default:
        throw new RequirementError(spec.key, `operator "${spec.operator as string}" is not known`);
    }
  }

  /** The label has one of these values. */
  static in(key: string, values: Iterable<string>): Requirement {
    return Requirement.of({ key, operator: "In", values: [...values] });
  }

  /** Nothing can satisfy it, neither a value nor absence. */
  get impossible(): boolean {
    return !this.complement && this.values.size === 0 && !this.absent;
  }

  /** A node whose label has this value satisfies it. */
  has(value: string): boolean {
    return this.complement ? !this.values.has(value) && isWithin(value, this.gte, this.lte) : this.values.has(value);
  }

  /** A node whose label has this value (undefined: none) satisfies it. */
  matches(value: string | undefined): boolean {
    return value === undefined ? this.absent : this.has(value);
  }

  /** Something satisfies both. Allocates nothing: this is asked far more often than `intersection`. */
  intersects(other: Requirement): boolean {
    if (this.absent && other.absent) return true;
    if (this.complement && other.complement) {
      // No finite set of exclusions empties a range: "4", "04", "004" are different values with the same number.
      return Math.max(this.gte, other.gte) <= Math.min(this.lte, other.lte);
    }
    const finite = this.complement ? other : this;
    const filter = this.complement ? this : other;
    for (const value of finite.values) if (filter.has(value)) return true;
    return false;
  }

  /** What satisfies both. The larger `minValues` stays. */
  intersection(other: Requirement): Requirement {
    const absent = this.absent && other.absent;
    const minValues = Math.max(this.minValues, other.minValues);
    const gte = Math.max(this.gte, other.gte);
    const lte = Math.min(this.lte, other.lte);
    if (this.complement && other.complement) {
      const excluded = other.values.size === 0 ? this.values : new Set([...this.values, ...other.values]);
      return new Requirement(this.key, true, excluded, gte, lte, absent, minValues);
    }
    const [finite, filter] = this.complement ? [other, this] : [this, other];
    const kept = new Set<string>();
    for (const value of finite.values) if (filter.has(value)) kept.add(value);
    return new Requirement(
      this.key,
      false,
      kept,
      Number.NEGATIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      absent,
      minValues,
    );
  }

  /** The same with another flexibility floor; 0: none. */
  withFloor(minValues: number): Requirement {
    if (minValues === this.minValues) return this;
    return new Requirement(this.key, this.complement, this.values, this.gte, this.lte, this.absent, minValues);
  }

  equals(other: Requirement): boolean {
    if (this.key !== other.key || this.complement !== other.complement || this.absent !== other.absent) return false;
    if (this.gte !== other.gte || this.lte !== other.lte || this.minValues !== other.minValues) return false;
    if (this.values.size !== other.values.size) return false;
    for (const value of this.values) if (!other.values.has(value)) return false;
    return true;
  }

  /** Back in custom-resource form, values sorted. Bounds need one entry each, and so does presence next to exclusions. */
  toSpecs(): RequirementSpec[] {
    const values = [...this.values].sort();
    const specs: RequirementSpec[] = [];
    if (!this.complement) {
      specs.push({ key: this.key, operator: this.absent ? "DoesNotExist" : "In", values });
    } else {
      if (this.gte !== Number.NEGATIVE_INFINITY)
        specs.push({ key: this.key, operator: "Gte", values: [String(this.gte)] });
      if (this.lte !== Number.POSITIVE_INFINITY)
        specs.push({ key: this.key, operator: "Lte", values: [String(this.lte)] });
      if (values.length > 0 || this.absent) specs.push({ key: this.key, operator: "NotIn", values });
      if (!this.absent && (specs.length === 0 || specs[0]!.operator === "NotIn"))
        specs.push({ key: this.key, operator: "Exists", values: [] });
    }
    return this.minValues === 0 ? specs : specs.map((spec) => ({ ...spec, minValues: this.minValues }));
  }

  /** For people: `instance-cpu In ["4", "8"]`, long lists cut. */
  toString(): string {
    return this.toSpecs()
      .map(({ key, operator, values }) => {
        if (values.length === 0) return operator === "In" ? `${key} In []` : `${key} ${operator}`;
        const shown = values.slice(0, 5).map((value) => JSON.stringify(value));
        if (values.length > shown.length) shown.push(`and ${values.length - shown.length} more`);
        return `${key} ${operator} [${shown.join(", ")}]`;
      })
      .join(", ");
  }
}

/** Gt and Lt may have a sign: pods have them too, and kube-scheduler reads any integer there. */
function bound(spec: RequirementSpec): number {
  const [value] = spec.values;
  const form = spec.operator === "Gt" || spec.operator === "Lt" ? signedInteger : integer;
  const parsed = value !== undefined && form.test(value) ? Number(value) : Number.NaN;
  if (spec.values.length !== 1 || !Number.isSafeInteger(parsed)) {
    throw new RequirementError(
      spec.key,
      `operator ${spec.operator} needs one whole number, not [${spec.values.join(", ")}]`,
    );
  }
  return parsed;
}
