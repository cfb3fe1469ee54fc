import type { Settings } from "../core/model/index.ts";
import { parseGoDurationMs } from "../core/resources/index.ts";
import { readDefaultSpread } from "./scheduler-config.ts";
import { parseGates, parseMillionths } from "./settings.ts";

/** The environment as found; tests and the local world bring their own. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What is wrong with the environment: every variable at once, each with its fix. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `the configuration has ${problems.length} problem(s):\n${problems.map((problem) => `- ${problem}`).join("\n")}`,
    );
    this.name = "ConfigError";
    this.problems = problems;
  }
}

export type Complain = (problem: string) => void;

/** Reads variables and gathers what is wrong with them; `finish` throws it. Until then wrong ones have empty values. */
export function createReader(env: Environment) {
  const problems: string[] = [];

  function wrong<T>(name: string, wanted: string, empty: T): T {
    const found = env[name];
    problems.push(`${name} is ${found === undefined ? "not set" : JSON.stringify(found)}: set it to ${wanted}`);
    return empty;
  }

  function parsed<T>(name: string, ifAbsent: T, wanted: string, parse: (text: string) => T | undefined): T {
    const text = env[name];
    if (text === undefined || text === "") return ifAbsent;
    return parse(text) ?? wrong(name, wanted, ifAbsent);
  }

  return {
    text(name: string, wanted: string, pattern: RegExp): string {
      const text = env[name];
      return text !== undefined && pattern.test(text) ? text : wrong(name, wanted, "");
    },

    url(name: string, wanted: string): string {
      const text = env[name];
      return text !== undefined && URL.canParse(text) ? text : wrong(name, wanted, "");
    },

    optionalUrl: (name: string): string | undefined =>
      parsed<string | undefined>(name, undefined, "a URL, or remove it", (text) =>
        URL.canParse(text) ? text : undefined,
      ),

    oneOf: <T extends string>(name: string, values: readonly T[], ifAbsent: T): T =>
      parsed(name, ifAbsent, `one of ${values.join(", ")}`, (text) =>
        values.find((value) => value.toLowerCase() === text.toLowerCase()),
      ),

    flag: (name: string, ifAbsent: boolean): boolean =>
      parsed(name, ifAbsent, "true or false", (text) =>
        /^(true|false)$/i.test(text) ? /^true$/i.test(text) : undefined,
      ),

    count: (name: string, ifAbsent: number): number =>
      parsed(name, ifAbsent, "a whole number", (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined)),

    durationMs: (name: string, ifAbsent: number): number =>
      parsed(name, ifAbsent, "a duration such as 10s", parseGoDurationMs),

    millionths: (name: string, ifAbsent: number): number =>
      parsed(name, ifAbsent, "a fraction from 0 to 1 such as 0.075", parseMillionths),

    gates: (name: string, defaults: Settings["featureGates"]): Settings["featureGates"] =>
      parseGates(env[name] ?? "", defaults, (problem) => problems.push(`${name} ${problem}`)),

    defaultSpread(name: string): Pick<Settings, "defaultSpread"> {
      const text = env[name];
      if (text === undefined || text === "") return {};
      try {
        return { defaultSpread: readDefaultSpread(text) };
      } catch (error) {
        problems.push(`${name} ${(error as Error).message}`);
        return {};
      }
    },

    json<T>(name: string, wanted: string, convert: (value: unknown, complain: Complain) => T): T | undefined {
      const text = env[name];
      let value: unknown;
      try {
        value = JSON.parse(text ?? "");
      } catch (error) {
        // Neither the text nor the parser's message, which quotes from it: there may be tokens in it.
        const at = /position (\d+)/.exec((error as Error).message)?.[1];
        const found = text ? `no JSON${at === undefined ? "" : ` at position ${at}`}` : "not set";
        problems.push(`${name} is ${found}: set it to ${wanted}`);
        return undefined;
      }
      return convert(value, (problem) => problems.push(`${name}: ${problem}`));
    },

    /** Throws a ConfigError if anything was wrong. */
    finish(): void {
      if (problems.length > 0) throw new ConfigError(problems);
    },
  };
}
