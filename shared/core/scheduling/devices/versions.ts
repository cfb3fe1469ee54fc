import type { Environment } from "@marcbachmann/cel-js";

const form = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;
const wholeNumber = /^\d+$/;

/** A version by semver.org's rules, of which builds do not count. */
export class Version {
  readonly numbers: readonly number[];
  /** Parts of what comes after "-"; none: released, and later than any with some. */
  readonly early: readonly string[];

  constructor(numbers: readonly number[], early: readonly string[]) {
    this.numbers = numbers;
    this.early = early;
  }

  static parse(text: string): Version | undefined {
    const match = form.exec(text);
    if (match === null) return undefined;
    return new Version(match.slice(1, 4).map(Number), match[4]?.split(".") ?? []);
  }

  /** Below 0: this one comes before the other. */
  compare(other: Version): number {
    for (const [at, number] of this.numbers.entries()) {
      if (number !== other.numbers[at]) return number - other.numbers[at]!;
    }
    if (this.early.length === 0 || other.early.length === 0) return other.early.length - this.early.length;
    for (const [at, part] of this.early.entries()) {
      const others = other.early[at];
      if (others === undefined) return 1;
      if (part !== others) return comparePart(part, others);
    }
    return this.early.length - other.early.length;
  }
}

/** Numbers come by size and before words. */
function comparePart(a: string, b: string): number {
  const [isNumber, isOther] = [wholeNumber.test(a), wholeNumber.test(b)];
  if (isNumber && isOther) return Number(a) - Number(b);
  if (isNumber !== isOther) return isNumber ? -1 : 1;
  return a < b ? -1 : 1;
}

/** Adds Kubernetes' functions for versions to a CEL environment. */
export function semverFunctions(env: Environment): void {
  const name = "kubernetes.Semver";
  env.registerType(name, { ctor: Version, fields: {} });
  env.registerFunction("isSemver(string): bool", (text: string) => Version.parse(text) !== undefined);
  env.registerFunction(`semver(string): ${name}`, (text: string) => {
    const version = Version.parse(text);
    if (version === undefined) throw new Error(`${JSON.stringify(text)} is no version`);
    return version;
  });
  ["major", "minor", "patch"].forEach((part, at) => {
    env.registerFunction(`${name}.${part}(): int`, (version: Version) => BigInt(version.numbers[at]!));
  });
  env.registerFunction(`${name}.compareTo(${name}): int`, (a: Version, b: Version) => BigInt(Math.sign(a.compare(b))));
  env.registerFunction(`${name}.isGreaterThan(${name}): bool`, (a: Version, b: Version) => a.compare(b) > 0);
  env.registerFunction(`${name}.isLessThan(${name}): bool`, (a: Version, b: Version) => a.compare(b) < 0);
  env.registerOperator(`${name} == ${name}`, (a: Version, b: Version) => a.compare(b) === 0);
}
