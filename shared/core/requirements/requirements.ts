import { own, type RequirementSpec } from "../model/index.ts";
import { normalizeLabels } from "./labels.ts";
import { Requirement } from "./requirement.ts";

export interface CompatibleOptions {
  /** Labels that may be asked for though they are not defined here, because the instance type brings them. */
  readonly allowUndefined?: ReadonlySet<string>;
}

const nothingAllowed: ReadonlySet<string> = new Set();

/** What a node's labels may be: one Requirement a key, all of which must hold. Immutable; keys are walked in sorted order. */
export class Requirements {
  static readonly none: Requirements = new Requirements(new Map());

  readonly #byKey: ReadonlyMap<string, Requirement>;

  private constructor(byKey: ReadonlyMap<string, Requirement>) {
    this.#byKey = byKey;
  }

  /** Requirements on the same key are intersected. Throws RequirementError for a malformed one. */
  static of(specs: Iterable<RequirementSpec>): Requirements {
    const byKey = new Map<string, Requirement>();
    for (const spec of specs) add(byKey, Requirement.of(spec));
    return Requirements.#sorted(byKey);
  }

  /** Exactly these labels (a node's, a template's, or a pod's nodeSelector); aliases become stable keys. */
  static fromLabels(labels: Readonly<Record<string, string>>): Requirements {
    const byKey = new Map<string, Requirement>();
    const normalized = normalizeLabels(labels);
    for (const key of Object.keys(normalized)) byKey.set(key, Requirement.in(key, [normalized[key]!]));
    return Requirements.#sorted(byKey);
  }

  static from(requirements: Iterable<Requirement>): Requirements {
    const byKey = new Map<string, Requirement>();
    for (const requirement of requirements) add(byKey, requirement);
    return Requirements.#sorted(byKey);
  }

  static #sorted(byKey: Map<string, Requirement>): Requirements {
    const keys = [...byKey.keys()].sort();
    return new Requirements(new Map(keys.map((key) => [key, byKey.get(key)!])));
  }

  get size(): number {
    return this.#byKey.size;
  }

  get(key: string): Requirement | undefined {
    return this.#byKey.get(key);
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  keys(): IterableIterator<string> {
    return this.#byKey.keys();
  }

  [Symbol.iterator](): IterableIterator<Requirement> {
    return this.#byKey.values();
  }

  /** Both hold. Keys that only one side names are kept as they are. */
  intersection(other: Requirements): Requirements {
    if (other.size === 0) return this;
    if (this.size === 0) return other;
    const byKey = new Map(this.#byKey);
    for (const requirement of other) add(byKey, requirement);
    return Requirements.#sorted(byKey);
  }

  with(...more: readonly Requirement[]): Requirements {
    return this.intersection(Requirements.from(more));
  }

  without(key: string): Requirements {
    if (!this.has(key)) return this;
    return new Requirements(new Map([...this.#byKey].filter(([name]) => name !== key)));
  }

  /** Some key can never be satisfied. */
  get impossible(): boolean {
    for (const requirement of this) if (requirement.impossible) return true;
    return false;
  }

  /** No key that both name excludes the other. Allocates nothing. */
  intersects(other: Requirements): boolean {
    const [few, many] = this.size <= other.size ? [this, other] : [other, this];
    for (const requirement of few) {
      const counterpart = many.get(requirement.key);
      if (counterpart !== undefined && !counterpart.intersects(requirement)) return false;
    }
    return true;
  }

  /**
   * A pod that asks `incoming` can run on a node that is as `this` says. A label that `this` does not name counts as absent
   * (so NotIn and DoesNotExist hold, In, Exists and bounds do not), unless it is in `allowUndefined`.
   */
  compatible(incoming: Requirements, options: CompatibleOptions = {}): boolean {
    const allowed = options.allowUndefined ?? nothingAllowed;
    for (const requirement of incoming) {
      if (clashes(this.get(requirement.key), requirement, allowed)) return false;
    }
    return true;
  }

  /** Why `compatible` says no, for people; undefined if it says yes. */
  incompatibility(incoming: Requirements, options: CompatibleOptions = {}): string | undefined {
    const allowed = options.allowUndefined ?? nothingAllowed;
    const reasons: string[] = [];
    for (const requirement of incoming) {
      const own = this.get(requirement.key);
      if (!clashes(own, requirement, allowed)) continue;
      reasons.push(
        own === undefined
          ? `label "${requirement.key}" does not have known values`
          : `${requirement} conflicts with ${own}`,
      );
    }
    return reasons.length === 0 ? undefined : reasons.join("; ");
  }

  /** A node with exactly these labels satisfies all of them. */
  matchesLabels(labels: Readonly<Record<string, string>>): boolean {
    const normalized = normalizeLabels(labels);
    for (const requirement of this) if (!requirement.matches(own(normalized, requirement.key))) return false;
    return true;
  }

  /** Labels that are settled: keys with one value left. */
  settledLabels(): Record<string, string> {
    const settled: Record<string, string> = {};
    for (const requirement of this) {
      if (requirement.complement || requirement.values.size !== 1) continue;
      for (const value of requirement.values) settled[requirement.key] = value;
    }
    return settled;
  }

  /** In custom-resource form: by key, values sorted. */
  toSpecs(): RequirementSpec[] {
    return [...this].flatMap((requirement) => requirement.toSpecs());
  }

  toString(): string {
    return [...this].join(", ");
  }
}

function add(byKey: Map<string, Requirement>, requirement: Requirement): void {
  const present = byKey.get(requirement.key);
  byKey.set(requirement.key, present === undefined ? requirement : present.intersection(requirement));
}

function clashes(own: Requirement | undefined, incoming: Requirement, allowUndefined: ReadonlySet<string>): boolean {
  if (own !== undefined) return !own.intersects(incoming);
  return !incoming.absent && !allowUndefined.has(incoming.key);
}
